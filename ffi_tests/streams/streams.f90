! streams.f90 - streams and events from Fortran: procedures are waited for, kernels with an argument block are not; order,
! events, blocks of the pool, callbacks, errors. The same program is run over portable_stub.F90, where everything is synchronous. Not in this
! file: what streams do beyond that (order.c, errors.c, memory.c).
module streams_kernels
  use, intrinsic :: iso_c_binding
  use portable_mod
  implicit none
  integer, parameter :: n = 5000
  type, bind(c) :: step_block
    type(c_ptr) :: x
    integer(c_int64_t) :: number
  end type
  integer, save :: y(n) = 0
  integer(c_int32_t), save :: called_with = 77
contains
  recursive subroutine step(t, block) bind(c)
    type(tile), intent(in) :: t
    type(step_block), intent(in) :: block
    integer(c_int64_t), pointer :: x(:)
    integer :: i
    call c_f_pointer(block%x, x, [n])
    do i = t%lower(1), t%upper(1)
      x(i) = modulo(3*x(i) + block%number, 1000003_c_int64_t)
    end do
  end subroutine

  ! An outer iteration is a part of x: three elements by way of the scratch.
  recursive subroutine outer_step(t, block) bind(c)
    type(team), intent(in) :: t
    type(step_block), intent(in) :: block
    integer(c_int64_t), pointer :: x(:), work(:)
    integer :: first, k
    call c_f_pointer(block%x, x, [n])
    call c_f_pointer(t%scratch, work, [3])
    first = 3*t%outer(1) - 3
    do k = 1, 3
      work(k) = modulo(3*x(first+k) + block%number, 1000003_c_int64_t)
    end do
    call fence_inner(t)
    do k = 1, 3 ! not by a section: flang 16 would write all of x
      x(first+k) = work(k)
    end do
  end subroutine

  recursive subroutine outer_fails(t, block) bind(c)
    type(team), intent(in) :: t
    integer(c_int64_t), intent(in) :: block
    call kernel_fail(t, int(block), 'outside')
  end subroutine

  recursive subroutine outer_plain(t)
    type(team), intent(in) :: t
    y(t%outer(1)) = -1
  end subroutine

  recursive subroutine fails(t, block) bind(c)
    type(tile), intent(in) :: t
    integer(c_int64_t), intent(in) :: block
    call kernel_fail(t, int(block), 'on purpose')
  end subroutine

  recursive subroutine plain(t)
    type(tile), intent(in) :: t
    integer :: i
    do i = t%lower(1), t%upper(1)
      y(i) = y(i) + i
    end do
  end subroutine

  recursive subroutine refuses(t)
    type(tile), intent(in) :: t
    call kernel_fail(t, 9, 'refused')
  end subroutine

  subroutine called(status, payload) bind(c)
    integer(c_int32_t), value :: status
    type(c_ptr), value :: payload
    integer(c_int32_t), pointer :: p
    call c_f_pointer(payload, p)
    p = status
  end subroutine
end module

program streams
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64
  use check_mod, only: check, finish_checks
  use expect_mod, only: expect, stat, text
  use gator_mod
  use portable_mod
  use streams_kernels
  implicit none
  integer :: i, local(n)
  type(c_funptr) :: step_address, fails_address, called_address, outer_address, outer_fails_address
  text = ''
  step_address = c_funloc(step)
  fails_address = c_funloc(fails)
  outer_address = c_funloc(outer_step)
  outer_fails_address = c_funloc(outer_fails)
  called_address = c_funloc(called)
  call test_before()
  call portable_init()
  call test_procedures()
  call test_order()
  call test_outer()
  call test_errors()
  call test_misuse()
  call fallback_print() ! nothing: the device is the host
  call portable_finalize()
  call finish_checks()
