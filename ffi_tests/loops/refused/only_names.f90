! USE ONLY of a module that is not seen: nests that do not touch its names are converted.
subroutine only_names(n, a)
  use hidden_grid, only: height
  implicit none
  integer, intent(in) :: n
  double precision, intent(inout) :: a(n)
  integer :: i
  ! truth: refused not-seen hidden_grid
  do i = 1, n
    a(i) = a(i) + height(1) !<
  end do
  ! truth: parallel i
  do i = 1, n
    a(i) = a(i)**2
  end do
end subroutine only_names
