! Sums into elements that data choose, and others.
module scattered
  use portable_mod, only: tile
  implicit none
  integer :: bin(1000), hits(10), per(1000), table(10,1000), n = 3
  real :: x(1000), most(10)
contains
  recursive subroutine kernel(t)
    type(tile), intent(in) :: t
    integer :: i, j, k
    do i = t%lower(1), t%upper(1)
      hits(bin(i)) = hits(bin(i)) + 1                  !> scattered-sum hits
      k = bin(i)
      most(k) = max(most(k), x(i))                     !> scattered-sum most
      per(i) = per(i) + 1
      per(i+n) = per(i+n) + 1
      table(k, i) = table(k, i) + 1
      do concurrent (j = t%lower(2):t%upper(2))
        table(k, j) = table(k, j) + 1
      end do
      per(t%lower(1)) = per(t%lower(1)) + 1
      hits(bin(i)) = 1
      call inner(i, bin(i))
    end do
  end subroutine
  recursive subroutine inner(i, k)
    integer, intent(in) :: i, k
    per(i) = per(i) + 1
    hits(mod(k, 10) + 1) = hits(mod(k, 10) + 1) + k   !> scattered-sum hits
  end subroutine
end module
