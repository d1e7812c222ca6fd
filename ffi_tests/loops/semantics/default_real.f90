! Default kinds that flags change: reals and double precision.
! flags: -fdefault-real-8
program main
  use bits_of_results
  implicit none
  integer, parameter :: n = 33
  real :: x(n), s
  double precision :: d(n)
  real(real32) :: r(n)
  integer :: i
  x = real(sample([(i, i=1, n)]))
  ! truth: parallel i; run default-real-literal
  do i = 1, n
    x(i) = x(i)*0.1 + 1.0e-20/3.0 + real(i)/7
  end do
  call show('default-real-literal', bits(x))
  ! truth: parallel i; run default-real-named-kind
  do i = 1, n
    r(i) = 0.1*x(i)
    r(i) = r(i)*0.1_real32
  end do
  call show('default-real-named-kind', bits(r))
  s = 0.1
  ! truth: parallel i; private s; run default-real-scalar
  do i = 1, n
    s = i/10.0
    x(i) = s + float(i)/3 + sngl(1d0/3)
  end do
  call show('default-real-scalar', bits(x))
  ! truth: parallel i; run default-double
  do i = 1, n
    d(i) = 0.1d0*x(i)
  end do
  call show('default-double', bits(real(d, real64)))
end program main
