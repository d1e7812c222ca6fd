! restart.F90: restart files from Fortran: plain arrays, sections, pointers with negative bounds and handles, of several kinds and ranks,
! through communicators of both faces of MPI. restart write|read FILE, on any number of ranks. Not in this file: all kinds (restart.c).
program restarts
  use check_mod, only: check, finish_checks
#ifndef PORTABLE_MPI_OLD
  use mpi_f08
#endif
  use gator_mod
  use portable_array_mod, only: portable_array, portable_array_allocate, portable_array_release
  use portable_halo_mod
  use portable_restart_mod
  implicit none
#ifdef PORTABLE_MPI_OLD
  include 'mpif.h'
#endif
  integer, parameter :: nx = 13, ny = 11, w = 2
  type(fields) :: state, other
  type(halo) :: ghosts
  type(portable_array) :: handle
  real(8), pointer :: h(:,:)
  real(4), target, allocatable :: wide(:,:)
  integer, pointer :: q(:,:,:)
  complex(8), pointer :: z(:,:)
  logical, target, allocatable :: mask(:,:)
  real(8) :: time, values(2)
  integer :: ierr, first(2), last(2), n(2), i, j, step, stat
  integer(8), parameter :: far = 3000000000_8 ! above an int32
  integer(8) :: long
  character(200) :: action, file, text
  logical :: writes
  nullify (h, q, z)
  call get_command_argument(1, action)
  call get_command_argument(2, file)
  writes = action == 'write'
  call MPI_Init(ierr)
  call gator_init()
  call halo_box(ghosts, MPI_COMM_WORLD, [nx, ny], w, label='ghosts')
  call halo_own(ghosts, first, last)
  n = last - first + 1
  call gator_allocate(h, n + 2*w, [1-w, -7], label='h')
  allocate (wide(2*(n(1)+2*w), n(2)+2*w), mask(1-w:n(1)+w, 1-w:n(2)+w))
  call gator_allocate(q, [3, n(1)+2*w, n(2)+2*w], [1, 1-w, 1-w], label='q')
  call portable_array_allocate(handle, z, n + 2*w, [1-w, 1-w], label='z')
  call fields_add(state, 'h', h)
  call fields_add(state, 'wide', wide(1::2, :))
  call fields_add(state, 'q', q, dims=[2, 3])
  call fields_add(state, 'z', handle)
  call fields_add(state, 'mask', mask)
  h = -1
  wide = -1
  q = -1
  z = -1
  mask = .false.
  if (writes) then
    call visit(.true.)
    call restart_write(MPI_COMM_WORLD, trim(file)//'.far', state, ghosts, step=far)
    call restart_write(MPI_COMM_WORLD, trim(file)//'.least', state, ghosts, step=-huge(long)-1)
    call restart_write(MPI_COMM_WORLD, trim(file)//'.least4', state, ghosts, step=-huge(step)-1)
#ifdef PORTABLE_MPI_OLD
    call restart_write(MPI_COMM_WORLD, file, state, ghosts, time=0.1d0, step=7, values=[1/3d0, -2d0])
#else
    call restart_write(MPI_COMM_WORLD%MPI_VAL, file, state, ghosts, time=0.2d0, step=8)
    call restart_write(MPI_COMM_WORLD, file, state, ghosts, time=0.1d0, step=7, values=[1/3d0, -2d0])
#endif
  else
    call restart_read(MPI_COMM_WORLD, file, state, ghosts, time, step, values)
    call check(time == 0.1d0 .and. step == 7 .and. all(values == [1/3d0, -2d0]), 'numbers')
    long = 0
    call restart_read(MPI_COMM_WORLD, file, state, ghosts, step=long)
    call check(long == 7, 'a step of 8 bytes')
    call restart_read(MPI_COMM_WORLD, trim(file)//'.far', state, ghosts, step=long, values=values(:0))
    call check(long == far, 'a step above an int32')
    text = ''
    call restart_read(MPI_COMM_WORLD, trim(file)//'.far', state, ghosts, step=step, stat=stat, errmsg=text)
    call check(stat == gator_err_arg .and. index(text, 'the step in the file is 3000000000; read it into') > 0, text)
    call restart_read(MPI_COMM_WORLD, trim(file)//'.least', state, ghosts, step=step, stat=stat, errmsg=text)
    call check(stat == gator_err_arg .and. index(text, 'the step in the file is -9223372036854775808') > 0, text)
    call restart_read(MPI_COMM_WORLD, trim(file)//'.least', state, ghosts, step=long)
    call check(long == -huge(long)-1, 'the least step')
    call restart_read(MPI_COMM_WORLD, trim(file)//'.least4', state, ghosts, step=step)
    call check(step == -huge(step)-1, 'the least int32')
    call restart_read(MPI_COMM_WORLD, trim(file)//'.far', state, ghosts, time)
    call check(time == 0, 'a far step that is not asked for')
    call visit(.false.)
    call fields_add(other, 'h', wide(1::2, :))
    text = ''
    call restart_read(MPI_COMM_WORLD, file, other, ghosts, stat=stat, errmsg=text)
    call check(stat == gator_err_arg .and. index(text, "field 'h' is real64 in the file, real32 here") > 0, text)
    call fields_destroy(other)
  end if
  call check(all(h(:0, :) == -1) .and. all(h(n(1)+1:, :) == -1) .and. all(wide(2::2, :) == -1) .and. all(q(:, :, :0) == -1), &
             'ghost cells')
  call fields_destroy(state)
  call halo_destroy(ghosts)
  call gator_deallocate(h)
  call gator_deallocate(q)
  call portable_array_release(handle)
  deallocate (wide, mask)
  call gator_finalize()
  call MPI_Finalize(ierr)
  call finish_checks()
contains
  ! Sets own cells, or compares them: each has its number in the whole domain.
  subroutine visit(sets)
    logical, intent(in) :: sets
    integer :: cell
    do j = 1, n(2)
      do i = 1, n(1)
        cell = first(1) + i - 1 + nx*(first(2) + j - 2)
        if (sets) then
          h(i, j-8+w) = cell/3d0
          wide(2*(i+w)-1, j+w) = cell/7.0
          q(:, i, j) = [cell, -cell, 2*cell]
          z(i, j) = cmplx(cell, -0.0d0, 8)
          mask(i, j) = modulo(cell, 3) == 0
        else
          call check(h(i, j-8+w) == cell/3d0 .and. wide(2*(i+w)-1, j+w) == cell/7.0, 'own cells of h and wide')
          call check(all(q(:, i, j) == [cell, -cell, 2*cell]) .and. z(i, j) == cmplx(cell, -0.0d0, 8) .and. &
                     (mask(i, j) .eqv. modulo(cell, 3) == 0), 'own cells of q, z and mask')
        end if
      end do
    end do
  end subroutine
end program
