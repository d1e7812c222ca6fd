! Coarrays (compiled with -fcoarray=single).
subroutine coarrays(n, a)
  implicit none
  integer, intent(in) :: n
  double precision, intent(inout) :: a(n)
  double precision, save :: halo(100)[*]
  integer :: i
  ! truth: refused not-converted
  do i = 1, min(n, 100)
    a(i) = halo(i)[1] !<
  end do
  ! truth: parallel i
  do i = 1, n
    a(i) = a(i) + 1
  end do
end subroutine coarrays
