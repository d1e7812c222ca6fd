!> Block kernels for Fortran: a block of threads that wait for each other at barriers, as in CUDA, on the threads of the host.
!>
!>     call portable_parallel_blocks('tiles', portable_bounds([1, 1], [nbx, nby]), tile_kernel, threads=[16, 16], &
!>                                   scratch_bytes=4096)
!>
!>     recursive subroutine tile_kernel(b)
!>       type(portable_thread_block), intent(in) :: b
!>       real(real64), pointer :: tile(:, :)
!>       call c_f_pointer(b%scratch, tile, [16, 16])       ! shared by the threads of the block
!>       tile(b%thread(1), b%thread(2)) = a(16*(b%outer(1) - 1) + b%thread(1), 16*(b%outer(2) - 1) + b%thread(2))
!>       call portable_block_barrier(b)                    ! from here on each thread sees the whole tile
!>
!> In this module: these, and portable_block_fail. The module portable has them without portable_. Not in this module: teams
!> with inner loops, portable_parallel_outer, which need no stacks and are faster where a kernel has such loops; the text of
!> device code.
!>
!> One thread of the host runs a block, its threads one after the other. Until one of them waits, that is a plain loop; then
!> each thread but the first has a stack of 16 KiB, so large local arrays belong into scratch: a thread that needs more stops
!> the program with a line that names the kernel. Rules: each thread of a block comes to each barrier, or none does, else the
!> launch fails and names the barrier. A kernel launches nothing and allocates nothing of the library's. Procedures that a
!> kernel calls are recursive. Since 0.1.
module portable_blocks_mod
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64
  use gator_mod, only: gator_internal_finish
  use portable_reduce_mod, only: c_launch_config => portable_internal_launch
  use portable_core_mod, only: portable_argument, portable_bounds_t, portable_tile, portable_kernel_fail
  implicit none
  private

  public :: portable_parallel_blocks, portable_block_barrier, portable_block_fail, portable_block_kernel

  ! The version of portable.h that this module was written for; the archive refuses another one.
  integer(c_int32_t), parameter :: portable_version = 100

  integer, parameter :: default_integer = merge(c_int64_t, c_int32_t, storage_size(1) == 64)
  integer(c_int32_t), parameter :: integer_bytes = int(storage_size(1)/8, c_int32_t)
  integer(c_int32_t), parameter :: waited_for = 2_c_int32_t, no_list = -1_c_int32_t

  !> The calling thread of a block. Valid during the call of the kernel. Dimensions above rank: outer 0, thread and threads 1.
  !> Since 0.1.
  type, bind(c), public :: portable_thread_block
    !> The same as outer, in 64 bits, for launches with wide=.true.
    integer(c_int64_t) :: outer64(3)
    !> The library's: thread from 0.
    integer(c_int32_t) :: thread32(3)
    !> Threads of a block in each dimension.
    integer(c_int32_t) :: threads(3)
    !> Dimensions of the grid of blocks.
    integer(c_int32_t) :: rank
    !> All threads of a block.
    integer(c_int32_t) :: size
    !> The calling thread's number in its block, from 0; the first dimension runs fastest.
    integer(c_int32_t) :: member
    integer(c_int32_t) :: reserved
    !> Memory shared by the block, scratch_bytes bytes, aligned at 64, of any content. Not associated when none was asked for.
    type(c_ptr) :: scratch
    integer(c_size_t) :: scratch_bytes
    !> The library's.
    type(c_ptr) :: tile, run
    !> The block: its index in each dimension of the bounds; default integers.
    integer(default_integer) :: outer(3)
    !> The thread in its block, from 1 to threads in each dimension; default integers.
    integer(default_integer) :: thread(3)
  end type

  abstract interface
    !> A block kernel: does the work of one thread of a block. Called on several threads at once; declare it recursive. Since 0.1.
    recursive subroutine portable_block_kernel(b)
      import :: portable_thread_block
      type(portable_thread_block), intent(in) :: b
    end subroutine
  end interface

  !> portable_block_barrier(b [, line]): waits until all threads of the block are here; what they have written before, all of
  !> them read after. Every thread of a block calls it, or none. line, such as __LINE__ of the preprocessor, is an
  !> integer(c_int32_t) and is named where not all threads come; without it the address of the call is. Since 0.1.
  interface portable_block_barrier
    recursive subroutine portable_internal_barrier(b) bind(c, name='portable__fortran_block_barrier')
      import :: portable_thread_block
      type(portable_thread_block), intent(in) :: b
    end subroutine
    recursive subroutine portable_internal_barrier_line(b, line) bind(c, name='portable__fortran_block_barrier_line')
      import :: portable_thread_block, c_int32_t
      type(portable_thread_block), intent(in) :: b
      integer(c_int32_t), value :: line
    end subroutine
  end interface

  interface
    function c_parallel_blocks(version, label, label_bytes, bounds, threads, count, kernel, block, block_bytes, args, listed, &
                               scratch_bytes, config, bytes, flags) result(status) &
        bind(c, name='portable__fortran_parallel_blocks')
      import :: c_int32_t, c_int64_t, c_size_t, c_ptr, c_funptr, c_char, portable_bounds_t, c_launch_config, portable_argument
      integer(c_int32_t), value :: version
      character(kind=c_char), intent(in) :: label(*)
      integer(c_size_t), value :: label_bytes
      type(portable_bounds_t), intent(in) :: bounds
      integer(c_int32_t), intent(in) :: threads(*)
      integer(c_int32_t), value :: count
      type(c_funptr), value :: kernel
      type(c_ptr), value :: block
      integer(c_size_t), value :: block_bytes
      type(portable_argument), intent(in) :: args(*)
      integer(c_int32_t), value :: listed
      integer(c_int64_t), value :: scratch_bytes
      type(c_launch_config), intent(in) :: config
      integer(c_int32_t), value :: bytes, flags
      integer(c_int32_t) :: status
    end function
  end interface

  !> portable_parallel_blocks(label, bounds, kernel, threads): calls the kernel for each thread of each block of the grid that
  !> bounds are, of 1 to 3 dimensions, and returns when that is done. threads(d) threads in dimension d, 1024 in all at most.
  !> kernel is a subroutine with one argument, type(portable_thread_block), intent(in), also an internal one; or the c_funloc of
  !> a bind(c) subroutine with the arguments block and args, with block and block_bytes as for portable_parallel_for. A list of
  !> arguments after the kernel, [portable_arg(a), ...], or block, is that of a PORTABLE_BLOCK_KERNEL which portable_cuda_code
  !> has named for the label: on a CUDA device that one runs, with a block of the device for each block. Optional: scratch_bytes
  !> (b%scratch, shared by a block; at most 64 MiB; not zeroed), device, stream, schedule, bit_for_bit, wide (the kernel uses
  !> outer64), stat, errmsg. Strides are heeded. Errors: as portable_parallel_for; gator_err_arg (threads; too much scratch),
  !> _state (inside a block kernel), _kernel (not all threads have come to a barrier; no memory for stacks). Source: CUDA's
  !> kernels on the CPU in openfpm_data. Since 0.1.
  interface portable_parallel_blocks
    module procedure blocks_procedure, blocks_arguments, blocks_address
  end interface

