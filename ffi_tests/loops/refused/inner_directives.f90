! Clauses of directives at loops inside of a nest: those that contradict the loop, and those that are
! right. The nest is refused as it is for a clause of its own directive.
module inner_directives
  implicit none
  integer, parameter :: wp = kind(1d0)
contains
  subroutine wrong(n, a, b, w)
    integer, intent(in) :: n
    real(wp), intent(in) :: a(n, n)
    real(wp), intent(inout) :: b(n, n)
    real(wp), intent(in) :: w(n)
    real(wp) :: s, t, old
    real(wp) :: line(4)
    integer :: i, j
    ! truth: refused directive s
    !$acc parallel loop gang
    do j = 1, n
      s = 1
      !$acc loop vector reduction(+: s) !<
      do i = 1, n !<
        s = s*a(i, j) !<
      end do
      b(1, j) = s
    end do
    ! truth: refused directive old
    !$acc parallel loop gang private(old)
    do j = 1, n
      old = 0
      !$acc loop vector private(old) !<
      do i = 1, n
        b(i, j) = a(i, j) + old !<
        old = a(i, j)
      end do
    end do
    ! truth: refused directive t
    !$omp parallel do private(t)
    do j = 1, n
      t = w(j)
      !$omp simd private(t) !<
      do i = 1, n
        b(i, j) = a(i, j)*t !<
      end do
    end do
    ! truth: refused directive s
    do j = 1, n
      s = 0
      !$omp simd private(s) !<
      do i = 1, n
        s = s + a(i, j)
      end do
      b(j, j) = s
    end do
    ! truth: refused directive s
    !$omp target teams distribute
    do j = 1, n
      s = -1000
      !$omp parallel do reduction(min: s) !<
      do i = 1, n
        s = max(s, a(i, j)) !<
      end do
      b(j, j) = s
    end do
    ! truth: refused directive line
    do j = 1, n
      line = w(j)
      !$acc loop seq private(line) !<
      do i = 1, n
        b(i, j) = line(2) + a(i, j) !<
        line(2) = a(i, j)
      end do
    end do
    ! truth: refused directive t
    do j = 1, n
      t = 0
      if (w(j) > 0) then
        !$omp parallel do firstprivate(t) !<
        do i = 1, n
          b(i, j) = t !<
          t = t + a(i, j)
        end do
      end if
    end do
    ! truth: refused directive old
    do j = 1, n
      old = 0
      !$omp simd lastprivate(old) !<
      do i = 1, n
        b(i, j) = a(i, j) + old !<
        old = a(i, j)
      end do
      b(1, j) = old
    end do
    ! truth: refused directive s
    !$portable parallel
    do j = 1, n
      s = 2
      !$portable parallel reduction(max: s) !<
      do i = 1, n
        b(i, j) = s*a(i, j) !<
      end do
    end do
    ! truth: refused directive t
    do j = 1, n
      !$acc loop vector private(t) !<
      do i = 1, n
        b(i, j) = a(i, j) + t !<
      end do
    end do
  end subroutine wrong

  subroutine right(n, a, b, w)
    integer, intent(in) :: n
    real(wp), intent(in) :: a(n, n)
    real(wp), intent(inout) :: b(n, n)
    real(wp), intent(inout) :: w(n)
    real(wp) :: s, t, line(4)
    integer :: i, j, k
    ! truth: parallel j; private s t i
    !$acc parallel loop gang private(s, j)
    do j = 1, n
      s = j
      !$acc loop vector reduction(+: s) private(t, i)
      do i = 1, n
        t = a(i, j)
        s = s + t*t
      end do
      b(1, j) = s
    end do
    ! truth: parallel j; private i k
    !$omp parallel do private(j, i, k)
    do j = 1, n
      !$omp simd private(k) lastprivate(t) simdlen(4)
      do i = 1, n
        k = i + j
        t = k
        b(i, j) = a(i, j)*t
      end do
      b(1, j) = b(1, j) + t
    end do
    ! truth: parallel j; private i
    do j = 1, n
      s = -1
      !$omp simd reduction(max: s) private(line)
      do i = 1, n
        if (a(i, j) > s) s = a(i, j)
        line = a(i, j)
        b(i, j) = line(1) + line(4)
      end do
      w(j) = s
    end do
    ! truth: parallel j i
    !$acc parallel loop gang
    do j = 1, n
      !$acc loop vector private(t, i)
      do i = 1, n
        if (a(i, j) > 0) then
          t = 2
        else
          t = 3
        end if
        b(i, j) = t + i
      end do
    end do
  end subroutine right
end module inner_directives
