! steps.f90 WHAT - a Fortran program with one error in its memory; main.go reads its trace, and
! expects the lines that are marked with a comment of "@" and a name. Not in this file: the cases of
! C (record.c).
module steps_m
  use gator_mod
  use portable_mod, only: parallel_for, bounds, tile, checkpoint
  implicit none
  real(8), pointer :: kept(:) => null(), field(:) => null()
contains
  recursive subroutine update(t)
    type(tile), intent(in) :: t
    integer :: i
    do i = t%lower(1), t%upper(1)
      call write_at(kept, i)
    end do
  end subroutine

  recursive subroutine write_at(a, i)
    integer, intent(in) :: i
    real(8), intent(inout) :: a(*)
    a(i) = i ! @beyond
  end subroutine
end module

program steps
  use steps_m
  implicit none
  character(20) :: what
  integer :: i
  call get_command_argument(1, what)
  call gator_init()
  call gator_allocate(kept, [1000], [1], label='kept') ! @kept
  if (what == 'leak') then
    do i = 1, 5
      call gator_allocate(field, [100*i], [1], label='field') ! @field
      nullify (field)
      call checkpoint('step') ! @checkpoint
    end do
  end if
  if (what == 'stop') stop 4
  if (what == 'error') error stop
  if (what == 'deallocate') deallocate (kept) ! @deallocate
  if (what == 'kernel') call parallel_for('update', bounds([1], [1003]), update) ! @launch
  call gator_deallocate(kept)
  call gator_finalize()
end program
