! Values of scalars, of inner loop variables and of arrays after a nest.
module last_values
  use bits_of_results
  implicit none
  integer, parameter :: wp = real64
  real(wp) :: latest
contains
  subroutine rows(n, m, x, a)
    integer, intent(in) :: n, m
    real(wp), intent(in) :: x(n)
    real(wp), intent(inout) :: a(m, n)
    real(wp) :: t, u, last_column(m)
    integer :: i, k, kk
    logical :: big
    ! truth: parallel i; last t; run last-scalar
    do i = 1, n
      t = 2*x(i)
      a(1, i) = t
    end do
    call show('last-scalar', [bits([a]), bits(t)])
    ! truth: parallel i; last t; run last-scalar-negative-step
    do i = n, 1, -2
      t = 2*x(i) + i
      a(1, i) = t
    end do
    call show('last-scalar-negative-step', [bits([a]), bits(t)])
    t = 77
    ! truth: parallel i; last t; run last-scalar-zero-trips
    do i = n, 1
      t = x(i)
      a(1, i) = t
    end do
    call show('last-scalar-zero-trips', bits([t]))
    ! truth: parallel i; last k; run last-inner-variable
    do i = 1, n
      do k = 1, m
        a(k, i) = a(k, i) + k
      end do
    end do
    call show('last-inner-variable', [bits([a]), bits(k), bits(i)])
    ! truth: parallel i; last k; run last-inner-variable-of-exit
    do i = 1, n
      do k = 1, m
        if (a(k, i) > 4) exit
        a(k, i) = -1
      end do
    end do
    call show('last-inner-variable-of-exit', [bits([a]), bits(k)])
    ! truth: parallel i; last big u; run last-of-both-branches
    do i = 1, n
      big = x(i) > 1
      if (big) then
        u = x(i)
      else
        u = -x(i)
      end if
      a(m, i) = u
    end do
    call show('last-of-both-branches', [bits([a]), bits(big), bits(u)])
    ! truth: parallel i; last kk; run last-integer
    do i = 2, n
      kk = mod(i*7, m) + 1
      a(kk, i) = 0
    end do
    call show('last-integer', [bits([a]), bits(kk)])
    ! truth: parallel i; last latest; run last-module-scalar
    do i = 1, n
      latest = x(i)**2
      a(2, i) = latest
    end do
    call show('last-module-scalar', [bits([a]), bits(latest)])
    ! truth: parallel i; last last_column; run last-array
    do i = 1, n
      do k = 1, m
        last_column(k) = a(k, i) + i
      end do
      a(1, i) = last_column(1) - last_column(m)
    end do
    call show('last-array', [bits([a]), bits(last_column)])
    ! truth: parallel i; private t k; run last-of-inner-loop-not-read
    do i = 1, n
      t = 0
      do k = 1, m
        t = t + a(k, i)
      end do
      a(3, i) = t
    end do
    call show('last-of-inner-loop-not-read', bits([a]))
  end subroutine rows

  subroutine kinds(n, m, x, a, total)
    integer, intent(in) :: n, m
    real(wp), intent(in) :: x(n)
    real(wp), intent(inout) :: a(m, n), total
    real(wp) :: zero, least, nan
    real(real32) :: single
    integer(int8) :: tiny_one
    integer(int16) :: short
    integer(int64) :: long
    logical(int8) :: far
    integer :: i, k, kk, i_end
    ! truth: parallel i; last zero single; run last-reals
    do i = 1, n
      zero = -0.0_wp*x(i)**2
      single = -1/(3*real(i, real32))
      a(1, i) = zero + single
    end do
    call show('last-reals', [bits([a]), bits(zero), bits(single)])
    nan = transfer(ishft(4095_int64, 51), 1.0_wp)
    ! truth: parallel i; last zero single; run last-not-a-number
    do i = n, 2, -3
      single = sqrt(real(i, real32) - 2.5)
      zero = x(i)*nan
      a(1, i) = single
    end do
    call show('last-not-a-number', [merge(1_int64, 0_int64, [zero /= zero, single /= single]), bits([a(1, 3:)])])
    ! truth: parallel i; last tiny_one short long far; run last-kinds
    do i = 1, n
      tiny_one = int(-mod(i, 100), int8)
      short = int(-7*i, int16)
      long = -ishft(int(i, int64), 40)
      far = mod(i, 2) == 1
      a(2, i) = tiny_one + short + real(long, wp)
      if (far) a(3, i) = 5
    end do
    call show('last-kinds', [bits([a]), int(tiny_one, int64), int(short, int64), long, merge(1_int64, 0_int64, logical(far))])
    ! truth: parallel i k; last kk; run last-of-two-loops
    do i = n, 1, -1
      do k = m, 2, -2
        kk = 1000*i + k
        a(k, i) = a(k, i) + kk
      end do
    end do
    call show('last-of-two-loops', [bits([a]), bits(kk), bits(i), bits(k)])
    kk = -5
    ! truth: parallel i k; last kk; run last-of-two-loops-zero-trips
    do i = 1, n
      do k = m, m - 1
        kk = 1000*i + k
        a(k, i) = kk
      end do
    end do
    call show('last-of-two-loops-zero-trips', [bits([a]), bits(kk)])
    ! truth: parallel i; last kk; run last-with-cycle
    do i = 1, n
      kk = 3*i
      if (x(i) > 0) cycle
      do k = 1, m
        if (a(k, i) > 3) exit
      end do
      a(1, i) = k
    end do
    call show('last-with-cycle', [bits([a]), bits(kk)])
    total = 0
    least = 1000
    ! truth: parallel i; reduction +:total min:least; last i_end; run last-with-reductions
    do i = 1, n
      i_end = 2*i
      total = total + x(i)*i_end
      if (x(i) < least) least = x(i)
    end do
    call show('last-with-reductions', [bits(i_end), bits(least), nint(total*1000, int64)])
    ! truth: parallel i; reduction min:least; last i_end; run last-with-odd-minimum
    do i = 1, n
      i_end = 5*i
      least = min(least, -0.0_wp*i, x(i) + 1000)
    end do
    call show('last-with-odd-minimum', [bits(i_end), bits(least)])
  end subroutine kinds
end module last_values

program main
  use last_values
  implicit none
  integer, parameter :: n = 45, m = 6
  real(wp) :: a(m, n), total
  integer :: i
  a = reshape(sample([(i, i=1, n*m)]), [m, n])
  call rows(n, m, sample([(i, i=3, n + 2)]), a)
  call kinds(n, m, sample([(i, i=3, n + 2)]), a, total)
end program main
