! loop_errors.f90 - what the Fortran module says of mistakes with loops, devices, threads, start and stop: number and text of each. The
! same program is run over portable_stub.F90, so the two cannot drift apart. Not in this file: launches that go well.
module loop_errors_kernels
  use, intrinsic :: iso_c_binding
  use portable_mod
  implicit none
contains
  ! bind(c) kernels stand in modules: gfortran 11 and 12 have no address for an internal procedure with bind(c).
  recursive subroutine of_block(t, block) bind(c)
    type(tile), intent(in) :: t
    integer(c_int64_t), intent(in) :: block
    if (block == 0) call kernel_fail(t, 1, 'a block of nothing')
  end subroutine
end module

program loop_errors
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64
  use check_mod, only: check, finish_checks
  use expect_mod, only: expect, stat, text
  use gator_mod
  use portable_mod
  use loop_errors_kernels
  implicit none
  integer :: device, tiles
  type(c_funptr) :: address
  call test_before()
  call portable_init()
  call test_devices()
  call test_bounds()
  call test_tiles()
  call test_start()
  call portable_finalize()
  call portable_finalize(stat, text)
  call expect(gator_err_state, 'portable: portable_finalize without portable_init; each call needs its own portable_init before it')
  call finish_checks()
contains

  subroutine test_before()
    integer :: n
    call fence(stat, text)
    call expect(gator_err_state, 'portable_fence: the library does not run: call portable_init first, and nothing after')
    n = find_device('serial', stat, text)
    call expect(gator_err_state, 'portable_find_device: portable: no device yet; call portable_init first')
    call set_default_device(1, stat, text)
    call expect(gator_err_state, 'portable_set_default_device: portable: no device yet')
    call set_num_threads(2, stat, text)
    call expect(gator_err_state, 'portable_set_num_threads: portable: the number of threads is set after portable_init')
    call parallel_for('early', bounds(3), count_tile, stat=stat, errmsg=text)
    call expect(gator_err_state, 'portable_parallel_for: the library does not run')
    call check(n == 0, 'nothing is found')
    call check(device_count() == 0, 'no devices yet')
    call check(device_name(1) == '', 'no name yet')
    call check(default_device() == 0, 'no default yet')
    call check(device_stream(1) == 0_int64, 'no stream yet')
    call check(num_threads() == 0, 'no threads yet')
    call check(.not. portable_is_initialized(), 'nothing yet')
  end subroutine

  subroutine test_devices()
    device = find_device('gpu', stat, text)
    call expect(gator_err_nodevice, 'portable_find_device: portable: no such device: "gpu"; there are serial')
    device = find_device(' Serial')
    call check(device == 1, 'letters may be large or small')
    call set_default_device(70, stat, text)
    call expect(gator_err_nodevice, 'portable_set_default_device: portable: no such device: number 70; there are ')
    call set_default_device(0, stat, text)
    call expect(gator_err_nodevice, 'portable_set_default_device: portable: no such device: number 0; the numbers begin at 1')
    call set_num_threads(0, stat, text)
    call expect(gator_err_arg, 'portable_set_num_threads: portable: bad argument: 0 threads; it is 1 to 4095')
    call set_num_threads(5000, stat, text)
    call expect(gator_err_arg, 'portable_set_num_threads: portable: bad argument: 5000 threads; it is 1 to 4095')
    call parallel_for('x', bounds(3), count_tile, stream=171_int64, stat=stat, errmsg=text)
    call expect(gator_err_handle, "parallel_for 'x': 0xab is not a stream")
    call parallel_for('x', bounds(3), count_tile, stream=device_stream(1), device=2, stat=stat, errmsg=text)
    call expect(gator_err_arg, "parallel_for 'x': the stream is one of device 1 (serial), the launch names device 2; name one")
    call parallel_for('x', bounds(3), count_tile, device=90, stat=stat, errmsg=text)
    call expect(gator_err_nodevice, "parallel_for 'x': there is no device 90; there are ")
    call check(device_name(90) == '', 'no device, no name')
    call check(device_stream(90) == 0_int64, 'no device, no stream')
    call parallel_for('inside', bounds(1), change_threads)
  end subroutine

  subroutine test_bounds()
    call parallel_for('x', bounds(3), count_tile, schedule=77, stat=stat, errmsg=text)
    call expect(gator_err_arg, "parallel_for 'x': there is no schedule 77; there are 0 (the default), 1 (static) and 2 (dynamic)")
    call parallel_for('x', bounds([1, 1], [3, 3]), count_tile, tile=[2, -4], stat=stat, errmsg=text)
    call expect(gator_err_arg, "parallel_for 'x': the tile has -4 iterations in dimension 2; it has 1 or more, or 0")
    call parallel_for(' ', bounds([-huge(1_int64) - 1], [huge(1_int64)]), count_tile, stat=stat, errmsg=text)
    call expect(gator_err_overflow, "parallel_for 'unlabelled': there are more iterations than a 64-bit integer counts "// &
      "(bounds -9223372036854775808:9223372036854775807)")
    call check(iterations(bounds([-huge(1_int64) - 1], [huge(1_int64)], [4_int64])) == 2_int64**62, 'a stride makes it fit')
    call check(iterations(bounds([-huge(1_int64) - 1], [huge(1_int64)], [2_int64])) == -1_int64, 'one more than fits')
    call check(iterations(bounds([-huge(1_int64) - 1], [huge(1_int64)], [huge(1_int64)])) == 3_int64, 'three far apart')
    call check(iterations(bounds([1_int64, 1_int64, 1_int64], [2_int64**40, 2_int64**40, 0_int64])) == 0_int64, 'empty wins')
    call parallel_for('y', bounds([1, 1], [3, 3], [1, 2]), count_tile, stat=stat, errmsg=text)
    call expect(gator_err_arg, "parallel_for 'y': a stride is not 1 (bounds 1:3, 1:3:2); when the kernel's loops heed the "// &
      "tile's stride, say so with strided")
    call parallel_for('y', bounds([1, 1], [3, 3], [1, -2]), count_tile, strided=.true., stat=stat, errmsg=text)
    call expect(gator_err_arg, "parallel_for 'y': the stride of dimension 2 is -2; it is 1 or more (bounds 1:3, 1:3:-2)")
    if (storage_size(1) == 32) then
      call parallel_for('y', bounds([1_int64, 1_int64], [3_int64, 3000000000_int64]), count_tile, stat=stat, errmsg=text)
      call expect(gator_err_overflow, "parallel_for 'y': the bounds of dimension 2 do not fit a default integer "// &
        "(bounds 1:3, 1:3000000000); when the kernel uses lower64 and upper64, say so with wide")
    end if
    call parallel_for('y', bounds([1, 1], [3]), count_tile, stat=stat, errmsg=text)
    call expect(gator_err_arg, "parallel_for 'y': these bounds are invalid; bounds(lower, upper, stride) takes")
    address = c_null_funptr
    call parallel_for('y', bounds(3), address, stat=stat, errmsg=text)
    call expect(gator_err_arg, "parallel_for 'y': the kernel is NULL")
    address = c_funloc(of_block)
    call parallel_for('y', bounds(3), address, block_bytes=8_c_size_t, stat=stat, errmsg=text)
    call expect(gator_err_arg, "parallel_for 'y': args is NULL")
  end subroutine

  ! The user's tiles, and no tile behind one that failed.
  subroutine test_tiles()
    device = find_device('serial')
    tiles = 0
    call parallel_for('tiles', bounds([0, 1], [9, 7]), count_tile, device=device, tile=[4, 3])
    call check(tiles == 9, 'three times three tiles')
    tiles = 0
    call parallel_for('strided', bounds([0], [9], [3]), count_tile, device=device, tile=[3], strided=.true.)
    call check(tiles == 2, 'tiles of three iterations')
    tiles = 0
    call parallel_for('fails', bounds(10), fail_at_4, device=device, tile=[1], stat=stat, errmsg=text)
    call expect(gator_err_kernel, "parallel_for 'fails': the kernel failed with code -4: first text")
    call check(tiles == 4, 'what has not begun is left out')
  end subroutine

  subroutine test_start()
    call portable_init(portable_config(device='gpu'), stat, text)
    call expect(gator_err_nodevice, 'portable: no such device: "gpu", which the program asks for at portable_init; there '// &
      'are serial')
    call portable_init(portable_config(num_threads=-4), stat, text)
    call expect(gator_err_arg, 'portable_init: portable: bad argument: num_threads is -1; it is 1 to 4095, or 0 for the default')
    call portable_init(portable_config(stack_mb=-4_int64), stat, text)
    call expect(gator_err_arg, 'portable_init: stack_mb is negative or too large')
    ! Participants are counted; gator_init is one.
    call gator_init()
    call portable_init()
    call gator_finalize()
    call portable_finalize()
    call check(portable_is_initialized(), 'one participant is left')
  end subroutine

  recursive subroutine count_tile(t)
    type(tile), intent(in) :: t
    tiles = tiles + merge(1, 0, t%rank > 0)
  end subroutine

  recursive subroutine fail_at_4(t)
    type(tile), intent(in) :: t
    tiles = tiles + 1
    if (t%lower(1) /= 4) return
    call kernel_fail(t, -4, 'first text')
    call kernel_fail(t, -5, 'second text')
  end subroutine

  recursive subroutine change_threads(t)
    type(tile), intent(in) :: t
    call set_num_threads(2*t%workers, stat, text)
    call expect(gator_err_arg, 'portable_set_num_threads: portable: bad argument: the number of threads cannot be changed '// &
      'inside a kernel')
  end subroutine
end program
