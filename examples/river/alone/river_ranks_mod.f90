! river_ranks_mod.f90 - one process alone: no cell belongs to another rank. Not in this file: MPI
! ranks (../mpi/river_ranks_mod.f90, a module of the same name).
module river_ranks_mod
  use, intrinsic :: iso_fortran_env, only: real64
  use river_mesh_mod, only: mesh_t
  implicit none
  private
  public :: refresh, least

contains

  ! Ghost cells are none here.
  subroutine refresh(m, h, hu, hv)
    type(mesh_t), intent(in) :: m
    real(real64), pointer, contiguous, intent(in) :: h(:), hu(:), hv(:)
    if (m%shared .or. size(h) /= m%own .or. size(hu) /= m%own .or. size(hv) /= m%own) error stop 'river: this program has no ranks'
  end subroutine

  ! The least of a number of all ranks.
  function least(m, mine) result(all)
    type(mesh_t), intent(in) :: m
    real(real64), intent(in) :: mine
    real(real64) :: all
    if (m%shared) error stop 'river: this program has no ranks'
    all = mine
  end function

end module river_ranks_mod
