! Scalars, structures and components that do not exist: branches that use them are not taken.
module absent
  use bits_of_results
  implicit none
  integer, parameter :: wp = real64
  type weights
    real(wp) :: x = 0.5_wp, w(3) = [1.0_wp, 2.0_wp, 4.0_wp]
    real(wp), allocatable :: f, a(:)
    real(wp), pointer :: p(:) => null(), g => null()
    logical :: on = .true.
    integer :: n = 2
  end type weights
contains
  subroutine scalars(b, have, c, d, f, l, text, none)
    real(wp), intent(inout) :: b(:)
    logical, intent(in) :: have
    real(wp), allocatable, intent(in) :: c
    integer, pointer, intent(in) :: d
    real(wp), intent(in), optional :: f
    logical, allocatable, intent(in) :: l
    character(len=:), allocatable, intent(in) :: text
    logical, intent(in) :: none
    real(wp), pointer :: never
    integer :: i
    ! truth: parallel i; run absent-allocatable
    do i = 1, size(b)
      if (have) b(i) = b(i) + c
    end do
    ! truth: parallel i; run absent-pointer
    do i = 1, size(b)
      if (have) b(i) = b(i)*d
    end do
    ! truth: parallel i; run absent-optional
    do i = 1, size(b)
      if (present(f)) b(i) = b(i) - f
    end do
    ! truth: parallel i; run absent-logical
    do i = 1, size(b)
      if (have) then
        if (l) b(i) = b(i) + i
      end if
    end do
    ! truth: parallel i; run absent-text
    do i = 1, size(b)
      if (have) then
        if (text == 'ab') b(i) = b(i) + 0.25_wp
      end if
    end do
    ! truth: parallel i; run absent-asks
    do i = 1, size(b)
      if (allocated(c)) b(i) = b(i) + c
      if (associated(d)) b(i) = b(i) - d
    end do
    ! truth: parallel i; run absent-never-associated
    do i = 1, size(b)
      if (none) b(i) = b(i) + never
    end do
    call show('absent-allocatable', bits(b))
    call show('absent-pointer', bits(b(::2)))
    call show('absent-optional', bits(b(::3)))
    call show('absent-logical', bits(b(::4)))
    call show('absent-text', bits(b(::5)))
    call show('absent-asks', bits(b(::6)))
    call show('absent-never-associated', bits(b(::7)))
  end subroutine scalars

  subroutine structures(b, h, have, p, a, o)
    real(wp), intent(inout) :: b(:)
    type(weights), intent(in) :: h
    logical, intent(in) :: have
    type(weights), pointer, intent(in) :: p
    type(weights), allocatable, intent(inout) :: a
    type(weights), intent(inout), optional :: o
    integer :: i
    ! truth: parallel i; run absent-component
    do i = 1, size(b)
      if (allocated(h%f)) b(i) = b(i) + h%f
      if (have) b(i) = b(i) + h%g
    end do
    ! truth: parallel i; run absent-structure-pointer
    do i = 1, size(b)
      if (have) b(i) = b(i)*p%x + p%w(mod(i, 3) + 1) + p%a(i) + p%p(i) + p%f
    end do
    ! truth: parallel i; run absent-structure-allocatable
    do i = 1, size(b)
      if (have) then
        a%a(i) = b(i)*a%x + a%n
        b(i) = b(i) + merge(1, 2, a%on)
      end if
    end do
    ! truth: parallel i; run absent-structure-optional
    do i = 1, size(b)
      if (present(o)) then
        o%a(i) = b(i) + o%x + o%w(2)
        o%p(i) = o%p(i) + o%a(i)
      end if
    end do
    call show('absent-component', bits(b))
    call show('absent-structure-pointer', bits(b(::2)))
    call show('absent-structure-allocatable', bits(b(::3)))
    if (allocated(a)) call show('absent-structure-allocatable', bits(a%a))
    call show('absent-structure-optional', bits(b(::4)))
    if (present(o)) call show('absent-structure-optional', [bits(o%a), bits(o%p)])
  end subroutine structures

  subroutine polymorphic(b, have, c)
    real(wp), intent(inout) :: b(:)
    logical, intent(in) :: have
    class(weights), pointer, intent(in) :: c
    integer :: i
    ! truth: parallel i; run absent-class
    do i = 1, size(b)
      if (have) b(i) = b(i) + c%x*c%a(i)
    end do
    call show('absent-class', bits(b))
  end subroutine polymorphic

  subroutine both_polymorphic(b)
    real(wp), intent(inout) :: b(:)
    class(weights), pointer :: c
    type(weights), target :: full
    nullify (c)
    call polymorphic(b, .false., c)
    allocate (full%a(size(b)))
    full%a = b
    c => full
    call polymorphic(b, .true., c)
  end subroutine both_polymorphic

  subroutine results(b, have, s, f, p, last)
    real(wp), intent(inout) :: b(:)
    logical, intent(in) :: have
    real(wp), allocatable, intent(inout) :: s
    real(wp), intent(inout), optional :: f
    type(weights), pointer, intent(in) :: p
    real(wp), intent(inout), optional :: last
    integer :: i
    ! truth: parallel i; reduction +:s; run absent-sum
    do i = 1, size(b)
      if (have) s = s + b(i)
    end do
    ! truth: parallel i; reduction max:f; run absent-maximum-optional
    do i = 1, size(b)
      if (have) f = max(f, b(i))
    end do
    ! truth: parallel i; reduction +:p%x; run absent-sum-component
    do i = 1, size(b)
      if (have) p%x = p%x + b(i)
    end do
    ! truth: parallel i; last last; run absent-last
    do i = 1, merge(size(b), 0, have)
      last = b(i)
      b(i) = last + 1
    end do
    call show('absent-sum', [0_int64])
    if (allocated(s)) call show('absent-sum', [bits(s)])
    call show('absent-maximum-optional', [0_int64])
    if (present(f)) call show('absent-maximum-optional', [bits(f)])
    call show('absent-sum-component', [0_int64])
    if (associated(p)) call show('absent-sum-component', [bits(p%x)])
    call show('absent-last', [0_int64])
    if (present(last)) call show('absent-last', [bits(last)])
  end subroutine results
end module absent

program main
  use absent
  implicit none
  integer, parameter :: n = 21
  real(wp) :: b(n), f, last
  real(wp), allocatable :: c, s
  integer, pointer :: d
  integer, target :: two
  logical, allocatable :: l
  character(len=:), allocatable :: text
  real(wp), target :: room(2*n), one
  type(weights) :: h
  type(weights), target :: full, other
  type(weights), pointer :: p
  type(weights), allocatable :: a
  integer :: i
  b = sample([(i, i=1, n)])
  nullify (d, p)
  call scalars(b, .false., c, d, l=l, text=text, none=.false.)
  call structures(b, h, .false., p, a)
  call results(b, .false., s, p=p)
  c = 0.75_wp
  s = 0.5_wp
  two = -2
  d => two
  l = .true.
  text = 'ab'
  f = 1.25_wp
  last = 7
  room = sample([(i, i=1, 2*n)])
  one = -1
  allocate (full%a(n), a)
  full%a = b
  full%f = 0.125_wp
  full%p => room(::2)
  h%g => one
  h%f = 2
  p => full
  allocate (a%a(0:n))
  a%a = 1
  call scalars(b, .true., c, d, f, l, text, none=.false.)
  other = full
  call structures(b, h, .true., p, a, other)
  call results(b, .true., s, f, p, last)
  call both_polymorphic(b)
  call structures(b(1:0), h, .false., p, a)
end program main
