!> Arguments of kernels on devices: what a Fortran program says of its variables so that a kernel of another language gets them.
!>
!>     call parallel_for('update', bounds([1,1], [nx,ny]), update, [arg(h), arg(hnew, access='write'), arg(dt)])
!>
!> In this module: portable_arg and what it gives. portable_core_mod has it too, and takes it in launches; portable_mod calls it
!> arg. Not in this module: kernels and launches (portable_core_mod).
!>
!> Threads: from any thread. Since 0.1.
module portable_argument_mod
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  implicit none
  private

  public :: portable_argument, portable_arg, portable_internal_argument, portable_internal_handle_argument

  !> One argument, as portable_arg gives it; valid for one launch. Since 0.1.
  type, bind(c) :: portable_argument
    private
    type(c_ptr) :: data = c_null_ptr
    type(c_ptr) :: next(7) = c_null_ptr ! the second element along each dimension
    integer(c_int64_t) :: lower(7) = 1_c_int64_t
    integer(c_int64_t) :: extent(7) = 0_c_int64_t
    integer(c_int64_t) :: liveout = 0_c_int64_t
    integer(c_int8_t) :: value(16) = 0_c_int8_t
    integer(c_int32_t) :: kind = 0_c_int32_t ! as in portable_reduce_array.h
    integer(c_int32_t) :: rank = 0_c_int32_t
    integer(c_int32_t) :: form = 0_c_int32_t
    integer(c_int32_t) :: access = 3_c_int32_t
    character(kind=c_char) :: name(32) = ' '
    integer(c_int32_t) :: notes = 0_c_int32_t
    integer(c_int32_t) :: reserved = 0_c_int32_t
  end type

  ! The kind of an argument, and notes about it; the same numbers are in capi/fortran/fortran_block.h.
  integer(c_int32_t), parameter :: form_view = 1_c_int32_t, form_address = 2_c_int32_t, form_missing = 3_c_int32_t, &
    form_liveout = 4_c_int32_t, form_bounds = 5_c_int32_t, form_handle = 6_c_int32_t
  integer(c_int32_t), parameter :: note_overlap = 1_c_int32_t, note_dense = 2_c_int32_t, note_any = 4_c_int32_t

  !> portable_arg(a): a pointer to an array, or an array with TARGET, of one of the kinds of gator_mod and of rank 1 to 7: the
  !> kernel gets portable_view<T, rank>, whose indices are those of a. portable_arg(a, lower): any array, a dummy argument for
  !> instance, whose indices begin at lower in the kernel: arg(a, lbound(a)) or arg(a, [0, 0]). address=.true.: it gets T *, for
  !> which a must be contiguous. access: what the kernel does with the elements, 'read', 'write' or 'both' (the default).
  !> portable_arg(a(1,1), extents [, lower]): the first element of a contiguous array, and the extents and lower bounds (1 without
  !> lower) that the kernel is to see: for assumed-size arrays, whose shape the compiler does not know, and for parts of arrays.
  !> may_overlap=.true.: the array may share elements with others that say so; launches of portable_list_mod compare them.
  !> portable_arg(h): a handle of portable_array_mod, whose portable_arg is this one: as a pointer to what it holds.
  !> portable_arg(x): a scalar; the kernel gets its value, of a logical an integer of the same size. portable_arg(l): a
  !> portable_liveout; the kernel gets T * to the value. name= is for messages. Kinds in CUDA C: int8_t, int16_t, int32_t,
  !> int64_t, float, double; of complex ones two of these, the real part first. Errors, all told at the launch:
  !> gator_err_arg (a is not associated, or no whole number of elements apart; more or fewer lower bounds than dimensions;
  !> another kind, rank or number of arguments than at the first launch of the label), _pointer (memory that the device does
  !> not reach). Since 0.1.
  interface portable_arg
#include "portable_argument_interfaces.inc"
  end interface

contains

  ! An argument that is a handle of the library's: what portable_core_mod makes of a live-out.
  recursive function portable_internal_argument(liveout, name) result(r)
    integer(c_int64_t), intent(in) :: liveout
    character(*), optional, intent(in) :: name
    type(portable_argument) :: r
    r%form = form_liveout
    r%liveout = liveout
    call named(r, name=name)
  end function

  ! The same of portable_array_mod: its descriptor, and what that holds.
  recursive function portable_internal_handle_argument(descriptor, kind, rank, access, name) result(r)
    type(c_ptr), intent(in) :: descriptor
    integer(c_int32_t), intent(in) :: kind, rank
    character(*), optional, intent(in) :: access, name
    type(portable_argument) :: r
    call described(r, kind, rank, access, name)
    r%form = form_handle
    r%data = descriptor
  end function

  recursive subroutine described(r, kind, rank, access, name, address, may_overlap)
    type(portable_argument), intent(inout) :: r
    integer(c_int32_t), intent(in) :: kind, rank
    character(*), optional, intent(in) :: access, name
    logical, optional, intent(in) :: address, may_overlap
    if (present(may_overlap)) r%notes = merge(note_overlap, 0_c_int32_t, may_overlap)
    r%kind = kind
    r%rank = rank
    r%form = form_view
    if (present(address)) r%form = merge(form_address, form_view, address)
    call named(r, access, name)
  end subroutine

  ! An array that begins at that element.
  recursive subroutine extended(r, first, extents, lower)
    type(portable_argument), intent(inout) :: r
    type(c_ptr), intent(in) :: first
    integer, intent(in) :: extents(:)
    integer, optional, intent(in) :: lower(:)
    integer :: n
    n = min(size(extents), size(r%extent))
    r%extent(1:n) = max(int(extents(1:n), c_int64_t), 0_c_int64_t)
    if (n /= size(extents) .or. n == 0) r%form = form_bounds
    if (present(lower)) call bounded(r, lower)
    r%notes = ior(r%notes, note_dense)
    if (all(r%extent(1:n) > 0_c_int64_t)) r%data = first
  end subroutine

  recursive subroutine bounded(r, lower)
    type(portable_argument), intent(inout) :: r
    integer, intent(in) :: lower(:)
    if (size(lower) == int(r%rank)) then
      r%lower(1:size(lower)) = int(lower, c_int64_t)
    else
      r%form = form_bounds
    end if
  end subroutine

  recursive subroutine named(r, access, name)
    type(portable_argument), intent(inout) :: r
    character(*), optional, intent(in) :: access, name
    integer :: i
    if (present(access)) then
      select case (access)
      case ('read', 'read, any order')
        r%access = 1_c_int32_t
      case ('write')
        r%access = 2_c_int32_t
      case ('both', 'both, any order')
        r%access = 3_c_int32_t
      case default
        r%access = -1_c_int32_t ! C says what is wrong
      end select
      if (index(access, ', any order') > 0) r%notes = ior(r%notes, note_any) ! generated code: a copy for a device may be permuted
    end if
    if (.not. present(name)) return
    do i = 1, min(len_trim(name), size(r%name))
      r%name(i) = name(i:i)
    end do
  end subroutine

#include "portable_argument_procedures.inc"

end module portable_argument_mod
