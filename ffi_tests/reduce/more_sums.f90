! more_sums.f90 - reductions from Fortran whose result is more than a number of the kernel's kind: values with their places, users'
! operations, sums in a wider kind, exact sums in a real, live-outs; over the library and over portable_stub.F90.
! Not in this file: sums, least values, exact sums alone (sums.f90).
module more_kernels
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  use portable_mod, only: tile, kernel_fail, exact_sum, exact_add
  implicit none
  integer, parameter :: nx = 93, ny = 41, nz = 7
  real(real64) :: x(nx, ny, -2:nz-3)
  integer(int32) :: k32(nx, ny)
  real(real32) :: y(nx, ny)

  ! Count, mean and sum of squared differences from it, as Welford and Chan combine them; and a number that is no real.
  type :: moments
    integer(int64) :: n = 0
    real(real64) :: mean = 0, m2 = 0
    character(len=3) :: first = '   '
  end type
contains

  recursive subroutine coldest(t, r, place)
    type(tile), intent(in) :: t
    real(real64), intent(inout) :: r
    integer(int32), intent(inout) :: place(*)
    integer :: i, j, k
    do k = t%lower(3), t%upper(3)
      do j = t%lower(2), t%upper(2)
        do i = t%lower(1), t%upper(1)
          if (x(i, j, k) < r) then
            r = x(i, j, k)
            place(1:3) = [i, j, k]
          end if
        end do
      end do
    end do
  end subroutine

  recursive subroutine hottest(t, r, place)
    type(tile), intent(in) :: t
    real(real64), intent(inout) :: r
    integer(int64), intent(inout) :: place(*)
    integer :: i, j, k
    do k = t%lower(3), t%upper(3)
      do j = t%lower(2), t%upper(2)
        do i = t%lower(1), t%upper(1)
          if (x(i, j, k) > r) then
            r = x(i, j, k)
            place(1:3) = [i, j, k]
          end if
        end do
      end do
    end do
  end subroutine

  recursive subroutine largest32(t, r, place)
    type(tile), intent(in) :: t
    integer(int32), intent(inout) :: r
    integer(int32), intent(inout) :: place(*)
    integer :: i, j
    do j = t%lower(2), t%upper(2)
      do i = t%lower(1), t%upper(1)
        if (k32(i, j) <= r) cycle
        r = k32(i, j)
        place(1) = i
        place(2) = j
      end do
    end do
  end subroutine

  recursive subroutine least64(t, r, place)
    type(tile), intent(in) :: t
    integer(int64), intent(inout) :: r
    integer(int64), intent(inout) :: place(*)
    integer(int64) :: i, value
    do i = t%lower64(1), t%upper64(1)
      value = mod(i*7919_int64, 10007_int64)
      if (value >= r) cycle
      r = value
      place(1) = i
    end do
  end subroutine

  recursive subroutine least32(t, r, place)
    type(tile), intent(in) :: t
    real(real32), intent(inout) :: r
    integer(int64), intent(inout) :: place(*)
    integer :: i, j
    do j = t%lower(2), t%upper(2)
      do i = t%lower(1), t%upper(1)
        if (y(i, j) < r) then
          r = y(i, j)
          place(1:2) = [i, j]
        end if
      end do
    end do
  end subroutine

  recursive subroutine fails(t, r, place)
    type(tile), intent(in) :: t
    real(real64), intent(inout) :: r
    integer(int32), intent(inout) :: place(*)
    r = -1
    place(1:3) = 0
    if (t%upper(3) >= nz - 3) call kernel_fail(t, 7, 'on purpose')
  end subroutine

  ! ---- operations of the user's ----

  recursive subroutine common(t, r)
    type(tile), intent(in) :: t
    integer(int64), intent(inout) :: r
    integer(int64) :: i
    do i = t%lower(1), t%upper(1)
      call divisor(r, 12_int64*i)
    end do
  end subroutine

  recursive subroutine divisor(into, from)
    integer(int64), intent(inout) :: into
    integer(int64), intent(in) :: from
    integer(int64) :: a, b, c
    a = into
    b = from
    do while (b /= 0)
      c = mod(a, b)
      a = b
      b = c
    end do
    into = abs(a)
  end subroutine

  ! Products of matrices do not commute: the order of the iterations is the order of the factors.
  recursive subroutine turn(t, r)
    type(tile), intent(in) :: t
    real(real64), intent(inout) :: r(*)
    integer :: i
    do i = t%lower(1), t%upper(1)
      call times(r, factor(i))
    end do
  end subroutine

  pure recursive function factor(i) result(f)
    integer, intent(in) :: i
    real(real64) :: f(4)
    f = [1d0, 0.25d0/i, -0.5d0/(i + 1), 1d0 + 0.125d0/i]
  end function

  recursive subroutine times(into, from)
    real(real64), intent(inout) :: into(*)
    real(real64), intent(in) :: from(*)
    real(real64) :: c(4)
    c = [into(1)*from(1) + into(3)*from(2), into(2)*from(1) + into(4)*from(2), &
         into(1)*from(3) + into(3)*from(4), into(2)*from(3) + into(4)*from(4)]
    into(1:4) = c
  end subroutine

  recursive subroutine gather(t, r)
    type(tile), intent(in) :: t
    type(moments), intent(inout) :: r
    integer :: i, j
    do j = t%lower(2), t%upper(2)
      do i = t%lower(1), t%upper(1)
        call join(r, moments(1_int64, real(y(i, j), real64), 0d0, char(48 + mod(i, 10))//char(48 + mod(j, 10))//'x'))
      end do
    end do
  end subroutine

  recursive subroutine join(into, from)
    type(moments), intent(inout) :: into
    type(moments), intent(in) :: from
    real(real64) :: delta
    integer(int64) :: n
    n = into%n + from%n
    if (from%n == 0) return
    if (into%n == 0) into%first = from%first
    delta = from%mean - into%mean
    into%m2 = into%m2 + from%m2 + delta**2*real(into%n, real64)*real(from%n, real64)/real(n, real64)
    into%mean = into%mean + delta*real(from%n, real64)/real(n, real64)
    into%n = n
  end subroutine

  ! ---- sums in other kinds than the result's ----

  recursive subroutine add_double(t, r)
    type(tile), intent(in) :: t
    real(real64), intent(inout) :: r
    integer :: i, j
    do j = t%lower(2), t%upper(2)
      do i = t%lower(1), t%upper(1)
        r = r + real(y(i, j), real64)
      end do
    end do
  end subroutine

  recursive subroutine two_doubles(t, r)
    type(tile), intent(in) :: t
    real(real64), intent(inout) :: r(*)
    integer :: i
    call add_double(t, r(1))
    do i = 1, (t%upper(1) - t%lower(1) + 1)*(t%upper(2) - t%lower(2) + 1)
      r(2) = r(2)*(1 + 2d-8)
    end do
  end subroutine

  recursive subroutine add_exactly(t, r)
    type(tile), intent(in) :: t
    type(exact_sum), intent(inout) :: r
    integer :: j
    do j = t%lower(2), t%upper(2)
      call exact_add(r, y(t%lower(1):t%upper(1), j))
    end do
  end subroutine

  recursive subroutine all_below(t, r)
    type(tile), intent(in) :: t
    logical, intent(inout) :: r
    r = r .and. all(y(t%lower(1):t%upper(1), t%lower(2):t%upper(2)) < 1)
  end subroutine

  recursive subroutine count_up(t, r)
    type(tile), intent(in) :: t
    integer(int32), intent(inout) :: r
    r = r + (t%upper(1) - t%lower(1) + 1)
  end subroutine

end module

program more_sums
  use, intrinsic :: iso_c_binding, only: c_loc, c_null_ptr, c_size_t
  use check_mod, only: check, check_bits, finish_checks
  use more_kernels
  use portable_mod, only: portable_init, portable_finalize, parallel_reduce, bounds, portable_dynamic, exact_value, exact_value32, &
    scalar_live_out, live_out_create, live_out_destroy, host_read
  use gator_mod, only: gator_err_arg, gator_err_kernel, gator_err_handle, gator_err_overflow
  implicit none
  ! flang 16 has no ieee_value.
  real(real64), parameter :: nan = transfer(9221120237041090560_int64, 1d0), infinity = transfer(9218868437227405312_int64, 1d0)
  real(real64) :: r, again, d(4), e(4), unit(4)
  real(real32) :: s, sums(2)
  integer(int32) :: at(3), at2(2), at1(1), n
  integer(int64) :: wide(3), wide2(2), wide1(1), g, least
  integer :: i, j, stat, extreme(3)
  integer(c_size_t) :: bytes
  logical :: yes
  character(len=200) :: message
  type(exact_sum) :: exact
  type(moments), target :: m, zero, plain
  type(scalar_live_out) :: live, none
  call portable_init()
  x = reshape([(real(mod(i*7919_int64, 100003_int64), real64), i=1, size(x))], shape(x))
  y = reshape([(real(mod(i*104729_int64, 65537_int64), real32)/65537, i=1, size(y))], shape(y))
  k32 = reshape([(int(mod(i*31_int64, 97_int64)), i=1, size(k32))], shape(k32))

  ! ---- places: of equal values the first one in the order of array elements, whatever the tiles ----
  x(40, 20, 1) = -5
  x(2, 30, 1) = -5
  x(90, 1, 2) = -5
  call parallel_reduce('coldest', bounds([1, 1, -2], [nx, ny, nz-3]), coldest, r, at, 'minloc')
  call check_bits(-5d0, r, 'minloc: the value')
  call check(all(at == [40, 20, 1]), 'minloc: the place')
  call parallel_reduce('coldest', bounds([1, 1, -2], [nx, ny, nz-3]), coldest, r, at, 'minloc', tile=[10, 41, 7], &
                       schedule=portable_dynamic)
  call check(all(at == [40, 20, 1]), 'minloc: columns as tiles')
  call parallel_reduce('hottest', bounds([1, 1, -2], [nx, ny, nz-3]), hottest, r, wide, op='maxloc')
  extreme = maxloc(x)
  call check_bits(maxval(x), r, 'maxloc: the value')
  call check(all(int(wide) == extreme + [0, 0, -3]), 'maxloc: the place')
  call parallel_reduce('largest', bounds([1, 1], [nx, ny]), largest32, n, at2, 'maxloc')
  call check(n == maxval(k32) .and. all(at2 == maxloc(k32)), 'maxloc of integers')
  call parallel_reduce('least', bounds(1_int64, 20000_int64), least64, least, wide1, 'minloc', wide=.true.)
  call check(least == 0_int64 .and. wide1(1) == 10007_int64, 'minloc of integers(int64)')
  call parallel_reduce('least', bounds([1, 1], [nx, ny]), least32, s, wide2, 'minloc')
  call check(all(int(wide2) == minloc(y)) .and. abs(s - minval(y)) <= 0, 'minloc of real32')

  ! The old value takes part, and comes first.
  r = -5
  at = [1000, 1000, 1000]
  call parallel_reduce('coldest', bounds([1, 1, -2], [nx, ny, nz-3]), coldest, r, at, 'minloc', into=.true.)
  call check(all(at == 1000), 'minloc into: an equal value was there')
  r = 5
  call parallel_reduce('coldest', bounds([1, 1, -2], [nx, ny, nz-3]), coldest, r, at, 'minloc', into=.true.)
  call check(all(at == [40, 20, 1]), 'minloc into: a better one was found')
  r = nan
  at = 77
  call parallel_reduce('coldest', bounds([1, 1, -2], [nx, ny, nz-3]), coldest, r, at, 'minloc', into=.true.)
  call check(all(at == [40, 20, 1]), 'minloc into: NaN was there')
  r = 3
  at = 77
  call parallel_reduce('coldest', bounds([1, 1, -2], [nx, 0, nz-3]), coldest, r, at, 'minloc', into=.true.)
  call check_bits(3d0, r, 'minloc of nothing into: the value')
  call check(all(at == 77), 'minloc of nothing into: the place')

  ! Nothing, and nothing but NaN: one below the bounds.
  call parallel_reduce('coldest', bounds([1, 1, -2], [nx, 0, nz-3]), coldest, r, at, 'minloc')
  call check_bits(huge(r), r, 'minloc of nothing: the value')
  call check(all(at == [0, 0, -3]), 'minloc of nothing: the place')
  x = nan
  call parallel_reduce('hottest', bounds([1, 1, -2], [nx, ny, nz-3]), hottest, r, wide, 'maxloc')
  call check_bits(-infinity, r, 'maxloc of NaN: the value')
  call check(all(wide == [0_int64, 0_int64, -3_int64]), 'maxloc of NaN: the place')
  x(5, 6, 0) = 1
  call parallel_reduce('coldest', bounds([1, 1, -2], [nx, ny, nz-3]), coldest, r, at, 'minloc')
  call check(all(at == [5, 6, 0]), 'minloc: NaN is left out')

  ! Errors.
  r = 8
  at = 9
  call parallel_reduce('bad', bounds([1, 1, -2], [nx, ny, nz-3]), coldest, r, at, 'min', stat=stat, errmsg=message)
  call check(stat == gator_err_arg .and. index(message, '''bad'': op is ''min''; with a place it is ''minloc''') > 0, &
             'place: op: '//message)
  call parallel_reduce('bad', bounds([1, 1, -2], [nx, ny, nz-3]), coldest, r, at(1:2), 'minloc', stat=stat, errmsg=message)
  call check(stat == gator_err_arg .and. index(message, '''bad'': place has 2 elements, the bounds have 3 dimensions') > 0, &
             'place: rank: '//message)
  call parallel_reduce('bad', bounds([1, 1, -2], [nx, ny, nz-3]), fails, r, at, 'minloc', stat=stat, errmsg=message)
  call check(stat == gator_err_kernel .and. index(message, 'on purpose') > 0, 'place: kernel: '//message)
  call check(all(at == 9) .and. abs(r - 8) <= 0, 'place: errors change nothing')
  call parallel_reduce('bad', bounds([1_int64, 1_int64], [3000000000_int64, 1_int64]), largest32, n, at2, 'minloc', wide=.true., &
                       stat=stat, errmsg=message)
  call check(stat == gator_err_overflow .and. index(message, '''bad'': the indices of dimension 1 (1:3000000000, and') > 0, &
             'place: too narrow: '//message)
  call parallel_reduce('bad', bounds([1, 1], [2]), largest32, n, at1, 'minloc', stat=stat, errmsg=message)
  call check(stat == gator_err_arg .and. index(message, &
    'parallel_reduce ''bad'': these bounds are invalid; bounds(lower, upper, stride) takes arrays') > 0, 'bounds: '//message)

  ! ---- operations of the user's ----
  call parallel_reduce('divisor', bounds(2, 1999), common, g, divisor, 0_int64)
  call check(g == 12_int64, 'the common divisor')
  g = 18
  call parallel_reduce('divisor', bounds(2, 1999), common, g, combine=divisor, identity=0_int64, into=.true.)
  call check(g == 6_int64, 'the common divisor into')
  call parallel_reduce('divisor', bounds(2, 1), common, g, divisor, 5_int64)
  call check(g == 5_int64, 'the identity of nothing')
  unit = [1, 0, 0, 1]
  e = unit
  do i = 1, 3000
    call times(e, factor(i))
  end do
  call parallel_reduce('turn', bounds(3000), turn, d, times, unit)
  call check(all(abs(d - e) < 1d-9*abs(e)), 'a product of matrices')
  e = d
  call parallel_reduce('turn', bounds(3000), turn, d, times, unit, schedule=portable_dynamic)
  do i = 1, 4
    call check_bits(d(i), e(i), 'a product of matrices: the bits')
  end do
  call parallel_reduce('turn', bounds(3000), turn, d, times, unit(1:3), stat=stat, errmsg=message)
  call check(stat == gator_err_arg .and. index(message, '''turn'': result has 4 elements, identity 3') > 0, 'identity: '//message)
  call parallel_reduce('turn', bounds(3000), turn, d(1:0), times, unit(1:0), stat=stat, errmsg=message)
  call check(stat == gator_err_arg .and. index(message, '1 to 65536') > 0, 'a value of nothing: '//message)

  bytes = int(storage_size(m)/8, c_size_t)
  call parallel_reduce('moments', bounds([1, 1], [nx, ny]), gather, c_loc(m), join, bytes, c_loc(zero))
  do j = 1, ny
    do i = 1, nx
      call join(plain, moments(1_int64, real(y(i, j), real64), 0d0, '11x'))
    end do
  end do
  call check(m%n == nx*ny .and. abs(m%mean - plain%mean) < 1d-12 .and. abs(m%m2 - plain%m2) < 1d-9*plain%m2 .and. &
             m%first == '11x', 'a derived type')
  call parallel_reduce('moments', bounds([1, 1], [nx, ny]), gather, c_loc(m), join, bytes, c_loc(zero), into=.true.)
  call check(m%n == 2*nx*ny .and. abs(m%mean - plain%mean) < 1d-12, 'a derived type into')
  call parallel_reduce('moments', bounds([1, 1], [0, ny]), gather, c_loc(m), join, bytes)
  call check(m%n == 0_int64, 'a derived type of nothing')
  call parallel_reduce('bad', bounds([1, 1], [nx, ny]), gather, c_null_ptr, join, bytes, stat=stat, errmsg=message)
  call check(stat == gator_err_arg .and. index(message, '''bad'': result is the address of nothing') > 0, 'an address: '//message)
  call parallel_reduce('bad', bounds([1, 1], [nx, ny]), gather, c_loc(m), join, 0_c_size_t, stat=stat, errmsg=message)
  call check(stat == gator_err_arg .and. index(message, '1 to 65536') > 0, 'bytes: '//message)

  ! ---- wider, and exact, than the result ----
  call parallel_reduce('exact', bounds([1, 1], [nx, ny]), add_exactly, exact)
  call parallel_reduce('double', bounds([1, 1], [nx, ny]), add_double, again)
  call parallel_reduce('in double', bounds([1, 1], [nx, ny]), add_double, s, in_double=.true.)
  call check(abs(s - real(again, real32)) <= 0, 'in_double')
  call parallel_reduce('in double', bounds([1, 1], [nx, ny]), two_doubles, sums, ['sum    ', 'product'], in_double=.true., &
                       stat=stat, errmsg=message)
  call check(stat == 0, 'in_double of a list: '//message)
  ! In real32 each factor would be 1.
  call check(abs(sums(1) - s) <= 0 .and. abs(sums(2) - (1 + 2d-8)**(nx*ny)) < 1e-6, 'in_double of a list')
  call parallel_reduce('bad', bounds([1, 1], [nx, ny]), add_double, s, 'max', in_double=.true., stat=stat, errmsg=message)
  call check(stat == gator_err_arg .and. index(message, '''bad'': result 1: in_double is for sums and products; a max') > 0, &
             'in_double of max: '//message)
  call parallel_reduce('in double', bounds([1, 1], [nx, ny]), add_double, s, in_double=.true., into=.true.)
  call check(abs(s - real(real(sums(1), real64) + again, real32)) <= 0, 'in_double into')
  call parallel_reduce('exactly', bounds([1, 1], [nx, ny]), add_exactly, r, exact=.true.)
  call check_bits(exact_value(exact), r, 'exact=.true.')
  call parallel_reduce('exactly', bounds([1, 1], [nx, ny]), add_exactly, s, exact=.true.)
  call check(abs(exact_value32(exact) - s) <= 0, 'exact=.true. of real32')
  r = 1
  call parallel_reduce('exactly', bounds([1, 1], [nx, ny]), add_exactly, r, exact=.true., into=.true.)
  call exact_add(exact, 1d0)
  call check_bits(exact_value(exact), r, 'exact=.true. into')
  call parallel_reduce('bad', bounds([1, 1], [nx, ny]), add_exactly, r, exact=.false., stat=stat, errmsg=message)
  call check(stat == gator_err_arg .and. index(message, '''bad'': exact is .false.; leave it out') > 0, 'exact=.false.: '//message)
  call parallel_reduce('bad', bounds([1, 1], [nx, ny]), add_double, s, in_double=.false., stat=stat, errmsg=message)
  call check(stat == gator_err_arg .and. index(message, '''bad'': in_double is .false.') > 0, 'in_double=.false.: '//message)

  ! ---- into live-outs ----
  call live_out_create(live, 10d0, label='total')
  call parallel_reduce('live', bounds([1, 1], [nx, ny]), add_double, live, 0d0)
  call host_read(live, r)
  call check_bits(again, r, 'a sum in a live-out')
  call parallel_reduce('live', bounds([1, 1], [nx, ny]), add_exactly, live, 0d0, exact=.true., into=.true.)
  call host_read(live, r)
  call check(abs(r - 2*again) < 1d-9, 'an exact sum in a live-out')
  call parallel_reduce('bad', bounds(nx), count_up, live, 0, stat=stat, errmsg=message)
  call check(stat == gator_err_arg .and. index(message, 'the live-out is of the kind real64, not int32') > 0, 'mold: '//message)
  call parallel_reduce('bad', bounds(nx), count_up, none, 0, stat=stat, errmsg=message)
  call check(stat == gator_err_handle .and. index(message, 'the live-out was not created, or it was destroyed; '// &
    'portable_liveout_create makes it') > 0, 'no live-out: '//message)
  call host_read(none, n, stat=stat, errmsg=message)
  call check(stat == gator_err_handle .and. index(message, 'the live-out was not created') > 0, 'host_read of none: '//message)
  call live_out_destroy(live)
  call parallel_reduce('bad', bounds(nx), count_up, live, 0, stat=stat, errmsg=message)
  call check(stat == gator_err_handle, 'a destroyed live-out: '//message)
  call live_out_create(live, 0.0)
  call parallel_reduce('live', bounds([1, 1], [nx, ny]), add_double, live, 0.0, in_double=.true.)
  call host_read(live, s)
  call check(abs(s - sums(1)) <= 0, 'in_double into a live-out')
  call live_out_destroy(live)
  call live_out_create(live, 5)
  call parallel_reduce('live', bounds(7), count_up, live, 0, op='sum', into=.true.)
  call host_read(live, n)
  call check(n == 12, 'an integer in a live-out')
  call live_out_destroy(live)
  call live_out_create(live, .false.)
  call parallel_reduce('live', bounds([1, 1], [nx, ny]), all_below, live, .true., 'all')
  call host_read(live, yes)
  call check(yes, 'a logical in a live-out')
  call live_out_destroy(live)

  call portable_finalize()
  call finish_checks()
end program
