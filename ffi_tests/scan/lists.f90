! Scans with rounding in the defined order, in place and of sections; lists of indices from masks and from kernels; errors. The same
! program runs over the stub. Not in this program: every kind and rank (every_kind).
module lists_kernels
  use, intrinsic :: iso_fortran_env, only: int32, int64, real64
  use portable_mod, only: tile, kernel_fail, active_indices
  implicit none
  integer, parameter :: n = 30000
  real(real64), target :: water(n)
contains
  recursive subroutine cloudy(t, chosen)
    type(tile), intent(in) :: t
    logical, intent(inout) :: chosen(t%lower(1):t%upper(1))
    integer :: i
    do i = t%lower(1), t%upper(1)
      chosen(i) = water(i) > 0.5_real64
    end do
  end subroutine

  recursive subroutine fails(t, chosen)
    type(tile), intent(in) :: t
    logical, intent(inout) :: chosen(t%lower(1):t%upper(1))
    chosen(t%lower(1)) = .true.
    if (t%upper(1) >= n/2) call kernel_fail(t, 9, 'no cloud')
  end subroutine

  recursive subroutine nests(t, chosen)
    type(tile), intent(in) :: t
    logical, intent(inout) :: chosen(t%lower(1):t%upper(1))
    integer(int32) :: list(10)
    integer :: i, found
    do i = t%lower(1), t%upper(1)
      call active_indices(water(i:i+9) > 0.5_real64, list, found)
      chosen(i) = found > 5
    end do
  end subroutine
end module

