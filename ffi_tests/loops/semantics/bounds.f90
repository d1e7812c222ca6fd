! Bounds of arrays: lower bounds, zero sizes, strides of actual arguments, all kinds of dummies.
module bounds
  use bits_of_results
  implicit none
  integer, parameter :: wp = real64
  integer, parameter :: low = -2, high = 25
  real(wp) :: field(low:high, 0:3)
  real(wp), allocatable :: profile(:)
contains
  subroutine explicit(n, m, a)
    integer, intent(in) :: n, m
    real(wp), intent(inout) :: a(-n:m, 2*n - 1:2*n + 1)
    integer :: i, j
    ! truth: parallel j i; run lower-bounds-of-expressions
    do j = 2*n - 1, 2*n + 1
      do i = -n, m
        a(i, j) = a(i, j) + i*j
      end do
    end do
    call show('lower-bounds-of-expressions', bits([a]))
  end subroutine explicit

  subroutine assumed(a, b)
    real(wp), intent(inout) :: a(0:)
    real(wp), intent(in) :: b(:)
    integer :: i
    ! truth: parallel i; run assumed-shape-lower-bound
    do i = lbound(a, 1), ubound(a, 1)
      a(i) = a(i) + b(i + 1)
    end do
  end subroutine assumed

  subroutine assumed_size(n, a)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(3, *)
    integer :: i, j
    ! truth: parallel j i; run assumed-size
    do j = 1, n
      do i = 1, 3
        a(i, j) = a(i, j)*i - j
      end do
    end do
    call show('assumed-size', bits([a(:, 1:n)]))
  end subroutine assumed_size

  subroutine assumed_size_shifted(n, a)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(0:*)
    integer :: i
    ! truth: parallel i; run assumed-size-lower-bound
    do i = 0, n - 1
      a(i) = a(i) + 0.5_wp*i
    end do
    call show('assumed-size-lower-bound', bits(a(0:n - 1)))
  end subroutine assumed_size_shifted

  subroutine automatic(n, a)
    integer, intent(in) :: n
    real(wp), intent(in) :: a(n)
    real(wp) :: w(0:n/2, -1:1)
    integer :: i, j
    ! truth: parallel j i; run automatic-array
    do j = -1, 1
      do i = 0, n/2
        w(i, j) = a(i + 1)*j
      end do
    end do
    call show('automatic-array', bits([w]))
  end subroutine automatic

  subroutine allocated(n)
    integer, intent(in) :: n
    real(wp), allocatable :: w(:, :)
    integer :: i, j
    allocate (w(-n:n, 3:5), profile(10:10 + n))
    ! truth: parallel j i; run allocatable-lower-bounds
    do j = 3, 5
      do i = -n, n
        w(i, j) = sample(i)/j
      end do
    end do
    call show('allocatable-lower-bounds', bits([w]))
    ! truth: parallel i; run allocatable-of-module
    do i = lbound(profile, 1), ubound(profile, 1)
      profile(i) = w(i - 10, 4)
    end do
    call show('allocatable-of-module', bits(profile))
  end subroutine allocated

  subroutine fields()
    integer :: i, j
    ! truth: parallel j i; run module-array
    do j = 0, 3
      do i = low, high
        field(i, j) = sample(i + j)
      end do
    end do
    call show('module-array', bits([field]))
  end subroutine fields

  subroutine pointers(n)
    integer, intent(in) :: n
    real(wp), target :: t(3*n)
    real(wp), pointer :: p(:), q(:)
    integer :: i
    t = sample([(i, i=1, 3*n)])
    p => t(1:n)
    q(-4:) => t(3*n:2*n + 2:-2)
    ! truth: parallel i; run pointer-arrays
    do i = 1, ubound(q, 1)
      p(i) = p(i) + q(i)
    end do
    call show('pointer-arrays', bits(t))
    p => t(2:3*n:3)
    ! truth: parallel i; run pointer-stride
    do i = 1, size(p)
      p(i) = i
    end do
    call show('pointer-stride', bits(t))
  end subroutine pointers

  subroutine zero_size(n, a)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(n, 0:*)
    integer :: i, j
    ! truth: parallel j i; run zero-size
    do j = 0, 4
      do i = 1, n
        a(i, j) = 1
      end do
    end do
  end subroutine zero_size
end module bounds

program main
  use bounds
  implicit none
  real(wp) :: a(300), b(20, 20)
  integer :: i
  a = sample([(i, i=1, 300)])
  call explicit(5, 9, a)
  call assumed(a(1:40), a(101:140))
  call show('assumed-shape-lower-bound', bits(a(1:40)))
  call assumed(a(1:60:3), a(300:240:-2))
  call show('assumed-shape-stride', bits(a(1:60)))
  b = reshape(a, [20, 20], pad=[1.0_wp])
  call assumed(b(3, :), a(201:220))
  call show('assumed-shape-row', bits([b]))
  call assumed_size(50, a)
  call assumed_size(5, b(2, 2))
  call assumed_size_shifted(33, a(7))
  call automatic(30, a)
  call allocated(13)
  call fields()
  call pointers(21)
  call zero_size(0, a)
  call show('zero-size', bits(a(1:3)))
end program main
