module grid_mod
  implicit none
  integer, parameter :: wp = kind(1d0), nx = 40, ny = 30
contains
  subroutine fill(a)
    real(wp), intent(out) :: a(nx, ny)
    integer :: i, j

    do j = 1, ny
      do i = 1, nx
        a(i, j) = i + nx*(j - 1)
      end do
    end do
  end subroutine fill
end module grid_mod
