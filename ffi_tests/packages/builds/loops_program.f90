program main
  use grid_mod, only: wp, nx, ny, fill
  use solver_mod, only: step
  implicit none
  real(wp) :: a(nx, ny), b(nx, ny), total

  b = 0
  call fill(a)
  call step(a, b, total)
  if (any(b /= 0) .or. nint(total) /= nx*ny*(nx*ny + 1)/2) error stop 'solver'
  print '(a)', 'program works'
end program
