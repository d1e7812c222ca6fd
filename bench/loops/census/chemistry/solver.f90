! Stiff chemistry of cells: Newton's method with an LU decomposition of five species for each cell.
module chemistry_solver
  use census_support, only: wp, int64, fill, add
  use interfaces_of_libraries
  implicit none
  integer, parameter :: ns = 5
contains
  subroutine lu(a, b)
    real(wp), intent(inout) :: a(ns, ns), b(ns)
    integer :: i, j, k
    do k = 1, ns - 1
      do i = k + 1, ns
        a(i, k) = a(i, k)/a(k, k)
        do j = k + 1, ns
          a(i, j) = a(i, j) - a(i, k)*a(k, j)
        end do
        b(i) = b(i) - a(i, k)*b(k)
      end do
    end do
    do i = ns, 1, -1
      do j = i + 1, ns
        b(i) = b(i) - a(i, j)*b(j)
      end do
      b(i) = b(i)/a(i, i)
    end do
  end subroutine lu

  subroutine integrate(n, c, t, light, dt, steps)
    integer, intent(in) :: n
    real(wp), intent(inout) :: c(ns, n)
    real(wp), intent(in) :: t(n), light(n), dt
    integer, intent(inout) :: steps(n)
    real(wp) :: k(8), old(ns), f(ns), jac(ns, ns), x(ns), scale, change, ratio, total, left
    integer :: i, s, r, it
    ! truth: parallel i; private k old f jac x
    ! truth+ features private-array stride unseen calls-known exit-cycle
    do i = 1, n
      steps(i) = 0
      if (t(i) < 150) cycle
      do r = 1, 7, 2
        k(r) = reaction_rate(0.1_wp*r, 200.0_wp, t(i))
        k(r + 1) = 0.05_wp*r*light(i)
      end do
      total = 0
      do s = 1, ns
        x(s) = max(c(s, i), 1e-12_wp)
        old(s) = x(s)
        total = total + x(s)
      end do
      do it = 1, 8
        steps(i) = it
        f(1) = -k(1)*x(1)*x(2) + k(2)*x(3)
        f(2) = -k(1)*x(1)*x(2) + k(2)*x(3) - k(3)*x(2)*x(4)
        f(3) = k(1)*x(1)*x(2) - k(2)*x(3)
        f(4) = -k(3)*x(2)*x(4) + k(4)*x(5)
        f(5) = k(3)*x(2)*x(4) - k(4)*x(5)
        do s = 1, ns
          do r = 1, ns
            jac(r, s) = 0
          end do
          jac(s, s) = 1
        end do
        jac(1, 1) = jac(1, 1) + dt*k(1)*x(2)
        jac(1, 2) = jac(1, 2) + dt*k(1)*x(1)
        jac(1, 3) = jac(1, 3) - dt*k(2)
        jac(2, 1) = jac(2, 1) + dt*k(1)*x(2)
        jac(2, 2) = jac(2, 2) + dt*(k(1)*x(1) + k(3)*x(4))
        jac(2, 3) = jac(2, 3) - dt*k(2)
        jac(2, 4) = jac(2, 4) + dt*k(3)*x(2)
        jac(3, 1) = jac(3, 1) - dt*k(1)*x(2)
        jac(3, 2) = jac(3, 2) - dt*k(1)*x(1)
        jac(3, 3) = jac(3, 3) + dt*k(2)
        jac(4, 2) = jac(4, 2) + dt*k(3)*x(4)
        jac(4, 4) = jac(4, 4) + dt*k(3)*x(2)
        jac(4, 5) = jac(4, 5) - dt*k(4)
        jac(5, 2) = jac(5, 2) - dt*k(3)*x(4)
        jac(5, 4) = jac(5, 4) - dt*k(3)*x(2)
        jac(5, 5) = jac(5, 5) + dt*k(4)
        do s = 1, ns
          f(s) = old(s) + dt*f(s) - x(s)
        end do
        call lu(jac, f)
        change = 0
        do s = 1, ns
          scale = abs(x(s)) + 1e-9_wp
          x(s) = max(x(s) + f(s), 0.0_wp)
          change = max(change, abs(f(s))/scale)
        end do
        if (change < 1e-6_wp) exit
      end do
      left = k(5)*k(6) + k(7)*k(8)
      ratio = 0
      do s = 1, ns
        ratio = ratio + x(s)
      end do
      ratio = total/max(ratio, 1e-12_wp)
      do s = 1, ns
        if (x(s) < 1e-12_wp) then
          c(s, i) = 0
        else
          c(s, i) = x(s)*ratio/(1 + 1e-6_wp*left)
        end if
      end do
    end do
  end subroutine integrate

  subroutine run_chemistry_solver(bits)
    integer(int64), intent(inout) :: bits
    integer, parameter :: n = 20
    real(wp) :: c(ns, n), t(n), light(n)
    integer :: steps(n)
    call fill(c, ns*n, 1)
    call fill(t, n, 2, 140.0_wp, 300.0_wp)
    call fill(light, n, 3)
    call integrate(n, c, t, light, 0.5_wp, steps)
    call add(bits, c, ns*n)
    call add(bits, real(steps, wp), n)
  end subroutine run_chemistry_solver
end module chemistry_solver
