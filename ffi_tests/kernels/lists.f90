! lists.f90 - launches whose kernel gets the list of arguments in a block: scalars of every kind, arrays of all strides with
! their bounds, in streams and from internal procedures; several results of different kinds; arguments that overlap; where tiles
! begin. Not in this file: versions for devices (arguments.f90), races (races).
module list_kernels
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  use, intrinsic :: iso_c_binding
  use portable_list_mod
  implicit none

  type, bind(c) :: scalars
    integer(c_int8_t) :: l1
    real(c_double) :: r8
    integer(c_int8_t) :: i1
    complex(c_double_complex) :: c8
    integer(c_int16_t) :: i2, l2
    complex(c_float_complex) :: c4
    integer(c_int8_t) :: last1
    integer(c_int32_t) :: i4, l4
    integer(c_int64_t) :: i8, l8
    real(c_float) :: r4
    type(portable_view_1) :: to
  end type

  type, bind(c) :: two_arrays
    type(portable_view_2) :: a
    integer(c_int32_t) :: add
    type(portable_view_2) :: b
  end type

  type, bind(c) :: one_array
    type(portable_view_1) :: a
    real(c_double) :: scale
  end type

  type, bind(c) :: by_address
    type(c_ptr) :: a
  end type

  type, bind(c) :: place_of_2
    real(c_double) :: value
    integer(c_int32_t) :: at(2)
  end type

