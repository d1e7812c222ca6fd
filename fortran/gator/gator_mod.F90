!> The pool for Fortran: arrays from the default pool of libportable by gator_allocate and gator_deallocate.
!>
!> In this module: start and stop, configuration, arrays of the common kinds with ranks 1 to 7, statistics and
!> tools. Not in this module: rarer kinds and ranks 8 to 15 (gator_more_mod), arrays of derived types (the
!> include template gator_derived.inc).
!>
!> Rules that hold for every procedure unless it says otherwise:
!> errors: with stat= present, stat is 0 or one of the gator_err_ numbers and errmsg is set only on an error,
!> as in ALLOCATE; without stat= the text goes to standard error and `error stop` follows. A failed call
!> changes nothing. Threads: any procedure may be called from any thread at any time; that is why all are
!> recursive (with -fcheck=all gfortran stops a plain procedure that two threads are in).
!> Units: dims are elements, everything named bytes or mb is bytes or MiB. Since 0.1.
!>
!> Source: the names are those of YAKL's module gator_mod, for which this one is a replacement.
module gator_mod
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: error_unit, output_unit, iostat_eor, int8, int16, int32, int64, real32, real64
  implicit none
  private

  public :: gator_init, gator_finalize, gator_config, gator_read_config
  public :: gator_allocate, gator_deallocate, gator_allocate_c, gator_deallocate_c
  public :: gator_checked_bytes, checked_bounds, checked_alloc, gator_checked_deallocate
  public :: gator_stats_t, gator_get_stats, gator_trim, gator_check, gator_report, gator_last_error
  public :: portable_rank, portable_local_rank, portable_set_rank

  ! Sources written for YAKL's module take iso_c_binding from it. (gfortran 11 and 12 refuse a c_loc from here as
  ! the argument of c_f_pointer or c_associated, as they do from YAKL's module; a use of iso_c_binding before
  ! that of this module helps, or a variable in between.)
  public :: c_int, c_short, c_long, c_long_long, c_signed_char, c_size_t
  public :: c_int8_t, c_int16_t, c_int32_t, c_int64_t, c_intmax_t, c_intptr_t
  public :: c_int_least8_t, c_int_least16_t, c_int_least32_t, c_int_least64_t
  public :: c_int_fast8_t, c_int_fast16_t, c_int_fast32_t, c_int_fast64_t
  public :: c_float, c_double, c_long_double, c_float_complex, c_double_complex, c_long_double_complex
  public :: c_bool, c_char, c_null_char, c_alert, c_backspace, c_form_feed, c_new_line
  public :: c_carriage_return, c_horizontal_tab, c_vertical_tab
  public :: c_ptr, c_funptr, c_null_ptr, c_null_funptr
  public :: c_loc, c_funloc, c_associated, c_f_pointer, c_f_procpointer, c_sizeof

  ! For gator_more_mod, gator_derived.inc and portable_core_mod only; not part of the interface.
  public :: gator_internal_shape, gator_internal_dims, gator_internal_like, gator_internal_bounds
  public :: gator_internal_take, gator_internal_give, gator_internal_find
  public :: gator_internal_fill, gator_internal_copy, gator_internal_finish, gator_internal_fail

  !> stat: an argument is invalid, as a negative extent. Since 0.1.
  integer, parameter, public :: gator_err_arg = 1
  !> stat: out of memory; errmsg names request, use, limit and the setting to change. Since 0.1.
  integer, parameter, public :: gator_err_nomem = 2
  !> stat: not the handle of a live object. Since 0.1.
  integer, parameter, public :: gator_err_handle = 3
  !> stat: before gator_init, after gator_finalize, or started twice. Since 0.1.
  integer, parameter, public :: gator_err_state = 4
  !> stat: the pointer is not the start of a live block: null, foreign, interior or freed already. Since 0.1.
  integer, parameter, public :: gator_err_pointer = 5
  !> stat: a byte count or an upper bound does not fit its integer. Since 0.1.
  integer, parameter, public :: gator_err_overflow = 6
  !> stat: there is no such device on this machine. Since 0.1.
  integer, parameter, public :: gator_err_nodevice = 7
  !> stat: blocks are still live at gator_finalize (only under GATOR_STRICT=1). Since 0.1.
  integer, parameter, public :: gator_err_leak = 8
  !> stat: this module and the archive in the program are of different versions. Since 0.1.
  integer, parameter, public :: gator_err_version = 9
  !> stat: called in a forked child, where the library cannot work. Since 0.1.
  integer, parameter, public :: gator_err_fork = 10
  !> stat: gator_check found a broken invariant. Since 0.1.
  integer, parameter, public :: gator_err_corrupt = 11
  !> stat: a fault inside the library. Since 0.1.
  integer, parameter, public :: gator_err_internal = 12
  !> stat: a kernel has called portable_kernel_fail; errmsg holds its code and text. Since 0.1.
  integer, parameter, public :: gator_err_kernel = 13
  !> stat: the driver of a device has refused a call, or work on the device has failed. Since 0.1.
  integer, parameter, public :: gator_err_device = 14

  ! The version of portable.h that this module was written for; the archive refuses another one.
  integer(c_int32_t), parameter :: portable_version = 100

  integer, parameter :: max_rank = 15
  integer, parameter :: max_label = 255 ! what is kept of a label
  integer(int64), parameter :: mib = 1048576_int64

  !> The settings with which gator_init starts the pool; also the fields of the namelist group &portable, where sizes may be text
  !> as '4GB'. A field of 0 or 'default' means: the environment variable named with it if that is set, else the default
  !> named there. A field that is set wins over the environment; only GATOR_DISABLE always wins. Since 0.1.
  type :: gator_config
    !> MiB of the first pool (GATOR_INITIAL_MB; 64).
    integer(int64) :: initial_mb = 0_int64
    !> MiB of each further pool (GATOR_GROW_MB; as much as there is: doubling).
    integer(int64) :: grow_mb = 0_int64
    !> MiB of all pools together (PORTABLE_LIMIT_MB; no limit).
    integer(int64) :: limit_mb = 0_int64
    !> Bytes of the granule, a power of two from 64 (GATOR_BLOCK_BYTES; 128).
    integer(int64) :: block_bytes = 0_int64
    !> 'on': take memory from the pool; 'off': straight from the system (GATOR_DISABLE; 'on').
    character(len=16) :: pool = 'default'
    !> 'on' or 'off': keep freshly freed blocks at hand per thread (PORTABLE_FASTPATH; 'on').
    character(len=16) :: fastpath = 'default'
  end type

  !> Statistics of the default pool, as portable_stats in portable.h. Since 0.1.
  type, bind(c) :: gator_stats_t
    !> Bytes of this type; gator_get_stats sets it.
    integer(c_int32_t) :: struct_size = 0_c_int32_t
    !> Slabs held ("pools" in YAKL's words).
    integer(c_int32_t) :: slabs = 0_c_int32_t
    !> Bytes asked for by live blocks, exact.
    integer(c_int64_t) :: in_use_bytes = 0_c_int64_t
    !> Live blocks.
    integer(c_int64_t) :: in_use_blocks = 0_c_int64_t
    !> Bytes taken out of the slabs: live and waiting blocks, rounded up.
    integer(c_int64_t) :: occupied_bytes = 0_c_int64_t
    !> Most bytes ever taken out at once: size GATOR_INITIAL_MB by this.
    integer(c_int64_t) :: high_water_bytes = 0_c_int64_t
    !> Bytes of all slabs.
    integer(c_int64_t) :: reserved_bytes = 0_c_int64_t
    !> Limit in bytes; 0 is none.
    integer(c_int64_t) :: limit_bytes = 0_c_int64_t
    !> Bytes reserved and not occupied.
    integer(c_int64_t) :: free_bytes = 0_c_int64_t
    !> Bytes of the largest request that needs no growth.
    integer(c_int64_t) :: largest_gap_bytes = 0_c_int64_t
    !> Bytes freed, but kept until streams have passed them.
    integer(c_int64_t) :: waiting_bytes = 0_c_int64_t
    !> Blocks freed, but kept until streams have passed them.
    integer(c_int64_t) :: waiting_blocks = 0_c_int64_t
    !> Allocations since the start.
    integer(c_int64_t) :: allocations = 0_c_int64_t
    !> Deallocations since the start.
    integer(c_int64_t) :: frees = 0_c_int64_t
    !> 1 - largest gap / free bytes; 0 when nothing is free.
    real(c_double) :: fragmentation = 0.0_c_double
  end type

  ! The request of one allocation, gathered from dims, lbounds, source and mold before C is called once.
  type :: gator_internal_shape
    integer(c_int64_t) :: extent(max_rank)
    integer(c_int64_t) :: lower(max_rank)
    integer(c_int32_t) :: rank
    integer(c_int32_t) :: index_bits  ! of the integer kind in which the user holds his bounds
    integer :: problem                ! one of the problem_ numbers
    logical :: has_dims, has_lbounds, has_source
    logical :: has_pool, has_space    ! pool= or space= says where from
    integer(c_int64_t) :: pool
    integer :: space
    logical :: copies                 ! there are values of a source to be copied
    logical :: initialises = .false.  ! elements have values by default
  end type

  integer, parameter :: problem_none = 0, problem_lbounds_twice = 1, problem_source_and_mold = 2
  integer, parameter :: problem_source_null = 3, problem_mold_null = 4, problem_source_shape = 5

  ! Arrays have been taken from other pools than the default one, so each deallocation asks for the pool. An array comes to another
  ! thread behind its allocation, and this word with it.
  logical, save :: elsewhere = .false.

  ! PORTABLE_REACH_HOST.
  integer(c_int32_t), parameter :: reach_host = 2_c_int32_t

  ! portable_config in portable.h.
  type, bind(c) :: c_config
    integer(c_int32_t) :: struct_size
    integer(c_int32_t) :: version
    integer(c_int32_t) :: pool
    integer(c_int32_t) :: fastpath
    integer(c_int64_t) :: initial_bytes
    integer(c_int64_t) :: grow_bytes
    integer(c_int64_t) :: block_bytes
    integer(c_int64_t) :: limit_bytes
  end type

  ! portable_block in portable.h.
  type, bind(c) :: c_block
    integer(c_int32_t) :: struct_size
    integer(c_int32_t) :: waiting
    type(c_ptr) :: address
    integer(c_int64_t) :: bytes
    type(c_ptr) :: label
  end type

  include 'gator_c.inc'

  !> gator_checked_bytes(dims(:), element_bytes): the bytes of an array, integer(c_size_t). dims in 32 or 64
  !> bits; element_bytes is integer(c_size_t), by value. A zero extent gives 0 (under GATOR_STRICT=1 an
  !> error). Works before gator_init. Errors: a negative extent or an overflow is text and error stop.
  !> Source: YAKL. Since 0.1.
  interface gator_checked_bytes
    module procedure checked_bytes_dims32, checked_bytes_dims64
  end interface

  !> checked_bounds(bytes, dims(:), lbounds(:)): returns bytes, integer(c_size_t), after the check that every
  !> upper bound lbounds + dims - 1 fits the integer kind of dims and lbounds (32 or 64 bits, both the same).
  !> Works before gator_init. Errors: text and error stop. Source: YAKL. Since 0.1.
  interface checked_bounds
    module procedure checked_bounds_dims32, checked_bounds_dims64
  end interface

  interface gator_internal_dims
    module procedure dims32, dims64
  end interface

  interface gator_internal_finish
    module procedure finish
  end interface

  interface gator_internal_fail
    module procedure fail
  end interface

  ! The specifics gator_allocate_K_Rd and gator_deallocate_K_Rd are public for sources that call them: K is int1,
  ! int2, int4, int8 (bytes of the integer), real4, real8, cplx4, cplx8 (bytes of a part), log1 (c_bool), log2, log
  ! (logical(4)) or log8, R the rank from 1 to 7, dims in 32 bits.
  include 'gator_interfaces.inc'

contains

  include 'gator_start.inc'
  include 'gator_namelist.inc'
  include 'gator_yakl.inc'
  include 'gator_tools.inc'
  include 'gator_shapes.inc'

  ! ---- the specifics -------------------------------------------------------------------------------

  include 'gator_procedures.inc'

end module gator_mod
