! Nests inside regions of OpenMP and OpenACC that are not themselves the directive, and
! THREADPRIVATE data.
module regions
  implicit none
  integer, parameter :: wp = kind(1d0)
  real(wp) :: work(8)
  integer :: calls
  !$omp threadprivate(work, calls)
contains
  subroutine inside(n, a, b)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(n), b(n, n)
    integer :: i, j
    !$omp parallel private(i)
    ! truth: refused directive
    do i = 1, n !<
      a(i) = a(i) + 1
    end do
    !$omp end parallel
    !$omp parallel
    ! truth: parallel i
    !$omp do
    do i = 1, n
      a(i) = a(i) + 1
    end do
    !$omp end do
    !$omp end parallel
    !$omp parallel
    ! truth: refused directive
    !$omp do
    do i = 1, n !<
      a(i) = a(i) + 1
    end do
    !$omp end do
    !$omp critical
    b(1, 1) = b(1, 1) + 1
    !$omp end critical
    !$omp end parallel
    !$acc kernels
    ! truth: parallel i
    do i = 1, n
      a(i) = 3*a(i)
    end do
    ! truth: parallel i
    !$acc loop independent
    do i = 1, n
      b(i, 1) = a(i)
    end do
    !$acc end kernels
    !$omp parallel
    !$omp single
    ! truth: refused directive
    do i = 1, n !<
      a(i) = a(i) + 1
    end do
    !$omp end single
    !$omp end parallel
    !$acc data copy(a)
    !$acc parallel
    ! truth: refused directive
    do i = 1, n !<
      a(i) = a(i) + 1
    end do
    !$acc end parallel
    !$acc end data
    ! truth: parallel j; private i
    !$omp parallel do private(i)
    do j = 1, n
      do i = 1, j
        b(i, j) = i + j
      end do
    end do
    !$omp end parallel do
    ! truth: parallel i
    !$acc parallel loop
    do i = 1, n
      a(i) = a(i) - 1
    end do
    ! truth: parallel i
    do i = 1, n
      a(i) = a(i)/2
    end do
  end subroutine inside

  ! Threads of a region around the call share the loop.
  subroutine orphan(n, a)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(n)
    integer :: i
    ! truth: refused directive
    !$omp do
    do i = 1, n !<
      a(i) = a(i) + 1
    end do
    !$omp end do
  end subroutine orphan

  subroutine per_thread(n, a)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(n)
    integer :: i
    ! truth: refused directive|effect|not-converted work
    do i = 1, n
      a(i) = a(i) + work(3) !<
    end do
    ! truth: refused directive|effect|call-effect|not-converted calls
    do i = 1, n
      call note(a(i)) !<
    end do
  end subroutine per_thread

  subroutine note(x)
    real(wp), intent(inout) :: x
    x = x + calls
  end subroutine note
end module regions
