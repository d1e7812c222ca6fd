! Vectors: norms, products, updates, scans, searches.
module vectors
  use census_support, only: wp, int64, fill, fill_int, add, add_int
  implicit none
  type bundle
    real(wp), allocatable :: x(:), r(:), p(:), ap(:), diag(:)
    real(wp) :: rho, alpha, beta
  end type bundle
contains
  pure real(wp) function soft(x, t)
    real(wp), intent(in) :: x, t
    soft = sign(max(abs(x) - t, 0.0_wp), x)
  end function soft

  subroutine rotate(x, y, c, s)
    real(wp), intent(inout) :: x, y
    real(wp), intent(in) :: c, s
    real(wp) :: t
    t = c*x + s*y
    y = c*y - s*x
    x = t
  end subroutine rotate

  subroutine norms(n, x, y, z, out, where_is, ok)
    integer, intent(in) :: n
    real(wp), intent(in) :: x(n), y(n), z(n)
    real(wp), intent(inout) :: out(12)
    integer, intent(inout) :: where_is
    logical, intent(inout) :: ok
    real(wp) :: s, t, p, big
    integer :: i, c
    s = 0
    ! truth: parallel i; reduction +:s; features reduction
    do i = 1, n
      s = s + x(i)*y(i)
    end do
    ! truth: parallel i; reduction +:s; features reduction
    do i = 1, n
      s = s + abs(x(i))
    end do
    t = 0
    ! truth: parallel i; reduction +:t; features reduction
    do i = 1, n
      t = t + (x(i) - y(i))**2
    end do
    big = 0
    ! truth: parallel i; reduction max:big; features reduction
    do i = 1, n
      big = max(big, abs(z(i)))
    end do
    out(1:3) = [s, t, big]
    ! truth: parallel i; reduction max:big maxloc:where_is; features reduction
    do i = 1, n
      if (x(i)*z(i) > big) then
        big = x(i)*z(i)
        where_is = i
      end if
    end do
    p = 1
    ! truth: parallel i; reduction *:p; features reduction
    do i = 1, n
      p = p*(1 + 1e-3_wp*x(i))
    end do
    c = 0
    ! truth: parallel i; reduction +:c; features reduction
    do i = 1, n
      if (y(i) > x(i)) c = c + 1
    end do
    ! truth: parallel i; reduction .and.:ok; features reduction
    do i = 1, n
      ok = ok .and. z(i) >= 0
    end do
    s = huge(s)
    ! truth: parallel i; reduction min:s; features reduction
    do i = 1, n
      s = min(s, y(i) + z(i))
    end do
    ! truth: parallel i; reduction +:t; features reduction stride
    do i = 1, n, 4
      t = t + x(i)*z(i)
    end do
    out(4:7) = [p, real(c, wp), s, t]
    s = 0
    t = 0
    ! truth: parallel i; reduction +:s +:t; features reduction
    do i = 1, n
      s = s + x(i)
      t = t + x(i)**2
    end do
    ! truth: parallel i; reduction +:p; features reduction function-known
    do i = 1, n
      p = p + soft(y(i), 0.5_wp)
    end do
    ! truth: refused leaves-loop; features exit-cycle reduction
    do i = 1, n
      s = s + y(i)
      if (s > 1e3_wp) exit !<
    end do
    out(8:10) = [s, t, p]
  end subroutine norms

  subroutine updates(n, a, x, y, z)
    integer, intent(in) :: n
    real(wp), intent(in) :: a
    real(wp), intent(inout) :: x(n), y(n), z(n)
    real(wp) :: t
    integer :: i
    ! truth: parallel i; features core
    do i = 1, n
      y(i) = y(i) + a*x(i)
    end do
    ! truth: parallel i; features core
    do i = 1, n
      z(i) = x(i)
    end do
    ! truth: parallel i; features core
    do i = 1, n
      x(i) = a*x(i)
    end do
    ! truth: parallel i; private t; features core
    do i = 1, n
      t = x(i)
      x(i) = y(i)
      y(i) = t
    end do
    ! truth: parallel i; features calls-known
    do i = 1, n
      call rotate(x(i), y(i), 0.8_wp, 0.6_wp)
    end do
    ! truth: parallel i; features function-known
    do i = 1, n
      z(i) = soft(z(i), a)
    end do
    ! truth: parallel i; features stride
    do i = 1, n/2
      z(2*i) = x(2*i - 1)
    end do
    ! truth: parallel i; features core
    do i = 1, n
      y(i) = x(n + 1 - i)*z(i)
    end do
    t = 0
    ! truth: refused carried-scalar t; features core
    do i = 1, n
      t = t*0.5_wp + z(i) !<
      y(i) = t !<
    end do
    ! truth: refused recurrence x; features core
    do i = 2, n
      x(i) = x(i) + x(i - 1) !<
    end do
    ! truth: refused recurrence z; features core
    do i = 1, n - 1
      z(i) = z(i + 1) - a !<
    end do
    ! truth: refused recurrence x; features core
    do i = 3, n
      x(i) = 0.5_wp*(x(i - 1) + x(i - 2)) + y(i) !<
    end do
  end subroutine updates

  subroutine conjugate(n, b, matrix)
    integer, intent(in) :: n
    type(bundle), intent(inout) :: b
    real(wp), intent(in) :: matrix(n, n)
    integer :: i, j
    ! truth: parallel i; private j; features component
    do i = 1, n
      b%ap(i) = 0
      do j = 1, n
        b%ap(i) = b%ap(i) + matrix(j, i)*b%p(j)
      end do
    end do
    ! truth: parallel i; reduction +:b%rho; features component reduction
    do i = 1, n
      b%rho = b%rho + b%r(i)*b%r(i)
    end do
    ! truth: parallel i; features component
    do i = 1, n
      b%x(i) = b%x(i) + b%alpha*b%p(i)
      b%r(i) = b%r(i) - b%alpha*b%ap(i)
    end do
    ! truth: parallel i; features component
    do i = 1, n
      b%p(i) = b%r(i) + b%beta*b%p(i)
    end do
    ! truth: parallel i; features component
    do i = 1, n
      b%r(i) = b%r(i)/b%diag(i)
    end do
  end subroutine conjugate

  subroutine run_vectors(bits)
    integer(int64), intent(inout) :: bits
    integer, parameter :: n = 60
    real(wp) :: x(n), y(n), z(n), out(12), matrix(n, n)
    type(bundle) :: b
    integer :: at
    logical :: ok
    call fill(x, n, 1)
    call fill(y, n, 2)
    call fill(z, n, 3)
    out = 0
    at = 0
    ok = .true.
    call norms(n, x, y, z, out, at, ok)
    call updates(n, 0.3_wp, x, y, z)
    call fill(matrix, n*n, 4)
    b = bundle(x, y, z, x, 1 + y**2, 0.0_wp, 0.1_wp, 0.2_wp)
    call conjugate(n, b, matrix)
    call add(bits, x, n)
    call add(bits, y, n)
    call add(bits, z, n)
    call add(bits, out(1:10), 10)
    call add(bits, b%x, n)
    call add(bits, b%r, n)
    call add(bits, b%p, n)
    call add_int(bits, [at, merge(1, 0, ok)], 2)
  end subroutine run_vectors
end module vectors
