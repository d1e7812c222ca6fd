!> Loops for Fortran: a loop nest becomes a launch of its body over an index space, on the threads of libportable.
!>
!> In this module: start and stop, index spaces (bounds), tiles, launches, outer and inner loops, work divisions, atomics, devices,
!> streams, events, timers, reductions as launches, lists of indices; reductions, scans, filters and sorts of arrays, which are
!> of portable_reduce_mod, portable_algorithm_mod and portable_sort_mod. All its names begin with portable_; portable_mod has the
!> same under short names. Not in this module: memory (gator_mod).
!>
!> Rules that hold for every procedure unless it says otherwise:
!> errors: with stat= present, stat is 0 or one of gator_mod's gator_err_ numbers and errmsg is set only on an error,
!> as in ALLOCATE; without stat= the text goes to standard error and `error stop` follows. Threads: any procedure may be
!> called from any thread at any time, and inside a kernel. Indices: bounds are inclusive; an upper bound below its lower
!> bound is no iteration; the first index is the fastest one. Since 0.1.
module portable_core_mod
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  use gator_mod, only: gator_internal_finish, gator_internal_fail, gator_err_arg, gator_err_overflow, gator_err_kernel, &
    gator_err_handle, gator_err_state, gator_err_fork
  use portable_reduce_mod, only: c_launch_config => portable_internal_launch, portable_reduce_sum, portable_reduce_product, &
    portable_reduce_min, portable_reduce_max, portable_reduce_minloc, portable_reduce_maxloc, portable_reduce_any, &
    portable_reduce_all, portable_reduce_count
  use portable_sort_mod, only: portable_sort, portable_sort_by_key, portable_sort_index
  use portable_algorithm_mod, only: portable_prefix_sum, portable_prefix_product, portable_prefix_min, portable_prefix_max, &
    portable_pack_into, portable_unpack_into, portable_active_indices
  use portable_argument_mod, only: portable_argument, portable_arg, portable_internal_argument
  implicit none
  private

  public :: portable_init, portable_finalize, portable_is_initialized, portable_config
  public :: portable_tile, portable_bounds_t, portable_bounds, portable_iterations
  public :: portable_parallel_for, portable_kernel, portable_kernel_fail, portable_fence
  public :: portable_parallel_reduce, portable_exact, portable_exact_add, portable_exact_value, portable_exact_value32
  public :: portable_exact_words, portable_exact_set_words, portable_exact_clear, portable_liveout, portable_liveout_create
  public :: portable_host_read, portable_host_write, portable_liveout_get, portable_liveout_destroy
  public :: portable_device_count, portable_device_name, portable_find_device, portable_default_device
  public :: portable_set_default_device, portable_device_stream, portable_num_threads, portable_set_num_threads
  public :: portable_timer_start, portable_timer_stop, portable_timer_enable, portable_timer_reset, portable_timer_print
  public :: portable_fallback_print
  public :: portable_timer_count, portable_timer_total, portable_timer_last, portable_timer_min, portable_timer_max
  public :: portable_checkpoint
  public :: portable_reduce_sum, portable_reduce_product, portable_reduce_min, portable_reduce_max
  public :: portable_reduce_minloc, portable_reduce_maxloc, portable_reduce_any, portable_reduce_all, portable_reduce_count
  public :: portable_sort, portable_sort_by_key, portable_sort_index
  public :: portable_prefix_sum, portable_prefix_product, portable_prefix_min, portable_prefix_max, portable_pack_into
  public :: portable_unpack_into, portable_active_indices, portable_parallel_filter, portable_filter_kernel
  public :: portable_stream_create, portable_stream_destroy, portable_stream_fence, portable_stream_done, portable_stream_call
  public :: portable_stream_wait_event, portable_event_create, portable_event_destroy, portable_event_record
  public :: portable_event_done, portable_event_wait, portable_add_stream_dependency
  public :: portable_argument, portable_arg, portable_cuda_code, portable_device_code

  !> Most dimensions of an index space. Since 0.1.
  integer, parameter, public :: portable_loop_rank = 8

  !> Each thread gets one contiguous part, the same one for the same bounds. Since 0.1.
  integer, parameter, public :: portable_static = 1
  !> Threads take parts as they come free. Since 0.1.
  integer, parameter, public :: portable_dynamic = 2

  ! The version of portable.h that this module was written for; the archive refuses another one.
  integer(c_int32_t), parameter :: portable_version = 100

  ! The kind of a default integer as this module is compiled, by a name that compilers know to be one of C's.
  integer, parameter :: default_integer = merge(c_int64_t, c_int32_t, storage_size(1) == 64)

  ! Bounds made by two scalars (PORTABLE_BOUNDS_PAIR).
  integer(c_int32_t), parameter :: bounds_pair = 256_c_int32_t

  !> Settings of portable_init. A field of 0, ' ' or 'default' means: the environment variable named with it if that is
  !> set, else the default named there. A field that is set wins over the environment. Since 0.1.
  type :: portable_config
    !> Name of the default device: 'threads' or 'serial' (PORTABLE_DEVICE; 'threads').
    character(len=32) :: device = 'default'
    !> Threads that share a launch (PORTABLE_NUM_THREADS, OMP_NUM_THREADS; as many as there are processors for this process).
    integer :: num_threads = 0
    !> MiB of the stack of each thread (PORTABLE_STACKSIZE, OMP_STACKSIZE; that of the main thread, at least 64).
    integer(int64) :: stack_mb = 0_int64
  end type

  !> An index space. Made by portable_bounds only. Since 0.1.
  type, bind(c) :: portable_bounds_t
    private
    integer(c_int32_t) :: struct_size = 0_c_int32_t
    integer(c_int32_t) :: rank = 0_c_int32_t
    integer(c_int32_t) :: order = 1_c_int32_t
    integer(c_int32_t) :: notes = 0_c_int32_t
    integer(c_int64_t) :: lower(8) = 0_c_int64_t
    integer(c_int64_t) :: upper(8) = 0_c_int64_t
    integer(c_int64_t) :: stride(8) = 1_c_int64_t
  end type

  !> A box of an index space, and what a kernel may know of its launch: the loops of a kernel run from lower to upper.
  !> Valid during the call of the kernel. upper is the last index of the tile that belongs to the space. Dimensions above
  !> rank run from 1 to 0: a loop over one that the bounds do not have does nothing. Since 0.1.
  type, bind(c) :: portable_tile
    !> The same as lower, upper and stride, in 64 bits, for launches with wide=.true.
    integer(c_int64_t) :: lower64(8), upper64(8), stride64(8)
    !> Dimensions of the space.
    integer(c_int32_t) :: rank
    !> Number of the worker in this launch, from 0; 0 is the thread that launched, which may run others' parts too.
    integer(c_int32_t) :: worker
    !> Threads of this launch.
    integer(c_int32_t) :: workers
    !> Number of the device.
    integer(c_int32_t) :: device
    !> Number of the tile, in launches that number them (reductions).
    integer(c_int64_t) :: number
    !> The library's.
    type(c_ptr) :: launch
    !> First index, last index and step of each dimension; default integers.
    integer(default_integer) :: lower(8), upper(8), stride(8)
  end type

  abstract interface
    !> A kernel: does the loop's work for each index of the tile. Called on several threads at once, so each scalar that
    !> it assigns must be its own; declare it recursive, or -fcheck=all stops the second thread. Since 0.1.
    recursive subroutine portable_kernel(t)
      import :: portable_tile
      type(portable_tile), intent(in) :: t
    end subroutine
  end interface

  include 'portable_team.inc'
  include 'portable_inner_interfaces.inc'
  include 'portable_division.inc'
  include 'portable_c.inc'
  include 'portable_atomic_c.inc'
  include 'portable_atomic.inc'

  !> portable_bounds(n), (lower, upper), (lower(:), upper(:)) or (lower(:), upper(:), stride(:)): an index space, from 1 to
  !> n, or from lower to upper in each dimension (1 to 8), by stride. Integers of 32 or 64 bits, all of one kind. A stride that
  !> is not positive is refused at the launch, which knows the label. Errors: no dimension, more than 8, or arrays of
  !> different lengths are refused at the launch too. Source: YAKL's Bounds. Since 0.1.
  interface portable_bounds
    module procedure bounds_n32, bounds_n64, bounds_pair32, bounds_pair64, bounds_arrays32, bounds_arrays64
  end interface

  !> portable_parallel_for(label, bounds, kernel): runs the kernel over the index space, and returns when that is done. kernel
  !> is a subroutine with one argument, type(portable_tile), intent(in): a module procedure, or an internal procedure (which
  !> sees the variables of its host). Or kernel is the c_funloc of a bind(c) subroutine with the arguments tile and block
  !> (type(c_ptr), value or a type of your own), block a c_ptr to its argument block and block_bytes its bytes, which are copied
  !> at the launch. In an asynchronous stream (portable_stream_create) the first form is waited for, the second is not.
  !> Optional: device, stream (numbers as of portable_find_device and portable_device_stream), schedule (portable_static,
  !> portable_dynamic), tile (most iterations of a tile in each dimension), block_size (threads of a block, on devices that have
  !> blocks), bit_for_bit (runs serially under PORTABLE_B4B=1), strided (the kernel heeds t%stride), wide (the kernel uses
  !> lower64 and so on, so that bounds need not fit a default integer), cut (tiles begin at multiples of so many iterations from
  !> the lower bound, along the first index: so a vector loop has its remainder in the last tile only; a smaller tile becomes as
  !> long), division (of these bounds: its blocks are the tiles of the host and the blocks of a GPU, which have its threads; then
  !> neither tile nor cut), stat, errmsg. portable_parallel_for(label, bounds,
  !> kernel, args): the same, for a kernel that may have a version for devices: args is a list of portable_arg(...), one for
  !> each argument of the version that portable_cuda_code named for the label. On a device that has a version it is launched
  !> into the stream, and the call returns at once; on others, and where there is no version, kernel runs as without args, after
  !> all that is in the stream. Errors: gator_err_arg (a stride below 1, one that is not 1 without strided=.true.; wrong args),
  !> _overflow (a bound does not fit; too many iterations), _nodevice, _state, _kernel (the kernel called portable_kernel_fail),
  !> _pointer (args that the device does not reach). Source: YAKL's parallel_for. Since 0.1.
  interface portable_parallel_for
    module procedure launch_procedure, launch_address, launch_arguments
  end interface

  include 'portable_cuda_interfaces.inc'

  !> portable_kernel_fail(t, code, text): from a kernel, whose tile or team t is: the work failed. Tiles and outer iterations that
  !> have not begun are left out, and the launch gives gator_err_kernel with code and text; the first call wins. Return from the
  !> kernel soon after. Threads: from the threads of the launch. Since 0.1.
  interface portable_kernel_fail
    module procedure fail_tile, fail_team
  end interface

  ! A launch whose kernel has no argument block is over when it returns: its procedure, and what that sees, is the caller's.
  integer(c_int32_t), parameter :: waited_for = 2_c_int32_t

  ! Bytes of a default integer.
  integer(c_int32_t), parameter :: integer_bytes = int(storage_size(1)/8, c_int32_t)

  ! flang 16 has no type-bound procedures.
