! Called procedures whose own variables change by another name, or in a procedure that gets them: the index of
! an element is not the loop's.
module local_values
  implicit none
  type :: cell
    integer :: k
  end type cell
  type(cell), parameter :: third = cell(3)
contains
  subroutine assigned(a, i, n)
    integer, intent(in) :: i, n
    real, intent(inout) :: a(n)
    type(cell) :: c
    c%k = i
    c = third
    a(c%k) = a(c%k) + i
  end subroutine assigned

  subroutine passed(a, i, n)
    integer, intent(in) :: i, n
    real, intent(inout) :: a(n)
    type(cell) :: c
    c%k = i
    call reset(c)
    a(c%k) = a(c%k)*i
  end subroutine passed

  subroutine reset(c)
    type(cell), intent(inout) :: c
    c = third
  end subroutine reset

  subroutine equivalent(a, i, n)
    integer, intent(in) :: i, n
    real, intent(inout) :: a(n)
    integer :: k, other(4)
    equivalence (k, other)
    k = i
    other(1) = 3
    a(k) = a(k)*i
  end subroutine equivalent

  subroutine next(a, i, n)
    integer, intent(in) :: i, n
    real, intent(inout) :: a(n)
    integer :: k
    k = i
    call increase(k)
    a(k) = a(i)
  end subroutine next

  subroutine increase(k)
    integer, intent(inout) :: k
    k = k + 1
  end subroutine increase

  subroutine same(a, i, n)
    integer, intent(in) :: i, n
    real, intent(inout) :: a(n)
    real :: work(3)
    integer :: k
    k = i - 1
    call increase(k)
    call doubled(work, a(k))
    a(k) = work(2)
  end subroutine same

  subroutine doubled(w, x)
    real, intent(out) :: w(3)
    real, intent(in) :: x
    w = 2*x
  end subroutine doubled

  subroutine run(a, n)
    integer, intent(in) :: n
    real, intent(inout) :: a(n)
    integer :: i
    ! truth: refused strides|recurrence a
    do i = 1, n
      call assigned(a, i, n) !<
    end do
    ! truth: refused strides|recurrence a
    do i = 1, n
      call passed(a, i, n) !<
    end do
    ! truth: refused strides|recurrence a
    do i = 1, n
      call equivalent(a, i, n) !<
    end do
    ! truth: refused recurrence a
    do i = 1, n - 1
      call next(a, i, n) !<
    end do
    ! truth: parallel i
    do i = 1, n
      call same(a, i, n)
    end do
  end subroutine run
end module local_values
