! differ.f90 - a program whose runs are compared by yaklcheck diff: launches, a reduction, streams, work arrays that come and go, two blocks of
! one label, checkpoints. differ [STEP I J]: at that step one element of 'v' is different. differ halo: there are further launches.
! Not in this file: what the comparisons must tell (differ.sh).
module differ_kernels
  use, intrinsic :: iso_c_binding
  use portable_mod, only: tile
  implicit none
  integer, parameter :: nx = 60, ny = 40
  real(8), pointer :: u(:,:) => null(), v(:,:) => null(), work(:,:) => null(), first(:) => null(), second(:) => null()
  integer :: step = 0, at(3) = 0
  type, bind(c) :: square
    type(c_ptr) :: values
    integer(c_int) :: step
  end type
contains
  recursive subroutine smooth(t)
    type(tile), intent(in) :: t
    integer :: i, j
    do j = t%lower(2), t%upper(2)
      do i = t%lower(1), t%upper(1)
        work(i,j) = u(i,j) + 0.125d0*(u(i-1,j) + u(i+1,j) + u(i,j-1) + u(i,j+1) - 4*u(i,j))
        v(i,j) = work(i,j)
        if (step == at(1) .and. i == at(2) .and. j == at(3)) v(i,j) = v(i,j) + 1d-9
      end do
    end do
  end subroutine

  recursive subroutine back(t)
    type(tile), intent(in) :: t
    integer :: i, j
    ! No assignment of sections: for pointers, flang 16 copies the whole array and writes it back, also what other threads have written.
    do j = t%lower(2), t%upper(2)
      do i = t%lower(1), t%upper(1)
        u(i,j) = v(i,j)
      end do
    end do
  end subroutine

  recursive subroutine add(t, r)
    type(tile), intent(in) :: t
    real(8), intent(inout) :: r
    r = r + sum(u(t%lower(1):t%upper(1), t%lower(2):t%upper(2)))
  end subroutine

  recursive subroutine squares(t, block) bind(c)
    type(tile), intent(in) :: t
    type(square), intent(in) :: block
    real(c_double), pointer :: values(:)
    integer :: i
    call c_f_pointer(block%values, values, [nx])
    do i = t%lower(1), t%upper(1)
      values(i) = sqrt(-1d0*i)*block%step ! NaN, the same in each run
    end do
  end subroutine

  recursive subroutine nothing(t)
    type(tile), intent(in) :: t
    if (t%rank /= 1) error stop 'rank'
  end subroutine
end module

program differ
  use differ_kernels
  use portable_mod, only: portable_init, portable_finalize, parallel_for, parallel_reduce, bounds, checkpoint, stream_create, &
    stream_destroy, stream_fence
  use gator_mod, only: gator_allocate, gator_deallocate
  implicit none
  character(20) :: argument(3)
  integer :: i, j
  integer(c_int64_t) :: stream
  real(8) :: total
  type(square), target :: block
  do i = 1, 3
    call get_command_argument(i, argument(i))
  end do
  if (argument(3) /= '') read (argument, *) at
  call portable_init()
  call stream_create(stream)
  call gator_allocate(u, [nx+2, ny+2], [0, 0], label='u')
  call gator_allocate(v, [nx+2, ny+2], [0, 0], label='v')
  call gator_allocate(first, [nx], label='row')
  call gator_allocate(second, [nx], label='row')
  do j = 0, ny+1
    do i = 0, nx+1
      u(i,j) = mod(7*i + 3*j, 11)
    end do
  end do
  do step = 1, 4
    if (argument(1) == 'halo') call parallel_for('halo', bounds(10), nothing)
    call gator_allocate(work, [nx, ny], label='work')
    call parallel_for('smooth', bounds([1, 1], [nx, ny]), smooth)
    call parallel_for('back', bounds([1, 1], [nx, ny]), back)
    call gator_deallocate(work)
    block = square(c_loc(second), step)
    call parallel_for('squares', bounds(nx), c_funloc(squares), c_loc(block), c_sizeof(block), stream=stream)
    call stream_fence(stream)
    call parallel_reduce('add', bounds([1, 1], [nx, ny]), add, total)
    first(step) = total
    call checkpoint('step')
  end do
  call gator_deallocate(second)
  call gator_deallocate(first)
  call gator_deallocate(v)
  call gator_deallocate(u)
  call stream_destroy(stream)
  call portable_finalize()
end program
