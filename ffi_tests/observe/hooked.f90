! hooked.f90 - hooks, timer hooks, reports as text, checks, properties of devices and names of statuses, from Fortran. Not here: the events themselves
! (hooks.c), the driver's handles (cuda/streams/native.f90).
module seen_mod
  use, intrinsic :: iso_c_binding
  use portable_observe_mod
  implicit none
  type, bind(c) :: counts
    integer(c_int) :: launches, skips, allocs, frees, pools, device
    integer(c_int64_t) :: iterations, bytes, id
    integer(c_int) :: started, stopped, begun, ended, depth
  end type
contains
  recursive subroutine observe(event, payload) bind(c)
    type(portable_hook_event), intent(in) :: event
    type(c_ptr), value :: payload
    type(counts), pointer :: n
    call c_f_pointer(payload, n)
    select case (int(event%event))
    case (portable_event_launch_begin)
      if (event%kind == portable_launch_for) then
        if (portable_hook_text(event%label) == 'twice') n%launches = n%launches + 1
      end if
      n%iterations = n%iterations + event%count
      n%device = event%device
      n%id = event%id
    case (portable_event_launch_end)
      if (event%id == n%id .and. event%status == 0_c_int32_t) n%launches = n%launches + 100
    case (portable_event_launch_skip)
      n%skips = n%skips + 1
    case (portable_event_alloc)
      n%allocs = n%allocs + 1
      n%bytes = n%bytes + event%bytes
    case (portable_event_free)
      if (c_associated(event%address)) n%frees = n%frees + 1
    case (portable_event_pool_create, portable_event_pool_destroy)
      if (event%pool /= 0_c_int64_t) n%pools = n%pools + 1
      if (event%event == portable_event_pool_create) then
        if (portable_hook_text(event%label) /= 'own') n%pools = -100
      end if
    end select
  end subroutine
  recursive subroutine timer_begins(label, payload) bind(c)
    type(c_ptr), value :: label, payload
    type(counts), pointer :: n
    call c_f_pointer(payload, n)
    if (portable_hook_text(label) == 'outer') n%started = n%started + 1
    n%depth = n%depth + 1
  end subroutine
  recursive subroutine stop_timer(label, payload) bind(c)
    type(c_ptr), value :: label, payload
    type(counts), pointer :: n
    call c_f_pointer(payload, n)
    if (portable_hook_text(label) == 'outer') n%stopped = n%stopped + 1
    n%depth = n%depth - 1
  end subroutine
  recursive subroutine timers_come(payload) bind(c)
    type(c_ptr), value :: payload
    type(counts), pointer :: n
    call c_f_pointer(payload, n)
    n%begun = n%begun + 1
  end subroutine
  recursive subroutine end_all(payload) bind(c)
    type(c_ptr), value :: payload
    type(counts), pointer :: n
    call c_f_pointer(payload, n)
    n%ended = n%ended + 1
  end subroutine
end module seen_mod

module work_mod
  use portable_mod, only: tile
  implicit none
  real(8), pointer :: x(:)
contains
  recursive subroutine twice(t)
    type(tile), intent(in) :: t
    integer :: i
    do i = t%lower(1), t%upper(1)
      x(i) = 2*x(i)
    end do
  end subroutine
  recursive subroutine idle(t)
    type(tile), intent(in) :: t
    if (t%rank < 1) error stop 'no tile'
  end subroutine
end module work_mod

