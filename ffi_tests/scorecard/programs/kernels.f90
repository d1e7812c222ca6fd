! kernels.f90 - faults in kernels, launches and timers, from Fortran: one subroutine each, chosen by the first argument.
! Not in this file: the pool alone (pool.f90), what marks mean (../main.go).
module kernel_data
  use portable_mod, only: tile
  implicit none
  real(8), pointer :: h(:) => null(), f(:) => null(), g(:,:) => null()
contains

  recursive subroutine fill(t)
    type(tile), intent(in) :: t
    integer :: i
    do i = t%lower(1), t%upper(1)
      h(i) = i !~ write_in_kernel out-of-bounds; one_too_many out-of-bounds; serial_kernel out-of-bounds; freed_before_launch use-after-free
    end do
  end subroutine

  recursive subroutine gradient(t)
    type(tile), intent(in) :: t
    integer :: i
    do i = t%lower(1), t%upper(1)
      f(i) = h(i+1) - h(i) !~ neighbour_in_kernel out-of-bounds; stale_pointer use-after-free
    end do
  end subroutine

  recursive subroutine column(t)
    type(tile), intent(in) :: t
    integer :: i, j
    do j = t%lower(2), t%upper(2)
      do i = t%lower(1), t%upper(1)
        g(i,j) = g(i,j-1) + 1 !~ column_zero out-of-bounds
      end do
    end do
  end subroutine

  recursive subroutine inside(t)
    type(tile), intent(in) :: t
    integer :: i, j
    do j = t%lower(2), t%upper(2)
      do i = t%lower(1), t%upper(1)
        g(i,j) = i + 100*j
      end do
    end do
  end subroutine

  recursive subroutine copy(t)
    type(tile), intent(in) :: t
    integer :: i
    do i = t%lower(1), t%upper(1)
      f(i) = h(i)
    end do
  end subroutine

  recursive subroutine with_work(t)
    use gator_mod, only: gator_allocate, gator_deallocate
    type(tile), intent(in) :: t
    real(8), pointer :: work(:)
    integer :: i
    call gator_allocate(work, [64], label='work') !~ leak_in_kernel leak
    do i = t%lower(1), t%upper(1)
      work(mod(i, 64) + 1) = i
    end do
    if (associated(f)) call gator_deallocate(work)
  end subroutine
end module

module kernel_faults
  use gator_mod, only: gator_allocate, gator_deallocate
  use portable_mod, only: parallel_for, bounds, timer_start, timer_stop, timer_enable, fence, checkpoint
  use kernel_data
  implicit none
