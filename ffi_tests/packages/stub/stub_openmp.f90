! Four OpenMP threads allocate and deallocate on the stub at once, and time it; each finds its own values, and nothing is left. They count
! together, atomically.
program stub_openmp
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use gator_mod
  use portable_mod, only: timer_enable, timer_start, timer_stop, timer_count, add_atomically, max_atomically
  use omp_lib, only: omp_get_thread_num
  implicit none
  type(gator_stats_t) :: stats
  integer :: thread, wrong, stat, largest
  real(real64) :: counted
  wrong = 0
  counted = 0
  largest = 0
  call gator_init()
  call timer_enable(.true.)
  !$omp parallel do num_threads(4) reduction(+:wrong)
  do thread = 1, 4
    call work(thread, wrong)
  end do
  !$omp end parallel do
  !$omp parallel num_threads(4)
  call count(omp_get_thread_num())
  !$omp end parallel
  call gator_get_stats(stats)
  call gator_check(stat)
  if (nint(counted) /= 4000000 .or. largest /= 3) error stop 'atomics'
  if (stat /= 0 .or. wrong /= 0 .or. stats%in_use_blocks /= 0_int64 .or. stats%allocations /= 80000_int64) then
    print '(4(1x,i0))', stat, wrong, stats%in_use_blocks, stats%allocations
    error stop 1
  end if
  call gator_finalize()
contains
  ! Nothing but updates, so that most of the time is spent where one can be lost.
  recursive subroutine count(thread)
    integer, intent(in) :: thread
    integer :: i
    !$omp barrier
    do i = 1, 1000000
      call add_atomically(counted, 1.0_real64)
    end do
    call max_atomically(largest, thread)
  end subroutine

  recursive subroutine work(thread, wrong)
    integer, intent(in) :: thread
    integer, intent(inout) :: wrong
    real(real64), pointer :: a(:), b(:)
    integer :: i, stat
    nullify(a, b)
    do i = 1, 10000
      call timer_start('pair')
      call gator_allocate(a, [1 + modulo(i, 50)], label='a')
      call gator_allocate(b, [10])
      a = real(thread, real64)
      b = real(-thread, real64)
      if (any(nint(a) /= thread)) wrong = wrong + 1
      call gator_deallocate(b, stat)
      if (stat /= 0) wrong = wrong + 1
      call gator_deallocate(a)
      call timer_stop('pair')
    end do
    ! A thread of the team may have had two turns.
    if (timer_count('pair') < 10000_int64 .or. modulo(timer_count('pair'), 10000_int64) /= 0_int64) wrong = wrong + 1
  end subroutine
end program
