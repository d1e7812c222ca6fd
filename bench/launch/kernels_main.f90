! kernels_main.f90 - times the loops of kernels_portable.f90 and reductions_portable.f90, or those
! of the files with openmp in their names. usage: bench_kernels_ENGINE ENGINE
! triad|diffusion|elements|reductions [N]. Prints name, value and unit, a line each, separated by
! tabs. With N the arrays have an Nth of the elements, to test that it works.
program kernels_main
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use kernels
  use reductions
  implicit none
  character(32) :: phase, text
  integer :: part, n
  call get_command_argument(2, phase)
  call get_command_argument(3, text)
  part = 1
  if (text /= '') read (text, *) part
  call start()
  select case (phase)
  case ('triad')
    n = 16000000/part
    call make_triad(n)
    call measure('triad, 16 M elements', triad, 24.0d0*n)
    call drop_triad()
  case ('diffusion')
    n = max(4, nint(256/real(part)**(1/3.0)))
    call make_diffusion(n)
    call measure('7-point stencil, 256^3', diffuse, 16.0d0*real(n, real64)**3)
    call measure('copy times a number, 256^3', scale, 16.0d0*real(n, real64)**3)
    call drop_diffusion()
  case ('elements')
    n = 16777216/part
    call elements('16.8 M elements')
    n = 67108864/part
    call elements('67.1 M elements')
  case ('reductions')
    n = nint(4000/sqrt(real(part)))
    call make_fields(n)
    call measure('sum, 16 M elements', total, 8.0d0*n*n)
    call measure('minval, 16 M elements', least, 8.0d0*n*n)
    call measure('max_stable_dt, 16 M elements', stable_dt, 24.0d0*n*n)
    if (has_exact) call measure('exact sum, 16 M elements', exact_total, 8.0d0*n*n)
    call drop_fields()
    n = nint(200/sqrt(real(part)))
    call make_fields(n)
    call measure('sum, 40 000 elements', total, 8.0d0*n*n)
    call measure('minval, 40 000 elements', least, 8.0d0*n*n)
    if (has_exact) call measure('exact sum, 40 000 elements', exact_total, 8.0d0*n*n)
    if (reduced() < -2) error stop 2
    call drop_fields()
  case default
    error stop 'usage: ENGINE triad|diffusion|elements|reductions [N]'
  end select
  if (checksum() < -1) error stop 1
contains

  subroutine elements(name)
    character(*), intent(in) :: name
    call make_elements(n)
    call measure('memory, 8 written and 1 read, '//name, write_elements, 36.0d0*n)
    call measure('memory, 8 read and 1 written, '//name, read_elements, 36.0d0*n)
    call drop_elements()
  end subroutine

  ! The best of some rounds, as bytes that the loop itself names by time.
  subroutine measure(name, run, bytes)
    character(*), intent(in) :: name
    real(real64), intent(in) :: bytes
    interface
      subroutine run()
      end subroutine
    end interface
    integer, parameter :: rounds = 20
    integer(int64) :: before, after, rate
    character(20) :: value
    real(real64) :: best
    integer :: i
    best = huge(best)
    do i = 1, rounds
      call system_clock(before, rate)
      call run()
      call system_clock(after)
      best = min(best, max(1.0d0, real(after - before, real64))/real(rate, real64))
    end do
    write (value, '(es14.6)') bytes/best*1d-9
    print '(5a)', name, achar(9), trim(adjustl(value)), achar(9), 'GB/s'
  end subroutine
end program
