! crash_kernel.f90 WHAT WHERE: a Fortran kernel that goes wrong: one line that names it, then gfortran's own report with the
! line of the kernel; or a STOP in it, which ends the program with its code. WHERE: worker, launcher, all. run_kernel.sh
! says what each must give. Not in this file: C and C++ (crash_kernel.c).
module crash_kernels
  use portable_mod
  use, intrinsic :: iso_c_binding
  implicit none
  character(20) :: what, where
  real(8) :: none = 0, result
  integer :: nought = 0
  interface
    subroutine meet(worker, workers) bind(c)
      import :: c_int
      integer(c_int), value :: worker, workers
    end subroutine
    function meet_prepare() result(failed) bind(c)
      import :: c_int
      integer(c_int) :: failed
    end function
  end interface
contains
  recursive subroutine goes_wrong(t)
    type(tile), intent(in) :: t
    call meet(int(t%worker, c_int), int(t%workers, c_int))
    if (where == 'launcher' .and. t%worker /= 0) return
    if (where == 'worker' .and. t%worker == 0) return
    if (what == 'segv') call write_nowhere()
    if (what == 'division') nought = 100 / nought ! the line of division
    if (what == 'float') result = 1 / none ! the line of float
    if (what == 'stack') nought = deeper(1)
    if (what == 'stop') stop 4
    if (what == 'error_stop') error stop 3
  end subroutine
  recursive subroutine write_nowhere()
    integer, pointer :: p
    call c_f_pointer(transfer(16_c_intptr_t, c_null_ptr), p)
    p = 1 ! the line of segv
  end subroutine
  recursive integer function deeper(n) result(r)
    integer, intent(in) :: n
    integer :: room(1000)
    room = n
    r = deeper(n + 1) + room(n) ! the line of stack
  end function
end module

program crash_kernel
  use crash_kernels
  implicit none
  call get_command_argument(1, what)
  call get_command_argument(2, where)
  if (meet_prepare() /= 0) error stop 94
  call portable_init()
  call parallel_for('advect_x', bounds(64), goes_wrong)
  print '(a)', 'nothing happened'
end program
