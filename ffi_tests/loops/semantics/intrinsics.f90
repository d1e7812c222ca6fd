! Functions of whole arrays inside of nests: extreme values and their places, counts, sums with masks and
! along one dimension, products of matrices, and assignments that read what they set.
module intrinsics
  use bits_of_results
  implicit none
  integer, parameter :: wp = real64
  real(wp), parameter :: weights(0:2) = [0.25_wp, 0.5_wp, -1.0_wp], turn(2, 3) = reshape([1, 2, 3, 4, 5, 6]*0.5_wp, [2, 3])
  integer, parameter :: codes(3) = [7, -2, 100]
  logical, parameter :: wet(2) = [.true., .false.]
contains
  subroutine extremes_on_the_device(n, m, a, ok, r, k)
    integer, intent(in) :: n, m
    real(wp), intent(in) :: a(m, n)
    logical, intent(in) :: ok(m, n)
    real(wp), intent(inout) :: r(n)
    integer, intent(inout) :: k(n)
    integer(int8) :: small(5)
    integer :: i, j
    ! truth: parallel i; run maxval-of-columns
    do i = 1, n
      r(i) = maxval(a(:, i)) + 2*minval(a(:, i))
    end do
    call show('maxval-of-columns', bits(r))
    ! truth: parallel i; run maxval-with-masks
    do i = 1, n
      r(i) = maxval(a(:, i), ok(:, i))
      if (k(i) > 5) r(i) = minval(abs(a(:, i)), mask=a(:, i) < -k(i))
    end do
    call show('maxval-with-masks', bits(r))
    ! truth: parallel i; run maxval-of-nothing
    do i = 1, n
      r(i) = maxval(a(2:mod(i, 3), i)) + minval(a(3:1, i))/4
      if (mod(i, 5) == 0) r(i) = maxval(a(:, i), .false.)
    end do
    call show('maxval-of-nothing', bits(r))
    ! truth: parallel i; run maxval-of-one-kind
    do i = 1, n
      r(i) = maxval(real(a(:, i), real32), dim=1) + minval([r(i), a(1, i), 0.5_wp])
    end do
    call show('maxval-of-one-kind', bits(r))
    ! truth: parallel i; private small j; run maxval-of-small-integers
    do i = 1, n
      do j = 1, 5
        small(j) = int(mod(i*j*37, 251) - 125, int8)
      end do
      if (mod(i, 4) == 0) small = -127_int8 - 1_int8
      k(i) = maxval(small) - minval(small)*3 + maxval(small(3:mod(i, 5)))
      if (mod(i, 7) == 0) k(i) = maxval(codes(:mod(i, 2))) + maxval(codes, codes < 50)
    end do
    call show('maxval-of-small-integers', bits(k))
    ! truth: parallel i; run maxval-in-conditions
    do i = 1, n
      if (a(1, i) > 1) then
        r(i) = 1
      else if (maxval(a(:, i)) > 3) then
        r(i) = 2
      else if (any(ok(:, i)) .and. minval(a(:, i)) > -4) then
        r(i) = maxval(a(:, i))
      else
        r(i) = -1
      end if
    end do
    call show('maxval-in-conditions', bits(r))
  end subroutine extremes_on_the_device

  subroutine no_numbers_on_the_device(n, m, z, r, k)
    integer, intent(in) :: n, m
    real(wp), intent(in) :: z(m, n)
    real(wp), intent(inout) :: r(n)
    integer, intent(inout) :: k(2, n)
    integer :: i
    ! truth: parallel i; run maxval-of-nan
    do i = 1, n
      r(i) = maxval(z(:, i))
      k(1, i) = maxloc(z(:, i), dim=1)
      k(2, i) = minloc(z(:, i), dim=1)
    end do
    call show('maxval-of-nan', [bits(r), bits(pack(k, .true.))])
    ! truth: parallel i; run minval-of-nan-with-masks
    do i = 1, n
      r(i) = minval(z(:, i), mask=z(:, i) < 1 .or. i > n/2)
      k(1, i) = minloc(z(:, i), 1, z(:, i) < 1 .or. i > n/2)
    end do
    call show('minval-of-nan-with-masks', [bits(r), bits(k(1, :))])
  end subroutine no_numbers_on_the_device

  subroutine places_on_the_device(n, m, a, ok, k)
    integer, intent(in) :: n, m
    real(wp), intent(in) :: a(m, n)
    logical, intent(in) :: ok(m, n)
    integer, intent(inout) :: k(3, n)
    integer(int64) :: long
    real(wp) :: q(3, 4)
    integer :: i, at(2)
    ! truth: parallel i; run maxloc-of-columns
    do i = 1, n
      k(1, i) = maxloc(a(:, i), dim=1)
      k(2, i) = minloc(a(m:1:-1, i), 1)
      k(3:3, i) = maxloc(a(:, i)*0)
    end do
    call show('maxloc-of-columns', bits(pack(k, .true.)))
    ! truth: parallel i; private long; run maxloc-with-masks
    do i = 1, n
      k(1, i) = maxloc(a(:, i), dim=1, mask=ok(:, i))
      k(2, i) = minloc(a(:, i), 1, a(:, i) > 4)
      long = maxloc(a(2:mod(i, 4), i), 1, kind=int64)
      k(3, i) = int(long)
    end do
    call show('maxloc-with-masks', bits(pack(k, .true.)))
    ! truth: parallel i; private at q; run maxloc-of-matrices
    do i = 1, n
      q = a(1, i)
      q(mod(i, 3) + 1, mod(i, 4) + 1) = a(1, i) + 1
      q(1, 2) = a(m, i) - 30
      at = maxloc(q)
      k(1:2, i) = minloc(q)
      k(3, i) = at(1) + 10*at(2)
    end do
    call show('maxloc-of-matrices', bits(pack(k, .true.)))
    ! truth: parallel i; run findloc-of-columns
    do i = 1, n
      k(1, i) = findloc(a(:, i), 0.0_wp, dim=1)
      k(2, i) = findloc(ok(:, i), .false., 1)
      k(3:3, i) = findloc(int(a(:, i)), 2, mask=ok(:, i))
    end do
    call show('findloc-of-columns', bits(pack(k, .true.)))
  end subroutine places_on_the_device

  subroutine counts_on_the_device(n, m, a, ok, r, k)
    integer, intent(in) :: n, m
    real(wp), intent(in) :: a(m, n)
    logical, intent(in) :: ok(m, n)
    real(wp), intent(inout) :: r(n)
    integer, intent(inout) :: k(n)
    real(wp) :: w(8)
    integer :: i, j
    ! truth: parallel i; run counts-of-columns
    do i = 1, n
      k(i) = count(a(:, i) > 0.5_wp) + 100*count(ok(:, i)) + 10000*int(count(ok(3:2, i), kind=int64))
    end do
    call show('counts-of-columns', bits(k))
    ! truth: parallel i; run any-and-all
    do i = 1, n
      k(i) = merge(1, 0, any(ok(:, i))) + merge(10, 0, all(a(:, i) > -5)) + merge(100, 200, any(ok(2:1, i)))
      if (all(ok(1:0, i)) .and. parity(ok(:, i))) k(i) = -k(i)
    end do
    call show('any-and-all', bits(k))
    ! truth: parallel i; run sums-with-masks
    do i = 1, n
      r(i) = sum(a(:, i), a(:, i) > 0) - sum(a(:, i), dim=1, mask=ok(:, i)) + product(a(1:3, i), mask=abs(a(1:3, i)) > 1)
    end do
    call show('sums-with-masks', bits(r))
    ! truth: parallel i; run sums-of-bits
    do i = 1, n
      k(i) = iany(int(4*a(:, i))) + 3*iall(int(4*a(:, i)), mask=ok(:, i)) - iparity(int(a(:, i)))
    end do
    call show('sums-of-bits', bits(k))
    ! truth: parallel i; private w j; run while-any
    do i = 1, n
      w = a(1, i) + [1, 2, 3, 4, 5, 6, 7, 8]
      j = 0
      do while (any(w > 0) .and. j < 20)
        j = j + 1
        if (mod(j, 3) == 0) cycle
        w = w - 2
        if (sum(w) < -100) exit
      end do
      r(i) = w(8) + j
    end do
    call show('while-any', bits(r))
    ! truth: parallel i; run constants-that-are-arrays
    do i = 1, n
      r(i) = sum(weights*a(1:3, i)) + weights(mod(i, 3)) + turn(2, mod(i, 3) + 1) - maxval(turn(:, 2))
      if (wet(mod(i, 2) + 1)) r(i) = r(i) + codes(mod(i, 3) + 1)
    end do
    call show('constants-that-are-arrays', bits(r))
  end subroutine counts_on_the_device

  subroutine matrices_on_the_device(n, m, a, r)
    integer, intent(in) :: n, m
    real(wp), intent(in) :: a(m, n)
    real(wp), intent(inout) :: r(4, n)
    real(wp) :: q(3, 3), p(3, 2), v(3), u(2)
    real(real32) :: narrow(3)
    integer :: i, j
    ! truth: parallel i; private q p v u narrow j; run matrix-products
    do i = 1, n
      do j = 1, 3
        q(:, j) = a(j:j + 2, i)*j
      end do
      p = matmul(q, q(:, 1:2))
      v = matmul(q, a(1:3, i))
      u = matmul(v, p)
      narrow = matmul(real(q, real32), [1, 2, 3])
      r(1:3, i) = v + 2*matmul(q, v)
      r(4, i) = u(1) - u(2) + narrow(2)
    end do
    call show('matrix-products', bits(pack(r, .true.)))
    ! truth: parallel i; private q v j; run matrix-products-in-place
    do i = 1, n
      do j = 1, 3
        q(:, j) = a(j, i) - [j, 2, 3]
      end do
      v = a(1:3, i)
      v = matmul(q, v)
      q = matmul(q, q)
      q(1:2, 1:2) = matmul(q(2:3, 2:3), q(1:2, 1:2))
      r(1:3, i) = v + q(:, 2)
      r(4, i) = sum(q)
    end do
    call show('matrix-products-in-place', bits(pack(r, .true.)))
    ! truth: parallel i; private q v u p j; run sums-along-a-dimension
    do i = 1, n
      do j = 1, 3
        q(:, j) = a(j:j + 2, i)*j
      end do
      v = sum(q, dim=2) + maxval(q, 1)
      p = q(:, 1:2)
      u = maxloc(p, dim=1) + count(p > 0, dim=1)
      where (any(q > 2, dim=1)) v = -v
      r(1:3, i) = v
      r(4, i) = u(1) + 4*u(2) + sum(sum(q, 1)) + sum(maxval(q, dim=2))
    end do
    call show('sums-along-a-dimension', bits(pack(r, .true.)))
  end subroutine matrices_on_the_device

  subroutine moves_on_the_device(n, m, a, r)
    integer, intent(in) :: n, m
    real(wp), intent(in) :: a(m, n)
    real(wp), intent(inout) :: r(4, n)
    real(wp) :: w(9), q(3, 3)
    integer :: i, at(4)
    ! truth: parallel i; private w; run moves-forwards-and-backwards
    do i = 1, n
      w = [a(1, i), a(2, i), a(3, i), 1.0_wp, 2.0_wp, 3.0_wp, 4.0_wp, 5.0_wp, 6.0_wp]
      w(2:9) = w(1:8)
      w(1:7) = w(3:9) - w(1:7)
      r(1:2, i) = w(1:2)
      w = w(9:1:-1)
      w(3:9:2) = w(1:7:2) + w(2)
      r(3:4, i) = w(8:9)
    end do
    call show('moves-forwards-and-backwards', bits(pack(r, .true.)))
    ! truth: parallel i; private w q; run moves-with-one-element
    do i = 1, n
      w = a(1, i) + 0.5_wp
      w(4) = 4
      w = w/w(4)
      w(1:2) = [w(2) + 1, w(1)]
      w(1:2) = [w(2), w(1)]
      q = a(2, i)
      q(:, 1) = [1, 2, 3]
      q(1, :) = q(:, 1)
      q(2:3, 2:3) = q(1:2, 1:2)
      r(1:3, i) = q(3, :) + w(1:3)
      r(4, i) = sum(q) + w(5)
    end do
    call show('moves-with-one-element', bits(pack(r, .true.)))
    ! truth: parallel i; private w at; run elements-by-an-array-of-indices
    do i = 1, n
      at = [3, 1, 5, 2] + mod(i, 2)
      w = i
      w(at) = a(at(4:1:-1), 1 + mod(i, 2))
      w(at(1:2)) = w(at(3:4)) + 1
      w([9, 5]) = w([1, 9])
      r(:, i) = w(at) + sum(w(at(2:3))) + maxval(w, mask=w < 9)
      r(at(2:2), i) = -r(at(2:2), i)
    end do
    call show('elements-by-an-array-of-indices', bits(pack(r, .true.)))
    ! truth: parallel i; private at w; run moves-of-integers
    do i = 1, n
      at = [1, 2, 3, 4]
      at(2:4) = at(1:3) + at(4)
      at = at(4:1:-1) - maxval(at)
      r(:, i) = at
      r(2:4, i) = r(1:3, i) - r(4, i)
    end do
    call show('moves-of-integers', bits(pack(r, .true.)))
  end subroutine moves_on_the_device
