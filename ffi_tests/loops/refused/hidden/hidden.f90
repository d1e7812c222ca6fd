! A file that the tool does not see: compilers need it, the tool is not given this file.
module hidden_grid
  implicit none
  integer, parameter :: nz = 12
  real(kind(1d0)) :: height(nz)
end module hidden_grid

subroutine rain(x)
  implicit none
  double precision, intent(inout) :: x
  x = max(x - 1, 0d0)
end subroutine rain

pure double precision function saturation(t)
  implicit none
  double precision, intent(in) :: t
  saturation = exp(0.07d0*t)
end function saturation
