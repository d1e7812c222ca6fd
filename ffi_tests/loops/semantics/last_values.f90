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
end module last_values

program main
  use last_values
  implicit none
  integer, parameter :: n = 45, m = 6
  real(wp) :: a(m, n)
  integer :: i
  a = reshape(sample([(i, i=1, n*m)]), [m, n])
  call rows(n, m, sample([(i, i=3, n + 2)]), a)
end program main