end module intrinsics

program main
  use intrinsics
  implicit none
  integer, parameter :: n = 67, m = 6
  integer :: i, k(n), l(3, n)
  real(wp) :: a(m, n), z(m, n), r(n), s(4, n), none
  logical :: ok(m, n)
  a = reshape(sample([(i*i + 3*i, i=1, n*m)]), [m, n])
  ok = mod(reshape([(i*i, i=1, n*m)], [m, n]), 7) < 3
  ok(:, 5) = .false.
  r = 0
  k = [(mod(i*i, 11), i=1, n)]
  call extremes_on_the_device(n, m, a, ok, r, k)
  z = a
  none = transfer(int(z'7FF8000000000000', int64), none)
  z(2, :) = none
  z(1, 1:40:3) = none
  z(:, 7) = none
  z(:, 8) = transfer(-int(z'10000000000000', int64), none)
  z(3:4, 9) = none
  z(:, 10) = 0
  z(2:4, 10) = -0.0_wp
  z(:, 11) = 0
  z(1, 11) = -0.0_wp
  z(:, n) = none
  call no_numbers_on_the_device(n, m, z, r, l(1:2, :))
  call places_on_the_device(n, m, a, ok, l)
  call counts_on_the_device(n, m, a, ok, r, k)
  call matrices_on_the_device(n, m, a, s)
  call moves_on_the_device(n, m, a, s)
end program main
