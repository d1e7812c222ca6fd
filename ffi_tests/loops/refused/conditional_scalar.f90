! Scalars that some path of an iteration does not set.
module conditional_scalar
  implicit none
  integer, parameter :: wp = kind(1d0)
contains
  subroutine upwind(n, u, q, flux)
    integer, intent(in) :: n
    real(wp), intent(in) :: u(n), q(0:n)
    real(wp), intent(inout) :: flux(n)
    real(wp) :: t
    integer :: i
    t = 0
    ! truth: refused conditional-scalar t
    do i = 1, n
      if (u(i) > 0) t = q(i - 1) !<
      flux(i) = u(i)*t !<
    end do
    ! truth: parallel i; private t
    do i = 1, n
      if (u(i) > 0) then
        t = q(i - 1)
      else
        t = q(i)
      end if
      flux(i) = u(i)*t
    end do
    ! truth: parallel i; private t
    do i = 1, n
      if (u(i) > 0) then
        t = q(i - 1)
        flux(i) = u(i)*t
      end if
    end do
  end subroutine upwind

  subroutine zero_trips(n, m, a, b)
    integer, intent(in) :: n, m
    real(wp), intent(in) :: a(m, n)
    real(wp), intent(inout) :: b(n)
    real(wp) :: x
    integer :: i, k
    x = 0
    ! truth: refused conditional-scalar x
    do i = 1, n
      do k = 1, m
        x = a(k, i) !<
      end do
      b(i) = x !<
    end do
    ! truth: parallel i; private x k
    do i = 1, n
      do k = 1, 4
        x = b(i)*k
      end do
      b(i) = x
    end do
  end subroutine zero_trips

  subroutine cases(n, kind_of, b)
    integer, intent(in) :: n, kind_of(n)
    real(wp), intent(inout) :: b(n)
    real(wp) :: c
    integer :: i
    c = 1
    ! truth: refused conditional-scalar c
    do i = 1, n
      select case (kind_of(i))
      case (1)
        c = 2 !<
      case (2:4)
        c = 3 !<
      end select
      b(i) = b(i)*c !<
    end do
    ! truth: parallel i; private c
    do i = 1, n
      select case (kind_of(i))
      case (1)
        c = 2
      case (2:4)
        c = 3
      case default
        c = 0
      end select
      b(i) = b(i)*c
    end do
  end subroutine cases

  subroutine cycled(n, b, c)
    integer, intent(in) :: n
    real(wp), intent(in) :: b(n)
    real(wp), intent(inout) :: c(n)
    real(wp) :: x
    integer :: i
    ! truth: parallel i; private x
    do i = 1, n
      if (b(i) < 0) cycle
      x = sqrt(b(i))
      c(i) = x
    end do
  end subroutine cycled
end module conditional_scalar
