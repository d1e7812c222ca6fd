! Dense and sparse matrices: products, factorisations, assembly in compressed rows.
module matrices
  use census_support, only: wp, int64, fill, fill_int, add, add_int
  implicit none
contains
  subroutine swap(n, x, y)
    integer, intent(in) :: n
    real(wp), intent(inout) :: x(n), y(n)
    real(wp) :: t
    integer :: i
    do i = 1, n
      t = x(i)
      x(i) = y(i)
      y(i) = t
    end do
  end subroutine swap

  subroutine scale_column(n, x)
    integer, intent(in) :: n
    real(wp), intent(inout) :: x(n)
    x = x/max(1e-9_wp, sum(abs(x)))
  end subroutine scale_column

  subroutine dense(n, a, b, c, x, y)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(n, n), b(n, n), c(n, n), x(n), y(n)
    real(wp) :: s, dominance
    integer :: i, j, k
    ! truth: parallel j i; private s k; features core
    do j = 1, n
      do i = 1, n
        s = 0
        do k = 1, n
          s = s + a(i, k)*b(k, j)
        end do
        c(i, j) = s
      end do
    end do
    ! truth: parallel j; private k i; features core
    do j = 1, n
      do k = 1, n
        do i = 1, n
          c(i, j) = c(i, j) + a(i, k)*b(j, k)
        end do
      end do
    end do
    ! truth: parallel j i; features core
    do j = 1, n
      do i = 1, n
        b(i, j) = a(j, i)
      end do
    end do
    ! truth: parallel i; private j; features core
    do i = 1, n
      y(i) = 0
      do j = 1, n
        y(i) = y(i) + a(i, j)*x(j)
      end do
    end do
    ! truth: parallel j; features sections
    do j = 1, n
      c(:, j) = c(:, j) + x(j)*a(:, j)
    end do
    ! truth: parallel j; features sections
    do j = 2, n
      c(1:j - 1, j) = c(j, 1:j - 1)
    end do
    ! truth: parallel j; features calls-known
    do j = 1, n
      call scale_column(n, c(1, j))
    end do
    ! truth: parallel j; features calls-known
    do j = 1, n
      call swap(n, a(:, j), b(:, j))
    end do
    ! truth: parallel j; features calls-known stride
    do j = 1, n/2
      call swap(n, c(1, 2*j), c(1, 2*j - 1))
    end do
    ! truth: parallel j i; features core
    do j = 1, n
      do i = j + 1, n
        a(i, j) = a(i, j)/(abs(a(j, j)) + n)
      end do
    end do
    ! truth: parallel i; features core
    do i = 1, n
      a(i, i) = a(i, i) + 2
    end do
    ! truth: parallel i; features array-intrinsic
    do i = 1, n
      x(i) = dot_product(a(i, :), y)
    end do
    dominance = huge(s)
    ! truth: parallel i; private s j; reduction min:dominance; features reduction
    do i = 1, n
      s = abs(a(i, i))
      do j = 1, n
        if (j /= i) s = s - abs(a(i, j))
      end do
      dominance = min(dominance, s)
    end do
    y(1) = dominance
    ! truth: parallel i; features core
    do k = 1, n - 1
      do i = k + 1, n
        a(i, k) = a(i, k)/a(k, k)
      end do
    end do
    ! truth: parallel j i; features core
    do k = 1, n - 1
      do j = k + 1, n
        do i = k + 1, n
          c(i, j) = c(i, j) - 0.01_wp*c(i, k)*c(k, j)
        end do
      end do
    end do
    ! truth: parallel i; features core
    do j = n, 2, -1
      do i = 1, j - 1
        x(i) = x(i) - 0.1_wp*b(i, j)*x(j)
      end do
    end do
    ! truth: parallel j; private y; last y; census whole-array; features sections
    do j = 1, n
      y = a(:, j) - b(:, j)
      c(1, j) = y(1) + y(n)
    end do
    ! truth: refused strides|recurrence|unknown-distance b; features core
    do j = 1, n - 1
      do i = 1, n
        b(i, j) = b(j + 1, i) !<
      end do
    end do
  end subroutine dense

  subroutine sparse(n, nnz, row, col, val, x, y, diag, level, worst)
    integer, intent(in) :: n, nnz, row(n + 1), col(nnz), level(n)
    real(wp), intent(inout) :: val(nnz), x(n), y(n), diag(n), worst
    real(wp) :: s
    integer :: i, k
    ! truth: parallel i; private k; features indirect
    do i = 1, n
      y(i) = 0
      do k = row(i), row(i + 1) - 1
        y(i) = y(i) + val(k)*x(col(k))
      end do
    end do
    ! truth: parallel i; private k; features exit-cycle
    do i = 1, n
      diag(i) = 1
      do k = row(i), row(i + 1) - 1
        if (col(k) /= i) cycle
        diag(i) = val(k) + 2
        exit
      end do
    end do
    ! truth: parallel k; sums y; features array-sum
    do k = 1, nnz
      y(col(k)) = y(col(k)) + val(k)*0.5_wp
    end do
    ! truth: parallel i; private s k; reduction max:worst; features reduction indirect
    do i = 1, n
      s = y(i)
      do k = row(i), row(i + 1) - 1
        s = s - val(k)*x(col(k))*0.1_wp
      end do
      worst = max(worst, abs(s))
    end do
    s = 0
    ! truth: refused carried-scalar s; features core
    do i = 1, n
      s = s + diag(i)*x(i) !<
      y(i) = y(i) - 1e-3_wp*s !<
    end do
    ! truth: refused index-array x; features indirect
    do i = 1, n
      x(level(i)) = y(i)/diag(i) !<
    end do
  end subroutine sparse

  subroutine run_matrices(bits)
    integer(int64), intent(inout) :: bits
    integer, parameter :: n = 20, nnz = 3*n
    real(wp) :: a(n, n), b(n, n), c(n, n), x(n), y(n), val(nnz), diag(n), worst
    integer :: row(n + 1), col(nnz), level(n), i
    call fill(a, n*n, 1)
    call fill(b, n*n, 2)
    call fill(x, n, 3)
    do i = 1, n
      a(i, i) = a(i, i) + 4
    end do
    call dense(n, a, b, c, x, y)
    call fill(val, nnz, 4)
    row = [(3*i - 2, i=1, n + 1)]
    col = [(mod(i*7, n) + 1, i=1, nnz)]
    level = [(i, i=n, 1, -1)]
    worst = 0
    call sparse(n, nnz, row, col, val, x, y, diag, level, worst)
    call add(bits, a, n*n)
    call add(bits, b, n*n)
    call add(bits, c, n*n)
    call add(bits, x, n)
    call add(bits, y, n)
    call add(bits, diag, n)
    call add(bits, [worst], 1)
  end subroutine run_matrices
end module matrices
