!> Loops whose kernel is a bind(c) subroutine that gets its arguments in a block, as generated code has them: the block is made from
!> a list of portable_arg(...), and is the one that a version of the kernel for devices gets.
!>
!>     call portable_parallel_for('scale', portable_bounds(n), c_funloc(scale), [portable_arg(x, lbound(x), 'both', name='x'), &
!>                                portable_arg(s)], cut=16)
!>
!> In this module: such launches, reductions with several results, views, and what kernels say to PORTABLE_CHECK=races. The names
!> that they need of portable_core_mod are here too. Not in this module: kernels that are ordinary procedures (portable_core_mod).
!>
!> Threads: from any thread, and inside a kernel. Errors: as in portable_core_mod. Since 0.1.
module portable_list_mod
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  use gator_mod, only: gator_internal_finish
  use portable_core_mod, only: portable_tile, portable_bounds_t, portable_bounds, portable_parallel_for, portable_parallel_reduce, &
    portable_kernel_fail, portable_argument, portable_arg, portable_atomic_add, portable_atomic_min, portable_atomic_max, &
    portable_stream_fence
  implicit none
  private

  public :: portable_tile, portable_bounds_t, portable_bounds, portable_parallel_for, portable_parallel_reduce, portable_kernel_fail
  public :: portable_argument, portable_arg, portable_overlap, portable_reduction, portable_result, portable_result_of
  public :: portable_atomic_add, portable_atomic_min, portable_atomic_max, portable_stream_fence
  public :: portable_view_dimension, portable_view_1, portable_view_2, portable_view_3, portable_view_4, portable_view_5
  public :: portable_view_6, portable_view_7, portable_section, portable_section_of
  public :: portable_on_device, portable_device_takes, portable_in_order
  public :: portable_ensure, portable_in_kernel, portable_swap_kernel, portable_races_checked, portable_race_cell, portable_shadow
  public :: portable_data_open, portable_data_begin, portable_data_add, portable_data_end, portable_data_host, portable_data_expose
  public :: portable_data_enter, portable_data_exit
  public :: portable_data_leave, portable_data_stay, portable_data_pause, portable_data_resume, portable_host_asked
  public :: portable_shadow_of, portable_shadow_apart, portable_shadow_read, portable_shadow_write, portable_tile_iteration

  ! The version of portable.h that this module was written for; the archive refuses another one.
  integer(c_int32_t), parameter :: portable_version = 100

  ! Bytes of a default integer; the bounds may be wider.
  integer(c_int32_t), parameter :: integer_bytes = int(storage_size(1)/8, c_int32_t), flag_wide = 1_c_int32_t

  include 'portable_view.inc'

  !> portable_parallel_for(label, bounds, kernel, args [, checked]): runs the kernel over the index space. kernel is c_funloc of a
  !> bind(c) subroutine (tile, block): type(portable_tile), intent(in), and the argument block, intent(in): a bind(c) type whose
  !> components are the arguments in the order of args: portable_view_RANK for an array, the value of a scalar (of a logical an
  !> integer of its size, 0 or 1), type(c_ptr) with address=.true. and for a live-out. The block is copied: in an asynchronous
  !> stream the call returns at once. Module and internal procedures can call it; kernel is a module procedure.
  !> checked: c_funloc of a subroutine that does the same and asks for shadows; it is run in the place of kernel under
  !> PORTABLE_CHECK=races, serially. Optional: those of portable_core_mod's, and cut. Errors: those with args, and gator_err_arg
  !> (arrays overlap that say that they may, and the kernel writes one of them). Since 0.1.
  !> portable_parallel_for(label, bounds, kernel, block, block_bytes, args, source): of generated code. kernel and block are those of
  !> the host, source are the lines of CUDA C++ of an entry portable_nest that takes args. It runs on a CUDA device, with
  !> copies of arrays that the device cannot access (PORTABLE_HOSTMEM), and is waited for unless it has a stream; else kernel runs, and is
  !> counted by portable_fallback_print. source is a variable with TARGET and SAVE: its place is the nest's identity. Since 0.1.
  interface portable_parallel_for
    module procedure launch_list, launch_checked, launch_embedded
  end interface

  !> portable_parallel_reduce(label, bounds, kernel, results, args [, checked]): the same with results, a list of
  !> portable_result(...) of any kinds and operations, 1 to 64. kernel has a third argument, type(c_ptr), intent(in) :: r(*): the
  !> address of a partial result for each of them, which begins as the identity of the operation and is this call's alone. It is
  !> waited for in asynchronous streams too. After an error all results are as they were.
  !> portable_parallel_reduce(label, bounds, kernel, results, block, block_bytes): the same with a block of your own, a c_ptr, which
  !> is not copied. Since 0.1.
  !> portable_parallel_reduce(label, bounds, results, args, source, done): of generated code: as portable_parallel_for with source,
  !> but it has no kernel of the host. done is false if no device did it: then results have no defined values. Since 0.1.
  interface portable_parallel_reduce
    module procedure reduce_list, reduce_checked, reduce_block, reduce_embedded
  end interface

  !> One result of a launch, as portable_result gives it; valid for one launch. Since 0.1.
  type, bind(c) :: portable_reduction
    private
    type(c_ptr) :: to = c_null_ptr, place = c_null_ptr
    integer(c_int32_t) :: kind = 0_c_int32_t, operation = 0_c_int32_t, into = 0_c_int32_t
    integer(c_int32_t) :: place_bytes = 0_c_int32_t, place_count = 0_c_int32_t, reserved = 0_c_int32_t
  end type

  !> portable_result(x [, op] [, into]): what all iterations come to goes into the scalar x. op is 'sum' (the default of numbers),
  !> 'product', for integers and reals 'min' and 'max', for integers 'iand', 'ior' and 'ieor', for logicals 'any' (their default),
  !> 'all', 'eqv' and 'neqv'. Kinds: integers and logicals of 1 to 8 bytes, real and complex of real32 and real64. The partial
  !> result is a variable of x's kind; of a logical integer(c_int32_t), 0 or 1.
  !> portable_result(x, place, op [, into]): op is 'minloc' or 'maxloc', x a number of int32, int64, real32 or real64, and place an
  !> array of integers (int32, int64), one for each dimension of the bounds. The partial result is a bind(c) type: the value in 8
  !> bytes, then the indices; it begins one below the lower bounds. The first of equal values in array element order stays.
  !> into=.true.: what x holds takes part, as if it came before the first iteration. Errors, all told at the launch:
  !> gator_err_arg (op; the size of place). Since 0.1.
  interface portable_result
