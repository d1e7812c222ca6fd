! Directives that contradict the analysis, and directives that are right.
module directive
  implicit none
  integer, parameter :: wp = kind(1d0)
contains
  subroutine clauses(n, a, b, w)
    integer, intent(in) :: n
    real(wp), intent(in) :: a(n)
    real(wp), intent(inout) :: b(n), w(4)
    real(wp) :: s, t
    integer :: i, j
    s = 1
    ! truth: refused directive s
    !$portable parallel reduction(+: s)
    do i = 1, n
      s = s*a(i) !<
    end do
    ! truth: parallel i; reduction +:s
    !$portable parallel reduction(+: s)
    do i = 1, n
      s = s + a(i)
    end do
    t = s
    ! truth: refused directive t
    !$portable parallel private(t)
    do i = 1, n
      b(i) = a(i) + t !<
    end do
    ! truth: parallel i; private t
    !$portable parallel private(t)
    do i = 1, n
      t = a(i)
      b(i) = t
    end do
    ! truth: refused directive
    !$portable parallel collapse(2)
    do j = 1, n !<
      t = a(j)
      do i = 1, 4
        w(i) = w(i) + t
      end do
    end do
    ! truth: refused directive nothing
    !$portable parallel private(nothing)
    do i = 1, n !<
      b(i) = 0
    end do
    ! truth: refused directive a
    !$portable parallel reduction(max: a)
    do i = 1, n !<
      b(i) = a(i)
    end do
    ! truth: refused directive
    !$portable parallel independent
    do i = 2, n
      b(i) = b(i - 1) + a(i) !<
    end do
    ! truth: refused directive
    !$omp parallel do private(t)
    do i = 1, n
      b(i) = a(i) + t !<
    end do
    ! truth: refused directive
    !$acc parallel loop reduction(max: t)
    do i = 1, n
      t = t + a(i) !<
    end do
    ! truth: parallel i; reduction +:t
    !$omp parallel do reduction(+: t)
    do i = 1, n
      t = t + a(i)
    end do
    b(1) = b(1) + t
  end subroutine clauses

  subroutine private_arrays(n, m, a, w)
    integer, intent(in) :: n, m
    real(wp), intent(inout) :: a(m, n), w(m)
    integer :: i
    ! truth: parallel i; private w
    !$portable parallel private(w)
    do i = 1, n
      w = a(:, i)
      a(:, i) = w(m:1:-1)
    end do
    ! truth: parallel i
    !$portable parallel independent
    do i = 1, n
      a(1, nint(w(1))*i) = w(2)
    end do
    ! truth: refused recurrence a
    !$portable parallel
    do i = 2, n
      a(1, i) = a(1, i - 1) !<
    end do
  end subroutine private_arrays
end module directive
