!> Tridiagonal and pentadiagonal systems for Fortran, on the threads of libportable, with the same bits for any number of threads.
!>
!>     call portable_solve_tridiagonal(lower, diag, upper, rhs, dim=2)          ! (column, level): rhs becomes the solution
!>     call portable_solve_tridiagonal(a, b, c, rhs, dim=3, periodic=.true.)    ! a(:), b(:), c(:): one matrix for all systems
!>     call portable_tridiagonal_column(a(i,:), b(i,:), c(i,:), x(i,:))         ! one system, inside a kernel
!>
!>     b(:,:,i) = portable_matinv(a(:,:,i))                                     ! the inverse of a small matrix, inside a kernel
!>
!> In this module: those, and portable_solve_pentadiagonal and portable_pentadiagonal_column; portable_mod has short names without
!> portable_. Not in this module: the method and its limits (portable_solvers.h). Since 0.1.
!>
!> portable_solve_tridiagonal(lower, diag, upper, rhs [, dim, periodic, label, device, stream, stat, errmsg]): for each line of
!> rhs along dim, lower(i)*x(i-1) + diag(i)*x(i) + upper(i)*x(i+1) = rhs(i); rhs becomes x. rhs is an array or section of rank 1
!> to 7, of real(real32) or real(real64). The diagonals have its shape, or all of them rank 1 and as many elements as rhs has
!> along dim: one matrix for all systems, which is factored once. dim may be left out for rank 1. lower(1) and upper(n) are not
!> used; periodic=.true. gives them to x(n) and x(1).
!> portable_solve_pentadiagonal(lower2, lower, diag, upper, upper2, rhs [, ...]): the same with two diagonals on each side.
!> Both: bits do not depend on threads, device, dim or strides. Diagonals may share memory with one another, but not with rhs.
!> label is the launch's name in messages and reports; device= and stream= (numbers as of portable_find_device and
!> portable_stream_create) say where it runs, and the call waits for it; stat and errmsg as everywhere in this library. Errors:
!> gator_err_arg (shapes, dim, overlap; a pivot of 0: its system becomes NaN, other ones are solved, the text names the first
!> such system in array element order, and the row), _state, _nodevice, _handle. NaN stays in its system and is no error.
!> Threads: from any thread, and inside a kernel.
!> portable_tridiagonal_column(lower, diag, upper, rhs [, periodic, row]) and portable_pentadiagonal_column(lower2, lower, diag,
!> upper, upper2, rhs [, periodic, row]): pure, for one system; its work arrays are on the stack. row is 0, or the row of the first
!> pivot of 0, or -1 where the sizes differ; rhs is NaN in both cases.
!> portable_matinv(a): pure, the inverse of the matrix a(:,:), by Gauss and Jordan with the largest pivot of each column; NaN in all
!> elements where a is not square or has no inverse. It is for a few variables at one place, and its arrays are on the stack; large
!> matrices are LAPACK's. Same bits as portable_matinv_real64 of a in row order (portable_solvers.h) and matinv of C++.
module portable_solvers_mod
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  use gator_mod, only: gator_internal_finish
  use portable_reduce_mod, only: portable_internal_placed, portable_internal_launch, portable_internal_section, &
    portable_internal_array
  implicit none
  private

  public :: portable_solve_tridiagonal, portable_solve_pentadiagonal, portable_tridiagonal_column, portable_pentadiagonal_column, &
    portable_matinv

  ! The version of portable.h that this module was written for; the archive refuses another one.
  integer(c_int32_t), parameter :: portable_version = 100

  include 'portable_solvers_c.inc'
  include 'portable_solvers_interfaces.inc'

contains

  ! The common part of all specifics.
  recursive subroutine solve(bands, rhs, dim, periodic, label, stat, errmsg, device, stream)
    type(portable_internal_section), intent(in) :: bands(5), rhs
    integer, optional, intent(in) :: dim
    logical, optional, intent(in) :: periodic
    character(*), optional, intent(in) :: label
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer, optional, intent(in) :: device
    integer(int64), optional, intent(in) :: stream
    integer(c_int32_t) :: status, along, round
    type(portable_internal_launch), target :: launch
    type(portable_internal_section) :: placed
    placed = portable_internal_placed(rhs, launch, device, stream)
    along = 0_c_int32_t
    round = 0_c_int32_t
    if (present(dim)) along = merge(int(dim, c_int32_t), -1_c_int32_t, dim > 0)
    if (present(periodic)) round = merge(1_c_int32_t, 0_c_int32_t, periodic)
    if (present(label)) then
      status = c_solve(portable_version, label, len(label, c_size_t), bands, placed, along, round)
    else
      status = c_solve(portable_version, ' ', 0_c_size_t, bands, placed, along, round)
    end if
    call gator_internal_finish(status, 'portable_solve', stat, errmsg)
  end subroutine

  include 'portable_solvers_procedures.inc'

end module portable_solvers_mod
