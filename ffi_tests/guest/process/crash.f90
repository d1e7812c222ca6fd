! crash.f90: a Fortran program that goes wrong while the library runs; gfortran's own report must come, with
! the line. run_crash.sh says what each argument must give. Not in this file: errors of the library.
program crash
  use gator_mod
  implicit none
  real(8), pointer :: h(:)
  character(20) :: what
  call get_command_argument(1, what)
  call gator_init()
  call gator_allocate(h, [1000])
  h = 1
  if (what == 'segv') call write_nowhere()
  if (what == 'stack') print *, deeper(1)
  if (what == 'stop') error stop 7
  if (what == 'division') print *, divided(0)
  call gator_deallocate(h)
  call gator_finalize()
contains
  subroutine write_nowhere()
    use, intrinsic :: iso_c_binding
    integer, pointer :: p
    call c_f_pointer(transfer(16_c_intptr_t, c_null_ptr), p)
    p = 1 ! the line of the crash
  end subroutine
  recursive integer function deeper(n) result(r)
    integer, intent(in) :: n
    integer :: room(1000)
    room = n
    r = deeper(n + 1) + room(n)
  end function
  integer function divided(by)
    integer, intent(in) :: by
    divided = 100 / by
  end function
end program
