! fields.f90 - operations of portable_componentwise_mod as programs use them: every name of an operation, sections backwards and of each
! second element, results in place, single values, what is refused. Not in this program: each specific (every_specific.f90).
module fields_checks
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  use check_mod, only: check
  use portable_mod
  use portable_componentwise_mod
  implicit none
  integer, parameter :: n = 60, m = 700
  real(real64), allocatable, target :: a(:,:), b(:,:), c(:,:)
  logical, allocatable, target :: is(:,:)
  integer :: told
  character(300) :: words = ''
contains
  subroutine same(expected, what)
    real(real64), intent(in) :: expected(:,:)
    character(*), intent(in) :: what
    call check(all(c == expected .or. (is_nan(c) .and. is_nan(expected))), what)
  end subroutine

  elemental logical function is_nan(x) ! flang 16 has no ieee_is_nan, and no ieee_value
    real(real64), intent(in) :: x
    is_nan = .not. (x >= 0 .or. x < 0)
  end function

  subroutine numbers()
    allocate (a(n,m), b(n,m), c(n,m), is(n,m))
    call random_number(a)
    call random_number(b)
    a = 8*a - 4
    b = 8*b - 4
    where (a > 3.9) b = a
  end subroutine

  subroutine test_operations()
    character(8) :: nan = 'NaN', infinity = 'Infinity'
    call portable_compute(c, a, '+', b)
    call same(a + b, '+')
    call portable_compute(c, a, '*', b)
    call same(a*b, '*')
    call portable_compute(c, a, '/', b)
    call same(a/b, '/')
    call portable_compute(c, abs(a), '**', b)
    call same(abs(a)**b, '**')
    call portable_compute(c, a, 'mod', b)
    call same(mod(a, b), 'mod')
    call portable_compute(c, a, 'min', b)
    call same(min(a, b), 'min')
    call portable_compute(c, a, 'MAX', b)
    call same(max(a, b), 'max')
    call portable_compute(c, a, 'sign', b)
    call same(sign(a, b), 'sign')
    call portable_compute(c, a, 'atan2', b)
    call same(atan2(a, b), 'atan2')
    call portable_compute(is, a, '>', b)
    call check(all(is .eqv. a > b), '>')
    call portable_compute(is, a, '<=', b)
    call check(all(is .eqv. a <= b), '<=')
    call portable_compute(is, a, '>=', b)
    call check(all(is .eqv. a >= b), '>=')
    call portable_compute(is, a, '==', b)
    call check(all(is .eqv. a == b) .and. any(is), '==')
    call portable_compute(is, a, '/=', b)
    call check(all(is .eqv. a /= b) .and. .not. all(is), '/=')
    call portable_compute(c, '+', a)
    call same(a, 'plus')
    call portable_compute(c, 'abs', a)
    call same(abs(a), 'abs')
    call portable_compute(c, 'sqrt', abs(a))
    call same(sqrt(abs(a)), 'sqrt')
    call portable_compute(c, 'sin', a)
    call same(sin(a), 'sin')
    call portable_compute(c, 'cos', a)
    call same(cos(a), 'cos')
    call portable_compute(c, 'tan', a)
    call same(tan(a), 'tan')
    call portable_compute(c, 'asin', a/4)
    call same(asin(a/4), 'asin')
    call portable_compute(c, 'acos', a/4)
    call same(acos(a/4), 'acos')
    call portable_compute(c, 'atan', a)
    call same(atan(a), 'atan')
    call portable_compute(c, 'exp', a)
    call same(exp(a), 'exp')
    call portable_compute(c, 'log', abs(a))
    call same(log(abs(a)), 'log')
    call portable_compute(c, 'log10', abs(a))
    call same(log10(abs(a)), 'log10')
    call portable_compute(c, 'anint', a)
    call same(anint(a), 'anint')
    call portable_compute(c, 'floor', a)
    call same(real(floor(a), real64), 'floor')
    call portable_compute(c, 'ceiling', a)
    call same(real(ceiling(a), real64), 'ceiling')
    call portable_compute(c, 'cbrt', a)
    call check(all(abs(c**3 - a) < 1d-14*max(1d0, abs(a))), 'cbrt')
    call portable_compute(c, 'log2', abs(a))
    call check(all(abs(2d0**c - abs(a)) < 1d-14), 'log2')
    c = a
    read (nan, *) c(2,3)
    read (infinity, *) c(5,4)
    call portable_compute(is, 'isnan', c)
    call check(count(is) == 1 .and. is(2,3), 'isnan')
    call portable_compute(is, 'isinf', c)
    call check(count(is) == 1 .and. is(5,4), 'isinf')
    call portable_compute(is, is, '.or.', a > b)
    call check(is(5,4) .and. count(is) >= count(a > b), '.or.')
  end subroutine

  subroutine test_sections()
    real(real64), pointer :: p(:,:)
    c = -1
    call portable_compute(c(2:n-1:2,m:1:-1), a(n:4:-2,:), '+', b(2:n-1:2,:))
    call check(all(c(2:n-1:2,m:1:-1) == a(n:4:-2,:) + b(2:n-1:2,:)), 'sections')
    call check(all(c(1::2,:) == -1) .and. all(c(n,:) == -1), 'what is next to a section')
    call portable_compute(c(:,5), a(7,1:n), '*', b(:,9))
    call check(all(c(:,5) == a(7,1:n)*b(:,9)), 'a row and a column')
    p => c(3:9,4:40)
    call portable_fill(p, 7d0)
    call check(all(c(3:9,4:40) == 7) .and. count(c == 7) == 7*37, 'a pointer')
    call portable_merge(c(::3,:), a(::3,:), 0d0, a(::3,:) > b(::3,:))
    call check(all(c(::3,:) == merge(a(::3,:), 0d0, a(::3,:) > b(::3,:))), 'merge of sections')
    call portable_fill(c(5:4,:), 8d0)
    call check(.not. any(c == 8), 'nothing')
  end subroutine

  ! Result and operand are the same elements, which both have the target attribute.
  subroutine test_in_place()
    real(real64), pointer :: p(:,:)
    c = a
    p => c
    call portable_compute(c, p, '+', b, label='in place')
    call same(a + b, 'in place')
    call portable_compute(c(2:,:), 'sqrt', abs(a(2:,:)))
    call check(all(c(2:,:) == sqrt(abs(a(2:,:)))), 'a part')
  end subroutine

  subroutine test_integers()
    integer(int32) :: i(4), j(4), k(4)
    integer(int64) :: x(3)
    integer :: stat
    character(200) :: text
    i = [7, -7, huge(i), -huge(i) - 1]
    j = [2, 2, 1, -1]
    call portable_compute(k, i, '/', j)
    call check(all(k == [3, -3, huge(i), -huge(i) - 1]), 'quotients')
    call portable_compute(k, i, 'mod', j)
    call check(all(k == [1, -1, 0, 0]), 'remainders')
    call portable_compute(k, [3, -1, 0, 2], '**', [4, -3, 0, 40])
    call check(all(k == [81, -1, 1, 0]), 'powers')
    call portable_compute(x, [1_int64, 2_int64, 3_int64], '*', 5_int64)
    call check(all(x == [5, 10, 15]), 'int64')
    k = 9
    j = [1, 0, 3, 0]
    call portable_compute(k, i, '/', j, label='shares', stat=stat, errmsg=text)
    call check(stat /= 0 .and. all(k == 9), 'a division by zero')
    call check(index(text, "'shares'") > 0 .and. index(text, 'index (2) first') > 0, 'its text: '//trim(text))
  end subroutine

  subroutine refused(part)
    character(*), intent(in) :: part
    call check(told /= 0 .and. index(words, part) > 0, 'no '//part//' in: '//trim(words))
    words = ''
  end subroutine

  subroutine test_refused()
    c = 5
    call portable_compute(c, a, '%', b, stat=told, errmsg=words)
    call refused('no operation "%" of two operands')
    call portable_compute(c, '', a, stat=told, errmsg=words)
    call refused('no operation "" of one operand')
    call portable_compute(c, a, '', b, stat=told, errmsg=words)
    call refused('no operation "" of two operands')
    call portable_compute(c, a, '<', b, stat=told, errmsg=words)
    call refused('the result of "<" is logical')
    call portable_compute(is, a, '+', b, stat=told, errmsg=words)
    call refused('the result of "+" is a number')
    call portable_compute(c(2:,:), a(2:,:), '+', b, label='halo', stat=told, errmsg=words)
    call refused("'halo': extent 1 of b is 60; the array has 59")
    call portable_merge(c, a, b, is(:,2:), stat=told, errmsg=words)
    call refused('extent 2 of the mask is 699; the array has 700')
    call check(all(c == 5), 'nothing is written')
    call overlapping(c(2:,:), c(:n-1,:))
    call refused('shares memory with a')
    call check(all(c == 5), 'nothing is written over itself')
  end subroutine

  subroutine overlapping(x, y)
    real(real64), target, intent(inout) :: x(:,:)
    real(real64), target, intent(in) :: y(:,:)
    call portable_compute(x, y, '*', 2d0, stat=told, errmsg=words)
  end subroutine
end module

program fields
  use check_mod, only: finish_checks
  use fields_checks
  implicit none
  call portable_init()
  call numbers()
  call test_operations()
  call test_sections()
  call test_in_place()
  call test_integers()
  call test_refused()
  call portable_finalize()
  call finish_checks()
  print '(a)', 'fields are right'
end program
