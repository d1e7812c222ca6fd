! A dynamical core on a staggered grid: tendencies, diffusion, filters, diagnostics.
module dynamics
  use census_support, only: wp, int64, fill, add
  use atmosphere_grid
  implicit none
  real(wp) :: u(0:nx + 1, 0:ny + 1, nz), v(0:nx + 1, 0:ny + 1, nz), w(0:nx + 1, 0:ny + 1, 0:nz), th(0:nx + 1, 0:ny + 1, nz)
  real(wp) :: pi(nx, ny, nz), div(nx, ny), vor(nx, ny), ps(0:nx + 1, 0:ny + 1), tend(nx, ny, nz), energy, mass, fastest, base(nz)
contains
  subroutine boundaries()
    integer :: i, j, k
    ! truth: parallel j; features core
    do j = 0, ny + 1
      ps(0, j) = ps(nx, j)
      ps(nx + 1, j) = ps(1, j)
    end do
    ! truth: parallel i; features core
    do i = 0, nx + 1
      ps(i, 0) = ps(i, 1)
      ps(i, ny + 1) = ps(i, ny)
    end do
    ! truth: parallel k j; features core
    do k = 1, nz
      do j = 0, ny + 1
        u(0, j, k) = u(nx, j, k)
        v(0, j, k) = v(nx, j, k)
        th(nx + 1, j, k) = th(1, j, k)
      end do
    end do
    ! truth: parallel k; features sections
    do k = 1, nz
      v(:, 0, k) = -v(:, 1, k)
      v(:, ny + 1, k) = -v(:, ny, k)
    end do
  end subroutine boundaries

  subroutine tendencies()
    integer :: i, j, k
    real(wp) :: fx, fy
    ! truth: parallel j i; features core
    do j = 1, ny
      do i = 1, nx
        div(i, j) = (u(i + 1, j, 1) - u(i, j, 1))/dx + (v(i, j + 1, 1) - v(i, j, 1))/dy
      end do
    end do
    ! truth: parallel j i; features core
    do j = 1, ny
      do i = 1, nx
        vor(i, j) = coriolis(j) + (v(i, j, 1) - v(i - 1, j, 1))/dx - (u(i, j, 1) - u(i, j - 1, 1))/dy
      end do
    end do
    ! truth: parallel k j i; features function-known
    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          pi(i, j, k) = exner(ps(i, j)*(1 - 0.05_wp*k))
        end do
      end do
    end do
    ! truth: parallel k j i; private fx fy; features core
    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          fx = u(i, j, k)*(th(i + 1, j, k) - th(i - 1, j, k))/(2*dx)
          fy = v(i, j, k)*(th(i, j + 1, k) - th(i, j - 1, k))/(2*dy)
          tend(i, j, k) = -fx - fy
        end do
      end do
    end do
    ! truth: parallel k j i; features core
    do k = 2, nz - 1
      do j = 1, ny
        do i = 1, nx
          tend(i, j, k) = tend(i, j, k) - 0.5_wp*w(i, j, k)*(th(i, j, k + 1) - th(i, j, k - 1))/(height(k) - height(k - 1))
        end do
      end do
    end do
    ! truth: parallel j i; features core
    do j = 1, ny
      do i = 1, nx
        ps(i, j) = ps(i, j) - dt*1e3_wp*div(i, j)
      end do
    end do
    ! truth: parallel j i; private k; features core
    do j = 1, ny
      do i = 1, nx
        w(i, j, 0) = 0
        do k = 1, nz
          w(i, j, k) = w(i, j, k - 1) - (height(k) - height(k - 1))*div(i, j)/k
        end do
      end do
    end do
  end subroutine tendencies

  subroutine filters()
    integer :: i, j, k
    real(wp) :: left, right
    ! truth: refused recurrence th; features core
    do j = 2, ny
      do i = 1, nx
        th(i, j, 1) = 0.9_wp*th(i, j, 1) + 0.1_wp*th(i + 1, j - 1, 1) + 0.01_wp*th(i - 1, j, 1) !<
      end do
    end do
    ! truth: parallel j; private i left right; features core
    do j = 1, ny
      left = th(0, j, 2)
      do i = 1, nx
        right = th(i, j, 2)
        th(i, j, 2) = right + 0.125_wp*(left - 2*right + th(i + 1, j, 2))
        left = right
      end do
    end do
    ! truth: parallel k; private i j; features stride
    do k = 1, nz
      do j = 1, ny, 2
        do i = 1 + mod(k, 2), nx, 2
          th(i, j, k) = th(i, j, k) + 0.1_wp*tend(i, j, k)
        end do
      end do
    end do
    ! truth: parallel k j i; features core
    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          if (th(i, j, k) < 200) th(i, j, k) = 200
        end do
      end do
    end do
    ! truth: parallel i; private k; features core
    do i = 1, nx
      do k = nz, nz - 2, -1
        u(i, :, k) = u(i, :, k)*(1 - 0.05_wp*(k - nz + 3))
      end do
    end do
  end subroutine filters

  subroutine diagnostics()
    integer :: i, j, k
    ! truth: parallel k j i; reduction +:energy; features reduction
    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          energy = energy + 0.5_wp*(u(i, j, k)**2 + v(i, j, k)**2)*pi(i, j, k)
        end do
      end do
    end do
    ! truth: parallel j i; reduction +:mass; features reduction
    do j = 1, ny
      do i = 1, nx
        mass = mass + ps(i, j)*dx*dy/gravity
      end do
    end do
    ! truth: parallel k j i; reduction max:fastest; features reduction
    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          fastest = max(fastest, abs(u(i, j, k))/dx + abs(v(i, j, k))/dy)
        end do
      end do
    end do
    ! truth: parallel k; private i j; features core
    do k = 1, nz
      base(k) = 0
      do j = 1, ny
        do i = 1, nx
          base(k) = base(k) + th(i, j, k)
        end do
      end do
      base(k) = base(k)/(nx*ny)
    end do
    ! truth: parallel k; features core
    do k = 1, nz
      base(k) = base(k) - tend(1, 1, k) + tend(nx, ny, k)
    end do
  end subroutine diagnostics

  subroutine run_dynamics(bits)
    integer(int64), intent(inout) :: bits
    integer :: k
    call fill(u, size(u), 1, -10.0_wp, 10.0_wp)
    call fill(v, size(v), 2, -10.0_wp, 10.0_wp)
    call fill(w, size(w), 3, -1.0_wp, 1.0_wp)
    call fill(th, size(th), 4, 280.0_wp, 320.0_wp)
    call fill(ps, size(ps), 5, 9e4_wp, 1.02e5_wp)
    height = [(100*k, k=0, nz)]
    coriolis = 1e-4_wp
    energy = 0
    mass = 0
    fastest = 0
    call boundaries()
    call tendencies()
    call filters()
    call diagnostics()
    call add(bits, u, size(u))
    call add(bits, v, size(v))
    call add(bits, w, size(w))
    call add(bits, th, size(th))
    call add(bits, ps, size(ps))
    call add(bits, tend, size(tend))
    call add(bits, vor, size(vor))
    call add(bits, base, nz)
    call add(bits, [energy, mass, fastest], 3)
  end subroutine run_dynamics
end module dynamics
