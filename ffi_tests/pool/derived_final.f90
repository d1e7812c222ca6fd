! A derived type with a final procedure: it is called once for each element, when the array is deallocated.
! flang 16 has no finalisation yet, so this program is for gfortran.
module counted_mod
  implicit none
  private
  public :: counted

  integer, public :: finalised = 0

  type :: counted
    integer :: value = 3
    integer, allocatable :: values(:)
  contains
    final :: count_one
  end type

contains

  recursive subroutine count_one(element)
    type(counted), intent(inout) :: element
    if (element%value == 3) finalised = finalised + 1
  end subroutine
end module

module counted_pool_mod
  use counted_mod, only: gator_type => counted
  include 'gator_derived.inc'
end module

program derived_final
  use gator_mod, only: gator_init, gator_finalize
  use counted_mod, only: counted, finalised
  use counted_pool_mod
  use check_mod, only: check, check_nothing_live, finish_checks
  implicit none
  type(counted), pointer :: a(:, :)
  nullify(a)
  call gator_init()
  call gator_allocate(a, [3, 4])
  call check(finalised == 0, 'nothing is finalised by an allocate')
  allocate (a(2, 2)%values(10))
  call gator_deallocate(a)
  call check(finalised == 12, 'each element is finalised once by a deallocate')
  call check_nothing_live()
  call gator_finalize()
  call finish_checks()
end program
