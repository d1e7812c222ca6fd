program main
  use model, only: from_pool
  implicit none
  real(8), allocatable :: a(:)
  a = [1d0, 2d0]
  if (.not. from_pool(100000)) error stop 'the array is not from the pool'
  print '(a)', 'program works'
end program