program hooked
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64
  use gator_mod
  use portable_mod
  use portable_pool_mod
  use portable_observe_mod
  use portable_system_mod
  use seen_mod
  use work_mod
  use check_mod
  use expect_mod
  implicit none
  type(counts), target :: n
  type(portable_device_t) :: host
  integer(int64) :: hook, pool, free_bytes, total_bytes, none
  character(:), allocatable :: report
  integer :: was, device
  real(8), pointer :: freed(:)
  n = counts(0, 0, 0, 0, 0, 0, 0_c_int64_t, 0_c_int64_t, 0_c_int64_t, 0, 0, 0, 0, 0)
  call portable_init()
  device = find_device('serial')

  ! Hooks.
  call portable_hook_add(hook, c_funloc(observe), portable_event_all, c_loc(n))
  call gator_allocate(x, [1000], label='x')
  call fence()
  x = 1
  call parallel_for('twice', bounds(1000), twice, device=device)
  call check(n%launches == 101 .and. n%iterations == 1000_c_int64_t .and. n%device == int(device, c_int), 'a launch')
  call parallel_for('twice', bounds(0), twice)
  call check(n%skips == 1, 'a launch without iterations')
  call check(n%allocs == 1 .and. n%bytes == 8000_c_int64_t, 'a block')
  n%iterations = 0_c_int64_t
  call check_bits(reduce_sum(x, device=device), 2000d0, 'sum')
  call check(n%iterations > 0_c_int64_t .and. n%device == int(device, c_int), 'device= says where a reduction runs')
  call portable_pool_create(pool, 'own')
  call portable_pool_destroy(pool)
  call check(n%pools == 2, 'a pool')
  call gator_deallocate(x)
  call check(n%frees == 1, 'its end')
  call portable_hook_remove(hook)
  call check_equal(hook, 0_int64, 'removed')
  call gator_allocate(x, [1])
  call check(n%allocs == 1, 'nothing more is seen')
  call gator_deallocate(x)
  call portable_hook_add(none, c_funloc(observe), 0, stat=stat, errmsg=text)
  call expect(gator_err_arg, 'portable_hook_add')
  call portable_hook_add(none, c_null_funptr, portable_event_alloc, stat=stat, errmsg=text)
  call expect(gator_err_arg, 'portable_hook_add')
  none = 77_int64
  call portable_hook_remove(none, stat=stat, errmsg=text)
  call expect(gator_err_handle, 'portable_hook_remove')
  call portable_hook_remove(hook)
  call check(portable_hook_text(c_null_ptr) == '', 'no text')

  ! Reports as text.
  call timer_enable(.true.)
  call timer_start('outer')
  call timer_start('inner')
  call timer_stop('inner')
  call timer_stop('outer')
  call portable_timer_report(report)
  call check(index(report, 'outer') > 0 .and. index(report, 'inner') > 0, 'report')
  call portable_timer_report(report, json=.true.)
  call check(report(1:1) == '{' .and. index(report, '"inner"') > 0 .and. index(report, c_null_char) == 0, 'json')

  ! Procedures in place of timers.
  call portable_timer_hooks(c_funloc(timer_begins), c_funloc(stop_timer), c_funloc(timers_come), c_funloc(end_all), c_loc(n))
  call check(n%begun == 1, 'init')
  call timer_start('outer')
  call timer_start('inner')
  call check(n%depth == 2, 'two run')
  call timer_stop('inner')
  call timer_stop('outer')
  call check(n%started == 1 .and. n%stopped == 1 .and. n%depth == 0, 'start and stop')
  call portable_timer_hooks()
  call check(n%ended == 1, 'finalize')
  call timer_start('outer')
  call timer_stop('outer')
  call check(n%started == 1, 'the own timers are back')

  ! Checks, switched while the program runs.
  was = portable_checks()
  call portable_set_checks(portable_check_launch + portable_check_arrays)
  call check(iand(portable_checks(), 3) == 3, 'on')
  call gator_allocate(x, [1000], label='x')
  freed => x
  call gator_deallocate(x)
  call parallel_for('of freed memory', bounds(10), idle, [arg(freed, 'both', name='freed')], device=device, stat=stat, errmsg=text)
  call expect(gator_err_pointer, 'parallel_for: PORTABLE_CHECK=launch: portable_launch of ''of freed memory'': argument 1 ')
  call check(index(text, 'the block was freed') > 0, 'a launch is checked: '//trim(text))
  call portable_set_checks(0)
  call check(iand(portable_checks(), 3) == 0, 'off')
  call parallel_for('of freed memory', bounds(10), idle, [arg(freed, 'both', name='freed')], device=device, stat=stat, errmsg=text)
  call check(stat == 0, 'it is not checked: '//trim(text))
  call portable_set_checks(portable_check_races, stat=stat, errmsg=text)
  call expect(gator_err_arg, 'portable_set_checks')
  call portable_set_checks(1024, stat=stat, errmsg=text)
  call expect(gator_err_arg, 'portable_set_checks')
  call portable_set_checks(iand(was, 3))

  ! Devices of the host.
  call portable_device_properties(device, host)
  call check(host%kind == portable_device_host .and. host%name == 'serial' .and. host%parallelism == 1, 'serial: '//host%name)
  call check(host%memory_bytes > 0_int64 .and. host%uuid == '' .and. .not. host%integrated, 'its memory')
  call portable_device_properties(find_device('threads'), host)
  call check_equal(int(host%parallelism, int64), int(num_threads(), int64), 'threads: '//host%name)
  call portable_device_memory(device, free_bytes, total_bytes)
  call check(free_bytes > 0_int64 .and. free_bytes <= total_bytes, 'free memory')
  call portable_device_properties(99, host, stat=stat, errmsg=text)
  call expect(gator_err_nodevice, 'portable_device_properties')
  call portable_device_memory(99, free_bytes, stat=stat, errmsg=text)
  call expect(gator_err_nodevice, 'portable_device_memory')
  call check_equal(free_bytes, 0_int64, 'nothing')
  call portable_device_native(device, stat=stat, errmsg=text)
  call expect(gator_err_arg, 'portable_device_native')
  call check(.not. c_associated(portable_stream_native(device_stream(device), stat=stat, errmsg=text)), 'no CUstream')
  call expect(gator_err_nodevice, 'portable_stream_native')
  call portable_device_enqueue('own work', c_funloc(timers_come), c_loc(n), device=device, stat=stat, errmsg=text)
  call expect(gator_err_nodevice, 'portable_device_enqueue')
  call portable_device_enqueue('own work', c_funloc(timers_come), payload_bytes=-1, stat=stat, errmsg=text)
  call expect(gator_err_arg, 'portable_device_enqueue ''own work'': payload_bytes is negative')

  ! Names.
  call check(portable_status_name(gator_err_nomem) == 'PORTABLE_ERR_NOMEM', portable_status_name(gator_err_nomem))
  call check(portable_status_name(-gator_err_nomem) == 'PORTABLE_ERR_NOMEM', 'the status of an event is below 0')
  call check(portable_status_name(0) == 'PORTABLE_OK', portable_status_name(0))
  call check(len(portable_status_name(12345)) > 0, 'an unknown number has a name, too')
  call portable_finalize()
  call finish_checks()
end program hooked