#if defined(__flang__)
#define PORTABLE_SELF type
#else
#define PORTABLE_SELF class
#endif
#include "portable_reduce_interfaces.inc"
#include "portable_filter_interfaces.inc"

#if defined(__flang__)
  ! flang 16 has no procedure components and no c_funloc of a procedure without bind(c), but passes such a procedure to C
  ! as its address; and a subroutine with one argument by reference is to C what it is with bind(c).
  interface
    function c_parallel_for_procedure(version, label, label_bytes, bounds, kernel, block, block_bytes, config, &
                                      integer_bytes, wide) result(status) bind(c, name='portable__fortran_parallel_for')
      import :: c_int32_t, c_size_t, c_ptr, c_char, portable_bounds_t, c_launch_config, portable_kernel
      integer(c_int32_t), value :: version
      character(kind=c_char), intent(in) :: label(*)
      integer(c_size_t), value :: label_bytes
      type(portable_bounds_t), intent(in) :: bounds
      procedure(portable_kernel) :: kernel
      type(c_ptr), value :: block
      integer(c_size_t), value :: block_bytes
      type(c_launch_config), intent(in) :: config
      integer(c_int32_t), value :: integer_bytes, wide
      integer(c_int32_t) :: status
    end function

    function c_parallel_for_arguments(version, label, label_bytes, bounds, kernel, block, args, count, config, &
                                      integer_bytes, wide) result(status) &
        bind(c, name='portable__fortran_parallel_for_arguments')
      import :: c_int32_t, c_size_t, c_ptr, c_char, portable_bounds_t, c_launch_config, portable_kernel, portable_argument
      integer(c_int32_t), value :: version
      character(kind=c_char), intent(in) :: label(*)
      integer(c_size_t), value :: label_bytes
      type(portable_bounds_t), intent(in) :: bounds
      procedure(portable_kernel) :: kernel
      type(c_ptr), value :: block
      type(portable_argument), intent(in) :: args(*)
      integer(c_int32_t), value :: count
      type(c_launch_config), intent(in) :: config
      integer(c_int32_t), value :: integer_bytes, wide
      integer(c_int32_t) :: status
    end function

    function c_parallel_outer_procedure(version, label, label_bytes, bounds, kernel, block, block_bytes, scratch_bytes, config, &
                                        integer_bytes, wide) result(status) bind(c, name='portable__fortran_parallel_outer')
      import :: c_int32_t, c_int64_t, c_size_t, c_ptr, c_char, portable_bounds_t, c_launch_config, portable_team_kernel
      integer(c_int32_t), value :: version
      character(kind=c_char), intent(in) :: label(*)
      integer(c_size_t), value :: label_bytes
      type(portable_bounds_t), intent(in) :: bounds
      procedure(portable_team_kernel) :: kernel
      type(c_ptr), value :: block
      integer(c_size_t), value :: block_bytes
      integer(c_int64_t), value :: scratch_bytes
      type(c_launch_config), intent(in) :: config
      integer(c_int32_t), value :: integer_bytes, wide
      integer(c_int32_t) :: status
    end function

    function c_parallel_outer_arguments(version, label, label_bytes, bounds, kernel, block, args, count, scratch_bytes, config, &
                                        integer_bytes, wide) result(status) &
        bind(c, name='portable__fortran_parallel_outer_arguments')
      import :: c_int32_t, c_int64_t, c_size_t, c_ptr, c_char, portable_bounds_t, c_launch_config, portable_team_kernel, &
        portable_argument
      integer(c_int32_t), value :: version
      character(kind=c_char), intent(in) :: label(*)
      integer(c_size_t), value :: label_bytes
      type(portable_bounds_t), intent(in) :: bounds
      procedure(portable_team_kernel) :: kernel
      type(c_ptr), value :: block
      type(portable_argument), intent(in) :: args(*)
      integer(c_int32_t), value :: count
      integer(c_int64_t), value :: scratch_bytes
      type(c_launch_config), intent(in) :: config
      integer(c_int32_t), value :: integer_bytes, wide
      integer(c_int32_t) :: status
    end function
  end interface
