! Language that is understood or not, but is not converted.
module not_converted
  implicit none
  integer, parameter :: wp = kind(1d0)
  type, abstract :: cell
    real(wp) :: volume
  end type cell
  type, extends(cell) :: tetrahedron
    real(wp) :: edge(6)
  end type tetrahedron
  type :: handle
    class(cell), allocatable :: of
  end type handle
contains
  subroutine polymorphic(n, cells, v)
    integer, intent(in) :: n
    type(handle), intent(in) :: cells(n)
    real(wp), intent(inout) :: v(n)
    integer :: i
    ! truth: refused not-converted
    do i = 1, n
      select type (c => cells(i)%of) !<
      type is (tetrahedron)
        v(i) = c%edge(1)**3
      class default
        v(i) = 0
      end select
    end do
  end subroutine polymorphic

  subroutine texts(n, names, lengths)
    integer, intent(in) :: n
    character(len=*), intent(inout) :: names(n)
    integer, intent(inout) :: lengths(n)
    integer :: i
    ! truth: refused not-converted
    do i = 1, n
      names(i) = adjustl(names(i))//'.dat' !<
    end do
    ! truth: parallel i
    do i = 1, n
      lengths(i) = lengths(i) + 4
    end do
  end subroutine texts
end module not_converted
