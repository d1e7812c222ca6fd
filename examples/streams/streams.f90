!> Two streams: one computes a field piece by piece into two buffers, the other copies each finished buffer to where the output
!> goes, while the first one is at the next piece. Events say when a buffer is full and when it is free again.
!> streams [CELLS PIECES]. Exit status: 0 when the result has the bits of the serial loop.
module streams_mod
  use, intrinsic :: iso_c_binding
  use portable_mod, only: tile
  implicit none
  !> Arguments of a kernel: buffer or output after cell `first`. As in streams_kernels.h, but for n, which only Fortran's pointers need.
  type, bind(c) :: piece
    type(c_ptr) :: from, to
    integer(c_int64_t) :: first, base, n
  end type
contains

  !> A value that takes some work, of the number of a cell only.
  elemental function field(i) result(f)
    integer(c_int64_t), intent(in) :: i
    real(c_double) :: f
    integer :: k
    f = 1/real(i, c_double)
    do k = 1, 40
      f = f + 0.01_c_double*(1/(1 + f*f) - f)
    end do
  end function

  recursive subroutine compute(t, p) bind(c)
    type(tile), intent(in) :: t
    type(piece), intent(in) :: p
    real(c_double), pointer :: buffer(:)
    integer :: i
    call c_f_pointer(p%to, buffer, [p%n])
    do i = t%lower(1), t%upper(1)
      buffer(i) = field(p%first + i)
    end do
  end subroutine

  recursive subroutine copy(t, p) bind(c)
    type(tile), intent(in) :: t
    type(piece), intent(in) :: p
    real(c_double), pointer :: buffer(:), output(:)
    integer :: i
    call c_f_pointer(p%from, buffer, [p%n])
    call c_f_pointer(p%to, output, [p%first + p%n])
    do i = t%lower(1), t%upper(1)
      output(p%first + i) = buffer(i)
    end do
  end subroutine
end module

program main
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64
  use gator_mod, only: gator_allocate, gator_deallocate
  use portable_mod
  use streams_mod
  implicit none
  real(c_double), pointer :: output(:) => null(), buffer1(:) => null(), buffer2(:) => null()
  real(c_double), allocatable :: expected(:)
  integer(int64) :: computing, copying, full(2), empty(2), start, middle, finish, rate, i
  type(piece), target :: p
  type(c_ptr) :: buffer(2)
  type(c_funptr) :: compute_address, copy_address
  integer :: n, pieces, k, b
  character(len=32) :: argument
  n = 5000
  pieces = 50
  call get_command_argument(1, argument)
  if (argument /= '') read (argument, *) n
  call get_command_argument(2, argument)
  if (argument /= '') read (argument, *) pieces
  call portable_init()
  call cuda_code([character(7) :: 'compute', 'copy'], file='streams_kernels.h') ! for launches on a GPU
  call gator_allocate(output, [n*pieces], label='output')
  call gator_allocate(buffer1, [n], label='buffer')
  call gator_allocate(buffer2, [n], label='buffer')
  buffer = [c_loc(buffer1), c_loc(buffer2)]
  compute_address = c_funloc(compute)
  copy_address = c_funloc(copy)
  allocate (expected(n*pieces))
  call system_clock(start, rate)
  do i = 1, size(expected, kind=int64)
    expected(i) = field(i)
  end do
  call system_clock(middle)

  call stream_create(computing)
  call stream_create(copying)
  do b = 1, 2
    call event_create(full(b))
    call event_create(empty(b))              ! counts as done: both buffers are free
  end do
  do k = 1, pieces
    b = 1 + modulo(k, 2)
    call stream_wait_event(computing, empty(b))
    p = piece(c_null_ptr, buffer(b), int(n, c_int64_t)*(k - 1), 1_c_int64_t, int(n, c_int64_t))
    call parallel_for('compute', bounds(n), compute_address, c_loc(p), c_sizeof(p), stream=computing)
    call event_record(full(b), computing)
    call stream_wait_event(copying, full(b))
    p%from = buffer(b)
    p%to = c_loc(output)
    call parallel_for('copy', bounds(n), copy_address, c_loc(p), c_sizeof(p), stream=copying)
    call event_record(empty(b), copying)
  end do
  ! The launches are queued, not done: the buffers go back to the pool when the streams have passed them.
  do b = 1, 2
    call add_stream_dependency(buffer(b), computing)
    call add_stream_dependency(buffer(b), copying)
  end do
  call gator_deallocate(buffer1)
  call gator_deallocate(buffer2)
  call fence()
  call system_clock(finish)
  do b = 1, 2
    call event_destroy(full(b))
    call event_destroy(empty(b))
  end do
  call stream_destroy(computing)
  call stream_destroy(copying)

  print '(a,i0,a,i0,a,f0.3,a,i0,a,f0.3,a)', 'streams: ', pieces, ' pieces of ', n, ' cells: serial ', &
    1000.0_c_double*real(middle - start, c_double)/real(rate, c_double), ' ms, two streams on ', num_threads(), ' threads ', &
    1000.0_c_double*real(finish - middle, c_double)/real(rate, c_double), ' ms'
  if (any(output < expected .or. output > expected)) error stop 'streams: the results differ'
  call gator_deallocate(output)
  call portable_finalize()
end program
