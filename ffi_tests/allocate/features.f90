! features.f90 - plain Fortran that knows nothing of Portable: every way in which gfortran allocates. Its
! output must not depend on how it is linked. `look` tells what is in the pool; -1 without a pool.
! Not in this file: how it tells (look.c), and the comparison (compare.sh).
module features_mod
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  type :: leaf
    real(real64), allocatable :: values(:)
    character(:), allocatable :: name
  end type
  type :: tree
    type(leaf), allocatable :: leaves(:)
  end type
  interface
    ! Live blocks in the pool now, and allocations ever; -1 without a pool.
    subroutine look(live, ever) bind(c)
      use, intrinsic :: iso_c_binding, only: c_int64_t
      integer(c_int64_t), intent(out) :: live, ever
    end subroutine
  end interface
contains
  function digest(a) result(d)
    real(real64), intent(in) :: a(:)
    integer(int64) :: d
    integer :: i
    d = 1469598103934665603_int64
    do i = 1, size(a)
      d = ieor(d, transfer(a(i), d)) * 1099511628211_int64
    end do
  end function

  subroutine automatic(n, d)
    integer, intent(in) :: n
    integer(int64), intent(out) :: d
    real(real64) :: a(n), b(0:n, 3)
    integer :: i
    a = [(sqrt(real(i, real64)) * 1.5_real64, i = 1, n)]
    b = 0.25_real64
    b(1:, 2) = a
    d = digest(a) + digest(reshape(b, [size(b)]))
  end subroutine

  function series(n) result(a)
    integer, intent(in) :: n
    real(real64) :: a(n)
    integer :: i
    a = [(1.0_real64 / i, i = 1, n)]
  end function

  recursive subroutine below(a, n)
    integer, intent(in) :: n
    real(real64), intent(inout) :: a(n) ! explicit shape: a section is packed and unpacked
    a = a * 3
  end subroutine

  subroutine grow(a, n)
    real(real64), allocatable, intent(inout) :: a(:)
    integer, intent(in) :: n
    integer :: i
    a = [real(real64) ::]
    do i = 1, n
      a = [a, real(i, real64)] ! realloc at every size, over the threshold and back
    end do
    do i = 1, n / 2
      a = a(:size(a) - 1)
    end do
  end subroutine

  subroutine gone(a) ! intent(out) deallocates what comes in
    real(real64), allocatable, intent(out) :: a(:)
    allocate (a(50000), source=2.0_real64)
  end subroutine
end module

program features
  use features_mod
  implicit none
  real(real64), allocatable :: a(:), b(:), m(:, :), p(:, :)
  real(real64), pointer :: ptr(:)
  type(tree) :: t, u
  character(:), allocatable :: text, line
  character(200) :: message
  integer(int64) :: d, live, ever
  integer :: i, ierr, unit

  do i = 1, 40
    call automatic(1000 * i, d)
  end do
  print *, 'automatic', d

  allocate (a(100000), stat=ierr, errmsg=message)
  print *, 'allocate', ierr
  a = series(100000)
  print *, 'function result', digest(a)
  allocate (b(3), stat=ierr)
  allocate (b(3), stat=ierr) ! allocated already
  print *, 'twice', ierr > 0
  deallocate (b)
  allocate (b(4611686018427387_int64), stat=ierr, errmsg=message)
  print *, 'too much', ierr > 0, allocated(b)

  b = a
  call move_alloc(b, a)
  print *, 'move_alloc', allocated(b), digest(a)
  call grow(b, 20000)
  print *, 'grow', size(b), digest(b)
  call gone(b)
  print *, 'intent(out)', digest(b)
  allocate (ptr(30000), source=1.25_real64)
  print *, 'pointer', digest(ptr)
  deallocate (ptr)

  ! Results of the run-time library. They are whole numbers, because a static program of gfortran 11 has another matmul, whose
  ! sums may be rounded otherwise.
  m = reshape(anint(1000 * a(:90000)), [300, 300])
  p = matmul(transpose(m), m)
  print *, 'matmul', digest(reshape(p, [size(p)]))
  p = cshift(p, 7, 1)
  p = eoshift(p, 3, dim=2)
  print *, 'shifted', digest(pack(p, p > 1e-6_real64))
  call below(m(::2, ::3), size(m(::2, ::3)))
  print *, 'section', digest(reshape(m, [size(m)]))

  allocate (t%leaves(20))
  do i = 1, 20
    t%leaves(i)%values = series(1000 * i)
    t%leaves(i)%name = repeat(achar(64 + i), 9000 * i)
  end do
  u = t
  t%leaves(3)%values(1) = 0
  d = 0
  do i = 1, 20
    d = d + digest(u%leaves(i)%values) + len(u%leaves(i)%name)
  end do
  print *, 'components', d
  deallocate (t%leaves)

  text = repeat('abcdefgh', 20000)
  text = text // text // 'end'
  print *, 'string', len(text), text(len(text) - 4:)
  text = trim(text // repeat(' ', 100000))
  print *, 'trim', len(text)

  allocate (character(200000) :: line)
  write (line, '(20000f10.3)') a(20000:1:-1)
  read (line, '(20000f10.3)') b(:20000)
  print *, 'internal io', line(1:20), digest(b(:20000))
  open (newunit=unit, status='scratch', form='unformatted')
  write (unit) m(::2, ::3), a(::7)
  rewind (unit)
  b = [m(::2, ::3), a(::7)]
  b = 0
  read (unit) b
  close (unit)
  print *, 'file io', digest(b)

  call look(live, ever)
  deallocate (a, b, m, p, text, line, u%leaves)
  if (ever >= 0 .and. ever < 100) error stop 'the pool was not used'
  call look(live, ever)
  if (live > 0) error stop 'something is left in the pool'
end program
