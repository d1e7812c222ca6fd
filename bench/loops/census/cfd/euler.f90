! Finite volumes for the Euler equations: states, fluxes, limiters, boundaries, time steps,
! multigrid transfers.
module euler
  use census_support, only: wp, int64, fill, fill_int, add, add_int
  use interfaces_of_libraries
  implicit none
  integer, parameter :: nx = 24, ny = 20, nv = 4
  real(wp), parameter :: gamma = 1.4_wp
  type flow
    real(wp), allocatable :: rho(:, :), mx(:, :), my(:, :), e(:, :), p(:, :)
    real(wp) :: cfl = 0.4_wp, dx = 0.1_wp
  end type flow
  real(wp) :: u(nv, 0:nx + 1, 0:ny + 1), fx(nv, 0:nx, ny), gy(nv, nx, 0:ny), sound(nx, ny), dt_local(nx, ny)
  real(wp) :: slope(nv, 0:nx + 1, 0:ny + 1)
  real(wp) :: fine(2*nx, 2*ny), coarse(nx, ny), line(0:nx + 1), work(nx), wall(nx), total, biggest, dt
  integer :: kind_of(nx, ny), i_max
contains
  pure real(wp) function pressure(q)
    real(wp), intent(in) :: q(nv)
    pressure = (gamma - 1)*(q(4) - 0.5_wp*(q(2)**2 + q(3)**2)/q(1))
  end function pressure

  pure subroutine rusanov(l, r, s, f)
    real(wp), intent(in) :: l(nv), r(nv), s
    real(wp), intent(out) :: f(nv)
    f = 0.5_wp*(l + r) - 0.5_wp*s*(r - l)
  end subroutine rusanov

  subroutine states(f)
    type(flow), intent(inout) :: f
    integer :: i, j, n
    ! truth: parallel j i; features component
    do j = 1, ny
      do i = 1, nx
        f%p(i, j) = (gamma - 1)*(f%e(i, j) - 0.5_wp*(f%mx(i, j)**2 + f%my(i, j)**2)/f%rho(i, j))
      end do
    end do
    ! truth: parallel j i; features component
    do j = 1, ny
      do i = 1, nx
        sound(i, j) = sqrt(gamma*max(f%p(i, j), 1e-6_wp)/f%rho(i, j))
      end do
    end do
    ! truth: parallel j i; features component
    do j = 1, ny
      do i = 1, nx
        u(1, i, j) = f%rho(i, j)
        u(2, i, j) = f%mx(i, j)
        u(3, i, j) = f%my(i, j)
        u(4, i, j) = f%e(i, j)
      end do
    end do
    ! truth: parallel j i; features component unseen
    do j = 1, ny
      do i = 1, nx
        call fluid_state(f%p(i, j) + 1e5_wp, 300.0_wp, f%rho(i, j), sound(i, j))
      end do
    end do
    ! truth: parallel i; features component
    do i = 1, nx
      f%my(i, 1) = -f%my(i, 2)
      f%mx(i, ny) = f%mx(i, ny - 1)
    end do
    dt = huge(dt)
    ! truth: parallel j i; reduction min:dt; features component reduction
    do j = 1, ny
      do i = 1, nx
        dt = min(dt, f%cfl*f%dx/(sound(i, j) + abs(f%mx(i, j))/f%rho(i, j)))
      end do
    end do
    ! truth: parallel j; features component sections
    do j = 1, ny
      f%e(:, j) = f%e(:, j) + f%p(:, j)*1e-3_wp
    end do
    ! truth: parallel n i; features core
    do n = 1, nv
      do i = 0, nx + 1
        u(n, i, 0) = u(n, i, 1)
        u(n, i, ny + 1) = u(n, i, ny)
      end do
    end do
    ! truth: parallel j; features sections
    do j = 0, ny + 1
      u(:, 0, j) = u(:, 1, j)
      u(:, nx + 1, j) = u(:, nx, j)
    end do
  end subroutine states

  subroutine fluxes()
    integer :: i, j, n
    real(wp) :: a, b
    ! truth: parallel j i n; private a b; features core
    do j = 1, ny
      do i = 1, nx
        do n = 1, nv
          a = u(n, i, j) - u(n, i - 1, j)
          b = u(n, i + 1, j) - u(n, i, j)
          slope(n, i, j) = 0.5_wp*(sign(1.0_wp, a) + sign(1.0_wp, b))*min(abs(a), abs(b))
        end do
      end do
    end do
    ! truth: parallel j i n; features unseen
    do j = 1, ny
      do i = 1, nx
        do n = 1, nv
          call limit_slope(u(n, i, j) - u(n, i, j - 1), u(n, i, j + 1) - u(n, i, j), slope(n, i, j))
        end do
      end do
    end do
    ! truth: parallel j i; features calls-known
    do j = 1, ny
      do i = 0, nx
        call rusanov(u(:, i, j), u(:, i + 1, j), 1.2_wp, fx(:, i, j))
      end do
    end do
    ! truth: parallel j i; features calls-known
    do j = 0, ny
      do i = 1, nx
        call rusanov(u(1, i, j), u(1, i, j + 1), 0.8_wp + 0.01_wp*i, gy(1, i, j))
      end do
    end do
    ! truth: parallel j i n; features core
    do j = 1, ny
      do i = 1, nx
        do n = 1, nv
          u(n, i, j) = u(n, i, j) - 0.1_wp*(fx(n, i, j) - fx(n, i - 1, j) + gy(n, i, j) - gy(n, i, j - 1))
        end do
      end do
    end do
    ! truth: parallel j i; features function-known
    do j = 1, ny
      do i = 1, nx
        dt_local(i, j) = 0.3_wp/(1 + abs(pressure(u(:, i, j))))
      end do
    end do
    ! truth: parallel j i; features exit-cycle
    do j = 1, ny
      do i = 1, nx
        if (kind_of(i, j) == 0) cycle
        u(2, i, j) = 0
        u(3, i, j) = 0
      end do
    end do
    ! truth: parallel n; private i j; features core
    do n = 1, nv
      do j = 1, ny
        do i = 1, nx
          if (abs(u(n, i, j)) < 1e-12_wp) u(n, i, j) = 0
        end do
      end do
    end do
    biggest = 0
    ! truth: parallel j i; reduction max:biggest maxloc:i_max; features reduction
    do j = 1, ny
      do i = 1, nx
        if (dt_local(i, j) > biggest) then
          biggest = dt_local(i, j)
          i_max = i + 100*j
        end if
      end do
    end do
    total = 0
    ! truth: parallel j i n; reduction +:total; features reduction
    do j = 1, ny
      do i = 1, nx
        do n = 1, nv
          total = total + u(n, i, j)**2
        end do
      end do
    end do
  end subroutine fluxes

  subroutine lines()
    integer :: i, j, sweep
    real(wp) :: r, old
    ! truth: parallel i; features core
    do i = 1, nx
      work(i) = 0.5_wp*(line(i - 1) + line(i + 1))
    end do
    ! truth: parallel i; features core
    do i = 1, nx
      line(i) = 0.7_wp*work(i) + 0.3_wp*line(i)
    end do
    ! truth: parallel i; features stride
    do i = 1, nx, 2
      line(i) = 0.5_wp*(line(i - 1) + line(i + 1))
    end do
    ! truth: parallel i; features stride
    do i = nx, 2, -2
      line(i) = 0.25_wp*(line(i - 1) + 2*line(i) + line(i + 1))
    end do
    ! truth: parallel i; features stride
    do sweep = 1, 3
      do i = 1 + mod(sweep, 2), nx, 2
        line(i) = 0.5_wp*(line(i - 1) + line(i + 1)) + work(i)*sweep
      end do
    end do
    ! truth: parallel i; features stride
    do i = 1, nx
      coarse(i, 1) = fine(2*i, 1)
    end do
    ! truth: parallel j i; features stride
    do j = 1, ny
      do i = 1, nx
        fine(2*i - 1, 2*j - 1) = coarse(i, j)
        fine(2*i, 2*j - 1) = coarse(i, j)
        fine(2*i - 1, 2*j) = coarse(i, j)
        fine(2*i, 2*j) = coarse(i, j)
      end do
    end do
    ! truth: parallel j; features stride sections
    do j = 1, ny
      coarse(:, j) = 0.5_wp*(fine(1:2*nx:2, 2*j) + fine(2:2*nx:2, 2*j))
    end do
    ! truth: refused strides|recurrence line; features stride
    do i = 1, nx/2
      line(i) = line(2*i) !<
    end do
    r = 0
    ! truth: refused carried-scalar old; features core
    do i = 1, nx
      old = r !<
      r = work(i) !<
      wall(i) = old + r
    end do
    ! truth: refused recurrence line; features core
    do i = nx - 1, 1, -1
      line(i) = line(i) - wall(i)*line(i + 1) !<
    end do
    ! truth: parallel i; private r; features core
    do i = 1, nx
      r = wall(i)**2
      if (r > 1) r = 1/r
      wall(i) = r
    end do
    ! truth: parallel j; private i; reduction max:biggest; features reduction
    do j = 1, ny
      do i = 1, nx
        biggest = max(biggest, abs(coarse(i, j) - sound(i, j)))
      end do
    end do
  end subroutine lines

  subroutine run_euler(bits)
    integer(int64), intent(inout) :: bits
    type(flow) :: f
    allocate (f%rho(nx, ny), f%mx(nx, ny), f%my(nx, ny), f%e(nx, ny), f%p(nx, ny))
    call fill(f%rho, nx*ny, 1, 1.0_wp, 2.0_wp)
    call fill(f%mx, nx*ny, 2, -0.2_wp, 0.2_wp)
    call fill(f%my, nx*ny, 3, -0.2_wp, 0.2_wp)
    call fill(f%e, nx*ny, 4, 2.0_wp, 3.0_wp)
    call fill(fine, size(fine), 5)
    call fill(coarse, size(coarse), 6)
    call fill(line, size(line), 7)
    call fill_int(kind_of, nx*ny, 8, 0, 3)
    u = 1
    call states(f)
    i_max = 0
    call fluxes()
    wall = 0
    call lines()
    call add(bits, u, size(u))
    call add(bits, f%e, nx*ny)
    call add(bits, fine, size(fine))
    call add(bits, coarse, nx*ny)
    call add(bits, line, size(line))
    call add(bits, wall, nx)
    call add(bits, [dt, total, biggest], 3)
    call add_int(bits, [i_max], 1)
  end subroutine run_euler
end module euler