#else
  interface
    function c_parallel_for_arguments(version, label, label_bytes, bounds, kernel, block, args, count, config, &
                                      integer_bytes, wide) result(status) &
        bind(c, name='portable__fortran_parallel_for_arguments')
      import :: c_int32_t, c_size_t, c_ptr, c_funptr, c_char, portable_bounds_t, c_launch_config, portable_argument
      integer(c_int32_t), value :: version
      character(kind=c_char), intent(in) :: label(*)
      integer(c_size_t), value :: label_bytes
      type(portable_bounds_t), intent(in) :: bounds
      type(c_funptr), value :: kernel
      type(c_ptr), value :: block
      type(portable_argument), intent(in) :: args(*)
      integer(c_int32_t), value :: count
      type(c_launch_config), intent(in) :: config
      integer(c_int32_t), value :: integer_bytes, wide
      integer(c_int32_t) :: status
    end function

    function c_parallel_outer_arguments(version, label, label_bytes, bounds, kernel, block, args, count, scratch_bytes, config, &
                                        integer_bytes, wide) result(status) &
        bind(c, name='portable__fortran_parallel_outer_arguments')
      import :: c_int32_t, c_int64_t, c_size_t, c_ptr, c_funptr, c_char, portable_bounds_t, c_launch_config, portable_argument
      integer(c_int32_t), value :: version
      character(kind=c_char), intent(in) :: label(*)
      integer(c_size_t), value :: label_bytes
      type(portable_bounds_t), intent(in) :: bounds
      type(c_funptr), value :: kernel
      type(c_ptr), value :: block
      type(portable_argument), intent(in) :: args(*)
      integer(c_int32_t), value :: count
      integer(c_int64_t), value :: scratch_bytes
      type(c_launch_config), intent(in) :: config
      integer(c_int32_t), value :: integer_bytes, wide
      integer(c_int32_t) :: status
    end function
  end interface

  ! What C hands back to run_procedure and run_team_procedure: the user's procedure.
  type :: procedure_holder
    procedure(portable_kernel), pointer, nopass :: run => null()
  end type
  type :: team_procedure_holder
    procedure(portable_team_kernel), pointer, nopass :: run => null()
  end type