#if !defined(__flang__)
  ! What C hands back to run_block: the user's procedure.
  type :: holder_of
    procedure(portable_block_kernel), pointer, nopass :: run => null()
  end type
#else
  interface
    function c_blocks_procedure(version, label, label_bytes, bounds, threads, count, kernel, block, block_bytes, args, listed, &
                                scratch_bytes, config, bytes, flags) result(status) &
        bind(c, name='portable__fortran_parallel_blocks')
      import :: c_int32_t, c_int64_t, c_size_t, c_ptr, c_char, portable_bounds_t, c_launch_config, portable_block_kernel, &
        portable_argument
      integer(c_int32_t), value :: version
      character(kind=c_char), intent(in) :: label(*)
      integer(c_size_t), value :: label_bytes
      type(portable_bounds_t), intent(in) :: bounds
      integer(c_int32_t), intent(in) :: threads(*)
      integer(c_int32_t), value :: count
      procedure(portable_block_kernel) :: kernel
      type(c_ptr), value :: block
      integer(c_size_t), value :: block_bytes
      type(portable_argument), intent(in) :: args(*)
      integer(c_int32_t), value :: listed
      integer(c_int64_t), value :: scratch_bytes
      type(c_launch_config), intent(in) :: config
      integer(c_int32_t), value :: bytes, flags
      integer(c_int32_t) :: status
    end function
  end interface
#endif

contains

  ! A kernel that is an ordinary procedure, also an internal one.
  recursive subroutine blocks_procedure(label, bounds, kernel, threads, scratch_bytes, device, stream, schedule, bit_for_bit, &
                                        wide, stat, errmsg)
    character(*), intent(in) :: label
    type(portable_bounds_t), intent(in) :: bounds
    procedure(portable_block_kernel) :: kernel
    integer, intent(in) :: threads(:)
    integer, optional, intent(in) :: scratch_bytes, device, schedule
    integer(int64), optional, intent(in) :: stream
    logical, optional, intent(in) :: bit_for_bit, wide
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    type(portable_argument) :: none(0)
    call gator_internal_finish(run_blocks(label, bounds, kernel, none, no_list, threads, scratch(scratch_bytes), &
                                          settings(device, stream, schedule, bit_for_bit), given(wide)), &
                               'parallel_blocks', stat, errmsg)
  end subroutine

  ! The same with the arguments of a version for devices.
  recursive subroutine blocks_arguments(label, bounds, kernel, args, threads, scratch_bytes, device, stream, schedule, &
                                        bit_for_bit, wide, stat, errmsg)
    character(*), intent(in) :: label
    type(portable_bounds_t), intent(in) :: bounds
    procedure(portable_block_kernel) :: kernel
    type(portable_argument), intent(in) :: args(:)
    integer, intent(in) :: threads(:)
    integer, optional, intent(in) :: scratch_bytes, device, schedule
    integer(int64), optional, intent(in) :: stream
    logical, optional, intent(in) :: bit_for_bit, wide
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    call gator_internal_finish(run_blocks(label, bounds, kernel, args, size(args, kind=c_int32_t), threads, &
                                          scratch(scratch_bytes), settings(device, stream, schedule, bit_for_bit), given(wide)), &
                               'parallel_blocks', stat, errmsg)
  end subroutine

  recursive function run_blocks(label, bounds, kernel, args, listed, threads, scratch_bytes, config, wide) result(status)
    character(*), intent(in) :: label
    type(portable_bounds_t), intent(in) :: bounds
    procedure(portable_block_kernel) :: kernel
    type(portable_argument), intent(in) :: args(:)
    integer(c_int32_t), intent(in) :: listed, wide
    integer, intent(in) :: threads(:)
    integer(c_int64_t), intent(in) :: scratch_bytes
    type(c_launch_config), intent(in) :: config
    integer(c_int32_t) :: status