program lists
  use, intrinsic :: iso_c_binding, only: c_bool
  use, intrinsic :: iso_fortran_env, only: int32, int64, real64
  use check_mod, only: check, finish_checks
  use gator_mod, only: gator_err_arg, gator_err_overflow, gator_err_kernel, gator_err_state
  use portable_mod, only: portable_init, portable_finalize, bounds, prefix_sum, prefix_max, pack_into, unpack_into, &
    active_indices, parallel_filter
  use lists_kernels
  implicit none
  integer :: i, found, status
  integer(int32) :: list(n), small(5)
  integer(int64) :: long(2*n)
  integer, allocatable :: want(:)
  real(real64), target :: a(n), b(n), model(n)
  real(real64) :: layer(7, 40, 30), height(7, 40, 30)
  logical :: mask(n)
  character(200) :: text
  call prefix_sum(a(1:2), b(1:2), stat=status, errmsg=text)
  call check(status == gator_err_state, 'before portable_init')
  call portable_init()
  call numbers(water, n)
  call numbers(a, n)
  a = a - 0.3_real64

  call sums(a, .false., model)
  call prefix_sum(a, b)
  call check(all(b == model), 'sum')
  b = a
  call prefix_sum(b, b)
  call check(all(b == model), 'in place')
  call sums(a(n:1:-1), .true., model)
  call prefix_sum(a(n:1:-1), b(n:1:-1), exclusive=.true., label='backwards')
  call check(all(b(n:1:-1) == model), 'backwards')
  call numbers(layer, size(layer))
  call prefix_sum(layer, height, dim=1)
  do i = 1, 30
    call sums(layer(:, 3, i), .false., model(1:7))
    call check(all(height(:, 3, i) == model(1:7)), 'column')
  end do
  call prefix_max(a(1:0), b(1:0))

  mask = water > 0.5_real64
  want = pack([(i, i=1, n)], mask)
  call active_indices(mask, list, found)
  call check(found == size(want), 'count')
  call check(all(list(1:found) == want), 'list')
  call active_indices(logical(mask, c_bool), long(2*n:2:-2), found, lower=0)
  call check(all(long(2*n:2*n - 2*found + 2:-2) == want - 1), 'list of long integers, backwards')
  list = -1
  call parallel_filter('cloudy', bounds(n), cloudy, list, found)
  call check(found == size(want), 'count of a kernel')
  call check(all(list(1:found) == want) .and. all(list(found + 1:) == -1), 'list of a kernel')
  call parallel_filter('cloudy', bounds(101, 20000), cloudy, long(1:2*n:2), found, tile=[77])
  want = pack(want, want > 100 .and. want <= 20000)
  call check(found == size(want), 'count of a part')
  call check(all(long(1:2*found:2) == want), 'list of a part')
  call parallel_filter('nests', bounds(1000), nests, list, found)
  want = pack([(i, i=1, 1000)], [(count(mask(i:i + 9)) > 5, i=1, 1000)])
  call check(found == size(want), 'count of a nest')
  call check(all(list(1:found) == want), 'list of a nest')
  call parallel_filter('none', bounds(0), cloudy, list, found)
  call check(found == 0, 'none')

  b = -1
  call pack_into(a, mask, b, found, vector=water)
  call check(all(b == pack(a, mask, water)), 'pack with vector')
  model = water
  call unpack_into(b(1:found), mask, model, found)
  call check(all(model == unpack(b(1:found), mask, water)) .and. found == count(mask), 'unpack')

  call active_indices(mask, small, found, stat=status, errmsg=text)
  call check(status == gator_err_overflow .and. found == count(mask), 'too little room')
  call check(index(text, 'indices has 5; the first ones are done') > 0, trim(text))
  call parallel_filter('room', bounds(n), cloudy, small, found, stat=status, errmsg=text)
  call check(status == gator_err_overflow .and. found == count(mask), 'too little room for a kernel')
  call check(index(text, 'there is room for 5') > 0, trim(text))
  call pack_into(a, mask, b(1:7), found, label='little', stat=status, errmsg=text)
  call check(status == gator_err_overflow .and. found == count(mask) .and. index(text, 'pack ''little''') > 0, 'little')
  call unpack_into(b(1:7), mask, model, found, stat=status, errmsg=text)
  call check(status == gator_err_overflow .and. found == count(mask), 'short vector')
  call parallel_filter('fails', bounds(n), fails, list, found, stat=status, errmsg=text)
  call check(status == gator_err_kernel .and. found == 0, 'a kernel that fails')
  call check(index(text, 'parallel_filter ''fails'': the kernel failed with code 9: no cloud') > 0, trim(text))
  call parallel_filter('square', bounds([1, 1], [3, 3]), cloudy, list, found, stat=status, errmsg=text) ! yaklcheck: ok
  call check(status == gator_err_arg .and. index(text, 'the rank 2') > 0, trim(text))
  call parallel_filter('stride', bounds([1], [9], [2]), cloudy, list, found, stat=status, errmsg=text)
  call check(status == gator_err_arg .and. index(text, 'a stride is not 1') > 0, trim(text))
  call prefix_sum(a(1:5), b(1:6), stat=status, errmsg=text)
  call check(status == gator_err_arg .and. index(text, 'extent 1 of out is 6; the array has 5') > 0, trim(text))
  call prefix_sum(layer, height, dim=4, stat=status, errmsg=text)
  call check(status == gator_err_arg .and. index(text, 'dim is') > 0, trim(text))
  call prefix_sum(layer, height, dim=0, stat=status, errmsg=text)
  call check(status == gator_err_arg .and. index(text, 'dim is not 1 to 3') > 0, trim(text))
  call pack_into(a(1:5), mask(1:4), b, found, stat=status, errmsg=text)
  call check(status == gator_err_arg .and. index(text, 'of mask is 4') > 0, trim(text))
  call pack_into(a(1:5), mask(1:5), b(1:4), found, vector=water, stat=status, errmsg=text)
  call check(status == gator_err_arg .and. index(text, 'vector has 30000 elements, the result 4') > 0, trim(text))
  call active_indices(mask, list, found, lower=huge(1), stat=status, errmsg=text)
  call check(status == gator_err_overflow .and. index(text, 'do not fit int32') > 0, trim(text))
  call portable_finalize()
  call finish_checks()
contains
  ! The same numbers everywhere.
  subroutine numbers(x, many)
    integer, intent(in) :: many
    real(real64), intent(out) :: x(*)
    integer(int64), save :: state = 42_int64
    integer :: k
    do k = 1, many
      state = mod(state*48271_int64, 2147483647_int64)
      x(k) = real(state, real64)/2147483647.0_real64
    end do
  end subroutine

  ! The sums that docs/fortran/scan.md tells of.
  subroutine sums(x, exclusive, to)
    real(real64), intent(in) :: x(:)
    logical, intent(in) :: exclusive
    real(real64), intent(out) :: to(:)
    real(real64) :: before, leaf, run, now
    integer :: k
    before = 0
    leaf = 0
    run = 0
    now = 0
    do k = 1, size(x)
      if (mod(k - 1, 2048) == 0) leaf = 0
      if (mod(k - 1, 8) == 0) run = 0
      if (exclusive) to(k) = now
      run = run + x(k)
      now = leaf + run
      now = before + now
      if (.not. exclusive) to(k) = now
      if (mod(k, 8) == 0) leaf = leaf + run
      if (mod(k, 2048) == 0) before = now
    end do
  end subroutine
end program