#endif

contains

  include 'portable_start.inc'
  include 'portable_bounds.inc'
  include 'portable_launch.inc'
  include 'portable_cuda.inc'
  include 'portable_devices.inc'
  include 'portable_timers.inc'
  include 'portable_check.inc'
  include 'portable_streams.inc'
#include "portable_reduce.inc"
#include "portable_reduce_procedures.inc"
#include "portable_filter.inc"
  include 'portable_inner.inc'
  include 'portable_inner_procedures.inc'
  include 'portable_atomics.inc'
  include 'portable_work.inc'

  ! A kernel that is an ordinary procedure, also an internal one.
  recursive subroutine launch_procedure(label, bounds, kernel, device, stream, schedule, tile, block_size, bit_for_bit, &
                                        strided, wide, cut, division, stat, errmsg)
    character(*), intent(in) :: label
    type(portable_bounds_t), intent(in) :: bounds
    procedure(portable_kernel) :: kernel
    integer, optional, intent(in) :: device, schedule, tile(:), block_size, cut
    integer(int64), optional, intent(in) :: stream
    logical, optional, intent(in) :: bit_for_bit, strided, wide
    type(portable_work_division), optional, intent(in) :: division
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    type(c_launch_config) :: config
    type(c_work_division), target :: w
    integer(c_int32_t) :: status
