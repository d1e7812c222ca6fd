! Modules and procedures that are in none of the files (hidden/hidden.f90 has them, for compilers).
module uses_hidden
  use hidden_grid
  implicit none
  integer, parameter :: wp = kind(1d0)
contains
  subroutine levels(n, a)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(n)
    integer :: i
    ! truth: refused not-seen hidden_grid
    do i = 1, n
      a(i) = a(i)*nz !<
    end do
    ! truth: parallel i
    do i = 1, n
      a(i) = 2*a(i)
    end do
  end subroutine levels
end module uses_hidden

module unseen_calls
  implicit none
  integer, parameter :: wp = kind(1d0)
  interface
    subroutine rain(x)
      double precision, intent(inout) :: x
    end subroutine rain
    pure double precision function saturation(t)
      double precision, intent(in) :: t
    end function saturation
  end interface
contains
  subroutine moisture(n, t, q)
    integer, intent(in) :: n
    real(wp), intent(in) :: t(n)
    real(wp), intent(inout) :: q(n)
    integer :: i
    ! truth: refused not-seen rain
    do i = 1, n
      call rain(q(i)) !<
    end do
    ! truth: parallel i
    do i = 1, n
      q(i) = saturation(t(i))
    end do
  end subroutine moisture
end module unseen_calls

subroutine implicit_interface(n, a)
  implicit none
  integer, intent(in) :: n
  double precision, intent(inout) :: a(n)
  external :: rain
  integer :: i
  ! truth: refused not-seen rain
  do i = 1, n
    a(i) = a(i) + i
    call rain(a(i)) !<
  end do
end subroutine implicit_interface