contains

  recursive subroutine store_scalars(t, b) bind(c, name='')
    type(portable_tile), intent(in) :: t
    type(scalars), intent(in) :: b
    real(real64), pointer :: to(:)
    if (t%lower(1) > 1) return
    call c_f_pointer(b%to%data, to, [b%to%dim(1)%extent])
    to(1:16) = [real(b%l1, real64), b%r8, real(b%i1, real64), real(b%c8, real64), aimag(b%c8), real(b%i2, real64), real(b%l2, &
      real64), &
                real(b%c4, real64), real(aimag(b%c4), real64), real(b%last1, real64), real(b%i4, real64), real(b%l4, real64), &
                real(b%i8, real64), real(b%l8, real64), real(b%r4, real64), real(b%to%dim(1)%lower, real64)]
  end subroutine

  ! a(i,j) = b(i,j) + add over the bounds of both; a and b by sections of any strides.
  recursive subroutine add_sections(t, blk) bind(c, name='')
    type(portable_tile), intent(in) :: t
    type(two_arrays), intent(in) :: blk
    integer(int32), pointer :: pa(:, :), pb(:, :), a(:, :), b(:, :)
    type(portable_section) :: s
    integer :: i, j
    s = portable_section_of(blk%a, 4)
    call c_f_pointer(s%data, pa, s%big(1:2))
    a(blk%a%dim(1)%lower:, blk%a%dim(2)%lower:) => pa(s%first(1):s%last(1):s%step(1), s%first(2):s%last(2):s%step(2))
    s = portable_section_of(blk%b, 4)
    call c_f_pointer(s%data, pb, s%big(1:2))
    b(blk%b%dim(1)%lower:, blk%b%dim(2)%lower:) => pb(s%first(1):s%last(1):s%step(1), s%first(2):s%last(2):s%step(2))
    do j = t%lower(2), t%upper(2)
      do i = t%lower(1), t%upper(1)
        a(i, j) = b(i, j) + blk%add
      end do
    end do
  end subroutine

  recursive subroutine scale(t, b) bind(c, name='')
    type(portable_tile), intent(in) :: t
    type(one_array), intent(in) :: b
    real(real64), pointer, contiguous :: a(:)
    integer :: i
    call c_f_pointer(b%a%data, a, [b%a%dim(1)%extent])
    do i = t%lower(1), t%upper(1)
      a(i - int(b%a%dim(1)%lower) + 1) = b%scale*i
    end do
  end subroutine

  recursive subroutine negate(t, b) bind(c, name='')
    type(portable_tile), intent(in) :: t
    type(by_address), intent(in) :: b
    real(real64), pointer :: a(:)
    integer :: i
    call c_f_pointer(b%a, a, [t%upper(1)])
    do i = t%lower(1), t%upper(1)
      a(i) = -a(i)
    end do
  end subroutine

  ! Where each tile begins, in steps of the loop: 1 + their number at that place.
  recursive subroutine begins(t, b) bind(c, name='')
    type(portable_tile), intent(in) :: t
    type(one_array), intent(in) :: b
    real(real64), pointer :: a(:)
    call c_f_pointer(b%a%data, a, [b%a%dim(1)%extent])
    a((t%lower(1) + 7)/t%stride(1) + 1) = 1
  end subroutine

  recursive subroutine many_results(t, b, r) bind(c, name='')
    type(portable_tile), intent(in) :: t
    type(one_array), intent(in) :: b
    type(c_ptr), intent(in) :: r(*)
    real(real64), pointer :: total, a(:)
    real(real32), pointer :: least
    integer(int8), pointer :: bits
    integer(int16), pointer :: any_bits
    integer(int64), pointer :: most, odd_bits
    integer(int32), pointer :: some, all_of, even, odd
    complex(real64), pointer :: product
    type(place_of_2), pointer :: place
    integer :: i, j
    call c_f_pointer(b%a%data, a, [b%a%dim(1)%extent])
    call c_f_pointer(r(1), total)
    call c_f_pointer(r(2), least)
    call c_f_pointer(r(3), bits)
    call c_f_pointer(r(4), any_bits)
    call c_f_pointer(r(5), odd_bits)
    call c_f_pointer(r(6), most)
    call c_f_pointer(r(7), some)
    call c_f_pointer(r(8), all_of)
    call c_f_pointer(r(9), even)
    call c_f_pointer(r(10), odd)
    call c_f_pointer(r(11), product)
    call c_f_pointer(r(12), place)
    do j = t%lower(2), t%upper(2)
      do i = t%lower(1), t%upper(1)
        total = total + a(i)*j
        least = min(least, real(a(i), real32) - real(j, real32))
        bits = iand(bits, int(127 - mod(i, 3), int8))
        any_bits = ior(any_bits, int(8*mod(j, 2), int16))
        odd_bits = ieor(odd_bits, int(i + j, int64))
        most = max(most, int(i, int64)*j)
        if (i*j == 35) some = 1
        if (i > 9999) all_of = 0
        if (mod(i, 2) == 0) even = merge(1, 0, even == 0)
        if (mod(i, 2) == 0) odd = merge(1, 0, odd == 0)
        if (i == 3) product = product*(0.0_real64, 1.0_real64)
        if (abs(a(i) - 25) < place%value) place = place_of_2(abs(a(i) - 25), [i, j])
      end do
    end do
  end subroutine

  recursive subroutine sum_only(t, b, r) bind(c, name='')
    type(portable_tile), intent(in) :: t
    type(one_array), intent(in) :: b
    type(c_ptr), intent(in) :: r(*)
    real(real64), pointer :: total, a(:)
    integer :: i, j
    call c_f_pointer(b%a%data, a, [b%a%dim(1)%extent])
    call c_f_pointer(r(1), total)
    do j = t%lower(2), t%upper(2)
      do i = t%lower(1), t%upper(1)
        total = total + a(i)
      end do
    end do
  end subroutine

  subroutine of_assumed_size(x, y, n)
    integer, intent(in) :: n
    integer(int32), intent(inout) :: x(3, *)
    integer(int32), intent(in) :: y(*)
    call portable_parallel_for('assumed_size', portable_bounds([1, 0], [3, n - 1]), c_funloc(add_sections), &
      [portable_arg(x(1, 1), [3, n], [1, 0], 'write', name='x'), portable_arg(5_int32), portable_arg(y(1), [3, n], [1, 0], 'read')])
  end subroutine
end module

program lists
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  use, intrinsic :: iso_c_binding
  use gator_mod
  use portable_core_mod, only: portable_init, portable_finalize, portable_stream_create, portable_stream_destroy, &
    portable_stream_fence, &
    portable_default_device, portable_dynamic, portable_static
  use list_kernels
  use check_mod
  implicit none
  call portable_init()
  call test_scalars()
  call test_strides()
  call test_streams()
  call test_results()
  call test_overlap()
  call test_cuts()
  call test_errors()
  call portable_finalize()
  call finish_checks()
