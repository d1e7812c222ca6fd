! Places of nests: submodules, external procedures, COMMON, renamed modules, constants of other
! modules, saved arrays.
module constants_of_places
  use bits_of_results, only: wp => real64
  implicit none
  integer, parameter :: levels = 5, offsets(0:2) = [3, -1, 4]
  real(wp), parameter :: gravity = 9.80616_wp, table(3) = [0.1_wp, 1/3._wp, gravity/2]
  real(wp), protected :: limit = 2.5_wp
  enum, bind(c)
    enumerator :: red = 4, green, blue
  end enum
end module constants_of_places

module places
  use bits_of_results
  use constants_of_places, only: wp, nz => levels, offsets, g => gravity, table, limit, green, blue
  implicit none
  private
  public :: rows, saved_rows
  interface
    module subroutine rows(n, a)
      integer, intent(in) :: n
      real(wp), intent(inout) :: a(n, nz)
    end subroutine rows
  end interface
contains
  subroutine saved_rows(n)
    integer, intent(in) :: n
    real(wp), save :: memory(30) = 1
    integer :: i
    ! truth: parallel i; run saved-array
    do i = 1, n
      memory(i) = memory(i)*2 + i
    end do
    call show('saved-array', bits(memory))
  end subroutine saved_rows
end module places

submodule(places) body_of_places
  implicit none
  integer, parameter :: shift = 2
contains
  module procedure rows
    integer :: i, k
    ! truth: parallel k i; run submodule-constants
    do k = 1, nz
      do i = 1, n
        a(i, k) = a(i, k)*g + table(mod(i, 3) + 1) - offsets(shift)*limit
      end do
    end do
    call show('submodule-constants', bits([a]))
    ! truth: parallel i; run enumerators
    do i = 1, n
      a(i, green) = blue*offsets(mod(i, 3))
    end do
    call show('enumerators', bits([a]))
  end procedure rows
end submodule body_of_places

subroutine external_rows(n, a, b)
  use bits_of_results
  implicit none
  integer :: n, i, j
  real(real64) :: a(n, *), b(*)
  real(real64) :: c, d, e
  common /block/ c(20), d(5, 4), i_of_common
  integer :: i_of_common
  dimension e(6)
  data e/6*0.25d0/
  ! truth: parallel j i; run external-subroutine
  do j = 1, 3
    do i = 1, n
      a(i, j) = b(i + (j - 1)*n) - e(j)
    end do
  end do
  call show('external-subroutine', bits([a(:, 1:3)]))
  ! truth: parallel i; run common-arrays
  do i = 1, 20
    c(i) = i*d(1 + mod(i, 5), 1 + mod(i, 4)) + i_of_common
  end do
  call show('common-arrays', bits(c))
  ! truth: parallel j i; run common-array-of-two-ranks
  do j = 1, 4
    do i = 1, 5
      d(i, j) = c(i + 5*(j - 1))
    end do
  end do
  call show('common-array-of-two-ranks', bits([d]))
end subroutine external_rows

subroutine implicit_rows(n, x, y)
  use bits_of_results
  integer n
  double precision x(n), y(n)
  ! truth: parallel i; private t; run implicit-typing
  do i = 1, n
    t = i/2 + 0.3
    k = t
    y(i) = x(i)*t + k
  end do
  call show('implicit-typing', bits(y))
end subroutine implicit_rows

program main
  use places
  use bits_of_results
  implicit none
  real(real64) :: a(12, 5), b(60), c(20), d(5, 4)
  integer :: i, count
  common /block/ c, d, count
  external :: external_rows, implicit_rows
  b = sample([(i, i=1, 60)])
  a = reshape(b, [12, 5])
  call rows(12, a)
  call saved_rows(30)
  call saved_rows(20)
  count = 7
  d = reshape(b, [5, 4])
  call external_rows(12, a, b)
  call implicit_rows(30, b, b(31))
  ! truth: parallel i; run main-program
  do i = 1, 60
    b(i) = b(i) + count*i
  end do
  call show('main-program', bits(b))
end program main
