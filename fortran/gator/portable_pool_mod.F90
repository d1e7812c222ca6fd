!> Pools of one's own and kinds of memory for Fortran: managed, pinned and device memory, pools with a limit, pools over memory
!> of the program's.
!>
!>     use gator_mod
!>     use portable_pool_mod
!>     integer(int64) :: halo
!>     real(8), pointer :: h(:,:)
!>     call portable_pool_create(halo, 'halo', limit_mb=64, space=portable_space_pinned)
!>     call gator_allocate(h, [n, m], label='h', pool=halo)          ! or space=portable_space_pinned: a pool of the library's
!>     call gator_deallocate(h)                                      ! finds the pool
!>     call portable_pool_destroy(halo)
!>
!> In this module: pools, kinds of memory, blocks without a shape. Not in this module: arrays (gator_mod: gator_allocate with
!> pool= and space=; portable_array_mod: create and allocate with the same), statistics, trim, check and report of a pool
!> (gator_get_stats and so on of gator_mod with pool=).
!>
!> Rules: those of gator_mod. A pool is an integer(int64), 0 is the default pool; that of a destroyed pool is refused.
!> Threads: any procedure may be called from any thread at any time. Since 0.1.
module portable_pool_mod
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64
  use gator_mod, only: gator_internal_finish, gator_internal_fail, gator_err_arg
  implicit none
  private

  public :: portable_pool_create, portable_pool_destroy, portable_pool_default, portable_pool_of_space, portable_pool_of_device
  public :: portable_pool_of, portable_pool_allocate, portable_pool_deallocate, portable_pool_list, portable_pool_find
  public :: portable_space_device, portable_space_of_device, portable_reach

  !> Kinds of memory: the host's; the host's that a device knows; reached by host and device. That of device k, from 0, which the
  !> host does not reach, is portable_space_device(k). Since 0.1.
  integer, parameter, public :: portable_space_host = 0, portable_space_pinned = 1, portable_space_managed = 2

  !> Code that reaches an address: kernels of its device only; host code in kernels of its device; host code. Since 0.1.
  integer, parameter, public :: portable_reach_device = 0, portable_reach_launches = 1, portable_reach_host = 2

  integer, parameter :: longest_name = 255
  integer(int64), parameter :: mib = 1048576_int64

  !> A block of a pool, as portable_block in portable.h. Since 0.1.
  type, bind(c), public :: portable_block_t
    !> The library's.
    integer(c_int32_t) :: struct_size = 0_c_int32_t
    !> 1: freed, but kept until streams have passed it; 0: live.
    integer(c_int32_t) :: waiting = 0_c_int32_t
    !> Where it begins.
    type(c_ptr) :: address = c_null_ptr
    !> Bytes, as asked for.
    integer(c_int64_t) :: bytes = 0_c_int64_t
    !> Text of C with its end, borrowed until the visitor returns, or until this thread calls portable_pool_find again.
    type(c_ptr) :: label = c_null_ptr
  end type

  !> portable_pool_create(pool [, name, space, initial_mb, grow_mb, limit_mb, block_bytes, stat, errmsg]): makes a pool; the library
  !> must run. Optional: name (for messages), space (portable_space_..., host memory without it), initial_mb (MiB of the first
  !> slab, none before the first request), grow_mb (of each further one; doubling from 64), limit_mb (of all together; none),
  !> block_bytes (the granule, a power of two from 64; 128). With alloc= and free= (and payload=), c_funloc of bind(c) procedures,
  !> the pool takes its slabs from the program: a function with the arguments bytes (integer(c_size_t), value) and payload
  !> (type(c_ptr), value) that gives a type(c_ptr), null for no memory, and a subroutine with slab (type(c_ptr), value), bytes and
  !> payload. They must not call this library. Ownership: the pool is the caller's until portable_pool_destroy. Errors:
  !> gator_err_arg (a negative size; alloc null or free null, or with space=), _nodevice, _state, _nomem, _fork. Source:
  !> portable_pool_create of portable.h. Since 0.1.
  ! Procedures are values: an address in read-only memory, by reference, makes linkers warn of DT_TEXTREL.
  interface portable_pool_create
    module procedure create_plain, create_over
  end interface

  ! portable_pool_config.
  type, bind(c) :: c_pool_config
    integer(c_int32_t) :: struct_size = 0_c_int32_t
    integer(c_int32_t) :: reserved = 0_c_int32_t
    type(c_ptr) :: name = c_null_ptr
    type(c_funptr) :: alloc = c_null_funptr
    type(c_funptr) :: free = c_null_funptr
    type(c_ptr) :: payload = c_null_ptr
    integer(c_int64_t) :: initial_bytes = 0_c_int64_t
    integer(c_int64_t) :: grow_bytes = 0_c_int64_t
    integer(c_int64_t) :: block_bytes = 0_c_int64_t
    integer(c_int64_t) :: limit_bytes = 0_c_int64_t
    integer(c_int32_t) :: space = 0_c_int32_t
    integer(c_int32_t) :: reserved_2 = 0_c_int32_t
  end type

  include 'portable_pool_c.inc'

