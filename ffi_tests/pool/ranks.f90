! portable_rank and its like from Fortran: what a launcher says in the environment, then what the program says.
! Not in this file: a launcher (ffi_tests/mpi), the rank in messages (internal/instance/rank_test.go).
program ranks
  use gator_mod
  use check_mod, only: check, finish_checks
  implicit none
  interface
    function setenv(name, value, overwrite) result(status) bind(c, name='setenv')
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: name(*), value(*)
      integer(c_int), value :: overwrite
      integer(c_int) :: status
    end function
  end interface
  character(len=300) :: message
  integer :: stat
  call check(setenv('OMPI_COMM_WORLD_RANK'//c_null_char, '5'//c_null_char, 1_c_int) == 0_c_int, 'setenv')
  call check(setenv('OMPI_COMM_WORLD_LOCAL_RANK'//c_null_char, '1'//c_null_char, 1_c_int) == 0_c_int, 'setenv')
  call check_ranks(5, 1, 'what the launcher says, before gator_init')
  call gator_init()
  call portable_set_rank(7, 3, stat, message)
  call check(stat == 0, 'portable_set_rank')
  call check_ranks(7, 3, 'the program wins')
  message = ''
  call portable_set_rank(-1, stat=stat, errmsg=message)
  call check(stat == gator_err_arg .and. index(message, 'rank -') > 0, 'a negative rank: '//trim(message))
  call portable_set_rank(1, local_rank=-2, stat=stat)
  call check(stat == gator_err_arg, 'a local rank below -1')
  call check_ranks(7, 3, 'errors change nothing')
  call portable_set_rank(0)
  call check_ranks(0, -1, 'a local rank that is not known')
  call gator_finalize()
  call check(portable_rank() == 0, 'after gator_finalize')
  call finish_checks()
contains
  subroutine check_ranks(world, local, what)
    integer, intent(in) :: world, local
    character(*), intent(in) :: what
    call check(portable_rank() == world, what)
    call check(portable_local_rank() == local, what//': local')
  end subroutine
end program