contains

  ! The layout is that of a bind(c) type.
  subroutine test_scalars()
    real(real64), target :: to(20), expected(16)
    to = 0
    call portable_parallel_for('scalars', portable_bounds(100), c_funloc(store_scalars), [portable_arg(logical(.true., 1)), &
      portable_arg(1.5_real64), portable_arg(-3_int8), portable_arg((4.0_real64, 5.0_real64)), portable_arg(-6_int16), &
      portable_arg(logical(.true., 2)), portable_arg((7.0_real32, 8.0_real32)), portable_arg(9_int8), portable_arg(-10_int32), &
      portable_arg(.true._4), portable_arg(-11_int64), portable_arg(logical(.true., 8)), portable_arg(12.25_real32), &
      portable_arg(to, [-4], 'write', name='to')])
    expected = [1.0_real64, 1.5_real64, -3.0_real64, 4.0_real64, 5.0_real64, -6.0_real64, 1.0_real64, 7.0_real64, 8.0_real64, &
      9.0_real64, &
                -10.0_real64, 1.0_real64, -11.0_real64, 1.0_real64, 12.25_real64, -4.0_real64]
    call check(all(abs(to(1:16) - expected) <= 0), 'scalars of every kind')
  end subroutine

  subroutine test_strides()
    integer(int32), target :: x(12, 10), y(12, 10), none(0, 3)
    integer(int32), pointer :: p(:, :), q(:, :)
    integer(int32) :: tall(3, 7), flat(21)
    real(real64) :: z(8)
    type :: pair
      integer(int32) :: first, second
    end type
    type(pair), target :: pairs(4, 5)
    integer :: i, j
    x = 0
    do j = 1, 10
      do i = 1, 12
        y(i, j) = 100*i + j
      end do
    end do
    call add(x, y, [1, 1], [1, 1], 12, 10, 'contiguous')
    call check(all(x == y + 1), 'contiguous arrays')
    x = 0
    call add(x(2:12:2, ::3), y(1:6, 1:4), [1, 1], [1, 1], 6, 4, 'sections')
    call check(all(x(2:12:2, ::3) == y(1:6, 1:4) + 1) .and. all(x(1:11:2, :) == 0), 'sections')
    x = 0
    call add(x(12:1:-1, 10:1:-2), y(:, 6:10), [-3, 7], [-3, 7], 12, 5, 'backwards')
    call check(all(x(12:1:-1, 10:1:-2) == y(:, 6:10) + 1), 'negative strides and other bounds')
    p(0:, 0:) => x(3:5, 4:8:4)
    q(0:, 0:) => y(7:9, 1:2)
    call portable_parallel_for('pointers', portable_bounds([0, 0], [2, 1]), c_funloc(add_sections), [portable_arg(p, 'write', &
      name='p'), &
      portable_arg(2_int32), portable_arg(q, 'read', name='q')])
    call check(all(p == q + 2), 'pointers keep their bounds')
    pairs = pair(1, 2)
    call add(pairs%second, y(1:4, 1:5), [1, 1], [1, 1], 4, 5, 'components')
    call check(all(pairs%second == y(1:4, 1:5) + 1) .and. all(pairs%first == 1), 'components of an array of a type')
    flat = [(i, i=1, 21)]
    call of_assumed_size(tall, flat, 7)
    call check(all(reshape(tall, [21]) == flat + 5), 'assumed size')
    call add(none, none, [1, 1], [1, 1], 0, 3, 'none')
    z = 0
    call portable_parallel_for('part', portable_bounds(2, 4), c_funloc(scale), [portable_arg(z(3), [3], [2], 'write'), &
      portable_arg(2.0_real64)])
    call check(all(abs(z - [0, 0, 4, 6, 8, 0, 0, 0]) <= 0), 'a part from an element on')
    call portable_parallel_for('address', portable_bounds(8), c_funloc(negate), [portable_arg(z(1), [8], access='both', &
      address=.true.)])
    call check(all(abs(z + [0, 0, 4, 6, 8, 0, 0, 0]) <= 0), 'by address')
  end subroutine

  subroutine add(a, b, lower_a, lower_b, n, m, label)
    integer(int32), intent(inout) :: a(:, :)
    integer(int32), intent(in) :: b(:, :)
    integer, intent(in) :: lower_a(2), lower_b(2), n, m
    character(*), intent(in) :: label
    call portable_parallel_for(label, portable_bounds(lower_a, lower_a + [n, m] - 1), c_funloc(add_sections), &
      [portable_arg(a, lower_a, 'write', name='a'), portable_arg(1_int32), portable_arg(b, lower_b, 'read', name='b')], tile=[5, 3])
  end subroutine

  ! The block lives until the launch has run, whatever the caller does with the list.
  subroutine test_streams()
    integer(int64) :: queue, gone
    real(real64), pointer :: x(:)
    integer :: i, stat
    call portable_stream_create(queue)
    call gator_allocate(x, [1000], label='x')
    do i = 1, 50
      call queued(x, real(i, real64), queue)
    end do
    call portable_stream_fence(queue)
    call check(all(abs(x - [(50.0_real64*i, i=1, 1000)]) <= 0), 'launches in a stream')
    gone = queue
    call portable_stream_destroy(queue)
    call portable_parallel_for('gone', portable_bounds(1000), c_funloc(scale), [portable_arg(x, 'write'), &
      portable_arg(1.0_real64)], stream=gone, stat=stat)
    call check(stat == gator_err_handle, 'a stream that was destroyed')
    call gator_deallocate(x)
  end subroutine

  subroutine queued(x, by, queue)
    real(real64), intent(inout), target :: x(:)
    real(real64), intent(in) :: by
    integer(int64), intent(in) :: queue
    type(portable_argument) :: list(2)
    list = [portable_arg(x, [1], 'write', name='x'), portable_arg(by)]
    call portable_parallel_for('queued', portable_bounds(size(x)), c_funloc(scale), list, stream=queue, cut=16)
    list(1) = portable_arg(by)
  end subroutine

  subroutine test_results()
    integer, parameter :: n = 50, m = 40
    real(real64), target :: a(n)
    real(real64) :: total, wanted, place_value
    type(one_array), target :: mine
    real(real32) :: least
    integer(int8) :: bits
    integer(int16) :: any_bits
    integer(int64) :: most, odd_bits
    logical(1) :: some
    logical(4) :: all_of
    logical(8) :: even
    logical(2) :: odd
    complex(real64) :: product
    integer :: place(2), i, j, stat
    character(300) :: text
    a = [(real(i, real64), i=1, n)]
    total = 1000
    least = huge(least)
    bits = -1_int8
    any_bits = 1_int16
    odd_bits = 0
    most = 7
    some = .false.
    all_of = .true.
    even = .true.
    odd = .false.
    product = (2.0_real64, 0.0_real64)
    place_value = huge(place_value)
    place = 0
    call portable_parallel_reduce('many', portable_bounds([1, 1], [n, m]), c_funloc(many_results), [portable_result(total, &
      'sum', into=.true.), &
      portable_result(least, 'min', .true.), portable_result(bits, 'iand', .true.), portable_result(any_bits, 'ior', .true.), &
      portable_result(odd_bits, 'ieor', .true.), portable_result(most, 'max', .true.), portable_result(some, 'any', .true.), &
      portable_result(all_of, 'all', .true.), portable_result(even, 'eqv', .true.), portable_result(odd, 'neqv', .true.), &
      portable_result(product, 'product', .true.), portable_result(place_value, place, 'minloc', .true.)], &
      [portable_arg(a, [1], 'read', name='a'), portable_arg(1.0_real64)], cut=16)
    wanted = 1000 + sum(a)*sum([(j, j=1, m)])
    call check(abs(total - wanted) <= 1e-6, 'sum')
    call check(abs(least - (1 - m)) <= 0, 'min')
    call check(bits == iand(126_int8, 125_int8), 'iand')
    call check(any_bits == 9, 'ior')
    wanted = 0
    call check(odd_bits == bits_of(n, m), 'ieor')
    call check(most == n*m, 'max')
    call check(logical(some) .and. all_of, 'any and all')
    ! m*n/2 times false: an even number.
    call check(logical(even) .and. .not. logical(odd), 'eqv and neqv')
    call check(abs(product - (2.0_real64, 0.0_real64)*(0.0_real64, 1.0_real64)**m) <= 0, 'product of complex numbers')
    call check(abs(place_value) <= 0 .and. all(place == [25, 1]), 'minloc')
    total = 0
    mine = one_array(portable_view_1(c_loc(a), 1_c_int32_t, 0_c_int32_t, [portable_view_dimension(1_c_int64_t, int(n, c_int64_t), &
      1_c_int64_t)]), 1.0_real64)
    call portable_parallel_reduce('block', portable_bounds([1, 1], [n, m]), c_funloc(sum_only), [portable_result(total, 'sum', &
      .true.)], &
      c_loc(mine), c_sizeof(mine), cut=16)
    call check(abs(total - sum(a)*m) <= 1e-6, 'a block of its own')
    stat = 0
    call portable_parallel_reduce('wrong', portable_bounds([1, 1], [n, m]), c_funloc(many_results), [portable_result(total, &
      'iand')], &
      [portable_arg(a, [1])], stat=stat, errmsg=text)
    call check(stat == gator_err_arg .and. index(text, 'result 1: there is no such operation of real64') > 0, trim(text))
    call portable_parallel_reduce('wrong', portable_bounds(n), c_funloc(many_results), [portable_result(total), & ! yaklcheck: ok
      portable_result(place_value, place, 'maxloc')], [portable_arg(a, [1])], stat=stat, errmsg=text)
    call check(stat == gator_err_arg .and. index(text, 'result 2: place has 2 elements, the bounds have 1') > 0, trim(text))
  end subroutine

  function bits_of(n, m) result(bits)
    integer, intent(in) :: n, m
    integer(int64) :: bits
    integer :: i, j
    bits = 0
    do j = 1, m
      do i = 1, n
        bits = ieor(bits, int(i + j, int64))
      end do
    end do
  end function

  subroutine test_overlap()
    integer(int32), target :: x(12, 10)
    character(300) :: text
    integer :: stat
    call overlapping(x(:, 1:5), x(:, 5:9), 'read', stat, text)
    call check(stat == gator_err_arg .and. text == 'parallel_for ''update:98'': cannot run this loop in parallel: '// &
               '''a'' and ''b'' overlap, loop ''update:98'' writes ''a''; give it arrays that share no element, '// &
               'or run it serially', trim(text))
    call overlapping(x(:, 1:5), x(:, 6:10), 'read', stat, text)
    call check(stat == 0, 'two parts')
    call overlapping(x(1:12:2, 1:5), x(2:12:2, 1:5), 'both', stat, text)
    call check(stat == 0, 'every second element')
    call overlapping(x(1:6, 1:10:2), x(7:12, :), 'both', stat, text)
    call check(stat == 0, 'upper and lower half')
    call overlapping(x(1:7, 1:10:2), x(7:12, 1:5), 'both', stat, text)
    call check(stat == gator_err_arg, 'halves that meet')
  end subroutine

  subroutine overlapping(a, b, access, stat, text)
    integer(int32), intent(in) :: a(:, :), b(:, :)
    character(*), intent(in) :: access
    integer, intent(out) :: stat
    character(*), intent(inout) :: text
    type(portable_argument) :: list(3)
    text = ''
    list = [portable_arg(a, [1, 1], 'write', name='a', may_overlap=.true.), portable_arg(0_int32), &
            portable_arg(b, [1, 1], access, name='b', may_overlap=.true.)]
    call portable_parallel_for('update:98', portable_bounds([1, 1], [1, 1]), c_funloc(add_sections), list, stat=stat, errmsg=text)
    call check(portable_overlap(list) .eqv. stat /= 0, 'portable_overlap says the same')
    list(1) = portable_arg(a, [1, 1], 'write', name='a')
    call check(.not. portable_overlap(list), 'arguments that do not say that they may overlap')
    list(1) = portable_arg(a, [1, 1], 'read', name='a', may_overlap=.true.)
    list(3) = portable_arg(b, [1, 1], 'read', name='b', may_overlap=.true.)
    call check(.not. portable_overlap(list), 'no argument is written')
  end subroutine

  ! Bounds -7:, so that a multiple is none of the index; with a stride of 3 in steps.
  subroutine test_cuts()
    integer, parameter :: n = 1000
    real(real64) :: x(n)
    integer :: schedule, tile, cut, stride, i
    do schedule = portable_static, portable_dynamic
      do tile = 0, 100, 50
        do cut = 0, 48, 16
          do stride = 1, 3, 2
            x = 0
            call portable_parallel_for('begins', portable_bounds([-7], [-7 + stride*(n - 1)], [stride]), c_funloc(begins), &
              [portable_arg(x, [1], 'write'), portable_arg(1.0_real64)], schedule=schedule, tile=[tile], cut=cut, strided=.true.)
            call check(x(1) > 0, 'the first tile begins at the lower bound')
            if (cut > 0) call check(all(x < 1 .or. mod([(i - 1, i=1, n)], cut) == 0), 'tiles begin at whole cuts')
            if (tile == 50 .and. cut == 16) call check(count(x > 0) == 21, 'a tile of 50 becomes one of 48')
            if (tile == 50 .and. cut == 0) call check(count(x > 0) == n/50, 'without a cut it stays')
          end do
        end do
      end do
    end do
  end subroutine

  subroutine test_errors()
    real(real64), target :: x(10)
    real(real64), pointer :: nowhere(:)
    character(300) :: text
    integer :: stat
    nullify (nowhere)
    text = ''
    call portable_parallel_for('nowhere', portable_bounds(10), c_funloc(scale), [portable_arg(nowhere, name='p'), &
      portable_arg(1.0_real64)], &
                               stat=stat, errmsg=text)
    call check(stat == gator_err_arg .and. index(text, 'argument 1 (''p'') is a pointer that is not associated') > 0, trim(text))
    call portable_parallel_for('nobounds', portable_bounds(10), c_funloc(scale), [portable_arg(x, [1, 1]), &
      portable_arg(1.0_real64)], stat=stat, &
                               errmsg=text)
    call check(stat == gator_err_arg .and. index(text, 'more or fewer lower bounds') > 0, trim(text))
    call portable_parallel_for('lower', portable_bounds(10), c_funloc(scale), [portable_arg(x(1), [5, 2], [1]), &
      portable_arg(1.0_real64)], stat=stat, &
                               errmsg=text)
    call check(stat == gator_err_arg .and. index(text, 'more or fewer lower bounds') > 0, trim(text))
    call portable_parallel_for('access', portable_bounds(10), c_funloc(scale), [portable_arg(x, access='wirte'), &
      portable_arg(1.0_real64)], &
                               stat=stat, errmsg=text)
    call check(stat == gator_err_arg .and. index(text, 'has an invalid access') > 0, trim(text))
    call portable_parallel_for('stride', portable_bounds([1], [10], [3]), c_funloc(scale), [portable_arg(x), &
      portable_arg(1.0_real64)], stat=stat, &
                               errmsg=text)
    call check(stat == gator_err_arg .and. index(text, 'a stride is not 1') > 0, trim(text))
    call portable_parallel_for('cut', portable_bounds(10), c_funloc(scale), [portable_arg(x), portable_arg(1.0_real64)], &
      cut=-16, stat=stat, errmsg=text)
    call check(stat == gator_err_arg .and. index(text, 'the cut has -16 iterations') > 0, trim(text))
    call portable_parallel_for('null', portable_bounds(10), c_null_funptr, [portable_arg(x), portable_arg(1.0_real64)], &
      stat=stat, errmsg=text)
    call check(stat == gator_err_arg .and. index(text, 'the kernel is NULL') > 0, trim(text))
  end subroutine
end program
