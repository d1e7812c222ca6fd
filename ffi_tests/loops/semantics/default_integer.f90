! Default integers and logicals of 8 bytes, and double precision that stays.
! flags: -fdefault-integer-8 -fdefault-real-8 -fdefault-double-8
program main
  use bits_of_results
  implicit none
  integer, parameter :: n = 33
  integer :: k(n), i
  logical :: b(n)
  double precision :: d(n)
  ! truth: parallel i; run default-integer-range
  do i = 1, n
    k(i) = 3000000000*i + mod(i, 7)*(huge(1)/1000)
  end do
  call show('default-integer-range', bits(k))
  ! truth: parallel i; run default-logical
  do i = 1, n
    b(i) = k(i) > 50000000000
  end do
  call show('default-logical', bits(b))
  ! truth: parallel i; run default-double-8
  do i = 1, n
    d(i) = k(i)*0.1d0 + 0.1
  end do
  call show('default-double-8', bits(d))
end program main