contains

  recursive subroutine create_plain(pool, name, space, initial_mb, grow_mb, limit_mb, block_bytes, stat, errmsg)
    integer(int64), intent(out) :: pool
    character(*), optional, intent(in) :: name
    integer, optional, intent(in) :: space, initial_mb, grow_mb, limit_mb, block_bytes
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    call create(pool, name, space, initial_mb, grow_mb, limit_mb, block_bytes, c_null_funptr, c_null_funptr, c_null_ptr, stat, &
                errmsg)
  end subroutine

  recursive subroutine create_over(pool, name, space, initial_mb, grow_mb, limit_mb, block_bytes, alloc, free, payload, stat, &
                                   errmsg)
    integer(int64), intent(out) :: pool
    character(*), optional, intent(in) :: name
    integer, optional, intent(in) :: space, initial_mb, grow_mb, limit_mb, block_bytes
    type(c_funptr), value :: alloc, free
    type(c_ptr), optional, intent(in) :: payload
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    type(c_ptr) :: handed
    handed = c_null_ptr
    if (present(payload)) handed = payload
    call create(pool, name, space, initial_mb, grow_mb, limit_mb, block_bytes, alloc, free, handed, stat, errmsg)
  end subroutine

  recursive subroutine create(pool, name, space, initial_mb, grow_mb, limit_mb, block_bytes, alloc, free, payload, stat, errmsg)
    integer(int64), intent(out) :: pool
    character(*), optional, intent(in) :: name
    integer, optional, intent(in) :: space, initial_mb, grow_mb, limit_mb, block_bytes
    type(c_funptr), value :: alloc, free
    type(c_ptr), value :: payload
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    type(c_pool_config) :: config
    character(kind=c_char), target :: text(longest_name + 1)
    integer :: i
    pool = 0_int64
    if (.not. (at_least_0(initial_mb) .and. at_least_0(grow_mb) .and. at_least_0(limit_mb) .and. at_least_0(block_bytes))) then
      call gator_internal_fail(gator_err_arg, 'portable_pool_create: a size is negative; sizes are 0 or more', stat, errmsg)
      return
    end if
    config%struct_size = int(c_sizeof(config), c_int32_t)
    if (present(name)) then
      do i = 1, min(len_trim(name), longest_name)
        text(i) = name(i:i)
      end do
      text(min(len_trim(name), longest_name) + 1) = c_null_char
      if (len_trim(name) > 0) config%name = c_loc(text)
    end if
    if (present(space)) config%space = narrow(space)
    if (present(initial_mb)) config%initial_bytes = int(initial_mb, c_int64_t)*mib
    if (present(grow_mb)) config%grow_bytes = int(grow_mb, c_int64_t)*mib
    if (present(limit_mb)) config%limit_bytes = int(limit_mb, c_int64_t)*mib
    if (present(block_bytes)) config%block_bytes = int(block_bytes, c_int64_t)
    config%alloc = alloc
    config%free = free
    config%payload = payload
    call gator_internal_finish(c_pool_create(config, pool), 'portable_pool_create', stat, errmsg)
  end subroutine

  !> Waits for the streams that the pool's blocks depend on, and releases the pool with all its slabs; pool is 0 then. Live
  !> blocks are listed and released, under GATOR_STRICT=1 refused. 0 does nothing. Errors: gator_err_handle, _state, _leak,
  !> _fork. Source: portable_pool_destroy of portable.h. Since 0.1.
  recursive subroutine portable_pool_destroy(pool, stat, errmsg)
    integer(int64), intent(inout) :: pool
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer(c_int32_t) :: status
    status = c_pool_destroy(pool)
    if (status == 0_c_int32_t) pool = 0_int64
    call gator_internal_finish(status, 'portable_pool_destroy', stat, errmsg)
  end subroutine

  !> The handle of the default pool, which other procedures also know as 0. Errors: gator_err_state. Source:
  !> portable_pool_default of portable.h. Since 0.1.
  recursive function portable_pool_default(stat, errmsg) result(pool)
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer(int64) :: pool
    integer(c_int32_t) :: status
    status = c_pool_default(pool)
    call gator_internal_finish(status, 'portable_pool_default', stat, errmsg)
  end function

  !> The pool that arrays of a kind of memory come from where no pool is named; the library makes it when it is first asked for.
  !> Without a cuda device managed and pinned memory are the default pool's. Ownership: the library's. Errors: gator_err_arg,
  !> _nodevice, _nomem, _state, _fork. Source: portable_pool_of_space of portable_array.h. Since 0.1.
  recursive function portable_pool_of_space(space, stat, errmsg) result(pool)
    integer, intent(in) :: space
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer(int64) :: pool
    integer(c_int32_t) :: status
    status = c_pool_of_space(narrow(space), pool)
    call gator_internal_finish(status, 'portable_pool_of_space', stat, errmsg)
  end function

  !> The pool that arrays for kernels of a device come from; 0: the default pool. Device 0 is the default one. Ownership: the
  !> library's. Errors: as portable_pool_of_space. Source: portable_pool_of_device of portable_array.h. Since 0.1.
  recursive function portable_pool_of_device(device, stat, errmsg) result(pool)
    integer, intent(in) :: device
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer(int64) :: pool
    integer(c_int32_t) :: status
    status = c_pool_of_device(narrow(device), pool)
    call gator_internal_finish(status, 'portable_pool_of_device', stat, errmsg)
  end function

  !> The pool with the live block that holds an address, anywhere inside it; 0: the default pool. Errors: gator_err_pointer (no live
  !> block of any pool), _state, _fork. Source: portable_pool_of of portable.h. Since 0.1.
  recursive function portable_pool_of(address, stat, errmsg) result(pool)
    type(c_ptr), intent(in) :: address
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer(int64) :: pool
    integer(c_int32_t) :: status
    status = c_pool_of(address, pool)
    call gator_internal_finish(status, 'portable_pool_of', stat, errmsg)
  end function

  !> Takes bytes bytes without a shape from a pool (0: the default one), aligned at 64 and not set. Optional: label. Ownership: the
  !> caller's until portable_pool_deallocate. address is null after an error. Errors: gator_err_arg (fewer than 0 bytes),
  !> _handle, _nomem, _state, _overflow, _device, _fork. Source: portable_pool_alloc of portable.h. Since 0.1.
  recursive subroutine portable_pool_allocate(pool, bytes, address, label, stat, errmsg)
    integer(int64), intent(in) :: pool, bytes
    type(c_ptr), intent(out) :: address
    character(*), optional, intent(in) :: label
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer(int64) :: from
    integer(c_int32_t) :: status
    address = c_null_ptr
    if (bytes < 0_int64) then
      call gator_internal_fail(gator_err_arg, 'portable_pool_allocate: fewer than 0 bytes; bytes is 0 or more', stat, errmsg)
      return
    end if
    from = pool
    status = 0_c_int32_t
    if (from == 0_int64) status = c_pool_default(from)
    if (status == 0_c_int32_t) then
      if (present(label)) then
        status = c_pool_alloc(from, int(bytes, c_size_t), label(1:min(len_trim(label), longest_name))//c_null_char, address)
      else
        status = c_pool_alloc(from, int(bytes, c_size_t), c_null_char, address)
      end if
    end if
    call gator_internal_finish(status, 'portable_pool_allocate', stat, errmsg)
  end subroutine

  !> Gives a block back to its pool (0: the default one); address is null then. A null address does nothing. Errors:
  !> gator_err_pointer (no start of a live block of this pool), _handle, _state. Source: portable_pool_free of portable.h. Since
  !> 0.1.
  recursive subroutine portable_pool_deallocate(pool, address, stat, errmsg)
    integer(int64), intent(in) :: pool
    type(c_ptr), intent(inout) :: address
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer(int64) :: from
    integer(c_int32_t) :: status
    from = pool
    status = 0_c_int32_t
    if (from == 0_int64) status = c_pool_default(from)
    if (status == 0_c_int32_t) status = c_pool_free(from, address)
    if (status == 0_c_int32_t) address = c_null_ptr
    call gator_internal_finish(status, 'portable_pool_deallocate', stat, errmsg)
  end subroutine

  !> Calls visit for each live or waiting block of a pool as it is now. visit is the c_funloc of a bind(c) function with the
  !> arguments block (type(portable_block_t), intent(in)) and payload (type(c_ptr), value), which gives an integer(c_int32_t); other
  !> than 0 ends the list. It may call the library. Errors: gator_err_arg, _handle, _state, _nomem. Source: portable_pool_list of
  !> portable.h. Since 0.1.
  recursive subroutine portable_pool_list(pool, visit, payload, stat, errmsg)
    integer(int64), intent(in) :: pool
    type(c_funptr), value :: visit
    type(c_ptr), optional, intent(in) :: payload
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer(int64) :: from
    integer(c_int32_t) :: status
    type(c_ptr) :: handed
    handed = c_null_ptr
    if (present(payload)) handed = payload
    from = pool
    status = 0_c_int32_t
    if (from == 0_int64) status = c_pool_default(from)
    if (status == 0_c_int32_t) status = c_pool_list(from, visit, handed)
    call gator_internal_finish(status, 'portable_pool_list', stat, errmsg)
  end subroutine

  !> The live block of a pool (0: the default one) that holds an address, anywhere inside it. Errors: gator_err_pointer,
  !> _handle, _state. Source: portable_pool_find of portable.h. Since 0.1.
  recursive subroutine portable_pool_find(pool, address, block, stat, errmsg)
    integer(int64), intent(in) :: pool
    type(c_ptr), intent(in) :: address
    type(portable_block_t), intent(out) :: block
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer(int64) :: from
    integer(c_int32_t) :: status
    from = pool
    status = 0_c_int32_t
    block%struct_size = int(c_sizeof(block), c_int32_t)
    if (from == 0_int64) status = c_pool_default(from)
    if (status == 0_c_int32_t) status = c_pool_find(from, address, block)
    call gator_internal_finish(status, 'portable_pool_find', stat, errmsg)
  end subroutine

  !> The space of memory of the k-th GPU that was found, k from 0, which the host does not reach: with one driver that of
  !> cuda:k, hip:k or opencl:k. Source: PORTABLE_SPACE_DEVICE of portable_array.h. Since 0.1.
  pure recursive function portable_space_device(k) result(space)
    integer, intent(in) :: k
    integer :: space
    space = 3 + k
  end function

  !> The space that arrays for kernels of a device are in; device 0 is the default one. Works before portable_init. Source:
  !> portable_space_of_device of portable_array.h. Since 0.1.
  recursive function portable_space_of_device(device) result(space)
    integer, intent(in) :: device
    integer :: space
    space = int(c_space_of_device(narrow(device)))
  end function

  !> The code that reaches an address: portable_reach_host, _launches or _device. Memory of no pool counts as the host's. Works
  !> before portable_init. Source: portable_reach of portable_array.h. Since 0.1.
  recursive function portable_reach(address) result(code)
    type(c_ptr), intent(in) :: address
    integer :: code
    code = int(c_reach(address))
  end function

  ! An integer as C has it; one that does not fit becomes one that C refuses.
  pure recursive function narrow(n) result(same)
    integer, intent(in) :: n
    integer(c_int32_t) :: same
    same = -1_c_int32_t
    if (abs(int(n, int64)) <= int(huge(same), int64)) same = int(n, c_int32_t)
  end function

  pure recursive function at_least_0(n) result(yes)
    integer, optional, intent(in) :: n
    logical :: yes
    yes = .true.
    if (present(n)) yes = n >= 0
  end function

end module portable_pool_mod
