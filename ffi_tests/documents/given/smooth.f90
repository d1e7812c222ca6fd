! A smoother, written in two ways that are the same on paper: smooth, smooth regrouped.
module smoother
  use portable_mod, only: tile
  implicit none
  real(8), pointer :: h(:,:) => null(), new(:,:) => null()
  logical :: regrouped
contains
  recursive subroutine smooth(t)
    type(tile), intent(in) :: t
    integer :: i, j
    do j = t%lower(2), t%upper(2)
      do i = t%lower(1), t%upper(1)
        if (regrouped) then
          new(i,j) = 0.1d0*h(i-1,j) + (0.7d0*h(i,j) + 0.2d0*h(i+1,j))
        else
          new(i,j) = (0.1d0*h(i-1,j) + 0.7d0*h(i,j)) + 0.2d0*h(i+1,j)
        end if
      end do
    end do
  end subroutine
  recursive subroutine back(t)
    type(tile), intent(in) :: t
    integer :: j
    do j = t%lower(2), t%upper(2)
      h(t%lower(1):t%upper(1), j) = new(t%lower(1):t%upper(1), j)
    end do
  end subroutine
end module

program main
  use portable_mod, only: portable_init, portable_finalize, parallel_for, bounds
  use gator_mod, only: gator_allocate, gator_deallocate
  use smoother
  implicit none
  integer :: i, step
  regrouped = command_argument_count() > 0
  call portable_init()
  call gator_allocate(h, [102, 50], [0, 1], label='h')
  call gator_allocate(new, [102, 50], [0, 1], label='new')
  do i = 0, 101
    h(i,:) = mod(i, 2)
  end do
  do step = 1, 10
    call parallel_for('smooth', bounds([1, 1], [100, 50]), smooth)
    call parallel_for('back', bounds([1, 1], [100, 50]), back)
  end do
  call gator_deallocate(new)
  call gator_deallocate(h)
  call portable_finalize()
end program
