! DO CONCURRENT: it counts as independent, but a conflict that is proved is an error.
module concurrent
  implicit none
  integer, parameter :: wp = kind(1d0)
contains
  subroutine claims(n, a, b, map)
    integer, intent(in) :: n, map(n)
    real(wp), intent(inout) :: a(n), b(n)
    integer :: i
    ! truth: refused directive|recurrence a
    do concurrent (i=2:n)
      a(i) = a(i - 1) + 1 !<
    end do
    ! truth: parallel i
    do concurrent (i=2:n)
      a(map(i)) = b(i)
    end do
    ! truth: parallel i
    do concurrent (i=1:n, b(i) > 0)
      a(i) = log(b(i))
    end do
  end subroutine claims
end module concurrent
