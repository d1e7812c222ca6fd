! Nests whose text for devices is in nests.txt.
module nests
  use, intrinsic :: iso_fortran_env, only: int8, int64, real32, real64
  implicit none
  real(real64), allocatable :: field(:, :)
  type :: gases
    real(real64) :: weight
    real(real64), allocatable :: c(:)
  end type gases
contains
  subroutine update(nx, ny, dt, h, new, mask)
    integer, intent(in) :: nx, ny
    real(real64), intent(in) :: dt, h(0:nx + 1, 0:ny + 1)
    real(real64), intent(inout) :: new(:, :)
    logical, intent(in) :: mask(nx, ny)
    real(real64) :: rate
    integer :: i, j, k
    do j = 1, ny
      do i = 1, nx
        if (.not. mask(i, j)) cycle
        rate = (h(i + 1, j) - h(i - 1, j))*0.1_real32
        do k = 1, 3
          if (rate > 2) exit
          rate = max(rate, 0.0_real64)**3 + field(i, j)
        end do
        new(i, j) = h(i, j) + dt*rate
      end do
    end do
  end subroutine update
  subroutine bits(n, a, b)
    integer, intent(in) :: n
    integer(int8), intent(inout) :: a(n)
    integer(int64), intent(in) :: b(n)
    integer :: i, while, k(3)
    outer: do i = n, 1, -2
      while = modulo(n, 3) + nint(1.5*i)
      k(1) = ishft(while, -1)
      do while = 1, n
        select case (while)
        case (:0)
          cycle outer
        case (4, 7:9)
          k(2) = while
        case default
          k(2) = 0
        end select
      end do
      a(i) = a(i) + int(b(i), int8)*int(k(1) + k(2), int8)
    end do outer
  end subroutine bits
  pure subroutine limited(x, y, steps)
    real(real64), intent(in) :: x
    real(real64), intent(inout) :: y
    integer, intent(out) :: steps
    steps = 0
    if (x < 0) return
    do while (y > x .and. steps < 9)
      y = half(y)
      steps = steps + 1
    end do
  end subroutine limited
  elemental function half(x) result(r)
    real(real64), intent(in) :: x
    real(real64) :: r
    r = x/2
  end function half
  subroutine parts(n, m, a, b, owner, count)
    integer, intent(in) :: n, m, owner(n)
    real(real64), intent(inout) :: a(m, n), b(:)
    integer, intent(inout) :: count(:)
    real(real64) :: w(4)
    integer :: i, steps
    do i = 1, n
      w = 0.5_real64
      w(2:4) = a(2:4, i)*a(1, i)
      call limited(w(1), w(2), steps)
      a(:m, i) = a(:m, i) + w(2)
      count(owner(i)) = count(owner(i)) + steps
      b(owner(i)) = b(owner(i)) - half(w(3))
    end do
  end subroutine parts
  subroutine extremes(n, a, total, best, found)
    integer, intent(in) :: n
    real(real64), intent(in) :: a(n, n)
    real(real64), intent(inout) :: total, best
    logical, intent(inout) :: found
    integer :: i, j
    do j = 1, n
      do i = 1, n
        if (a(i, j) < 0) cycle
        total = total + a(i, j)*0.5_real64
        if (a(i, j) > best) best = a(i, j)
        found = found .or. a(i, j) > 100
      end do
    end do
  end subroutine extremes
  subroutine edges(n, k, x, most, r)
    integer, intent(in) :: n
    integer(int8), intent(in) :: k(n)
    real(real32), intent(in) :: x(n)
    real(real32), intent(inout) :: most
    real(real64), intent(inout) :: r(n)
    integer(int8) :: b
    integer :: i
    do i = 1, n
      select case (k(i))
      case (300)
        r(i) = 1
      case (:-100)
        r(i) = 2
      case (44)
        r(i) = x(i)**int(k(i), int64)
      end select
      do b = 100_int8, k(i), 7_int8
        r(i) = r(i) + max(real(kind=real64, a=x(i)), r(i))
      end do
    end do
    do i = 1, n
      most = max(x(i), most, 2*x(i))
    end do
  end subroutine edges
  subroutine ordered(n, k, x, s, last)
    integer, intent(in) :: n, k(n)
    real(real64), intent(in) :: x(n)
    real(real64), intent(inout) :: s
    integer, intent(inout) :: last
    real(real64), save :: t(0:2, 2)
    integer :: i, j
    do i = 1, n
      s = s + x(i) - 1
      do j = 1, 2
        if (k(i) == j) cycle
        t(k(i), j) = t(k(i), j) - x(i)
      end do
      last = k(i)
    end do
    if (s > 0) t = last
  end subroutine ordered
  subroutine several(n, g, r)
    integer, intent(in) :: n
    type(gases), intent(inout) :: g(0:2)
    real(real64), intent(inout) :: r(n)
    integer :: i, s
    do i = 1, n
      do s = 0, 2
        r(i) = r(i) + g(s)%c(i)*g(s)%weight
      end do
      g(1)%c(i) = ubound(g(2)%c, 1)
    end do
  end subroutine several
end module nests
