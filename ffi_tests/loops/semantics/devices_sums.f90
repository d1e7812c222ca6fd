! Sums of reals that the device does in the order of the host's statements: into small arrays, by
! several statements, in inner loops.
module devices_sums
  use bits_of_results
  implicit none
  integer, parameter :: wp = real64
  type :: budget
    real(wp) :: mass = 1
    integer :: count = 0
    real(real32) :: heat = 2
  end type budget
  real(wp) :: shared(-2:2) = 0
contains
  subroutine into_arrays(n, k, x)
    integer, intent(in) :: n, k(n)
    real(wp), intent(in) :: x(n)
    real(wp) :: t(0:3, -1:1), one(1), most, w
    real(real32) :: narrow(4)
    integer :: i, j, last, hits(3), total
    t = 0.5_wp
    narrow = -1
    one = 3
    hits = 0
    last = -5
    ! truth: parallel i; sums t; run sums-by-rows
    do i = 1, n
      do j = -1, 1
        t(mod(k(i), 4), j) = t(mod(k(i), 4), j) + x(i)*j
        if (j == k(i)) cycle
        t(3, j) = x(i) + t(3, j) - 0.25_wp
      end do
      t(0, 0) = t(0, 0) - x(i)
      t(0, 0) = t(0, 0) + 1
    end do
    call show('sums-by-rows', bits(reshape(t, [12])))
    ! truth: parallel i; sums narrow; run sums-into-a-narrower-kind
    do i = 1, n
      narrow(1 + mod(k(i), 4)) = narrow(1 + mod(k(i), 4)) + 2*x(i)
    end do
    call show('sums-into-a-narrower-kind', bits(narrow))
    total = -7
    ! truth: parallel i; private w; reduction max:total; sums one shared; run sums-while
    do i = 1, n
      w = x(i)
      do while (w > 1)
        one(1) = one(1) + w
        shared(k(i)/3 - 2) = shared(k(i)/3 - 2) - w
        w = w/2
        if (w > 20) exit
      end do
      total = max(total, k(i))
    end do
    call show('sums-while', [bits(one), bits(shared), bits([total])])
    ! truth: parallel i; sums t narrow hits; last last; run sums-and-last-value
    do i = n, 1, -2
      last = 2*k(i)
      narrow(2) = narrow(2) - real(x(i), real32)
      t(last/8, 1) = t(last/8, 1) + last
      hits(1 + mod(last, 3)) = hits(1 + mod(last, 3)) + 1
    end do
    call show('sums-and-last-value', [bits(narrow), bits(reshape(t, [12])), bits(hits), bits([last])])
    most = -8
    ! truth: parallel i; sums one; reduction max:most; run sums-and-extreme-value
    do i = 1, n
      most = max(most, x(i))
      one(1) = one(1) + x(i) - 1
    end do
    call show('sums-and-extreme-value', [bits(one), bits([most])])
    ! truth: parallel i; sums t; run sums-of-nothing
    do i = 1, n
      if (x(i) > 1000) t(1, k(i)) = t(1, k(i)) + x(i)
    end do
    call show('sums-of-nothing', bits(reshape(t, [12])))
  end subroutine into_arrays

  subroutine zeros(n, x)
    integer, intent(in) :: n
    real(wp), intent(in) :: x(n)
    real(wp) :: s(2), u(3), v
    integer :: i
    s = [-0._wp, 0._wp]
    ! truth: parallel i; sums s; run sums-from-minus-zero
    do i = 1, n
      if (x(i) > 4) s(1) = s(1) + (x(i) - x(i))*(-1)
      s(2) = s(2) - 0._wp
    end do
    call show('sums-from-minus-zero', bits(s))
    u = 0
    v = 0
    ! truth: parallel i; sums u; reduction +:v; run sums-of-minus-zeros
    do i = 1, n
      u(2) = u(2) + x(i)*(-0._wp)*x(i)
      u(3) = u(3) - x(i)
      v = v - 0._wp*x(i)*x(i) + (-0._wp)
    end do
    call show('sums-of-minus-zeros', [bits(u), bits([v])])
  end subroutine zeros

  subroutine no_numbers(n, k, x)
    integer, intent(in) :: n, k(n)
    real(wp), intent(in) :: x(n)
    real(wp) :: s(0:9), v
    integer :: i
    s = 0
    v = 1
    ! truth: parallel i; sums s; reduction +:v; run sums-with-nan
    do i = 1, n
      s(k(i)) = s(k(i)) + x(i)
      v = v + 1 - x(i)
    end do
    call show('sums-with-nan', [bits(merge(0._wp, s, s /= s)), bits(s /= s), bits([v /= v])])
  end subroutine no_numbers

  subroutine scalars(n, m, a, b)
    integer, intent(in) :: n, m
    real(wp), intent(in) :: a(m, n)
    type(budget), intent(inout) :: b
    real(wp) :: s, p, t
    real(real32) :: r
    integer :: i, j, count
    s = 1
    p = 1
    t = 2
    r = 0
    count = 0
    ! truth: parallel i; reduction +:s *:p +:count; run scalars-of-inner-loops
    do i = 1, n
      do j = m, 1, -1
        if (a(j, i) == 0) cycle
        s = s + a(j, i)
        count = count + j
        p = p*sign(1._wp, a(j, i))
      end do
      s = s - i
    end do
    call show('scalars-of-inner-loops', [bits([s, p]), bits([count])])
    ! truth: parallel i j; reduction +:t +:r; run scalars-of-several-terms
    do i = 1, n
      do j = 1, m
        t = 2*a(j, i) + t - a(1, i) + j
        r = r + real(a(j, i), real32) - 0.5_real32
      end do
    end do
    call show('scalars-of-several-terms', [bits([t]), bits([r])])
    ! truth: parallel i; private j; reduction +:b%mass +:b%heat; run components-of-several-terms
    do i = 1, n
      b%mass = b%mass + a(1, i) - a(m, i)
      do j = 2, m
        if (a(j, i) > 0) b%heat = b%heat + real(a(j, i), real32)
      end do
    end do
    call show('components-of-several-terms', [bits([b%mass]), bits([b%heat])])
  end subroutine scalars

  ! With the question whether the host has to reduce again, which MAX and MIN need, these are eight results.
  subroutine many_on_the_device(n, x)
    integer, intent(in) :: n
    real(wp), intent(in) :: x(n)
    real(wp) :: all, half, most, least
    real(real32) :: short
    integer(int64) :: long
    integer :: i, count
    logical :: any_large
    all = 0.25_wp
    half = 1
    most = -huge(most)
    least = huge(least)
    short = 0
    long = 2
    any_large = .false.
    ! truth: parallel i; reduction +:all +:half max:most min:least +:short +:long .or.:any_large; run seven-results
    do i = 1, n
      if (x(i) > 0) half = half + 0.5_wp*x(i)
      all = all + x(i)
      most = max(most, x(i) + 0.25_wp)
      least = min(least, x(i) - 100)
      short = short + real(i, real32)
      long = long + 3_int64*i
      any_large = any_large .or. x(i) > 7
    end do
    call show('seven-results', [bits([all, half, most, least]), bits([short]), bits([long]), bits([any_large])])
    count = 0
    all = 0
    half = 0
    short = 0
    long = 0
    ! truth: parallel i; reduction +:all +:half +:short +:long +:count; last least most; run results-and-last-values
    do i = 1, n, 2
      least = 2*x(i)
      most = least + i
      all = all + x(i)
      half = half + most
      short = short + 1
      long = long + i
      count = count + 2
    end do
    call show('results-and-last-values', [bits([all, half, most, least]), bits([short]), bits([long]), bits([count, i])])
  end subroutine many_on_the_device
end module devices_sums

program main
  use devices_sums
  implicit none
  integer, parameter :: n = 301
  integer :: i, k(n)
  real(wp) :: x(n), z(n)
  type(budget) :: b
  x = sample([(mod(11*i, 97), i=1, n)])
  k = [(mod(i*i, 13), i=1, n)]
  call into_arrays(n, k, x)
  call into_arrays(0, k, x)
  call into_arrays(1, k(3:3), x(3:3))
  call zeros(n, x)
  call zeros(0, x)
  z = x
  z([2, 90, n]) = transfer([int(z'7FF8000000000000', int64), int(z'7FF0000000000000', int64), -int(z'10000000000000', int64)], z, 3)
  call no_numbers(n, mod(k, 10), z)
  call scalars(n, 7, reshape(x, [7, n], x), b)
  call scalars(0, 7, reshape(x, [7, 0]), b)
  call many_on_the_device(n, x)
end program main