contains

  subroutine test_before()
    integer(int64) :: s, e
    call stream_create(s, stat=stat, errmsg=text)
    call expect(gator_err_state, 'portable_stream_create: the library does not run')
    call check(s == 0, 'no stream before the start')
    call event_create(e)
    call check(event_done(e), 'an event that was not recorded is done')
    call event_destroy(e)
    call check(e == 0, 'an event that was destroyed is 0')
  end subroutine

  ! Each is done when the launch returns.
  subroutine test_procedures()
    integer(int64) :: s
    call stream_create(s)
    do i = 1, 20
      call parallel_for('plain', bounds(n), plain, stream=s)
      call check(y(n) == i*n .and. y(1) == i, 'a procedure is waited for')
    end do
    local = 0
    call parallel_for('inner', bounds(n), inner, stream=s)
    call check(all(local == [(2*i, i=1, n)]), 'an internal procedure is waited for')
    call parallel_for('refuses', bounds(n), refuses, stream=s, stat=stat, errmsg=text)
    call expect(gator_err_kernel, "parallel_for 'refuses': the kernel failed with code 9: refused")
    call stream_fence(s)
    call stream_destroy(s)
    call check(s == 0, 'a stream that was destroyed is 0')
    call stream_destroy(s)
    call stream_create(s, device=1, synchronous=.true.)
    call parallel_for('plain', bounds(n), plain, stream=s)
    call check(y(n) == 21*n, 'a synchronous stream')
    call check(stream_done(s), 'a synchronous stream has nothing to do')
    call stream_destroy(s)
  end subroutine

  recursive subroutine inner(t)
    type(tile), intent(in) :: t
    integer :: i
    do i = t%lower(1), t%upper(1)
      local(i) = 2*i
    end do
  end subroutine

  ! One array goes from stream to stream, and is freed before the last stream has passed it.
  subroutine test_order()
    integer(int64) :: s(2), e, expected
    integer(c_int64_t), pointer :: x(:) => null()
    type(step_block), target :: block
    integer(c_int32_t), target :: status
    type(gator_stats_t) :: stats
    call stream_create(s(1))
    call stream_create(s(2))
    call event_create(e)
    call gator_allocate(x, [n], label='x')
    x = 0
    expected = 0
    do i = 1, 1000
      expected = modulo(3*expected + i, 1000003_int64)
      block = step_block(c_loc(x), int(i, c_int64_t))
      call parallel_for('step', bounds(n), step_address, c_loc(block), c_sizeof(block), stream=s(1 + modulo(i, 2)))
      call event_record(e, s(1 + modulo(i, 2)))
      call stream_wait_event(s(2 - modulo(i, 2)), e)
    end do
    call event_wait(e)
    call check(event_done(e), 'an event that was waited for is done')
    call check(all(x == expected), 'steps in two streams in order')
    call add_stream_dependency(c_loc(x), s(1))
    call parallel_for('step', bounds(n), step_address, c_loc(block), c_sizeof(block), stream=s(1))
    call gator_deallocate(x)
    status = 77
    call stream_call(s(1), called_address, c_loc(status))
    call fence()
    call check(status == 0, 'a callback')
    call gator_get_stats(stats)
    call check(stats%waiting_blocks == 0 .and. stats%in_use_blocks == 0, 'the array was released')
    call event_destroy(e)
    call stream_destroy(s(1))
    call stream_destroy(s(2))
  end subroutine

  ! Outer loops as others: a procedure is waited for, an address with a block is queued.
  subroutine test_outer()
    integer(int64) :: s
    integer, parameter :: columns = 1000
    integer(c_int64_t), target :: x(n), code
    type(step_block), target :: block
    call stream_create(s)
    x = 1
    do i = 1, 10
      block = step_block(c_loc(x), int(i, c_int64_t))
      call parallel_outer('outer_step', bounds(columns), outer_address, c_loc(block), c_sizeof(block), scratch_bytes=24, stream=s)
    end do
    block%number = -77 ! each launch has its own copy
    call stream_fence(s)
    code = 1
    do i = 1, 10
      code = modulo(3*code + i, 1000003_c_int64_t)
    end do
    call check(all(x(:3*columns) == code), 'outer steps in a stream')
    call parallel_outer('outer_plain', bounds(n), outer_plain, stream=s)
    call check(all(y == -1), 'an outer procedure is waited for')
    code = 4
    call parallel_outer('outer_fails', bounds(5), outer_fails_address, c_loc(code), c_sizeof(code), stream=s, stat=stat, &
                        errmsg=text)
    if (stat == 0) call stream_fence(s, stat, text)
    call check(stat == gator_err_kernel, 'the error of an outer loop')
    call check(index(text, "parallel_outer 'outer_fails': the kernel failed with code 4: outside") > 0, text)
    call stream_destroy(s)
  end subroutine

  subroutine test_errors()
    integer(int64) :: s
    integer(c_int64_t), target :: code
    integer(c_int32_t), target :: status
    call stream_create(s)
    code = 5
    status = 0
    ! The stub, which is synchronous, says it at the launch; the library at the fence.
    call parallel_for('fails', bounds(n), fails_address, c_loc(code), c_sizeof(code), stream=s, stat=stat, errmsg=text)
    if (stat == 0) then
      call stream_call(s, called_address, c_loc(status))
      call stream_fence(s, stat, text)
      call check(status == -gator_err_kernel, 'the callback knows the error')
    end if
    call check(stat == gator_err_kernel, 'the error of the stream')
    call check(index(text, "parallel_for 'fails': the kernel failed with code 5: on purpose") > 0, text)
    call stream_fence(s)
    call parallel_for('fails', bounds(n), fails_address, c_loc(code), c_sizeof(code), stream=s, stat=stat, errmsg=text)
    if (stat == 0) then
      call stream_destroy(s, stat, text)
      call check(s == 0, 'the stream has ended all the same')
    else
      call stream_destroy(s)
      stat = gator_err_kernel
    end if
    call check(stat == gator_err_kernel, 'the error of the stream')
    call check(index(text, "parallel_for 'fails': the kernel failed with code 5: on purpose") > 0, text)
  end subroutine

  subroutine test_misuse()
    integer(int64) :: s, old, e, gone
    call stream_create(s, device=9, stat=stat, errmsg=text)
    call expect(gator_err_nodevice, 'portable_stream_create: portable: no such device: number 9; there are ')
    call stream_create(s)
    old = s
    call event_create(e)
    gone = e
    call event_destroy(e)
    call stream_destroy(s)
    call stream_fence(old, stat, text)
    call expect(gator_err_handle, 'portable_stream_fence: 0x')
    call check(index(text, 'is not a stream, or the stream was destroyed') > 0, text)
    call stream_destroy(old, stat, text)
    call expect(gator_err_handle, 'portable_stream_destroy: 0x')
    call parallel_for('plain', bounds(n), plain, stream=old, stat=stat, errmsg=text)
    call expect(gator_err_handle, "parallel_for 'plain': 0x")
    call check(.not. stream_done(old, stat, text), 'what is no stream is not done')
    call expect(gator_err_handle, 'portable_stream_')
    call event_record(gone, 0_int64, stat, text)
    call expect(gator_err_handle, 'portable_event_record: 0x')
    call check(index(text, 'is not an event, or the event was destroyed') > 0, text)
    call event_wait(gone, stat, text)
    call expect(gator_err_handle, 'portable_event_wait: 0x')
    call check(.not. event_done(gone, stat, text), 'what is no event is not done')
    call event_destroy(gone, stat, text)
    call expect(gator_err_handle, 'portable_event_destroy: 0x')
    call add_stream_dependency(c_null_ptr, 0_int64, stat, text)
    call expect(gator_err_pointer, 'portable_add_stream_dependency: ')
    s = device_stream(1)
    call stream_destroy(s, stat, text)
    call expect(gator_err_handle, 'portable_stream_destroy: 0xd000000000000001 is the default stream of a device')
    call stream_fence(s)
  end subroutine
end program
