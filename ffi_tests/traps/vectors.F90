! A stencil over six module arrays, in the ways that the guide names. Only compiled: the report is what counts.
module vectors_mod
  use portable_mod, only: tile
  implicit none
  integer :: nx, ny
#if defined(OWN)
  real(8), allocatable, dimension(:,:) :: h, u, v, new_h, new_u, new_v
#else
  real(8), pointer, dimension(:,:) :: h, u, v, new_h, new_u, new_v
#endif
contains
#if defined(DUMMIES)
  recursive subroutine kernel(t)
    type(tile), intent(in) :: t
    call body(t, h, u, v, new_h, new_u, new_v)
  end subroutine

  recursive subroutine body(t, h, u, v, new_h, new_u, new_v)
    type(tile), intent(in) :: t
    real(8), intent(in), dimension(0:nx+1, 0:ny+1) :: h, u, v
    real(8), intent(inout), dimension(0:nx+1, 0:ny+1) :: new_h, new_u, new_v
#else
  recursive subroutine kernel(t)
    type(tile), intent(in) :: t
#endif
    integer :: i, j
#if defined(ASSOCIATE)
    associate (h => h, u => u, v => v, new_h => new_h, new_u => new_u, new_v => new_v)
#endif
    do j = t%lower(2), t%upper(2)
#if defined(CONCURRENT)
      do concurrent (i = t%lower(1):t%upper(1))
#else
      do i = t%lower(1), t%upper(1)
#endif
        new_h(i,j) = h(i,j) - 0.1d0*(u(i+1,j) - u(i-1,j) + v(i,j+1) - v(i,j-1))
        new_u(i,j) = u(i,j) - 0.1d0*(h(i+1,j) - h(i-1,j))
        new_v(i,j) = v(i,j) - 0.1d0*(h(i,j+1) - h(i,j-1))
      end do
    end do
#if defined(ASSOCIATE)
    end associate
#endif
  end subroutine
end module
