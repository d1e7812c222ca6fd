subroutine broken(x, n)
  integer, intent(in) :: n
  real, intent(inout) :: x(n)
  integer :: i
  !$portable parallel
  do i = 2, n
    x(i) = x(i-1)
  end do
end subroutine