#include "portable_result_interfaces.inc"
  end interface

  !> portable_result by another name, for generated code that has a type portable_result. Since 0.1.
  interface portable_result_of
#include "portable_result_interfaces.inc"
  end interface

  ! C's structure of a launch (portable_launch.h).
  type, bind(c) :: launch_config
    integer(c_int32_t) :: struct_size = 0_c_int32_t, device = 0_c_int32_t
    integer(c_int64_t) :: stream = 0_c_int64_t
    integer(c_int32_t) :: schedule = 0_c_int32_t, block_size = 0_c_int32_t, bit_for_bit = 0_c_int32_t, strided = 0_c_int32_t
    integer(c_int64_t) :: tile(8) = 0_c_int64_t
    integer(c_int32_t) :: cut = 0_c_int32_t, reserved = 0_c_int32_t
  end type

  !> portable_data_host(array): the statement that follows uses the array on the host; its access says whether it changes it.
  !> portable_data_host(shared): it may use any array, or those alone that other procedures may use by another name. Since 0.1.
  interface portable_data_host
    module procedure data_host, data_hosts
  end interface

  !> portable_data_leave(array): the statement that follows may free the memory of the array. portable_data_stay behind it says that
  !> the array is where it was, if it is. portable_data_leave(): it may free the memory of any array. Since 0.1.
  interface portable_data_leave
    module procedure data_leave, data_leaves
  end interface

  !> portable_data_expose(array): the call that follows gets the array, and is not seen: it may write elements after it has returned,
  !> until a later call in front of which portable_data_host(.true.) stands. portable_data_expose(): any array. Since 0.1.
  interface portable_data_expose
    module procedure data_expose, data_exposes
  end interface

  include 'portable_race.inc'
  include 'portable_list_c.inc'

contains

  include 'portable_list.inc'
  include 'portable_data.inc'
#include "portable_result_procedures.inc"

end module portable_list_mod
