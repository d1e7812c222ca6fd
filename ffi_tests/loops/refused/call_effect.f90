! Procedures that a nest calls: what they change decides.
module grid_of_calls
  implicit none
  integer, parameter :: wp = kind(1d0)
  integer :: count = 0
  real(wp) :: table(100)
  type, abstract :: material
  contains
    procedure(law), deferred :: stress
  end type material
  abstract interface
    pure real(wp) function law(self, strain)
      import :: material, wp
      class(material), intent(in) :: self
      real(wp), intent(in) :: strain
    end function law
  end interface
contains
  subroutine advance(x)
    real(wp), intent(inout) :: x
    x = 2*x
    count = count + 1
  end subroutine advance

  subroutine advance_quietly(x)
    real(wp), intent(inout) :: x
    x = 2*x + count
  end subroutine advance_quietly

  subroutine first_call(x)
    real(wp), intent(inout) :: x
    logical, save :: started = .false.
    if (.not. started) x = 0
    started = .true.
  end subroutine first_call

  subroutine initialised(x)
    real(wp), intent(inout) :: x
    integer :: calls = 0
    calls = calls + 1
    x = x + calls
  end subroutine initialised

  subroutine constant_table(x)
    real(wp), intent(inout) :: x
    real(wp), parameter :: c(3) = [1, 2, 3]
    x = x*c(2)
  end subroutine constant_table

  subroutine prints(x)
    real(wp), intent(in) :: x
    print *, x
  end subroutine prints

  subroutine stops(x)
    real(wp), intent(in) :: x
    if (x < 0) stop 1
  end subroutine stops

  recursive integer function depth(n) result(d)
    integer, intent(in) :: n
    d = 0
    if (n > 1) d = 1 + depth(n/2)
  end function depth

  subroutine fills(i, x)
    integer, intent(in) :: i
    real(wp), intent(in) :: x
    table(i) = x
  end subroutine fills

  subroutine looks_up(i, x)
    integer, intent(in) :: i
    real(wp), intent(out) :: x
    x = table(i)
  end subroutine looks_up

  subroutine through(x)
    real(wp), intent(inout) :: x
    call advance(x)
  end subroutine through

  real(wp) function counted(x)
    real(wp), intent(in) :: x
    count = count + 1
    counted = x**2
  end function counted

  subroutine whole(a)
    real(wp), intent(inout) :: a(:)
    a(1) = a(1) + a(size(a))
  end subroutine whole
end module grid_of_calls

module call_effect
  use grid_of_calls
  implicit none
contains
  subroutine calls(n, a)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(n)
    integer :: i
    ! truth: refused call-effect count
    do i = 1, n
      call advance(a(i)) !<
    end do
    ! truth: parallel i
    do i = 1, n
      call advance_quietly(a(i))
    end do
    ! truth: refused call-effect first_call
    do i = 1, n
      call first_call(a(i)) !<
    end do
    ! truth: refused call-effect initialised
    do i = 1, n
      call initialised(a(i)) !<
    end do
    ! truth: parallel i
    do i = 1, n
      call constant_table(a(i))
    end do
    ! truth: refused call-effect prints
    do i = 1, n
      a(i) = 2*a(i)
      call prints(a(i)) !<
    end do
    ! truth: refused call-effect stops
    do i = 1, n
      call stops(a(i)) !<
      a(i) = sqrt(a(i))
    end do
    ! truth: refused call-effect depth
    do i = 1, n
      a(i) = depth(i) !<
    end do
    ! truth: refused call-effect count
    do i = 1, n
      call through(a(i)) !<
    end do
    ! truth: refused call-effect counted
    do i = 1, n
      a(i) = counted(a(i)) !<
    end do
  end subroutine calls

  subroutine tables(n, a)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(n)
    integer :: i
    ! truth: refused call-effect table
    do i = 1, n
      call fills(3, a(i)) !<
      a(i) = 0
    end do
    ! truth: parallel i
    do i = 1, n
      call looks_up(i, a(i))
    end do
    ! truth: refused call-effect|whole-array|same-element a
    do i = 1, n
      call whole(a) !<
    end do
  end subroutine tables

  subroutine columns(n, b)
    integer, intent(in) :: n
    real(wp), intent(inout) :: b(:, :)
    integer :: i
    ! truth: parallel i
    do i = 1, n
      call whole(b(:, i))
    end do
    ! truth: refused call-effect|whole-array|same-element|recurrence b
    do i = 1, n - 1
      call whole(b(1, i:i + 1)) !<
    end do
  end subroutine columns

  subroutine dynamic(n, a, m, f)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(n)
    class(material), intent(in) :: m
    interface
      real(kind(1d0)) function f(x)
        real(kind(1d0)), intent(in) :: x
      end function f
    end interface
    procedure(f), pointer :: p
    integer :: i
    ! truth: refused call-effect|not-seen f
    do i = 1, n
      a(i) = f(a(i)) !<
    end do
    p => f
    ! truth: refused call-effect|not-seen p
    do i = 1, n
      a(i) = p(a(i)) !<
    end do
    ! truth: refused call-effect|not-converted stress
    do i = 1, n
      a(i) = m%stress(a(i)) !<
    end do
  end subroutine dynamic

  recursive subroutine itself(n, a)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(n, n)
    integer :: i
    if (n < 2) return
    ! truth: refused call-effect itself
    do i = 1, n
      call itself(n/2, a(1, i)) !<
    end do
  end subroutine itself
end module call_effect
