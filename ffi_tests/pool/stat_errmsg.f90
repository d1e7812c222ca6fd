! stat and errmsg as in ALLOCATE, and a failed call changes nothing.
program stat_errmsg
  use, intrinsic :: iso_fortran_env, only: int32, int64, real64
  use gator_mod
  use check_mod, only: check, check_nothing_live, finish_checks
  implicit none
  real(real64), pointer :: a(:), b(:, :), inside(:)
  real(real64), target :: foreign(10)
  character(len=200) :: message
  type(gator_stats_t) :: stats
  integer :: stat
  nullify(a, b)

  message = 'untouched'
  call gator_allocate(a, [10], stat=stat, errmsg=message)
  call check(stat == gator_err_state, 'allocate before gator_init: stat')
  call check(message /= 'untouched' .and. len_trim(message) > 0, 'allocate before gator_init: errmsg')
  call check(.not. associated(a), 'allocate before gator_init: pointer')
  call gator_get_stats(stats, stat=stat)
  call check(stat == gator_err_state, 'statistics before gator_init')

  call gator_init(stat=stat)
  call check(stat == 0, 'gator_init')
  message = 'untouched'
  call gator_allocate(a, [10], stat=stat, errmsg=message)
  call check(stat == 0 .and. message == 'untouched', 'success leaves errmsg alone')
  a = 3.0_real64

  foreign = 1.0_real64
  inside => foreign
  call gator_deallocate(inside, stat=stat, errmsg=message)
  call check(stat == gator_err_pointer, 'a foreign pointer')
  call check(associated(inside, foreign), 'a foreign pointer stays')
  inside => a(2:)
  message = 'untouched'
  call gator_deallocate(inside, stat, message)
  call check(stat == gator_err_pointer .and. message /= 'untouched', 'an interior pointer')
  call check(associated(inside), 'an interior pointer stays')
  nullify(inside)
  call gator_deallocate(inside, stat)
  call check(stat == gator_err_pointer, 'a null pointer')
  inside => a
  call gator_deallocate(a, stat)
  call check(stat == 0 .and. .not. associated(a), 'deallocate')
  call gator_deallocate(inside, stat)
  call check(stat == gator_err_pointer, 'a second time')

  call gator_allocate(b, [2, 3])
  b = 7.0_real64
  call gator_allocate(b, [4, -1], stat=stat, errmsg=message)
  call check(stat == gator_err_arg, 'a negative extent')
  call check(associated(b), 'a failed allocate leaves an associated pointer alone')
  call check(all(shape(b) == [2, 3]) .and. all(abs(b - 7.0_real64) <= 0.0_real64), 'its array is the old one')
  call gator_allocate(a, [2_int64**61], stat=stat)
  call check(stat == gator_err_overflow .and. .not. associated(a), 'more bytes than 63 bits count')
  call gator_allocate(a, [2_int64**57], stat=stat, errmsg=message)
  call check(stat == gator_err_nomem .or. stat == gator_err_overflow, 'more bytes than any machine')
  call check(.not. associated(a), 'out of memory leaves a null pointer')
  call check(len(gator_last_error()) > 0, 'gator_last_error')
  call gator_allocate(a, lbounds=[1_int32], stat=stat, errmsg=message)
  call check(stat == gator_err_arg .and. index(message, 'dims') > 0, 'no shape at all')
  call gator_allocate(a, [1], [1], lbounds=[1], stat=stat, errmsg=message)
  call check(stat == gator_err_arg .and. index(message, 'lbounds') > 0, 'lower bounds twice')
  message = 'untouched'
  call gator_allocate(a, [1], stat=stat, errmsg=message(1:3))
  call check(stat == 0, 'errmsg may be short')
  call gator_deallocate(a)
  call gator_deallocate(b)
  call check_nothing_live()
  call gator_finalize(stat=stat)
  call check(stat == 0, 'gator_finalize')
  call gator_deallocate(inside, stat)
  call check(stat == gator_err_state, 'deallocate after gator_finalize')
  call finish_checks()
end program
