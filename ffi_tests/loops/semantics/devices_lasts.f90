! Private arrays whose values of the last iteration are read behind the nest, also on devices.
module devices_lasts
  use bits_of_results
  implicit none
  integer, parameter :: wp = real64
contains
  subroutine rows(n, a, w, total, most)
    integer, intent(in) :: n
    real(wp), intent(in) :: a(n)
    real(wp), intent(inout) :: w(3), total(n), most
    real(wp) :: v(4), u(2, -1:1)
    integer :: kinds(3), i, j, k
    logical(1) :: far(2)
    v = -1
    u = -2
    ! truth: parallel i; private v; last v; run kept-array
    do i = 1, n
      do k = 1, 4
        v(k) = a(i)*k
      end do
      total(i) = sum(v)
    end do
    call show('kept-array', bits([v, total]))
    ! truth: parallel i; private u kinds far; last u kinds far; run kept-arrays
    do i = 1, n
      u = a(i)*2
      kinds = [i, 2*i, 7]
      far = a(i) > 3
      u(1, :) = u(1, :) + kinds
      if (i == n) cycle
      total(i) = total(i) + u(2, 0)*kinds(2)
    end do
    call show('kept-arrays', bits([real(kinds, wp), u(1, :), u(2, :), total, merge(1.0_wp, 0.0_wp, far)]))
    ! truth: parallel i; private v k; last v k; reduction max:most; run kept-array-and-maximum
    do i = 1, n
      v = a(i)*3
      k = i
      most = max(most, v(1))
      total(i) = total(i) + v(3)
    end do
    call show('kept-array-and-maximum', bits([v, most, real(k, wp), total]))
    ! truth: parallel i; private v; last v; run kept-array-backwards
    do i = n, 1, -2
      v = a(i)*3
      total(i) = total(i) + v(3)
    end do
    call show('kept-array-backwards', bits([v, total]))
    ! truth: parallel i; private v; last v; run kept-array-without-iterations
    do i = n, 1
      v = a(i)*5
      total(i) = total(i) + v(3)
    end do
    call show('kept-array-without-iterations', bits([v, total]))
    ! truth: parallel j i; private u; last u; run kept-array-of-two-loops
    do j = 1, n/2
      do i = 1, 2
        u = a(j)*i
        total(2*j + i - 2) = total(2*j + i - 2) + u(2, 1)
      end do
    end do
    call show('kept-array-of-two-loops', bits([u(1, :), u(2, :), total]))
    w = w + u(1, :) + v(1:3)
  end subroutine rows
end module devices_lasts

program main
  use devices_lasts
  implicit none
  integer, parameter :: n = 38
  real(wp) :: a(n), w(3), total(n), most
  integer :: i
  a = sample([(i, i=1, n)])
  w = 0
  total = 0
  most = 1
  call rows(n, a, w, total, most)
  call show('kept-array', bits(w))
end program main