#if defined(__flang__)
    config = launch_config(device, stream, schedule, tile, block_size, bit_for_bit, strided, cut)
    call drive(config, w, division)
    status = c_parallel_for_procedure(portable_version, label, len(label, c_size_t), bounds, kernel, c_null_ptr, 0_c_size_t, &
                                      config, integer_bytes, given(wide) + waited_for)
#else
    type(procedure_holder), target :: holder
    holder%run => kernel
    config = launch_config(device, stream, schedule, tile, block_size, bit_for_bit, strided, cut)
    call drive(config, w, division)
    status = c_parallel_for(portable_version, label, len(label, c_size_t), bounds, c_funloc(run_procedure), c_loc(holder), &
                            0_c_size_t, config, integer_bytes, given(wide) + waited_for)
#endif
    call gator_internal_finish(status, 'parallel_for', stat, errmsg)
  end subroutine

  ! The same with what a version for devices gets.
  recursive subroutine launch_arguments(label, bounds, kernel, args, device, stream, schedule, tile, block_size, bit_for_bit, &
                                        strided, wide, cut, division, stat, errmsg)
    character(*), intent(in) :: label
    type(portable_bounds_t), intent(in) :: bounds
    procedure(portable_kernel) :: kernel
    type(portable_argument), intent(in) :: args(:)
    integer, optional, intent(in) :: device, schedule, tile(:), block_size, cut
    integer(int64), optional, intent(in) :: stream
    logical, optional, intent(in) :: bit_for_bit, strided, wide
    type(portable_work_division), optional, intent(in) :: division
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    type(c_launch_config) :: config
    type(c_work_division), target :: w
    integer(c_int32_t) :: status
#if defined(__flang__)
    config = launch_config(device, stream, schedule, tile, block_size, bit_for_bit, strided, cut)
    call drive(config, w, division)
    status = c_parallel_for_arguments(portable_version, label, len(label, c_size_t), bounds, kernel, c_null_ptr, args, &
                                      size(args, kind=c_int32_t), config, integer_bytes, given(wide) + waited_for)
#else
    type(procedure_holder), target :: holder
    holder%run => kernel
    config = launch_config(device, stream, schedule, tile, block_size, bit_for_bit, strided, cut)
    call drive(config, w, division)
    status = c_parallel_for_arguments(portable_version, label, len(label, c_size_t), bounds, c_funloc(run_procedure), &
                                      c_loc(holder), args, size(args, kind=c_int32_t), config, integer_bytes, &
                                      given(wide) + waited_for)
