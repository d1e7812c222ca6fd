! timers.f90 - timers from Fortran: labels with blanks, results, errors with stat= and errmsg=, launches. The same program
! runs over portable_stub.F90, so the two cannot drift apart. Not in this file: threads, hooks (timers.c).
module timers_kernels
  use, intrinsic :: iso_fortran_env, only: real64
  use portable_mod, only: tile, team, exact_sum, exact_add
  implicit none
  integer :: visits(100) = 0
contains
  recursive subroutine visit(t)
    type(tile), intent(in) :: t
    integer :: i
    do i = t%lower(1), t%upper(1)
      visits(i) = visits(i) + 1
    end do
  end subroutine

  recursive subroutine outer(t)
    type(team), intent(in) :: t
    visits(t%outer(1)) = visits(t%outer(1)) + 0*t%member
  end subroutine

  recursive subroutine add(t, total)
    type(tile), intent(in) :: t
    real(real64), intent(inout) :: total
    total = total + real(t%upper(1) - t%lower(1) + 1, real64)
  end subroutine

  recursive subroutine add_exactly(t, total)
    type(tile), intent(in) :: t
    type(exact_sum), intent(inout) :: total
    call exact_add(total, real(t%upper(1) - t%lower(1) + 1, real64))
  end subroutine
end module

program timers_fortran
  use, intrinsic :: iso_c_binding, only: c_int
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use check_mod, only: check, finish_checks
  use expect_mod, only: expect, stat, text
  use gator_mod
  use portable_mod
  use timers_kernels
  implicit none
  call test_before()
  call portable_init()
  call timer_enable(.false.)
  call timer_stop('never started')
  call timer_enable(.true., launches=.true.)
  call test_results()
  call test_errors()
  call test_recursion()
  call test_launches()
  call test_reset()
  call test_files()
  call portable_finalize()
  call finish_checks()
  print '(a)', 'all timers as they should be'