contains

  ! fault write_in_kernel: the bounds of a launch are larger than the array
  subroutine write_in_kernel()
    call gator_allocate(h, [10000], label='h')
    call parallel_for('fill', bounds([1], [10010]), fill)
    call gator_deallocate(h)
  end subroutine

  ! fault one_too_many: a launch over one element too many
  subroutine one_too_many()
    call gator_allocate(h, [100], label='h')
    call parallel_for('fill', bounds([1], [101]), fill)
    call gator_deallocate(h)
  end subroutine

  ! fault serial_kernel: the same on the device serial
  subroutine serial_kernel()
    use portable_mod, only: find_device, set_default_device
    call set_default_device(find_device('serial'))
    call one_too_many()
  end subroutine

  ! fault neighbour_in_kernel: a stencil reads the neighbour of the last element
  subroutine neighbour_in_kernel()
    call gator_allocate(h, [1000], label='h')
    call gator_allocate(f, [1000], label='f')
    h = 1
    call parallel_for('gradient', bounds([1], [1000]), gradient)
    call gator_deallocate(h)
    call gator_deallocate(f)
  end subroutine

  ! fault column_zero: a kernel reads the column before the first one [guard=start]
  subroutine column_zero()
    call gator_allocate(g, [100, 50], label='g')
    g = 0
    call parallel_for('column', bounds([1, 1], [100, 50]), column)
    call gator_deallocate(g)
  end subroutine

  ! fault freed_before_launch: the kernel's array was freed through another pointer
  subroutine freed_before_launch()
    real(8), pointer :: same(:)
    call gator_allocate(h, [1000], label='h')
    same => h
    call gator_deallocate(same)
    call parallel_for('fill', bounds([1], [1000]), fill)
  end subroutine

  ! fault stale_pointer: one of two arrays of a kernel was freed and its memory reused by another array
  subroutine stale_pointer()
    real(8), pointer :: same(:), other(:)
    call gator_allocate(h, [1001], label='h')
    call gator_allocate(f, [1000], label='f')
    same => h
    call gator_deallocate(same)
    call gator_allocate(other, [1001], label='other')
    other = 0
    call parallel_for('gradient', bounds([1], [1000]), gradient)
    call gator_deallocate(other)
    call gator_deallocate(f)
  end subroutine

  ! fault leak_in_kernel: each call of a kernel takes a work array and keeps it
  subroutine leak_in_kernel()
    call parallel_for('with_work', bounds([1], [1000]), with_work)
  end subroutine

  ! fault grows_each_step: a step does not free its arrays before the next step
  subroutine grows_each_step()
    type held
      real(8), pointer :: a(:)
    end type
    type(held) :: all(5)
    integer :: step
    do step = 1, 5
      call gator_allocate(all(step)%a, [1000], label='history') !~ growth
      all(step)%a = step
      call checkpoint('step')
    end do
    do step = 1, 5
      call gator_deallocate(all(step)%a)
    end do
  end subroutine

  ! fault crossed_timers: two timers are stopped in the order of their starts
  subroutine crossed_timers()
    call timer_enable(.true.)
    call timer_start('dynamics')
    call timer_start('physics')
    call timer_stop('dynamics') !~ timers-not-nested
    call fence()
  end subroutine

  ! fault bad_bounds: a launch with an invalid stride
  subroutine bad_bounds()
    call gator_allocate(h, [100], label='h')
    call parallel_for('fill', bounds([1], [100], [0]), fill) !~ bad-bounds
    call gator_deallocate(h)
  end subroutine

  ! clean full_ranges: launches of one and two dimensions, over all of their arrays
  subroutine full_ranges()
    call gator_allocate(h, [1001], label='h')
    call gator_allocate(f, [1000], label='f')
    call gator_allocate(g, [100, 51], [1, 0], label='g')
    call parallel_for('fill', bounds([1], [1001]), fill)
    call parallel_for('gradient', bounds([1], [1000]), gradient)
    call parallel_for('inside', bounds([1, 0], [100, 50]), inside)
    call parallel_for('column', bounds([1, 1], [100, 50]), column)
    call parallel_for('copy', bounds([1], [1000]), copy)
    call gator_deallocate(h)
    call gator_deallocate(f)
    call gator_deallocate(g)
  end subroutine

  ! clean work_in_kernels: work arrays that kernels allocate and free
  subroutine work_in_kernels()
    call gator_allocate(f, [1], label='f')
    call parallel_for('with_work', bounds([1], [1000]), with_work)
    call gator_deallocate(f)
  end subroutine

  ! clean many_steps: work arrays, launches, timers and checkpoints of twenty steps
  subroutine many_steps()
    integer :: step
    call timer_enable(.true.)
    do step = 1, 20
      call timer_start('step')
      call gator_allocate(h, [1000], label='h')
      call gator_allocate(f, [1000], label='f')
      h = step
      call parallel_for('copy', bounds([1], [1000]), copy)
      call gator_deallocate(h)
      call gator_deallocate(f)
      call fence()
      call timer_stop('step')
      call checkpoint('step')
    end do
  end subroutine

  ! clean settles: memory that grows at first and then stays
  subroutine settles()
    type held
      real(8), pointer :: a(:)
    end type
    type(held) :: all(2)
    integer :: step
    do step = 1, 8
      if (step <= 2) then
        call gator_allocate(all(step)%a, [1000], label='table')
        all(step)%a = step
      end if
      call checkpoint('step')
    end do
    call gator_deallocate(all(1)%a)
    call gator_deallocate(all(2)%a)
  end subroutine

  ! clean no_iterations: launches over nothing
  subroutine no_iterations()
    call gator_allocate(h, [10], label='h')
    h = 0
    call parallel_for('fill', bounds([1], [0]), fill)
    call gator_deallocate(h)
  end subroutine
end module

program kernels
  use portable_mod, only: portable_init, portable_finalize
  use kernel_faults
  implicit none
  character(40) :: name
  call get_command_argument(1, name)
  call portable_init()
  select case (name)
  case ('write_in_kernel'); call write_in_kernel()
  case ('one_too_many'); call one_too_many()
  case ('serial_kernel'); call serial_kernel()
  case ('neighbour_in_kernel'); call neighbour_in_kernel()
  case ('column_zero'); call column_zero()
  case ('freed_before_launch'); call freed_before_launch()
  case ('stale_pointer'); call stale_pointer()
  case ('leak_in_kernel'); call leak_in_kernel()
  case ('grows_each_step'); call grows_each_step()
  case ('crossed_timers'); call crossed_timers()
  case ('bad_bounds'); call bad_bounds()
  case ('full_ranges'); call full_ranges()
  case ('work_in_kernels'); call work_in_kernels()
  case ('many_steps'); call many_steps()
  case ('settles'); call settles()
  case ('no_iterations'); call no_iterations()
  case default
    error stop 'no such case'
  end select
  call portable_finalize()
end program
