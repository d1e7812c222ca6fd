! Places of extreme values, which the device finds by a second launch.
module devices_places
  use bits_of_results
  implicit none
  integer, parameter :: wp = real64
contains
  ! Values from before the loop: below all, one of the values, above all, zeros of both signs, a NaN.
  subroutine of_real(n, x, begin)
    integer, intent(in) :: n
    real(wp), intent(in) :: x(n), begin
    real(wp) :: most, least, late, early
    integer :: i, k, l, m, o
    integer(int64) :: twice
    most = begin; least = begin; late = begin; early = begin
    k = -1; l = -2; m = -3; o = -4; twice = -5
    ! truth: parallel i; reduction max:most maxloc:k; run first-place-of-maximum
    do i = 1, n
      if (x(i) > most) then
        most = x(i)
        k = i
        twice = 2*i
      end if
    end do
    call show('first-place-of-maximum', [bits([most]), bits(k), bits([int(twice)])])
    ! truth: parallel i; reduction min:least minloc:l; run first-place-of-minimum
    do i = n, 1, -1
      if (least > x(i)) then
        l = i
        least = x(i)
      end if
    end do
    call show('first-place-of-minimum', [bits([least]), bits(l)])
    ! truth: parallel i; reduction max:late maxloc:m; run last-place-of-maximum
    do i = 1, n, 2
      if (x(i) >= late) then
        late = x(i)
        m = i
      end if
    end do
    call show('last-place-of-maximum', [bits([late]), bits(m)])
    ! truth: parallel i; reduction min:early minloc:o; run last-place-of-minimum
    do i = 1, n
      if (i == 3) cycle
      if ((x(i) <= early)) then
        early = x(i)
        o = i*i
      end if
    end do
    call show('last-place-of-minimum', [bits([early]), bits(o)])
  end subroutine of_real

  subroutine of_reals(n, x, begin)
    integer, intent(in) :: n
    real(wp), intent(in) :: x(n), begin(8)
    integer :: p
    do p = 1, 8
      call of_real(n, x, begin(p))
    end do
  end subroutine of_reals

  subroutine of_boxes(n, m, a, b, v)
    integer, intent(in) :: n, m
    real(wp), intent(in) :: a(0:n - 1, -m:m)
    real(real32), intent(in) :: b(n, 1)
    integer, intent(in) :: v(:)
    real(wp) :: most, least, w
    real(real32) :: small
    integer :: i, j, k(4), ii, jj, i2, j2, top, count
    logical :: even
    most = -huge(most)
    least = huge(least)
    ii = -9; jj = -9; i2 = -9; j2 = -9
    ! truth: parallel j i; private w; reduction max:most maxloc:ii maxloc:jj min:least minloc:i2 minloc:j2; run places-in-a-box
    do j = m, -m, -1
      do i = 0, n - 1
        w = abs(a(i, j)) - 0.25_wp
        if (w > most) then
          most = w; ii = i; jj = j
        end if
        if (a(i, j) <= least) then
          least = a(i, j); i2 = i; j2 = j
        end if
      end do
    end do
    call show('places-in-a-box', [bits([most, least]), bits([ii, jj, i2, j2])])
    top = 3
    count = 0
    k = -1
    even = .true.
    ! truth: parallel i; reduction max:top maxloc:ii maxloc:even +:count; run place-and-count
    do i = 1, size(v)
      count = count + v(i)
      do j = -1, 1
        if (mod(v(i), 5) + j >= top) then
          top = mod(v(i), 5) + j
          ii = 10*i + j
          even = mod(i, 2) == 0
        end if
      end do
    end do
    call show('place-and-count', bits([top, ii, count, merge(1, 0, even)]))
    small = 0.5_real32
    ! truth: parallel i; reduction min:small minloc:jj; run place-in-a-row
    do i = 1, n
      if (b(i, 1) < small) then
        small = b(i, 1)
        jj = v(i)
      end if
    end do
    call show('place-in-a-row', [bits([real(small, wp)]), bits(jj)])
  end subroutine of_boxes

  ! Reals that are set, and the extreme value with its place among them: the device leaves this to the host.
  subroutine of_changed(n, x)
    integer, intent(in) :: n
    real(wp), intent(inout) :: x(n)
    real(wp) :: most
    integer :: i, k
    most = 0
    k = 0
    ! truth: parallel i; reduction max:most maxloc:k; run place-in-changed-array
    do i = 1, n
      x(i) = 2*x(i) + 1
      if (x(i) > most) then
        most = x(i)
        k = i
      end if
    end do
    call show('place-in-changed-array', [bits([most]), bits(k), bits(x)])
  end subroutine of_changed
end module devices_places

program main
  use devices_places
  implicit none
  integer, parameter :: n = 97
  integer :: i, v(n)
  real(wp) :: x(n), odd(8), z(n), nan, infinity
  ! flang 16 has no ieee_value.
  nan = transfer(int(z'7FF8000000000000', int64), nan)
  infinity = transfer(int(z'7FF0000000000000', int64), infinity)
  x = sample([(mod(7*i, 31), i=1, n)])
  odd = [-huge(nan), maxval(x), minval(x), huge(nan), 0._wp, -0._wp, nan, -infinity]
  call of_reals(n, x, odd)
  call of_reals(0, x, odd)
  call of_reals(1, x, odd)
  z = x
  z([1, 5, 40, n]) = nan
  call of_reals(n, z, odd)
  z = merge(0._wp, -0._wp, [(mod(i, 3) == 1, i=1, n)])
  call of_reals(n, z, odd)
  call of_reals(n - 1, -z(2:), odd)
  z = nan
  call of_reals(n, z, odd)
  z = -infinity
  call of_reals(n, z, odd)
  call of_reals(n, -z, odd)
  v = [(mod(i*i, 23), i=1, n)]
  call of_boxes(8, 5, reshape(x, [8, 11], x), reshape(real(x, real32), [8, 1]), v(1:n:3))
  call of_boxes(8, -1, reshape(x, [8, 11], x), reshape(real(x, real32), [8, 1]), v)
  call of_changed(n, x)
end program main
