! Nests whose text for devices is in nests.txt.
module nests
  use, intrinsic :: iso_fortran_env, only: int8, int64, real32, real64
  implicit none
  real(real64), allocatable :: field(:, :)
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
end module nests
