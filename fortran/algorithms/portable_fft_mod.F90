!> Fourier transforms of the lines of arrays for Fortran, with the same bits for any number of threads.
!>
!>     type(portable_fft_plan) :: plan
!>     call portable_fft_create(plan, 'r2c', n=nx, dim=1)            ! or 'c2c'
!>     call portable_fft_forward(plan, x, xhat, label='to waves')    ! all lines of x(nx,ny,nz) along dim; xhat(nx/2+1,ny,nz)
!>     call portable_fft_backward(plan, xhat, x)                     ! gives nx*x
!>     call portable_fft_destroy(plan)
!>
!> In this module: those; portable_mod has short names without portable_. Not in this module: definitions, lengths and limits
!> (portable_fft.h); transforms over several dimensions, which are a plan and a call for each. Since 0.1.
!>
!> portable_fft_create(plan, type [, n, dim, label, stat, errmsg]): type is 'c2c' or 'r2c'; n, the numbers of a line, is 1 or more;
!> dim, the dimension along which lines lie, is 1 if it is not there. A plan serves real32 and real64, both directions, any
!> rank from dim on, and several threads at once. A plan that exists is replaced. Errors: gator_err_arg, _overflow, _nomem.
!> portable_fft_destroy(plan [, stat, errmsg]): a plan that was not created is accepted.
!> portable_fft_forward(plan, in, out [, label, stat, errmsg, device, stream]) and portable_fft_backward(the same): in and out are
!> arrays or sections of rank 1 to 7, complex for 'c2c'. With 'r2c' forward takes a real and a complex array, backward a complex
!> and a real one. Along dim the real side has n elements, the complex one n/2+1; other extents are the same.
!> portable_fft_forward(plan, x [, ...]), portable_fft_backward(plan, x [, ...]): in place. x is complex; with 'r2c' it is real
!> with at least 2*(n/2+1) elements along dim: on the complex side elements 2*k-1 and 2*k are the parts of number k.
!> Both: bits do not depend on threads, dim or strides. label is the launch's name in messages and reports; device= and stream=
!> (numbers as of portable_find_device and portable_stream_create) say where it runs, and the call waits for it; stat and errmsg as
!> everywhere in this library. Errors: gator_err_arg (kinds, shapes, overlap), _handle (no plan, no such stream), _state,
!> _nodevice. NaN stays in its line and is no error. Threads: from any thread, and inside a kernel.
module portable_fft_mod
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  use gator_mod, only: gator_internal_finish
  use portable_reduce_mod, only: portable_internal_placed, portable_internal_launch, portable_internal_section, &
    portable_internal_array
  implicit none
  private

  public :: portable_fft_plan, portable_fft_create, portable_fft_destroy, portable_fft_forward, portable_fft_backward

  !> A plan; a copy is the same plan.
  type :: portable_fft_plan
    private
    integer(c_int64_t) :: handle = 0_c_int64_t
  end type

  ! The version of portable.h that this module was written for; the archive refuses another one.
  integer(c_int32_t), parameter :: portable_version = 100

  include 'portable_fft_c.inc'
  include 'portable_fft_interfaces.inc'

contains

  recursive subroutine portable_fft_create(plan, type, n, dim, label, stat, errmsg)
    type(portable_fft_plan), intent(inout) :: plan
    character(*), intent(in) :: type
    integer, intent(in) :: n
    integer, optional, intent(in) :: dim
    character(*), optional, intent(in) :: label
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer(c_int32_t) :: status, along
    integer(c_int64_t) :: handle
    along = 1_c_int32_t
    if (present(dim)) along = int(dim, c_int32_t)
    if (present(label)) then
      status = c_fft_create(portable_version, type, len(type, c_size_t), label, len(label, c_size_t), int(n, c_int64_t), along, &
                            handle)
    else
      status = c_fft_create(portable_version, type, len(type, c_size_t), ' ', 0_c_size_t, int(n, c_int64_t), along, handle)
    end if
    if (status == 0_c_int32_t) then
      status = c_fft_destroy(plan%handle) ! of a copy that was destroyed: no error of this call
      status = 0_c_int32_t
      plan%handle = handle
    end if
    call gator_internal_finish(status, 'portable_fft', stat, errmsg)
  end subroutine

  recursive subroutine portable_fft_destroy(plan, stat, errmsg)
    type(portable_fft_plan), intent(inout) :: plan
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer(c_int32_t) :: status
    status = c_fft_destroy(plan%handle)
    plan%handle = 0_c_int64_t
    call gator_internal_finish(status, 'portable_fft', stat, errmsg)
  end subroutine

  ! The common part of all specifics. out: no array if the transform is in place.
  recursive subroutine transform(plan, backward, in, out, label, stat, errmsg, device, stream)
    type(portable_fft_plan), intent(in) :: plan
    integer(c_int32_t), intent(in) :: backward
    type(portable_internal_section), intent(in) :: in, out
    character(*), optional, intent(in) :: label
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer, optional, intent(in) :: device
    integer(int64), optional, intent(in) :: stream
    integer(c_int32_t) :: status
    type(portable_internal_launch), target :: launch
    type(portable_internal_section) :: placed
    placed = portable_internal_placed(in, launch, device, stream)
    if (present(label)) then
      status = c_fft(portable_version, backward, label, len(label, c_size_t), plan%handle, placed, out)
    else
      status = c_fft(portable_version, backward, ' ', 0_c_size_t, plan%handle, placed, out)
    end if
    call gator_internal_finish(status, 'portable_fft', stat, errmsg)
  end subroutine

  include 'portable_fft_procedures.inc'

end module portable_fft_mod
