! dam_break.f90 - a column of water that falls, as smoothed particles. Without an argument: tests
! against the experiment, and the bits of the result; a failure ends it with an error.
! `dam_break N`: the same with N particles in the width of the column. `dam_break FILE [N]`: three
! moments of the water, for a picture. Not in this file: the scheme.
program dam_break
  use, intrinsic :: iso_fortran_env, only: real64
  use gator_mod, only: gator_init, gator_finalize
  use dam_cases_mod, only: column, unit_of_time, front, energy, all_there, bits, width, opening, times, fronts
  use dam_water_mod, only: water_t, water_free, step
  implicit none
  type(water_t) :: w
  real(real64) :: now, passed(size(fronts)) ! s: when the front came to fronts(k)
  character(200) :: first, second
  integer :: across, stat
  call gator_init()
  call get_command_argument(1, first)
  call get_command_argument(2, second)
  if (first == '') then
    call experiment(20)
  else if (verify(trim(first), '0123456789') == 0) then
    read (first, *) across
    call experiment(across)
  else
    read (second, *, iostat=stat) across
    call picture(trim(first), merge(across, 40, stat == 0))
  end if
  call gator_finalize()

contains

  ! Mass, energy, and the front at the times of the experiment, which end before it reaches the wall.
  subroutine experiment(across)
    integer, intent(in) :: across
    integer, parameter :: from = 3, to = 12 ! fronts of 1.44 and 3.44 widths
    real(real64) :: late, farthest, before, after, begun
    integer :: k
    call begin(across)
    begun = energy(w)
    call check(abs(front(w) - 1) < 1d-9, 'the water begins where the dam was')
    before = begun
    farthest = 0
    do k = 1, size(times)
      call go_on((times(k) - opening)*unit_of_time())
      late = front(w)/fronts(k) - 1
      if (abs(late) > abs(farthest)) farthest = late
      after = energy(w)
      call check(after < before, 'energy falls')
      call check(abs(late) < 0.1d0, 'the front is within 10 % of that of Martin and Moyce')
      before = after
    end do
    late = (passed(to) - passed(from))/((times(to) - times(from))*unit_of_time()) - 1 ! does not depend on when the dam began to vanish
    call check(abs(late) < 0.1d0, 'from one place to another the front takes as long as in the experiment, within 10 %')
    call check(all_there(w), 'mass: each particle is there once')
    call check(after > 0.8d0*begun, 'most of the energy is left')
    print '(a,3(i0,a))', 'dam break: ', w%n, ' particles, ', w%steps, ' steps, ', w%lists, ' lists'
    print '(a,f6.2,a,f7.4)', 'front: ', 100*farthest, ' % from the experiment at most; energy left: ', after/begun
    print '(a,f6.2,a)', 'time from 1.44 to 3.44 widths: ', 100*late, ' % from the experiment'
    print '(a,z16.16)', 'bits of the result: ', bits(w)
    call water_free(w)
    print '(a)', 'dam_break: all checks passed'
  end subroutine

  ! Three moments; at the last one the water falls back from the wall.
  subroutine picture(name, across)
    character(*), intent(in) :: name
    integer, intent(in) :: across
    real(real64), parameter :: moments(3) = [1.5d0, 2.8d0, 6d0]
    integer :: unit, i, k
    call begin(across)
    open (newunit=unit, file=name, action='write', status='replace')
    do k = 1, size(moments)
      call go_on(moments(k)*unit_of_time())
      call check(all_there(w), 'mass: each particle is there once')
      write (unit, '(i0)') w%n
      do i = 1, w%n
        write (unit, '(3f10.5,i2)') w%x(i)/width, w%y(i)/width, sqrt(w%u(i)**2 + w%v(i)**2), w%wall(i)
      end do
    end do
    close (unit)
    print '(a,3(i0,a))', 'dam break: ', w%n, ' particles, ', w%steps, ' steps, ', w%lists, ' lists'
    call water_free(w)
  end subroutine

  subroutine begin(across)
    integer, intent(in) :: across
    call check(across > 4, 'the column has 5 particles in its width at least')
    call column(w, across)
    now = 0
    passed = 0
  end subroutine

  subroutine go_on(until)
    real(real64), intent(in) :: until
    real(real64) :: dt, there, here
    here = front(w)
    do while (now < until)
      call step(w, until - now, dt)
      now = merge(until, now + dt, dt >= until - now)
      there = here
      here = front(w)
      where (fronts > there .and. fronts <= here) passed = now - dt*(here - fronts)/(here - there)
    end do
  end subroutine

  subroutine check(good, text)
    logical, intent(in) :: good
    character(*), intent(in) :: text
    if (good) return
    print '(3a)', 'dam_break: FAILED: ', text
    error stop 1
  end subroutine

end program dam_break
