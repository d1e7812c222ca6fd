! A stencil over two module arrays. Only compiled: the report is what counts.
module two_mod
  use portable_mod, only: tile
  implicit none
  real(8), pointer :: h(:,:), new(:,:)
contains
  recursive subroutine kernel(t)
    type(tile), intent(in) :: t
    integer :: i, j
    do j = t%lower(2), t%upper(2)
      do i = t%lower(1), t%upper(1)
        new(i,j) = h(i,j) + 0.1d0*(h(i+1,j) + h(i-1,j) + h(i,j+1) + h(i,j-1) - 4*h(i,j))
      end do
    end do
  end subroutine
end module
