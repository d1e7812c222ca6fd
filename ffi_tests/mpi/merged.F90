! merged.F90 merged FILE - the timers of all ranks in one report, from Fortran (portable_mpi.F90), with mpi_f08 or, under PORTABLE_MPI_OLD,
! mpif.h. The same as merged.c, and looked at by the same lines of run_mpi.sh.
program merged
#ifndef PORTABLE_MPI_OLD
  use mpi_f08
#endif
  use gator_mod, only: gator_err_arg, gator_err_state
  use portable_mod, only: portable_init, portable_finalize, timer_enable, timer_start, timer_stop
  use portable_mpi_mod, only: portable_mpi_timer_print
  implicit none
#ifdef PORTABLE_MPI_OLD
  include 'mpif.h'
#endif
  character(len=1000) :: file, text
  integer :: rank, i, stat, world, ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call get_command_argument(2, file)
#ifdef PORTABLE_MPI_OLD
  world = MPI_COMM_WORLD
#else
  world = MPI_COMM_WORLD%MPI_VAL
#endif
  call portable_mpi_timer_print(MPI_COMM_WORLD, stat=stat, errmsg=text)
  if (stat /= gator_err_state .or. index(text, 'portable_timers_pack: the library does not run') == 0) error stop 'before the start'
  call portable_init()
  call portable_mpi_timer_print(MPI_COMM_WORLD) ! timers are off: nothing
  call timer_enable(.true.)
  call timer_start('main')
  do i = 0, rank
    call timer_start('work')
    call timer_stop('work')
  end do
  if (rank == 1) call timer_start('only one')
  if (rank == 1) call timer_stop('only one')
  call timer_stop('main')
  call portable_mpi_timer_print(MPI_COMM_WORLD)
  call portable_mpi_timer_print(world, trim(file))
  call portable_mpi_timer_print(world, '/nonexistent/folder/times', stat, text)
  if (stat /= gator_err_arg) error stop 'a folder that is not there'
  if (rank == 0 .and. index(text, "cannot be written into '/nonexistent/folder/times'") == 0) error stop 'no reason'
  if (rank == 1 .and. index(text, 'it failed on another rank') == 0) error stop 'no reason on another rank'
  call portable_finalize()
  call MPI_Finalize(ierr)
end program
