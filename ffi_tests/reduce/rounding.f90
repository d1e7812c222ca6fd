! Sums and products that round, against a model of leaves, lanes and tree, bit for bit, and against sums in real(16)-like precision; NaN,
! infinities, errors. The same program runs over the stub. Not in this program: each kind and rank (every_reduction).
program rounding
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  use check_mod, only: check, finish_checks
  use portable_mod, only: portable_init, portable_finalize, reduce_sum, reduce_product, reduce_min, reduce_max, reduce_minloc, &
    reduce_maxloc, reduce_count, set_num_threads, num_threads
  implicit none
  integer, parameter :: wide = selected_real_kind(18), sizes(9) = [1, 15, 16, 17, 100, 4096, 4097, 8193, 50021]
  integer :: i

  call no_participant()
  call portable_init()
  do i = 1, size(sizes)
    call sums(sizes(i))
  end do
  call sections()
  call exact_sums()
  call not_numbers()
  call errors()
  call portable_finalize()
  call finish_checks()

contains

  ! docs/fortran/array-reductions.md describes the order of a sum or product, for so many lanes.
  function tree64(x, lanes, times) result(r)
    real(real64), intent(in) :: x(:)
    integer, intent(in) :: lanes
    logical, intent(in) :: times
    real(real64) :: r, lane(0:lanes-1)
    real(real64), allocatable :: leaf(:)
    integer :: k, j, w
    allocate (leaf(0:(size(x) - 1)/4096))
    do k = 0, ubound(leaf, 1)
      lane = merge(1d0, 0d0, times)
      do j = 4096*k, min(4096*(k + 1), size(x)) - 1
        if (times) then
          lane(mod(j - 4096*k, lanes)) = lane(mod(j - 4096*k, lanes))*x(j + 1)
        else
          lane(mod(j - 4096*k, lanes)) = lane(mod(j - 4096*k, lanes)) + x(j + 1)
        end if
      end do
      w = lanes/2
      do while (w > 0)
        if (times) then
          lane(0:w-1) = lane(0:w-1)*lane(w:2*w-1)
        else
          lane(0:w-1) = lane(0:w-1) + lane(w:2*w-1)
        end if
        w = w/2
      end do
      leaf(k) = lane(0)
    end do
    w = 1
    do while (w <= ubound(leaf, 1))
      do k = 0, ubound(leaf, 1) - w, 2*w
        if (times) then
          leaf(k) = leaf(k)*leaf(k + w)
        else
          leaf(k) = leaf(k) + leaf(k + w)
        end if
      end do
      w = 2*w
    end do
    r = leaf(0)
  end function

  ! The sum in single precision.
  function tree32(x) result(r)
    real(real32), intent(in) :: x(:)
    real(real32) :: r, lane(0:31)
    real(real32), allocatable :: leaf(:)
    integer :: k, j, w
    allocate (leaf(0:(size(x) - 1)/4096))
    do k = 0, ubound(leaf, 1)
      lane = 0
      do j = 4096*k, min(4096*(k + 1), size(x)) - 1
        lane(mod(j, 32)) = lane(mod(j, 32)) + x(j + 1)
      end do
      w = 16
      do while (w > 0)
        lane(0:w-1) = lane(0:w-1) + lane(w:2*w-1)
        w = w/2
      end do
      leaf(k) = lane(0)
    end do
    w = 1
    do while (w <= ubound(leaf, 1))
      do k = 0, ubound(leaf, 1) - w, 2*w
        leaf(k) = leaf(k) + leaf(k + w)
      end do
      w = 2*w
    end do
    r = leaf(0)
  end function

  subroutine sums(n)
    integer, intent(in) :: n
    real(real64) :: x(n), y(n)
    real(real32) :: s(n)
    complex(real64) :: z(n), zero
    complex(real32) :: c(n)
    integer :: before
    character(len=40) :: what
    write (what, '(a,i0)') ' of ', n
    call random_number(x)
    call random_number(y)
    x = (x - 0.5d0)*10**(8*y)
    s = real(x, real32)
    call check(same(reduce_sum(x), tree64(x, 16, .false.)), 'sum'//what)
    call check(same(reduce_product(1 + y/n), tree64(1 + y/n, 16, .true.)), 'product'//what)
    call check(transfer(reduce_sum(s), 0_int32) == transfer(tree32(s), 0_int32), 'single sum'//what)
    call check(transfer(reduce_sum(s, in_double=.true.), 0_int32) == &
      transfer(real(tree64(real(s, real64), 16, .false.), real32), 0_int32), 'single sum in double'//what)
    call check(abs(real(reduce_sum(x), wide) - sum(real(x, wide))) <= 1e-14_wide*sum(abs(real(x, wide))), 'near'//what)
    z = cmplx(x, y, real64)
    zero = reduce_sum(z)
    call check(same(real(zero), tree64(x, 8, .false.)) .and. same(aimag(zero), tree64(y, 8, .false.)), 'complex sum'//what)
    c = cmplx(s, s, real32)
    zero = reduce_sum(c, in_double=.true.)
    call check(abs(zero - sum(cmplx(c, kind=real64))) <= 1d-6*sum(abs(s)), 'single complex sum in double'//what)
    call check(abs(reduce_product(1 + z/(1d9*n)) - product(1 + z/(1d9*n))) < 1d-9, 'complex product'//what)
    ! As many threads as one likes.
    before = num_threads()
    call set_num_threads(3)
    call check(same(reduce_sum(x), tree64(x, 16, .false.)), 'sum on three threads'//what)
    call set_num_threads(before)
  end subroutine

  function same(a, b) result(yes)
    real(real64), intent(in) :: a, b
    logical :: yes
    yes = transfer(a, 0_int64) == transfer(b, 0_int64)
  end function

  ! An exact sum: of any order, rounded once.
  subroutine exact_sums()
    real(real64) :: x(20001), y(20001)
    real(real32) :: s(20001)
    complex(real64) :: z
    call random_number(x)
    call random_number(y)
    x(1:10000) = (x(1:10000) - 0.5d0)*10**(60*y(1:10000))
    x(10001:20000) = -x(1:10000)
    x(20001) = 0.1d0
    call check(same(reduce_sum(x, exact=.true.), 0.1d0), 'exact')
    call check(same(reduce_sum(x(20001:1:-1), exact=.true., label='backwards'), 0.1d0), 'exact, backwards')
    call check(same(reduce_sum(x(1:20000), x(1:20000) > 0, exact=.true.), &
      -reduce_sum(x(1:20000), x(1:20000) < 0, exact=.true.)), 'exact with mask')
    s = real(y, real32)
    call check(transfer(reduce_sum(s, exact=.true., in_double=.true.), 0_int32) == &
      transfer(real(reduce_sum(real(s, real64), exact=.true.), real32), 0_int32), 'exact single')
    z = reduce_sum(cmplx(x, y, real64), exact=.true.)
    call check(same(real(z), 0.1d0) .and. same(aimag(z), reduce_sum(y, exact=.true.)), 'exact complex')
    call check(abs(reduce_sum(y, exact=.true.) - reduce_sum(y)) < 1d-9, 'exact and not')
  end subroutine

  ! A section, a component and a transposed order give what a copy gives.
  subroutine sections()
    type :: cell
      integer(int32) :: flag
      real(real32) :: r
      real(real64) :: t
    end type
    type(cell) :: cells(70, 80)
    real(real64) :: a(120, 130), copy(40, 65), t(70, 80)
    logical :: mask(120, 130)
    call random_number(a)
    mask = a > 0.3d0
    copy = a(119:2:-3, 2::2)
    call check(same(reduce_sum(a(119:2:-3, 2::2)), reduce_sum(copy)), 'section')
    call check(same(reduce_sum(a(119:2:-3, 2::2), mask(119:2:-3, 2::2)), reduce_sum(copy, copy > 0.3d0)), 'masked section')
    call check(same(reduce_sum(copy, copy > 0.3d0), reduce_sum(merge(copy, 0d0, copy > 0.3d0))), 'mask')
    call random_number(t)
    cells%t = t
    cells%r = real(t, real32)
    cells%flag = 7
    call check(same(reduce_sum(cells%t), reduce_sum(t)), 'component')
    call check(transfer(reduce_sum(cells%r), 0_int32) == transfer(reduce_sum(real(t, real32)), 0_int32), 'single component')
    call check(reduce_max(cells%flag) == 7, 'integer component')
    call check(all(reduce_minloc(cells(70:1:-1, :)%t) == minloc(t(70:1:-1, :))), 'minloc of a component')
  end subroutine

  ! As gfortran's own.
  subroutine not_numbers()
    real(real64) :: x(10000), nan, infinity
    nan = transfer(9221120237041090560_int64, nan)
    infinity = transfer(9218868437227405312_int64, infinity)
    x = nan
    call check(.not. abs(reduce_min(x)) >= 0, 'min of NaN')
    call check(all(reduce_minloc(x) == 1), 'minloc of NaN')
    call check(all(reduce_maxloc(x, [(i > 5000, i = 1, 10000)]) == 5001), 'maxloc of NaN with mask')
    call check(.not. reduce_min(x, x > 0) < huge(x), 'min of nothing')
    call check(.not. reduce_max(x, x > 0) > -huge(x), 'max of nothing')
    call check(all(reduce_maxloc(x, x > 0) == 0), 'maxloc of nothing')
    call check(.not. abs(reduce_sum(x)) >= 0, 'sum of NaN')
    x(7000) = infinity
    call check(reduce_min(x) > huge(x), 'min of infinity')
    call check(all(reduce_minloc(x) == 7000), 'minloc of infinity')
    x(9000) = -1
    x(9001) = -1
    call check(abs(reduce_min(x) + 1) <= 0, 'min next to NaN')
    call check(all(reduce_minloc(x) == 9000), 'minloc next to NaN')
    call check(all(reduce_maxloc(x) == 7000), 'maxloc next to NaN')
  end subroutine

  subroutine errors()
    real(real64) :: a(4, 5), r
    logical :: mask(4, 6)
    integer :: stat
    character(len=200) :: text
    a = 1
    mask = .true.
    text = 'as it was'
    r = reduce_sum(a, label='mine', stat=stat, errmsg=text)
    call check(stat == 0 .and. text == 'as it was' .and. nint(r) == 20, 'no error')
    r = reduce_sum(a, mask, label='mine', stat=stat, errmsg=text)
    call check(stat == 1 .and. nint(r) == 0, 'shape of the mask: status')
    call check(index(text, 'mine') > 0, 'label: '//text)
    call check(index(text, 'extent 2 of mask is 6; the array has 5') > 0, 'shape of the mask: '//text)
    call check(reduce_count(mask) == 24, 'count')
  end subroutine

  subroutine no_participant()
    real(real64) :: a(3), r
    integer :: stat
    a = 1
    r = reduce_sum(a, stat=stat)
    call check(stat == 4 .and. nint(r) == 0, 'before portable_init')
  end subroutine
end program
