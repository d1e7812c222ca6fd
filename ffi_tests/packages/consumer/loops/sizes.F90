subroutine sizes(x)
  integer, intent(inout) :: x(EXTENT)
  integer :: i
#ifdef SCALE
  do i = 1, EXTENT
    x(i) = SCALE*i
  end do
#endif
end subroutine
