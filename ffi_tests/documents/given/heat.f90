module heat
  implicit none
  integer :: nx = 300, ny = 200
  real(8), allocatable :: u(:,:), unew(:,:)
  real(8) :: r = 0.2d0
contains
  subroutine step()
    integer :: i, j
    do j = 1, ny
      do i = 1, nx
        unew(i,j) = u(i,j) + r*(u(i-1,j) + u(i+1,j) + u(i,j-1) + u(i,j+1) - 4*u(i,j))
      end do
    end do
  end subroutine
end module

program model
  use heat
  allocate (u(0:nx+1,0:ny+1), unew(0:nx+1,0:ny+1))
  u = 1
  call step()
end program
