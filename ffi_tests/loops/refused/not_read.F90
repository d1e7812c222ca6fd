! Statements that only the preprocessor of another compiler, or its own language, makes legal.
! Not for compilers.
subroutine not_read(n, a)
  implicit none
  integer, intent(in) :: n
  double precision, intent(inout) :: a(n)
  integer :: i
  ! truth: refused not-read
  do i = 1, n
    a(i) = a(i) .plusplus. 1 ) !<
  end do
  ! truth: refused not-read
  do i = 1, n
    a(i) = 2*a(i)
    FUSED_UPDATE{a, i} !<
  end do
  ! truth: refused not-read
  do i = 1, n
    if (a(i) > 0) then else a(i) = 0 !<
  end do
  ! truth: parallel i
  do i = 1, n
    a(i) = 2*a(i)
  end do
end subroutine not_read
