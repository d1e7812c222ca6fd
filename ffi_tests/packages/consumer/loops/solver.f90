module solver_mod
  use grid_mod, only: wp, nx, ny
  implicit none
contains
  subroutine step(a, b, total)
    real(wp), intent(in) :: a(nx, ny)
    real(wp), intent(inout) :: b(nx, ny)
    real(wp), intent(out) :: total
    real(wp) :: mean
    integer :: i, j

    !$portable parallel
    do j = 2, ny - 1
      do i = 2, nx - 1
        mean = (a(i-1, j) + a(i+1, j) + a(i, j-1) + a(i, j+1))/4
        b(i, j) = a(i, j) - mean
      end do
    end do
    total = 0
    !$portable parallel
    do j = 1, ny
      do i = 1, nx
        total = total + a(i, j)
      end do
    end do
  end subroutine step
end module solver_mod
