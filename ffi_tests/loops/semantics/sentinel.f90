! Conditional compilation of OpenMP, with its flag: `!$` lines are statements.
! flags: -fopenmp
program main
  use bits_of_results
  implicit none
  integer, parameter :: n = 27
  real(real64) :: x(n), y(n)
  integer :: i
  x = sample([(i, i=1, n)])
  ! truth: parallel i; run sentinel-with-openmp
  do i = 1, n
    y(i) = x(i)
    !$ y(i) = y(i) + 1000
    !$ if (i > 3 .and. &
    !$&    x(i) > 0) y(i) = 0
  end do
  call show('sentinel-with-openmp', bits(y))
  ! truth: parallel i; run directive-of-openmp
  !$omp parallel do
  do i = 1, n
    y(i) = y(i) - i
  end do
  call show('directive-of-openmp', bits(y))
end program main