#if defined(__flang__)
    status = c_blocks_procedure(portable_version, label, len(label, c_size_t), bounds, numbers(threads), &
                                size(threads, kind=c_int32_t), kernel, c_null_ptr, 0_c_size_t, args, listed, scratch_bytes, &
                                config, integer_bytes, wide + waited_for)
#else
    type(holder_of), target :: holder
    holder%run => kernel
    status = c_parallel_blocks(portable_version, label, len(label, c_size_t), bounds, numbers(threads), &
                               size(threads, kind=c_int32_t), c_funloc(run_block), c_loc(holder), 0_c_size_t, args, listed, &
                               scratch_bytes, config, integer_bytes, wide + waited_for)
#endif
  end function

  recursive subroutine blocks_address(label, bounds, kernel, threads, block, block_bytes, scratch_bytes, device, stream, schedule, &
                                      bit_for_bit, wide, stat, errmsg)
    character(*), intent(in) :: label
    type(portable_bounds_t), intent(in) :: bounds
    type(c_funptr), value :: kernel
    integer, intent(in) :: threads(:)
    type(c_ptr), optional, intent(in) :: block
    integer(c_size_t), optional, intent(in) :: block_bytes
    integer, optional, intent(in) :: scratch_bytes, device, schedule
    integer(int64), optional, intent(in) :: stream
    logical, optional, intent(in) :: bit_for_bit, wide
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    type(c_ptr) :: address
    integer(c_size_t) :: bytes
    type(portable_argument) :: none(0)
    address = c_null_ptr
    bytes = 0_c_size_t
    if (present(block)) address = block
    if (present(block_bytes)) bytes = block_bytes
    call gator_internal_finish(c_parallel_blocks(portable_version, label, len(label, c_size_t), bounds, numbers(threads), &
                                                 size(threads, kind=c_int32_t), kernel, address, bytes, none, no_list, &
                                                 scratch(scratch_bytes), settings(device, stream, schedule, bit_for_bit), &
                                                 integer_bytes, given(wide)), &
                               'parallel_blocks', stat, errmsg)
  end subroutine

  ! In 32 bits, where texts of refusals show them; a number that does not fit is refused as one that is too large.
  recursive function numbers(threads) result(n)
    integer, intent(in) :: threads(:)
    integer(c_int32_t) :: n(size(threads))
    n = int(max(-2147483647, min(threads, 2147483647)), c_int32_t)
  end function

  recursive function scratch(asked) result(bytes)
    integer, optional, intent(in) :: asked
    integer(c_int64_t) :: bytes
    bytes = 0_c_int64_t
    if (present(asked)) bytes = int(asked, c_int64_t)
  end function

  recursive function settings(device, stream, schedule, bit_for_bit) result(config)
    integer, optional, intent(in) :: device, schedule
    integer(int64), optional, intent(in) :: stream
    logical, optional, intent(in) :: bit_for_bit
    type(c_launch_config) :: config
    config%struct_size = int(c_sizeof(config), c_int32_t)
    if (present(device)) config%device = int(device, c_int32_t)
    if (present(stream)) config%stream = stream
    if (present(schedule)) config%schedule = int(schedule, c_int32_t)
    config%bit_for_bit = given(bit_for_bit)
  end function

  recursive function given(flag) result(n)
    logical, optional, intent(in) :: flag
    integer(c_int32_t) :: n
    n = 0_c_int32_t
    if (present(flag)) n = merge(1_c_int32_t, 0_c_int32_t, flag)
  end function

  !> portable_kernel_fail for a block kernel: the work failed. Blocks that have not begun are left out. Since 0.1.
  recursive subroutine portable_block_fail(b, code, text)
    type(portable_thread_block), intent(in) :: b
    integer, intent(in) :: code
    character(*), intent(in) :: text
    type(portable_tile), pointer :: tile
    call c_f_pointer(b%tile, tile)
    call portable_kernel_fail(tile, code, text)
  end subroutine

#if !defined(__flang__)
  recursive subroutine run_block(b, context) bind(c, name='')
    type(portable_thread_block), intent(in) :: b
    type(c_ptr), value :: context
    type(holder_of), pointer :: holder
    call c_f_pointer(context, holder)
    call holder%run(b)
  end subroutine
#endif

end module portable_blocks_mod
