! Loops that are said to be independent: those that are not, and why the others are.
module independent
  implicit none
  real :: a(100), b(100), w(10), last, most
  integer :: map(100)
contains
  subroutine wrong(n, m)
    integer, intent(in) :: n, m
    integer :: i, j
    !$portable parallel
    do i = 2, n
      a(i) = a(i-1) + b(i)              !> not-independent i
    end do
    !$omp parallel do private(j)
    do i = 1, n
      last = b(i) + last*b(i)           !> not-independent i
      b(3) = last                       !> not-independent i
    end do
    !$omp end parallel do
    !$acc parallel loop independent
    do i = 1, n
      a(i) = a(i+1)                     !> not-independent i
    end do
    do concurrent (i = 2:n)
      b(i) = b(i-1)                     !> not-independent i
    end do
    !$omp target teams distribute parallel do
    do j = 1, m
      do i = 2, n
        a(i) = a(i-1)                   !> not-independent j
      end do
    end do
  end subroutine

  subroutine right(n, m)
    integer, intent(in) :: n, m
    integer :: i, j
    real :: s, t
    !$omp parallel do reduction(+: s) private(t)
    do i = 1, n
      t = b(i)
      s = s + t
    end do
    !$portable parallel
    do i = 2, n
      if (mod(i, 2) == 0) a(i) = a(i-1)
    end do
    !$omp parallel do
    do i = 1, n
      a(map(i)) = b(i)
      call unseen(b(i))
    end do
    !$omp parallel do
    do i = 1, n
      !$omp critical
      if (b(i) > most) then
        last = i + last
        most = b(i)
      end if
      !$omp end critical
    end do
    !$omp parallel do ordered
    do i = 2, n
      !$omp ordered
      a(i) = a(i-1)
      !$omp end ordered
    end do
    !$omp parallel do private(j)
    do i = 1, n
      do j = 10*i - 9, 10*i
        a(j) = b(i)
      end do
    end do
    !$omp parallel do private(t)
    do i = 1, n
      call unseen(i, t, last)
      a(i) = t + last
    end do
    !$acc parallel loop
    do i = 1, n
      !$acc atomic capture
      t = most
      most = most + b(i)
      !$acc end atomic
    end do
    !$omp parallel do firstprivate(w)
    do i = 1, n
      w(1) = b(i)
      a(i) = w(1)
    end do
    !$acc parallel loop
    do i = 1, n
      do j = 2, 10
        a(i) = a(i) + w(j)*w(j-1)
      end do
    end do
    !$omp parallel do
    do i = 2, n
      a(i) = a(i-1)                     ! yaklcheck: ok
    end do
    do i = 2, n
      a(i) = a(i-1)
    end do
  end subroutine
end module
