! Sections, whole arrays, array constructors, WHERE and array intrinsics inside a nest.
module sections
  use bits_of_results
  implicit none
  integer, parameter :: wp = real64
contains
  subroutine rows(n, m, a, b)
    integer, intent(in) :: n, m
    real(wp), intent(inout) :: a(m, n), b(0:m + 1, n)
    real(wp) :: w(m), v(3)
    integer :: i, k
    logical :: mask(m)
    ! truth: parallel i; run section-copy
    do i = 1, n
      a(:, i) = b(1:m, i)
    end do
    call show('section-copy', bits([a]))
    ! truth: parallel i; run section-stride
    do i = 1, n
      a(1:m:2, i) = b(m:1:-2, i)*2
    end do
    call show('section-stride', bits([a]))
    ! truth: parallel i; run section-of-itself
    do i = 1, n
      b(1:m, i) = b(0:m - 1, i) + b(2:m + 1, i)
    end do
    call show('section-of-itself', bits([b]))
    ! truth: parallel i; run section-reversed-itself
    do i = 1, n
      a(:, i) = a(m:1:-1, i)
    end do
    call show('section-reversed-itself', bits([a]))
    ! truth: parallel i; run section-scalar-broadcast
    do i = 1, n
      a(2:m - 1, i) = a(1, i)
    end do
    call show('section-scalar-broadcast', bits([a]))
    ! truth: parallel i; run section-zero-size
    do i = 1, n
      a(m + 1:m, i) = 3
      a(4:3, i) = b(5:4, i)
    end do
    call show('section-zero-size', bits([a]))
    ! truth: parallel k; run section-of-rows
    do k = 1, m
      a(k, :) = a(k, :)*k + b(k, n:1:-1)
    end do
    call show('section-of-rows', bits([a]))
    ! truth: parallel i; run section-bounds-of-loop
    do i = 1, min(n, m)
      a(1:i, i) = b(m - i + 1:m, i)
    end do
    call show('section-bounds-of-loop', bits([a]))
    ! truth: parallel i; private w; run whole-private-array
    do i = 1, n
      w = a(:, i)
      a(:, i) = w(m:1:-1) - w
    end do
    call show('whole-private-array', bits([a]))
    ! truth: parallel i; private v; run array-constructor
    do i = 1, n
      v = [a(1, i), b(0, i), real(i, wp)]
      a(1, i) = v(1) + v(2)*v(3)
    end do
    call show('array-constructor', bits([a]))
    ! truth: parallel i; private w k; run implied-do
    do i = 1, n
      w = [(k*a(k, i), k=1, m)]
      a(m, i) = w(1) - w(m)
    end do
    call show('implied-do', bits([a]))
    ! truth: parallel i; run where-construct
    do i = 1, n
      where (a(:, i) > 0)
        a(:, i) = sqrt(a(:, i))
      elsewhere (a(:, i) < -2)
        a(:, i) = -a(:, i)
      elsewhere
        a(:, i) = 0.5_wp
      end where
    end do
    call show('where-construct', bits([a]))
    ! truth: parallel i; private mask; run where-statement
    do i = 1, n
      mask = b(1:m, i) > a(:, i)
      where (mask) a(:, i) = b(1:m, i)
      if (all(mask)) a(1, i) = -1
    end do
    call show('where-statement', bits([a]))
    ! truth: parallel i; run array-intrinsics
    do i = 1, n
      b(0, i) = maxval(a(:, i)) - minval(a(:, i)) + count(a(:, i) > 1)
      b(m + 1, i) = sum(a(:, i)) + product(a(1:3, i)) + dot_product(a(:, i), b(1:m, i))
    end do
    call show('array-intrinsics', bits([b]))
    ! truth: parallel i; run array-locations
    do i = 1, n
      b(1, i) = maxloc(a(:, i), dim=1) + 10*minloc(a(:, i), dim=1)
      if (any(a(:, i) < 0)) b(2, i) = size(a(:, i))
    end do
    call show('array-locations', bits([b]))
    ! truth: parallel i; private w; run cshift-spread
    do i = 1, n
      w = cshift(a(:, i), 2) + eoshift(a(:, i), -1)
      a(:, i) = w + sum(spread(w, 2, 2), dim=2)
    end do
    call show('cshift-spread', bits([a]))
    ! truth: parallel i; run matmul-of-section
    do i = 1, n - 1, 2
      b(1:2, i:i + 1) = matmul(a(1:2, i:i + 1), a(3:4, i:i + 1))
    end do
    call show('matmul-of-section', bits([b]))
    ! truth: parallel i; run vector-subscript
    do i = 1, n
      a(:, i) = b([(m - k + 1, k=1, m)], i)
    end do
    call show('vector-subscript', bits([a]))
  end subroutine rows
end module sections

program main
  use sections
  implicit none
  integer, parameter :: n = 29, m = 7
  real(wp) :: a(m, n), b(0:m + 1, n)
  integer :: i
  a = reshape(sample([(i, i=1, n*m)]), [m, n])
  b = reshape(sample([(i*3, i=1, n*(m + 2))]), [m + 2, n])
  call rows(n, m, a, b)
end program main
