! graphs.f90 - graphs from Fortran: A -> {B, C} -> D against launches, changed arguments, arrays that are deallocated, refusals with stat= and
! errmsg=. Not in this file: all that graphs do (replay.c, refused.c, memory.c).
module graph_kernels
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64
  use portable
  implicit none
  integer, parameter :: n = 2000
  type, bind(c) :: block_t
    type(c_ptr) :: x, y
    real(c_double) :: factor
  end type
  integer(int64) :: s1, s2, ready, both
contains
  recursive subroutine mix(t, block) bind(c)
    type(tile), intent(in) :: t
    type(block_t), intent(in) :: block
    real(c_double), pointer :: x(:), y(:)
    integer :: i
    call c_f_pointer(block%x, x, [n])
    call c_f_pointer(block%y, y, [n])
    do i = t%lower(1), t%upper(1)
      y(i) = modulo(block%factor*x(i) + 3*y(i), 1d0)
    end do
  end subroutine

  recursive subroutine procedure_of_the_caller(t)
    type(tile), intent(in) :: t
    if (t%rank < 1) error stop 9
  end subroutine

  subroutine put(label, stream, block)
    character(*), intent(in) :: label
    integer(int64), intent(in) :: stream
    type(block_t), intent(in), target :: block
    call parallel_for(label, bounds(n), c_funloc(mix), c_loc(block), c_sizeof(block), stream=stream)
  end subroutine

  subroutine put_all(a, b, c, d)
    type(block_t), intent(in) :: a, b, c, d
    call put('A', s1, a)
    call event_record(ready, s1)
    call stream_wait_event(s2, ready)
    call put('B', s1, b)
    call put('C', s2, c)
    call event_record(both, s2)
    call stream_wait_event(s1, both)
    call put('D', s1, d)
  end subroutine
end module

program graphs
  use check_mod
  use graph_kernels
  use gator_mod
  implicit none
  integer, parameter :: steps = 500
  real(c_double), pointer :: x(:) => null(), y(:) => null(), z(:) => null()
  real(c_double), allocatable :: expected(:,:)
  type(block_t), target :: a, b, c, d
  integer(int64) :: g
  integer :: step, stat, device
  character(400) :: errmsg
  call portable_init()
  device = 0
  if (stream_is_async()) device = find_device('threads') ! kernels of the host are not recorded on CUDA devices
  call gator_allocate(x, [n], label='x')
  call gator_allocate(y, [n], label='y')
  call gator_allocate(z, [n], label='z')
  call stream_create(s1, device=device)
  call stream_create(s2, device=device)
  call event_create(ready)
  call event_create(both)
  a = block_t(c_loc(z), c_loc(x), 0.3d0)
  b = block_t(c_loc(x), c_loc(y), 0.7d0)
  c = block_t(c_loc(x), c_loc(z), 0.9d0)
  d = block_t(c_loc(y), c_loc(z), 0.1d0)
  call fill()
  do step = 1, steps
    b%factor = 1d0/step
    call put_all(a, b, c, d)
  end do
  call fence()
  allocate(expected(n,3))
  expected(:,1) = x
  expected(:,2) = y
  expected(:,3) = z
  call fill()
  call graph_begin(g, s1)
  call put_all(a, b, c, d)
  call fence(stat, errmsg)
  call check(stat == gator_err_state, 'a fence')
  call check(index(errmsg, 'this thread records a graph') > 0, errmsg)
  call parallel_for('procedure', bounds(1), procedure_of_the_caller, stream=s1, stat=stat, errmsg=errmsg)
  call check(stat == gator_err_state, 'a procedure')
  call check(index(errmsg, 'c_funloc of a bind(c) kernel') > 0, errmsg)
  call graph_end(g)
  call check(graph_nodes(g) == 4, 'nodes')
  do step = 1, steps
    b%factor = 1d0/step
    call graph_update(g, 2, c_loc(b), c_sizeof(b))
    call graph_launch(g, s1)
  end do
  call stream_fence(s1)
  call check(same(x, expected(:,1)) .and. same(y, expected(:,2)) .and. same(z, expected(:,3)), 'the bits of launches')
  call graph_update(g, 5, c_loc(b), c_sizeof(b), stat=stat, errmsg=errmsg)
  call check(stat == gator_err_arg .and. index(errmsg, 'no node has this number; the graph has 4') > 0, errmsg)
  call graph_update(g, 0, c_loc(b), c_sizeof(b), stat=stat)
  call check(stat == gator_err_arg, 'node 0')
  call graph_update(g, 1, c_loc(b), 4_c_size_t, stat=stat, errmsg=errmsg)
  call check(stat == gator_err_arg .and. index(errmsg, "'A': the argument block has 4 bytes") > 0, errmsg)
  call gator_deallocate(x)   ! deferred
  call gator_allocate(x, [n], label='another')
  x = 0
  call graph_launch(g, s2)
  call stream_fence(s2)
  call check(.not. any(abs(x) > 0), 'a new array is not the old one')
  call graph_destroy(g)
  call check(g == 0, 'the handle is 0')
  call graph_destroy(g)
  call graph_launch(s1, s1, stat=stat)
  call check(stat == gator_err_handle, 'a stream is no graph')
  call graph_begin(g, 0_int64, stat=stat)
  call check(stat == gator_err_state .and. g == 0, 'a default stream')
  call stream_destroy(s1)
  call stream_destroy(s2)
  call event_destroy(ready)
  call event_destroy(both)
  call gator_deallocate(x)
  call gator_deallocate(y)
  call gator_deallocate(z)
  call check_nothing_live()
  call portable_finalize()
  call finish_checks()
contains
  logical function same(a, b)
    real(c_double), intent(in) :: a(:), b(:)
    same = all(transfer(a, [0_int64]) == transfer(b, [0_int64]))
  end function

  subroutine fill()
    integer :: i
    do i = 1, n
      x(i) = 1d0/i
      y(i) = modulo(0.1d0*i, 1d0)
      z(i) = modulo(0.7d0*i, 1d0)
    end do
  end subroutine

  logical function stream_is_async()
    stream_is_async = index(device_name(0), 'cuda') == 1 .or. index(device_name(0), 'hip') == 1 .or. &
                      index(device_name(0), 'opencl') == 1
  end function
end program
