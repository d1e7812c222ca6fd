! sort, sort_by_key and sort_index as Fortran sees them: every kind of keys, values and indices, sections, both directions, NaN, errors;
! each against a slow stable sort. Not in this file: many kinds of input (sorts.c).
program sorts_fortran
  use, intrinsic :: iso_c_binding, only: c_bool
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  use check_mod, only: check, finish_checks
  use gator_mod, only: gator_err_arg, gator_err_state
  use portable_mod, only: portable_init, portable_finalize, sort, sort_by_key, sort_index
  implicit none
  integer, parameter :: few = 300, many = 12000
  integer :: stat
  character(200) :: errmsg
  real(real64) :: early(2) = [2d0, 1d0]

  call sort(early, stat=stat, errmsg=errmsg)
  call check(stat == gator_err_state .and. early(1) > early(2), 'before portable_init')
  call portable_init()
  call keys_alone(few)
  call keys_alone(many)
  call with_values(few)
  call with_values(many)
  call to_indices(few)
  call to_indices(many)
  call sections()
  call special_reals()
  call errors()
  call portable_finalize()
  call finish_checks()

contains

  ! Whole numbers from -40 to 40, the same on every machine, so that each kind holds them and many are equal.
  function numbers(n) result(x)
    integer, intent(in) :: n
    integer :: x(n), i
    integer(int64) :: state
    state = 12345_int64
    do i = 1, n
      state = mod(state*1103515245_int64 + 12345_int64, 2147483648_int64)
      x(i) = int(mod(state/65536_int64, 81_int64)) - 40
    end do
  end function

  ! The stable order, by counting.
  function order_of(x, down) result(order)
    integer, intent(in) :: x(:)
    logical, intent(in) :: down
    integer :: order(size(x)), value, i, k, step
    k = 0
    step = merge(-1, 1, down)
    do value = -40*step, 40*step, step
      do i = 1, size(x)
        if (x(i) /= value) cycle
        k = k + 1
        order(k) = i
      end do
    end do
  end function

  subroutine keys_alone(n)
    integer, intent(in) :: n
    integer :: x(n), up(n), down(n)
    integer(int8) :: i1(n)
    integer(int16) :: i2(n)
    integer(int32) :: i4(n)
    integer(int64) :: i8(n)
    real(real32) :: r4(n)
    real(real64) :: r8(n)
    x = numbers(n)
    up = x(order_of(x, .false.))
    down = x(order_of(x, .true.))
    i1 = int(x, int8)
    i2 = int(x, int16)
    i4 = int(x, int32)
    i8 = int(x, int64)
    r4 = real(x, real32)
    r8 = real(x, real64)
    call sort(i1)
    call sort(i2)
    call sort(i4)
    call sort(i8)
    call sort(r4)
    call sort(r8, label='energies')
    call check(all(i1 == up) .and. all(i2 == up) .and. all(i4 == up) .and. all(i8 == up), 'integers')
    call check(all(nint(r4) == up) .and. all(nint(r8) == up), 'reals')
    call sort(i1, descending=.true.)
    call sort(i2, descending=.true.)
    call sort(i4, descending=.true.)
    call sort(i8, descending=.true.)
    call sort(r4, descending=.true.)
    call sort(r8, .true.)
    call check(all(i1 == down) .and. all(i2 == down) .and. all(i4 == down) .and. all(i8 == down), 'integers, descending')
    call check(all(nint(r4) == down) .and. all(nint(r8) == down), 'reals, descending')
    call sort(r8, descending=.false.)
    call check(all(nint(r8) == up), 'descending=.false.')
  end subroutine

  subroutine with_values(n)
    integer, intent(in) :: n
    integer :: x(n), order(n), i, k(n)
    real(real64) :: r8(n), v8(n)
    real(real32) :: v4(n)
    integer(int8) :: w1(n), k1(n)
    integer(int16) :: w2(n)
    integer(int64) :: w8(n), k8(n)
    complex(real64) :: z(n)
    complex(real32) :: c(n)
    logical :: yes(n)
    logical(c_bool) :: small(n)
    x = numbers(n)
    order = order_of(x, .true.)
    r8 = real(x, real64)
    w8 = [(int(i, int64), i=1, n)]
    call sort_by_key(r8, w8, descending=.true.)
    call check(all(w8 == order) .and. all(nint(r8) == x(order)), 'values of integer(int64)')
    order = order_of(x, .false.)
    k = x
    v4 = [(real(i, real32), i=1, n)]
    call sort_by_key(k, v4)
    call check(all(nint(v4) == order) .and. all(k == x(order)), 'values of real(real32)')
    k8 = int(x, int64)
    v8 = [(real(i, real64), i=1, n)]
    call sort_by_key(k8, v8)
    call check(all(nint(v8) == order) .and. all(k8 == x(order)), 'values of real(real64)')
    k1 = int(x, int8)
    z = [(cmplx(i, -i, real64), i=1, n)]
    call sort_by_key(k1, z)
    call check(all(nint(real(z)) == order) .and. all(nint(aimag(z)) == -order), 'values of complex(real64)')
    call check(all(k1 == x(order)), 'keys of integer(int8)')
    k = x
    c = [(cmplx(i, -i, real32), i=1, n)]
    call sort_by_key(k, c)
    call check(all(nint(real(c)) == order) .and. all(nint(aimag(c)) == -order), 'values of complex(real32)')
    k = x
    w1 = [(int(mod(i, 100), int8), i=1, n)]
    call sort_by_key(k, w1)
    call check(all(w1 == mod(order, 100)), 'values of integer(int8)')
    k = x
    w2 = [(int(i, int16), i=1, n)]
    call sort_by_key(k, w2)
    call check(all(w2 == order), 'values of integer(int16)')
    k = x
    yes = [(mod(i, 3) == 0, i=1, n)]
    call sort_by_key(k, yes)
    call check(all(yes .eqv. mod(order, 3) == 0), 'values of logical')
    k8 = int(x, int64)
    small = [(logical(mod(i, 3) == 0, c_bool), i=1, n)]
    call sort_by_key(k8, small)
    call check(all(small .eqv. mod(order, 3) == 0), 'values of logical(c_bool)')
  end subroutine

  subroutine to_indices(n)
    integer, intent(in) :: n
    integer :: x(n), order(n)
    integer(int32) :: i4(n)
    integer(int64) :: i8(n)
    real(real64) :: r8(0:n - 1)
    integer(int8) :: k1(n)
    x = numbers(n)
    r8 = real(x, real64)
    k1 = int(x, int8)
    order = order_of(x, .false.)
    call sort_index(r8, i4)
    call check(all(i4 == order) .and. all(nint(r8) == x), 'indices of integer(int32), keys from 0 on')
    call sort_index(k1, i8)
    call check(all(i8 == order) .and. all(k1 == x), 'indices of integer(int64)')
    call sort_index(x, i8, descending=.true.)
    call check(all(i8 == order_of(x, .true.)), 'indices, descending')
  end subroutine

  ! Sections lie apart, or backwards; what is between their elements stays.
  subroutine sections()
    integer, allocatable :: x(:), grid(:, :), back(:)
    integer :: k, i
    real(real64), allocatable :: two(:, :)
    type :: particle
      integer :: cell = 0
      real(real64) :: mass = 0
    end type
    type(particle), allocatable :: particles(:)
    allocate (grid(3, many), two(2, many), particles(many))
    x = numbers(many)
    grid(1, :) = 1000
    grid(2, :) = x
    grid(3, :) = [(i, i=1, many)]
    call sort(grid(2, :))
    call check(all(grid(2, :) == x(order_of(x, .false.))) .and. all(grid(1, :) == 1000), 'a row')
    grid(2, :) = x
    call sort_by_key(grid(2, :), grid(3, :))
    call check(all(grid(3, :) == order_of(x, .false.)) .and. all(grid(1, :) == 1000), 'rows with rows')
    back = x
    call sort(back(many:1:-1))
    call check(all(back(many:1:-1) == x(order_of(x, .false.))), 'backwards')
    back = x
    call sort(back(1:many:2))
    call check(all(back(2:many:2) == x(2:many:2)), 'what is between')
    call check(all(back(1:many:2) == pack_sorted(x(1:many:2))), 'each second')
    two(1, :) = real(x, real64)
    call sort_index(two(1, :), grid(3, :))
    call check(all(grid(3, :) == order_of(x, .false.)), 'indices into a row')
    particles%cell = x
    particles%mass = [(real(i, real64), i=1, many)]
    call sort_by_key(particles%cell, particles%mass)
    call check(all(nint(particles%mass) == order_of(x, .false.)), 'components')
    do k = 0, 1
      back = x
      call sort(back(1:k))
      call check(all(back == x), 'no key, or one')
    end do
  end subroutine

  function pack_sorted(x) result(y)
    integer, intent(in) :: x(:)
    integer :: y(size(x))
    y = x(order_of(x, .false.))
  end function

  pure logical function is_nan(x)
    real(real64), intent(in) :: x
    is_nan = .not. (x >= 0 .or. x < 0)
  end function

  subroutine special_reals()
    real(real64) :: r8(6), zero
    real(real32) :: r4(5), zero4
    integer :: order(6), i
    character(3) :: text = 'NaN' ! flang 16 has no ieee_value
    zero = 0
    zero4 = 0
    r8 = [0d0, 1d0, zero, -zero, -huge(zero), huge(zero)]
    read (text, *) r8(1)
    call sort_index(r8, order)
    call check(all(order == [5, 4, 3, 2, 6, 1]), 'order of NaN and zeros')
    call sort(r8)
    call check(is_nan(r8(6)), 'NaN last')
    call check(sign(1d0, r8(2)) < 0 .and. sign(1d0, r8(3)) > 0, '-0.0 before 0.0')
    call sort(r8, descending=.true.)
    call check(is_nan(r8(6)) .and. r8(1) > 1d300, 'NaN last, descending')
    call check(sign(1d0, r8(4)) < 0 .and. sign(1d0, r8(3)) > 0, '-0.0 after 0.0, descending')
    r4 = [2.0, 0.0, -1.0, -zero4, zero4]
    read (text, *) r4(2)
    call sort_index(r4, order(1:5))
    call check(all(order(1:5) == [3, 4, 5, 1, 2]), 'the same in single precision')
    r4 = [(real(6 - i), i=1, 5)]
    call sort(r4)
    call check(all(nint(r4) == [(i, i=1, 5)]), 'backwards')
  end subroutine

  subroutine errors()
    integer :: keys(4) = [4, 3, 2, 1], values(3) = [1, 2, 3]
    call sort_by_key(keys, values, label='cells', stat=stat, errmsg=errmsg)
    call check(stat == gator_err_arg, 'another number of values: stat')
    call check(index(errmsg, 'sort_by_key ''cells'': there are 4 keys, but 3 elements for them in the other array') > 0, errmsg)
    call sort_index(keys, values, stat=stat, errmsg=errmsg)
    call check(stat == gator_err_arg .and. index(errmsg, '''sort_index'': there are 4 keys, but 3 elements') > 0, errmsg)
    call check(all(keys == [4, 3, 2, 1]) .and. all(values == [1, 2, 3]), 'nothing is lost')
    call sort(keys, stat=stat)
    call check(stat == 0 .and. all(keys == [1, 2, 3, 4]), 'it goes on')
  end subroutine

end program sorts_fortran
