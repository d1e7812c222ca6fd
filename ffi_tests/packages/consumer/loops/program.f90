program main
  use grid_mod, only: wp, nx, ny, fill
  use solver_mod, only: step
  implicit none
  real(wp) :: a(nx, ny), b(nx, ny), total, x(25)
  integer :: k(17), i

  b = 0
  call fill(a)
  call step(a, b, total)
  call old(x)
  call sizes(k)
  call twice(k, 17)
  ! A plane is its own mean; the sum is that of 1 to nx*ny.
  if (any(b /= 0) .or. nint(total) /= nx*ny*(nx*ny + 1)/2) error stop 'solver'
  if (any(nint(x) /= [(3*i, i=1, 25)])) error stop 'old'
  if (any(k /= [(4*i, i=1, 17)])) error stop 'sizes'
  print '(a)', 'program works'
end program
