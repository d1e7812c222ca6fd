! Small physics and model utilities of an atmosphere model; branches of the preprocessor choose
! the scheme.
#define SAFE(x) max(x, 1.0e-9_wp)
#ifndef WEIGHT
#define WEIGHT 0.25_wp
#endif
module small_physics
  use census_support, only: wp, int64, fill, fill_int, add, add_int
  use atmosphere_grid
  use interfaces_of_libraries
  implicit none
contains
  subroutine surface(n, s, ts, drag, heat, water, wet)
    integer, intent(in) :: n
    type(column_state), intent(inout) :: s
    real(wp), intent(in) :: ts(n)
    real(wp), intent(inout) :: drag(n), heat(n), water(n)
    logical, intent(in) :: wet(n)
    real(wp) :: ri, total
    integer :: i
    ! truth: parallel i; private ri; features component unseen
    do i = 1, n
      ri = gravity*(s%t(i, 1) - ts(i))/SAFE(s%u(i, 1)**2)
      drag(i) = 1e-3_wp*stability(ri)
    end do
    ! truth: parallel i; features component
    do i = 1, n
      heat(i) = drag(i)*cp*(ts(i) - s%t(i, 1))*abs(s%u(i, 1))
    end do
    ! truth: parallel i; features component unseen
    do i = 1, n
      water(i) = 0
      if (wet(i)) water(i) = drag(i)*(0.622_wp*saturation_pressure(ts(i))/s%p(i, 1) - s%q(i, 1))
    end do
    ! truth: parallel i; features component
    do i = 1, n
      s%t(i, 1) = s%t(i, 1) + dt*heat(i)*1e-4_wp
      s%q(i, 1) = SAFE(s%q(i, 1) + dt*water(i)*1e-4_wp)
    end do
    total = 0
    ! truth: parallel i; reduction +:total; features reduction component
    do i = 1, n
      total = total + s%flux(i)*WEIGHT
    end do
    drag(1) = drag(1) + 1e-9_wp*total
    ! truth: parallel i; features component calls-known
    do i = 1, n
      call clip(s%u(i, 1), -30.0_wp, 30.0_wp)
    end do
    ! truth: parallel i; features component function-known
    do i = 1, n
      s%flux(i) = virtual(s%t(i, 1), s%q(i, 1))
    end do
    ! truth: parallel i; last total; census last-value; features core
    do i = 1, n
      heat(i) = heat(i)*0.5_wp
      if (heat(i) > 1) total = heat(i)
    end do
    water(1) = total
  end subroutine surface

  subroutine bulk(n, m, a, b, c, kind_of, worst)
    integer, intent(in) :: n, m, kind_of(n)
    real(wp), intent(inout) :: a(m, n), b(m, n), c(n), worst
    real(wp) :: x, y
    integer :: i, k
    ! truth: parallel i; private k; features core
    do i = 1, n
      do k = 2, m
        a(k, i) = a(k - 1, i)*0.5_wp + b(k, i)
      end do
    end do
    ! truth: parallel i; features select
    do i = 1, n
      select case (kind_of(i))
      case (0)
        c(i) = 0
      case (1:2)
        c(i) = a(1, i)
      case default
        c(i) = b(m, i)
      end select
    end do
    ! truth: parallel i k; features core
    do i = 1, n
      do k = 1, m
#ifdef QUADRATIC
        b(k, i) = b(k, i) + a(k, i)**2
#else
        b(k, i) = b(k, i) + 0.1_wp*a(k, i)
#endif
      end do
    end do
    ! truth: parallel i; private x k; features exit-cycle
    do i = 1, n
      x = 0
      do k = 1, m
        x = x + b(k, i)
        if (x > 3) exit
      end do
      c(i) = c(i) + x
    end do
    ! truth: parallel i; reduction max:worst; features reduction
    do i = 1, n
      if (c(i) > worst) worst = c(i)
    end do
    y = 0
    ! truth: refused carried-scalar y; features core
    do i = 1, n
      y = 0.7_wp*c(i) + 0.3_wp*c(1) + 0.1_wp*y !<
      c(i) = c(i) - 0.01_wp*y
    end do
    ! truth: parallel i; features sections
    do i = 1, n
      b(2:m - 1, i) = WEIGHT*(b(1:m - 2, i) + 2*b(2:m - 1, i) + b(3:m, i))
    end do
    ! truth: parallel k i; features stride
    do k = 1, m/2
      do i = 1, n
        a(2*k, i) = 0.5_wp*(b(2*k - 1, i) + b(2*k, i))
        a(2*k - 1, i) = 0.5_wp*(b(2*k - 1, i) - b(2*k, i))
      end do
    end do
    ! truth: parallel i k; features core
    columns: do i = 1, n
      do k = 1, m
        if (a(k, i) > b(k, i)) then
          a(k, i) = b(k, i)
        else
          b(k, i) = a(k, i) + 1e-3_wp
        end if
      end do
    end do columns
  end subroutine bulk

  subroutine run_small_physics(bits)
    integer(int64), intent(inout) :: bits
    integer, parameter :: n = 40, m = 12
    type(column_state) :: s
    real(wp) :: ts(n), drag(n), heat(n), water(n), a(m, n), b(m, n), c(n), worst
    integer :: kind_of(n)
    logical :: wet(n)
    integer :: k
    allocate (s%t(n, nz), s%q(n, nz), s%p(n, nz), s%u(n, nz), s%rain(n), s%flux(n))
    call fill(s%t, n*nz, 1, 255.0_wp, 300.0_wp)
    call fill(s%q, n*nz, 2, 0.001_wp, 0.02_wp)
    call fill(s%u, n*nz, 3, -40.0_wp, 40.0_wp)
    call fill(s%p, n*nz, 4, 5e4_wp, 1e5_wp)
    call fill(s%flux, n, 5)
    call fill(ts, n, 6, 260.0_wp, 305.0_wp)
    wet = [(mod(k, 3) == 0, k=1, n)]
    call surface(n, s, ts, drag, heat, water, wet)
    call fill(a, m*n, 7)
    call fill(b, m*n, 8)
    call fill(c, n, 9)
    call fill_int(kind_of, n, 10, 0, 4)
    worst = 0
    call bulk(n, m, a, b, c, kind_of, worst)
    call add(bits, s%t, n*nz)
    call add(bits, heat, n)
    call add(bits, water, n)
    call add(bits, a, m*n)
    call add(bits, b, m*n)
    call add(bits, c, n)
    call add(bits, [worst], 1)
    call add_int(bits, kind_of, n)
  end subroutine run_small_physics
end module small_physics