contains

  ! Asleep, and no loop over system_clock: that of flang 16 counts the processor time of all threads.
  subroutine work(seconds)
    use, intrinsic :: iso_c_binding, only: c_int
    real(real64), intent(in) :: seconds
    integer(c_int) :: ignored
    interface
      integer(c_int) function usleep(microseconds) bind(c)
        import :: c_int
        integer(c_int), value :: microseconds
      end function
    end interface
    ignored = usleep(nint(seconds*1e6_real64, c_int))
  end subroutine

  subroutine test_before()
    integer(int64) :: n
    call timer_start('early', stat, text)
    call expect(gator_err_state, 'portable_timer_start: the library does not run: call portable_init first')
    call timer_stop('early', stat, text)
    call expect(gator_err_state, 'portable_timer_stop: the library does not run')
    call timer_enable(.true., stat=stat, errmsg=text)
    call expect(gator_err_state, 'portable_timer_enable: portable_timers_enable: the library does not run')
    n = timer_count('early', stat=stat, errmsg=text)
    call expect(gator_err_state, 'portable_timer_count: portable_timer_get: the library does not run')
    call check(n == 0_int64, 'a count before the start')
    call timer_reset(stat, text)
    call expect(gator_err_state, 'portable_timer_reset: portable_timers_reset: the library does not run')
    call timer_print(stat=stat, errmsg=text)
    call expect(gator_err_state, 'portable_timer_print: portable_timers_print: the library does not run')
  end subroutine

  subroutine test_results()
    integer :: i
    character(12) :: label
    real(real64) :: total, least, most, last
    do i = 1, 3
      call timer_start('outer')
      label = 'inner'
      call timer_start(label)
      call work(0.001_real64*i)
      label = 'inner'
      call timer_stop('inner')
      call timer_stop(trim('outer  '))
    end do
    call check(timer_count('outer') == 3_int64, 'a count')
    call check(timer_count('inner  ', all_threads=.true.) == 3_int64, 'a count over all threads')
    call check(timer_count('not there') == 0_int64, 'the count of a label that no timer had')
    call check(timer_total('not there') < 1e-12_real64, 'the time of a label that no timer had')
    total = timer_total('inner')
    least = timer_min('inner')
    most = timer_max('inner')
    last = timer_last('inner')
    call check(total >= 0.006_real64, 'the time of a timer')
    call check(total <= timer_total('outer'), 'the time of the timer around it')
    call check(least >= 0.001_real64 .and. least <= last, 'the shortest')
    call check(most >= last .and. last >= 0.003_real64, 'the longest, and the last')
  end subroutine

  subroutine test_errors()
    integer(int64) :: n
    call timer_start('  ', stat, text)
    call expect(gator_err_arg, 'portable_timer_start: the label is empty; a timer has a name')
    call timer_stop('', stat, text)
    call expect(gator_err_arg, 'portable_timer_stop: the label is empty')
    n = timer_count(' ', stat=stat, errmsg=text)
    call expect(gator_err_arg, 'portable_timer_count: portable_timer_get: the label is empty; a timer has a name')
    call timer_stop('none', stat, text)
    call expect(gator_err_state, 'portable_timer_stop of ''none'': no timer runs on this thread')
    call timer_start('first', stat)
    call check(stat == 0, 'stat of a start')
    call timer_start('second')
    call timer_stop('first', stat, text)
    call expect(gator_err_state, 'portable_timer_stop of ''first'': the innermost timer that runs is ''second''')
    call timer_stop('second')
    call timer_stop('first')
    call timer_print('/nonexistent/folder/file', stat, text)
    call expect(gator_err_arg, 'portable_timer_print: portable: bad argument: the timers cannot be written into '// &
      '''/nonexistent/folder/file''')
  end subroutine

  subroutine test_recursion()
    real(real64) :: total
    call timer_start('again')
    call timer_start('again')
    call work(0.002_real64)
    call timer_stop('again')
    call timer_stop('again')
    call check(timer_count('again') == 2_int64, 'calls of a recursion')
    total = timer_total('again')
    call check(abs(total - timer_max('again')) < 1e-12_real64, 'the time of a recursion is that of the outermost')
  end subroutine

  subroutine test_launches()
    real(real64) :: total
    type(exact_sum) :: exact
    call timer_start('loops')
    call parallel_for('visit', bounds(100), visit)
    call parallel_for('visit', bounds(100), visit)
    call parallel_for('nothing', bounds(0), visit)
    call parallel_reduce('add', bounds(100), add, total)
    call parallel_reduce('add', bounds(100), add_exactly, exact)
    call parallel_reduce('nothing', bounds(0), add, total)
    call parallel_outer('teams', bounds(100), outer)
    call timer_stop('loops')
    call check(timer_count('visit') == 2_int64, 'launches')
    call check(timer_count('add') == 2_int64, 'reductions')
    call check(timer_count('teams') == 1_int64, 'outer loops')
    call check(timer_count('nothing') == 0_int64, 'launches of nothing')
    total = timer_total('visit')
    call check(total <= timer_total('loops'), 'the time of launches')
    call timer_enable(.true.)
    call parallel_for('visit', bounds(100), visit)
    call check(timer_count('visit') == 2_int64, 'launches are not timed any more')
    call check(all(visits == 3), 'visits')
  end subroutine

  subroutine test_reset()
    integer(int64) :: from, now, rate
    call timer_start('around')
    call work(0.02_real64)
    call system_clock(from, rate)
    call timer_reset()
    call check(timer_count('visit') == 0_int64, 'forgotten')
    call timer_stop('around')
    call system_clock(now)
    call check(timer_count('around') == 1_int64, 'what runs at a reset goes on')
    call check(timer_total('around')*real(rate, real64) <= real(now - from + 1_int64, real64), 'from the reset on')
  end subroutine

  subroutine test_files()
    interface
      function getpid() bind(c)
        import :: c_int
        integer(c_int) :: getpid
      end function
    end interface
    integer :: unit
    character(200) :: line
    character(40) :: file ! one for each process: variants of this test run at once
    write (file, '(a, i0, a)') 'timers_fortran.', getpid(), '.txt'
    call timer_start('written')
    call timer_stop('written')
    call timer_print(file)
    open (newunit=unit, file=file, status='old', action='read')
    read (unit, '(a)') line
    call check(line == '******* Timers *******', 'the first line of a report')
    do
      read (unit, '(a)', iostat=stat) line
      if (stat /= 0 .or. line(1:9) == 'written  ') exit
    end do
    call check(stat == 0 .and. line(51:52) == '1 ' .and. line(64:64) == '.' .and. line(71:72) == 'e-', &
      'a row of a report: '//trim(line))
    close (unit, status='delete')
  end subroutine
end program
