!> Procedures of the program's that observe the library from Fortran: hooks of launches, fences, timers, blocks and pools, and
!> procedures that stand in for the library's timers.
!>
!>     use portable_observe_mod
!>     integer(int64) :: hook
!>     call portable_hook_add(hook, c_funloc(seen), portable_event_launch_begin + portable_event_launch_end)
!>
!> In this module: hooks, timer hooks, and the timers' report as text. Not in this module: timers (portable_core_mod), libraries
!> that speak the interface of Kokkos Tools, which the environment chooses.
!>
!> Rules: those of portable_core_mod. Threads: any procedure may be called from any thread at any time. Since 0.1.
module portable_observe_mod
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use gator_mod, only: gator_internal_finish
  implicit none
  private

  public :: portable_hook_add, portable_hook_remove, portable_hook_text, portable_timer_hooks, portable_timer_report
  public :: portable_fallback_list

  !> Events; as a sum, the events that a hook observes: the library has started, has stopped. Since 0.1.
  integer, parameter, public :: portable_event_init = 1, portable_event_finalize = 2
  !> A launch runs from here, to here; one of no iteration, which neither begins nor ends; a wait. Since 0.1.
  integer, parameter, public :: portable_event_launch_begin = 4, portable_event_launch_end = 8, portable_event_launch_skip = 16, &
    portable_event_fence_begin = 32, portable_event_fence_end = 64
  !> A timer was started, was stopped. Since 0.1.
  integer, parameter, public :: portable_event_region_begin = 128, portable_event_region_end = 256
  !> A block was taken from a pool, is about to be released; a pool of the program's was made, was destroyed. Since 0.1.
  integer, parameter, public :: portable_event_alloc = 512, portable_event_free = 1024, portable_event_pool_create = 2048, &
    portable_event_pool_destroy = 4096
  !> All of them. Since 0.1.
  integer, parameter, public :: portable_event_all = 8191

  !> Kinds of launches: a loop; one with a result, or a reduction of an array; a scan. Since 0.1.
  integer, parameter, public :: portable_launch_for = 1, portable_launch_reduce = 2, portable_launch_scan = 3

  !> One event, as portable_hook_event in portable_hooks.h. A field that means nothing to it is 0, a text ''. Ownership:
  !> borrowed until the hook returns. Since 0.1.
  type, bind(c), public :: portable_hook_event
    !> The library's.
    integer(c_int32_t) :: struct_size = 0_c_int32_t
    !> One of portable_event_...
    integer(c_int32_t) :: event = 0_c_int32_t
    !> The label of the launch, fence, timer, block or pool; portable_hook_text makes a text of it.
    type(c_ptr) :: label = c_null_ptr
    !> The number of a launch or fence: unique in the process, the same at begin and end.
    integer(c_int64_t) :: id = 0_c_int64_t
    !> One of portable_launch_...
    integer(c_int32_t) :: kind = 0_c_int32_t
    !> The device of a launch.
    integer(c_int32_t) :: device = 0_c_int32_t
    !> Iterations of a launch.
    integer(c_int64_t) :: count = 0_c_int64_t
    !> At an end: 0, or a status as a negative number.
    integer(c_int32_t) :: status = 0_c_int32_t
    integer(c_int32_t) :: reserved = 0_c_int32_t
    !> The pool of a block, or a pool; 0 is the default one.
    integer(c_int64_t) :: pool = 0_c_int64_t
    !> A block, with its bytes as asked for.
    type(c_ptr) :: address = c_null_ptr
    integer(c_int64_t) :: bytes = 0_c_int64_t
  end type

  !> portable_timer_hooks(start, stop [, init, finalize] [, payload=]): puts procedures in place of the library's timers, until the
  !> library stops: those of GPTL, for instance. Timers are on then, and the library measures nothing and prints no report. All
  !> are c_funloc of bind(c) subroutines, or c_null_funptr: start and stop have the arguments label (type(c_ptr), value, see
  !> portable_hook_text) and payload (type(c_ptr), value), and are called for portable_timer_start and _stop on the same thread;
  !> init, called by this procedure, and finalize, called by the last finalize or when they are taken away, have the argument
  !> payload. portable_timer_hooks(): the library's own timers are back. Set them where no timer runs; they may call the library,
  !> but no timers (gator_err_state). Errors: gator_err_state, _nomem, _fork. Source: portable_timers_set_hooks of
  !> portable_timer.h, YAKL's set_timer_start. Since 0.1.
  ! Procedures are values: an address in read-only memory, by reference, makes linkers warn of DT_TEXTREL.
  interface portable_timer_hooks
    module procedure timer_hooks_away, timer_hooks_two, timer_hooks_four
  end interface

  ! portable_timer_hooks.
  type, bind(c) :: c_timer_hooks
    integer(c_int32_t) :: struct_size = 0_c_int32_t
    integer(c_int32_t) :: reserved = 0_c_int32_t
    type(c_funptr) :: init = c_null_funptr
    type(c_funptr) :: finalize = c_null_funptr
    type(c_funptr) :: start = c_null_funptr
    type(c_funptr) :: stop = c_null_funptr
    type(c_ptr) :: payload = c_null_ptr
  end type

  !> A label of which launches for a cuda device ran on the host: how often, for how many iterations, how long in all and at
  !> most. Units: seconds. Since 0.1.
  type, public :: portable_fallback_t
    character(len=256) :: label = ''
    integer(int64) :: launches = 0_int64, iterations = 0_int64
    real(real64) :: total = 0.0_real64, longest = 0.0_real64
  end type

  ! portable_fallback, and the list that it is added to.
  type, bind(c) :: c_fallback
    integer(c_int32_t) :: struct_size, reserved
    type(c_ptr) :: label
    integer(c_int64_t) :: launches, iterations, total_ns, max_ns
  end type
  type :: collection
    type(portable_fallback_t), allocatable :: item(:)
    integer :: count = 0
  end type

  interface
    function c_hook_add(observe, payload, events, hook) result(status) bind(c, name='portable_hook_add')
      import :: c_int32_t, c_int64_t, c_ptr, c_funptr
      type(c_funptr), value :: observe
      type(c_ptr), value :: payload
      integer(c_int32_t), value :: events
      integer(c_int64_t), intent(out) :: hook
      integer(c_int32_t) :: status
    end function

    function c_hook_remove(hook) result(status) bind(c, name='portable_hook_remove')
      import :: c_int32_t, c_int64_t
      integer(c_int64_t), value :: hook
      integer(c_int32_t) :: status
    end function

    function c_timer_hooks_set(hooks) result(status) bind(c, name='portable_timers_set_hooks')
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: hooks
      integer(c_int32_t) :: status
    end function

    function c_fallback_list(visit, payload) result(status) bind(c, name='portable_fallback_list')
      import :: c_int32_t, c_ptr, c_funptr
      type(c_funptr), value :: visit
      type(c_ptr), value :: payload
      integer(c_int32_t) :: status
    end function

    function c_timers_report(text, bytes, needed) result(status) bind(c, name='portable_timers_report')
      import :: c_int32_t, c_size_t, c_char
      character(kind=c_char), intent(inout) :: text(*)
      integer(c_size_t), value :: bytes
      integer(c_size_t), intent(out) :: needed
      integer(c_int32_t) :: status
    end function

    function c_timers_json(text, bytes, needed) result(status) bind(c, name='portable_timers_json')
      import :: c_int32_t, c_size_t, c_char
      character(kind=c_char), intent(inout) :: text(*)
      integer(c_size_t), value :: bytes
      integer(c_size_t), intent(out) :: needed
      integer(c_int32_t) :: status
    end function
  end interface

