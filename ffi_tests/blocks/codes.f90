! codes.f90 - block kernels of Fortran with a version for devices: a list of arguments, a block of bytes, what is wrong with them; the address of a
! barrier without a line. The host and a CUDA device give the same bits. Not in this file: blocks of the host alone (blocks.f90).
module codes_kernels
  use, intrinsic :: iso_fortran_env, only: int32, real64
  use, intrinsic :: iso_c_binding
  use portable
  implicit none
  integer, parameter :: nx = 40, ny = 9
  real(real64), pointer :: h(:, :), turned(:, :)
  type, bind(c) :: turn_block
    type(c_ptr) :: from, to
    integer(c_int32_t) :: n, reserved
  end type
contains
  ! Each block turns a column around, by way of its scratch.
  recursive subroutine turn(b)
    type(thread_block), intent(in) :: b
    real(real64), pointer :: line(:)
    call c_f_pointer(b%scratch, line, [nx])
    line(b%thread(1)) = h(b%thread(1), b%outer(1))/3
    call block_barrier(b)
    turned(b%thread(1), b%outer(1)) = line(nx + 1 - b%thread(1))
  end subroutine

  recursive subroutine turn_bytes(b, args) bind(c)
    type(thread_block), intent(in) :: b
    type(turn_block), intent(in) :: args
    real(real64), pointer :: line(:), from(:), to(:)
    integer :: i, at
    call c_f_pointer(b%scratch, line, [args%n])
    call c_f_pointer(args%from, from, [args%n*ny])
    call c_f_pointer(args%to, to, [args%n*ny])
    i = b%thread(1)
    at = args%n*(b%outer(1) - 1)
    line(i) = from(at + i)/3
    call block_barrier(b)
    to(at + i) = line(args%n + 1 - i)
  end subroutine

  recursive subroutine unnumbered(b)
    type(thread_block), intent(in) :: b
    if (b%thread(1) == 1) return
    call block_barrier(b)
  end subroutine

  recursive subroutine loop_bytes(t, args) bind(c)
    type(tile), intent(in) :: t
    type(turn_block), intent(in) :: args
    real(real64), pointer :: to(:)
    call c_f_pointer(args%to, to, [args%n*ny])
    to(t%lower(1)) = 0
  end subroutine
end module

program codes
  use codes_kernels
  implicit none
  integer :: failures = 0, i, j, stat
  integer(int32) :: was
  character(20) :: device
  logical :: on_gpu
  character(1000) :: text = ''
  type(scalar_live_out) :: there
  type(turn_block), target :: args
  call portable_init()
  call get_environment_variable('PORTABLE_DEVICE', device)
  on_gpu = any(device == [character(20) :: 'cuda', 'hip', 'opencl'])
  call gator_allocate(h, [nx, ny], label='h')
  call gator_allocate(turned, [nx, ny], label='turned')
  do j = 1, ny
    do i = 1, nx
      h(i, j) = 1/real(i + 100*j, real64)
    end do
  end do
  call cuda_code('turn', source=[character(120) :: '#include <portable_blocks.h>', '#include <portable_device_view.h>', &
    'struct turn_args { portable_view<const double, 2, PORTABLE_ORDER_FORTRAN> h;', &
    '  portable_view<double, 2, PORTABLE_ORDER_FORTRAN> to;', &
    '  int32_t *there; };', &
    'PORTABLE_BLOCK_KERNEL(turn, turn_args, b, a) {', &
    '  double *line = (double *)b->scratch;', &
    '  line[b->thread[0]] = a->h(b->thread[0] + 1, b->index[0])/3;', &
    '  portable_block_barrier(b);', &
    '  a->to(b->thread[0] + 1, b->index[0]) = line[b->size - 1 - b->thread[0]];', &
    '  *a->there = 1;', '}'])
  call live_out_create(there, 0_int32)
  do i = 1, 3
    turned = -1
    call parallel_blocks('turn', bounds(ny), turn, [arg(h, 'read'), arg(turned, 'write'), arg(there)], threads=[nx], &
                         scratch_bytes=8*nx)
    call fence()
    call check(.not. any(abs(turned - h(nx:1:-1, :)/3) > 0), 'a list of arguments')
  end do
  call host_read(there, was)
  call check(was == merge(1, 0, on_gpu), 'where the blocks ran')
  call parallel_blocks('turn', bounds(ny), turn, [arg(h, 'read'), arg(turned, 'write'), arg(there)], threads=[0], stat=stat, &
                       errmsg=text)
  call expect(gator_err_arg, 'parallel_blocks ''turn'': a block has 0 threads in dimension 1')
  if (on_gpu) then
    call parallel_blocks('turn', bounds(ny), turn, [arg(h)], threads=[nx], scratch_bytes=8*nx, stat=stat, errmsg=text)
    call expect(gator_err_arg, 'parallel_blocks of ''turn'': there are 1 arguments, but 3 at the first launch of the label')
  end if

  call cuda_code('turn_bytes', source=[character(120) :: '#include <portable_blocks.h>', &
    'typedef struct turn_block { const double *from; double *to; int32_t n, reserved; } turn_block;', &
    'PORTABLE_BLOCK_KERNEL(turn_bytes, turn_block, b, a) {', &
    '  double *line = (double *)b->scratch;', &
    '  const int64_t at = a->n*(b->index[0] - 1);', &
    '  line[b->thread[0]] = a->from[at + b->thread[0]]/3;', &
    '  portable_block_barrier(b);', &
    '  a->to[at + b->thread[0]] = line[a->n - 1 - b->thread[0]];', '}'])
  args = turn_block(c_loc(h), c_loc(turned), nx, 0)
  turned = -1
  call parallel_blocks('turn_bytes', bounds(ny), c_funloc(turn_bytes), threads=[nx], block=c_loc(args), &
                       block_bytes=c_sizeof(args), scratch_bytes=8*nx)
  call fence()
  call check(.not. any(abs(turned - h(nx:1:-1, :)/3) > 0), 'a block of bytes')
  call parallel_blocks('turn_bytes', bounds(ny), c_null_funptr, threads=[nx], block=c_loc(args), &
                       block_bytes=c_sizeof(args), stat=stat, errmsg=text)
  call expect(gator_err_arg, 'parallel_blocks ''turn_bytes'': the kernel is NULL')
  if (on_gpu) then
    call parallel_for('turn_bytes', bounds(ny), c_funloc(loop_bytes), c_loc(args), c_sizeof(args), stat=stat, errmsg=text)
    call expect(gator_err_arg, 'parallel_for of ''turn_bytes'': the label''s first launch was a parallel_blocks')
  end if
  call parallel_blocks('unnumbered', bounds(5, 7), unnumbered, threads=[4], stat=stat, errmsg=text)
  call expect(gator_err_kernel, ' (addr2line -e has the line)')
  call live_out_destroy(there)
  call gator_deallocate(h)
  call gator_deallocate(turned)
  call portable_finalize()
  if (failures > 0) error stop 1
contains
  subroutine check(condition, what)
    logical, intent(in) :: condition
    character(*), intent(in) :: what
    if (condition) return
    failures = failures + 1
    print '(2a)', 'FAILED: ', what
  end subroutine

  subroutine expect(code, part)
    integer, intent(in) :: code
    character(*), intent(in) :: part
    call check(stat == code .and. index(text, part) > 0, part//' in: '//trim(text))
  end subroutine
end program