#endif
    call gator_internal_finish(status, 'parallel_for', stat, errmsg)
  end subroutine

  recursive subroutine outer_procedure(label, bounds, kernel, scratch_bytes, device, stream, schedule, block_size, bit_for_bit, &
                                       wide, division, stat, errmsg)
    character(*), intent(in) :: label
    type(portable_bounds_t), intent(in) :: bounds
    procedure(portable_team_kernel) :: kernel
    integer, optional, intent(in) :: scratch_bytes, device, schedule, block_size
    integer(int64), optional, intent(in) :: stream
    logical, optional, intent(in) :: bit_for_bit, wide
    type(portable_work_division), optional, intent(in) :: division
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    type(c_launch_config) :: config
    type(c_work_division), target :: w
    integer(c_int32_t) :: status
#if defined(__flang__)
    config = launch_config(device=device, stream=stream, schedule=schedule, block_size=block_size, bit_for_bit=bit_for_bit)
    call drive(config, w, division)
    status = c_parallel_outer_procedure(portable_version, label, len(label, c_size_t), bounds, kernel, c_null_ptr, 0_c_size_t, &
                                        scratch(scratch_bytes), config, integer_bytes, given(wide) + waited_for)
#else
    type(team_procedure_holder), target :: holder
    holder%run => kernel
    config = launch_config(device=device, stream=stream, schedule=schedule, block_size=block_size, bit_for_bit=bit_for_bit)
    call drive(config, w, division)
    status = c_parallel_outer(portable_version, label, len(label, c_size_t), bounds, c_funloc(run_team_procedure), c_loc(holder), &
                              0_c_size_t, scratch(scratch_bytes), config, integer_bytes, given(wide) + waited_for)
#endif
    call gator_internal_finish(status, 'parallel_outer', stat, errmsg)
  end subroutine

  recursive subroutine outer_arguments(label, bounds, kernel, args, scratch_bytes, device, stream, schedule, block_size, &
                                       bit_for_bit, wide, division, stat, errmsg)
    character(*), intent(in) :: label
    type(portable_bounds_t), intent(in) :: bounds
    procedure(portable_team_kernel) :: kernel
    type(portable_argument), intent(in) :: args(:)
    integer, optional, intent(in) :: scratch_bytes, device, schedule, block_size
    integer(int64), optional, intent(in) :: stream
    logical, optional, intent(in) :: bit_for_bit, wide
    type(portable_work_division), optional, intent(in) :: division
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    type(c_launch_config) :: config
    type(c_work_division), target :: w
    integer(c_int32_t) :: status
#if defined(__flang__)
    config = launch_config(device=device, stream=stream, schedule=schedule, block_size=block_size, bit_for_bit=bit_for_bit)
    call drive(config, w, division)
    status = c_parallel_outer_arguments(portable_version, label, len(label, c_size_t), bounds, kernel, c_null_ptr, args, &
                                        size(args, kind=c_int32_t), scratch(scratch_bytes), config, integer_bytes, &
                                        given(wide) + waited_for)
#else
    type(team_procedure_holder), target :: holder
    holder%run => kernel
    config = launch_config(device=device, stream=stream, schedule=schedule, block_size=block_size, bit_for_bit=bit_for_bit)
    call drive(config, w, division)
    status = c_parallel_outer_arguments(portable_version, label, len(label, c_size_t), bounds, c_funloc(run_team_procedure), &
                                        c_loc(holder), args, size(args, kind=c_int32_t), scratch(scratch_bytes), config, &
                                        integer_bytes, given(wide) + waited_for)
#endif
    call gator_internal_finish(status, 'parallel_outer', stat, errmsg)
  end subroutine

#if !defined(__flang__)
  recursive subroutine run_procedure(t, context) bind(c, name='')
    type(portable_tile), intent(in) :: t
    type(c_ptr), value :: context
    type(procedure_holder), pointer :: holder
    call c_f_pointer(context, holder)
    call holder%run(t)
  end subroutine

  recursive subroutine run_team_procedure(t, context) bind(c, name='')
    type(portable_team), intent(in) :: t
    type(c_ptr), value :: context
    type(team_procedure_holder), pointer :: holder
    call c_f_pointer(context, holder)
    call holder%run(t)
  end subroutine
#endif

end module portable_core_mod