contains

  !> Adds a hook for events, a sum of portable_event_..., at most 32 at a time. observe is the c_funloc of a bind(c) subroutine
  !> with the arguments event (type(portable_hook_event), intent(in)) and payload (type(c_ptr), value). It is called on the
  !> thread that causes the event, which waits for it; several threads may be in it at once, so declare it recursive. It may
  !> call this library, and no hook is notified of that. While a hook wants blocks, each passes through the pool itself. Works
  !> before portable_init; hooks outlive the last finalize. Ownership: the hook is the caller's until portable_hook_remove.
  !> Errors: gator_err_arg (no event or an unknown one), _nomem (there are 32), _fork. Source: portable_hook_add of
  !> portable_hooks.h. Since 0.1.
  recursive subroutine portable_hook_add(hook, observe, events, payload, stat, errmsg)
    integer(int64), intent(out) :: hook
    type(c_funptr), value :: observe
    integer, intent(in) :: events
    type(c_ptr), optional, intent(in) :: payload
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    type(c_ptr) :: handed
    integer(c_int32_t) :: status
    handed = c_null_ptr
    hook = 0_int64
    if (present(payload)) handed = payload
    status = c_hook_add(observe, handed, int(events, c_int32_t), hook)
    call gator_internal_finish(status, 'portable_hook_add', stat, errmsg)
  end subroutine

  !> Removes a hook; hook is 0 then. 0 does nothing. When this returns the subroutine does not run and is not called again;
  !> inside a hook it does not wait for other threads. Errors: gator_err_handle, _fork. Source: portable_hook_remove of
  !> portable_hooks.h. Since 0.1.
  recursive subroutine portable_hook_remove(hook, stat, errmsg)
    integer(int64), intent(inout) :: hook
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer(c_int32_t) :: status
    status = c_hook_remove(hook)
    if (status == 0_c_int32_t) hook = 0_int64
    call gator_internal_finish(status, 'portable_hook_remove', stat, errmsg)
  end subroutine

  !> list becomes the labels of which launches for a cuda device ran on the host since the library started, those that took
  !> longest first; of size 0 where there are none. Threads: any. Errors: gator_err_state, _nomem, _fork. Source:
  !> portable_fallback_list of portable_fallback.h. Since 0.1.
  recursive subroutine portable_fallback_list(list, stat, errmsg)
    type(portable_fallback_t), allocatable, intent(out) :: list(:)
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    type(collection), target :: c
    integer(c_int32_t) :: status
    allocate (c%item(16))
    status = c_fallback_list(c_funloc(collect), c_loc(c))
    allocate (list(c%count))
    list = c%item(:c%count)
    call gator_internal_finish(status, 'portable_fallback_list', stat, errmsg)
  end subroutine

  recursive function collect(fallback, payload) result(stop) bind(c, name='')
    type(c_fallback), intent(in) :: fallback
    type(c_ptr), value :: payload
    integer(c_int32_t) :: stop
    type(collection), pointer :: c
    type(portable_fallback_t), allocatable :: more(:)
    call c_f_pointer(payload, c)
    if (c%count == size(c%item)) then
      allocate (more(2*c%count))
      more(:c%count) = c%item
      call move_alloc(more, c%item)
    end if
    c%count = c%count + 1
    c%item(c%count)%label = portable_hook_text(fallback%label)
    c%item(c%count)%launches = fallback%launches
    c%item(c%count)%iterations = fallback%iterations
    c%item(c%count)%total = real(fallback%total_ns, real64)*1.0e-9_real64
    c%item(c%count)%longest = real(fallback%max_ns, real64)*1.0e-9_real64
    stop = 0_c_int32_t
  end function

  !> The label of an event, and any text of C with its end; '' of a null address. Since 0.1.
  recursive function portable_hook_text(address) result(text)
    type(c_ptr), intent(in) :: address
    character(:), allocatable :: text
    integer, parameter :: longest = 1048576
    character(kind=c_char), pointer :: chars(:)
    integer :: i, length
    text = ''
    if (.not. c_associated(address)) return
    ! The pointer is wider than the text; no element behind the closing NUL is looked at.
    call c_f_pointer(address, chars, [longest])
    length = 0
    do while (length < longest)
      if (chars(length + 1) == c_null_char) exit
      length = length + 1
    end do
    deallocate (text)
    allocate (character(len=length) :: text)
    do i = 1, length
      text(i:i) = chars(i)
    end do
  end function

  ! portable_timer_hooks() of each form.
  recursive subroutine timer_hooks_away(stat, errmsg)
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    call gator_internal_finish(c_timer_hooks_set(c_null_ptr), 'portable_timer_hooks', stat, errmsg)
  end subroutine

  recursive subroutine timer_hooks_two(start, stop, payload, stat, errmsg)
    type(c_funptr), value :: start, stop
    type(c_ptr), optional, intent(in) :: payload
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    call timer_hooks_four(start, stop, c_null_funptr, c_null_funptr, payload, stat, errmsg)
  end subroutine

  recursive subroutine timer_hooks_four(start, stop, init, finalize, payload, stat, errmsg)
    type(c_funptr), value :: start, stop, init, finalize
    type(c_ptr), optional, intent(in) :: payload
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    type(c_timer_hooks), target :: hooks
    hooks%struct_size = int(c_sizeof(hooks), c_int32_t)
    hooks%start = start
    hooks%stop = stop
    hooks%init = init
    hooks%finalize = finalize
    if (present(payload)) hooks%payload = payload
    call gator_internal_finish(c_timer_hooks_set(c_loc(hooks)), 'portable_timer_hooks', stat, errmsg)
  end subroutine

  !> The report of all timers as text, with json=.true. as JSON; lines end with a new_line. '' after an error. Errors:
  !> gator_err_state, _fork. Source: portable_timers_report and portable_timers_json of portable_timer.h. Since 0.1.
  recursive subroutine portable_timer_report(text, json, stat, errmsg)
    character(:), allocatable, intent(out) :: text
    logical, optional, intent(in) :: json
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer, parameter :: first_try = 4096
    character(:), allocatable :: room
    integer(c_size_t) :: needed
    integer(c_int32_t) :: status
    logical :: as_json
    as_json = .false.
    if (present(json)) as_json = json
    allocate (character(len=first_try) :: room)
    do
      needed = 0_c_size_t
      if (as_json) then
        status = c_timers_json(room, len(room, kind=c_size_t), needed)
      else
        status = c_timers_report(room, len(room, kind=c_size_t), needed)
      end if
      if (status /= 0_c_int32_t .or. needed <= len(room, kind=c_size_t)) exit
      ! Other threads may make the report longer between two calls.
      deallocate (room)
      allocate (character(len=int(needed) + first_try) :: room)
    end do
    if (status == 0_c_int32_t) then
      text = room(1:int(needed) - 1) ! the NUL is no text
    else
      text = ''
    end if
    call gator_internal_finish(status, 'portable_timer_report', stat, errmsg)
  end subroutine

end module portable_observe_mod
