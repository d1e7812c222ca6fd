! native.f90 - the driver's own handles from Fortran: properties and memory of a cuda device, its context, CUstreams, and work of the program's own in a
! stream by the driver's functions. Not here: devices of the host (observe/hooked.f90), cuBLAS (examples/cublas).
module own_work
  use, intrinsic :: iso_c_binding
  implicit none
  type, bind(c) :: fill_t
    type(c_ptr) :: to
    integer(c_size_t) :: words
    integer(c_int) :: value, answer
  end type
  interface
    integer(c_int) function cuMemsetD32Async(to, value, words, stream) bind(c, name='cuMemsetD32Async')
      import :: c_int, c_ptr, c_size_t
      type(c_ptr), value :: to
      integer(c_int), value :: value
      integer(c_size_t), value :: words
      type(c_ptr), value :: stream
    end function
  end interface
contains
  recursive function fill(stream, payload) result(status) bind(c)
    type(c_ptr), value :: stream, payload
    integer(c_int32_t) :: status
    type(fill_t), pointer :: f
    call c_f_pointer(payload, f)
    status = f%answer
    if (cuMemsetD32Async(f%to, f%value, f%words, stream) /= 0_c_int) status = -14_c_int32_t
  end function
end module own_work

program native
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int32, int64
  use gator_mod
  use portable_mod
  use portable_observe_mod, only: portable_fallback_t, portable_fallback_list
  use portable_system_mod
  use own_work
  use check_mod
  use expect_mod
  implicit none
  type(portable_device_t) :: gpu
  type(fill_t), target :: f
  integer(int32), pointer :: x(:)
  integer(int64) :: stream, free_bytes, total_bytes
  integer :: ordinal
  type(c_ptr) :: context, handle
  type(portable_fallback_t), allocatable :: list(:)
  character(:), allocatable :: log
  call portable_init()
  call portable_device_properties(default_device(), gpu)
  call check(gpu%kind == portable_device_cuda .and. gpu%name == 'cuda:0', 'a cuda device: '//gpu%name)
  call check(gpu%warp_size == 32 .and. gpu%compute_major > 0 .and. gpu%max_threads_per_block > 0, 'its blocks')
  call check(gpu%memory_bytes > 0_int64 .and. gpu%uuid(1:4) == 'GPU-' .and. gpu%driver_version > 10000, 'its driver')
  call portable_device_memory(0, free_bytes, total_bytes)
  call check(free_bytes > 0_int64 .and. free_bytes <= total_bytes .and. total_bytes == gpu%memory_bytes, 'its memory')
  call portable_device_native(0, ordinal, context)
  call check(ordinal == 0 .and. c_associated(context), 'CUdevice and CUcontext')
  call stream_create(stream)
  handle = portable_stream_native(stream)
  call check(c_associated(handle), 'a CUstream')

  ! Work of the program's own, between work of the library.
  call gator_allocate(x, [1000], label='x')
  f = fill_t(c_loc(x), 1000_c_size_t, 7_c_int, 0_c_int)
  call portable_device_enqueue('sevens', c_funloc(fill), c_loc(f), int(c_sizeof(f)), stream=stream)
  f = fill_t(c_null_ptr, 0_c_size_t, 0_c_int, 0_c_int) ! the launch has its copy
  call check(reduce_sum(x, stream=stream) == 7000_int32, 'the library''s work comes behind it')
  call stream_fence(stream)
  call check(all(x == 7_int32), 'it is done')
  f = fill_t(c_loc(x), 1000_c_size_t, 8_c_int, -14_c_int)
  call portable_device_enqueue('refused', c_funloc(fill), c_loc(f), stream=stream, stat=stat, errmsg=text)
  if (stat == 0) call stream_fence(stream, stat=stat, errmsg=text)
  call check(stat == gator_err_device .and. index(text, 'of ''refused'': the function gave -14 (PORTABLE_ERR_DEVICE)') > 0, &
             'what the function gives is the launch''s status: '//trim(text))
  f%answer = 700_c_int ! a result of the driver's, by mistake
  call portable_device_enqueue('no status', c_funloc(fill), c_loc(f), stream=stream, stat=stat, errmsg=text)
  if (stat == 0) call stream_fence(stream, stat=stat, errmsg=text)
  call check(stat == gator_err_device .and. index(text, 'of ''no status'': the function gave 700 (no status') > 0, &
             'a number that is no status: '//trim(text))
  call portable_device_enqueue('no stream', c_funloc(fill), c_loc(f), stream=123_int64, stat=stat, errmsg=text)
  call expect(gator_err_handle, 'portable_device_enqueue of ''no stream'': 0x7b is not a stream, or the stream was destroyed')
  call portable_device_enqueue('the host', c_funloc(fill), c_loc(f), device=1, stat=stat, errmsg=text)
  call expect(gator_err_nodevice, 'portable_device_enqueue')

  ! Labels of which launches ran on the host, and the compiler's texts.
  call parallel_for('without a version', bounds(10), nothing)
  call parallel_for('without a version', bounds(10), nothing)
  call portable_fallback_list(list)
  call check(size(list) == 1, 'one label ran on the host')
  if (size(list) == 1) call check(list(1)%label == 'without a version' .and. list(1)%launches == 2_int64 .and. &
    list(1)%iterations == 20_int64 .and. list(1)%total >= list(1)%longest .and. list(1)%longest > 0, 'its numbers')
  call portable_cuda_log('unknown', log, stat=stat, errmsg=text)
  call expect(gator_err_arg, 'portable_cuda_log of ''unknown'': portable_cuda_code has named no version for this label')
  call check(allocated(log), 'the text of a refusal')
  call cuda_code('wrong', source=['extern "C" __global__ void wrong(float x) { no_such_function(x); }'])
  call portable_cuda_log('wrong', log)
  call check(log == '', 'nothing was compiled yet')
  call parallel_for('wrong', bounds(10), nothing, [arg(1.0, 'x')], stat=stat, errmsg=text)
  call check(stat /= 0, 'a version that does not compile')
  call portable_cuda_log('wrong', log)
  call check(index(log, 'no_such_function') > 0, 'the compiler says: '//log)
  call stream_destroy(stream)
  handle = portable_stream_native(stream, stat=stat, errmsg=text)
  call fence()
  call gator_deallocate(x)
  call portable_finalize()
  call finish_checks()
contains
  recursive subroutine nothing(t)
    type(tile), intent(in) :: t
    if (t%rank < 1) continue
  end subroutine
end program native
