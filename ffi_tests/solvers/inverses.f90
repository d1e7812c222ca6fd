! inverses.f90 - inverses of small matrices in Fortran: the bits of C and C++ (inverses.h), a matrix without inverse, one that is not square, one
! element, none, sections, inside a kernel. Not in this file: that they are right (inverses.c).
module inverses_mod
  use, intrinsic :: iso_fortran_env, only: real64
  use portable_mod, only: matinv, tile
  implicit none
  real(real64) :: a(3,3,500), b(3,3,500)
contains

  recursive subroutine invert(t)
    type(tile), intent(in) :: t
    integer :: i
    do i = t%lower(1), t%upper(1)
      b(:,:,i) = matinv(a(:,:,i))
    end do
  end subroutine
end module inverses_mod

program inverses
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  use inverses_mod
  use portable_mod, only: parallel_for, bounds
  use gator_mod, only: gator_init, gator_finalize
  use check_mod
  implicit none
  integer(int64) :: sums(2)
  integer :: i
  call gator_init()
  call same_bits()
  call odd()
  call random_number(a)
  b = 0
  call parallel_for('inverses', bounds(500), invert)
  do i = 1, 500
    call check(all(transfer(b(:,:,i), [1_int64]) == transfer(matinv(a(:,:,i)), [1_int64])), 'in a kernel')
    call check(maxval(abs(matmul(a(:,:,i), b(:,:,i)) - reshape([1, 0, 0, 0, 1, 0, 0, 0, 1], [3, 3]))) < 1e-9_real64, 'in a kernel')
  end do
  call gator_finalize()
  call finish_checks()
contains

  subroutine same_bits()
    real(real64) :: m(8,8), inverse(8,8)
    real(real32) :: single(8,8)
    integer :: n, i, j
    sums = 0
    do n = 2, 8
      do i = 1, n
        do j = 1, n
          m(i,j) = (mod(17*i*i + 29*j + 11*i*j*j*j + n, 101) - 50)/8._real64
          if (i == j .and. i < 2) m(i,j) = 0
        end do
      end do
      inverse(:n,:n) = matinv(m(:n,:n))
      single(:n,:n) = matinv(real(m(:n,:n), real32))
      do i = 1, n
        do j = 1, n
          sums(1) = ieor(ishftc(sums(1), 5), transfer(inverse(i,j), 1_int64))
          sums(2) = ieor(ishftc(sums(2), 5), iand(int(transfer(single(i,j), 1_int32), int64), int(z'FFFFFFFF', int64)))
        end do
      end do
    end do
    call check(sums(1) == int(z'78320E3ED4F3C1FD', int64), 'bits of C, real64')
    call check(sums(2) == not(int(z'45F2F05C50CDE3A2', int64)), 'bits of C, real32')
  end subroutine

  subroutine odd()
    real(real64) :: one(1,1), two(2,2), none(0,0), wide(2,3)
    real(real32) :: stuck(2,2)
    one = 4
    call check(all(matinv(one) >= 0.25_real64) .and. all(matinv(one) <= 0.25_real64), 'one element')
    call check(size(matinv(none)) == 0, 'no element')
    two = reshape([1, 2, 2, 4], [2, 2])
    call check(all(nan(matinv(two))), 'no inverse')
    stuck = 0
    call check(all(nan(real(matinv(stuck), real64))), 'no inverse, real32')
    wide = 1
    call check(all(nan(matinv(wide))) .and. all(shape(matinv(wide)) == 2), 'not square')
    two = reshape([0, 2, 1, 0], [2, 2])
    two(2:1:-1,:) = matinv(two(2:1:-1,:))
    call check(abs(two(1,1) - 0) + abs(two(2,1) - 0.5_real64) + abs(two(1,2) - 1) + abs(two(2,2)) < 1e-15_real64, 'a section')
  end subroutine

  elemental logical function nan(x)
    real(real64), intent(in) :: x
    nan = iand(transfer(x, 1_int64), huge(1_int64)) > int(z'7FF0000000000000', int64)
  end function
end program inverses
