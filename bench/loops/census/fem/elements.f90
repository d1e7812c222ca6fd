! Element matrices: hexahedra with Gauss points, and flat shells with heat and load.
module fem_elements
  use census_support, only: wp, int64, fill, fill_int, add
  use interfaces_of_libraries
  implicit none
  type mesh
    integer :: elements = 0
    integer, allocatable :: nodes(:, :)
    real(wp), allocatable :: x(:, :), u(:, :), force(:, :), energy(:)
  end type mesh
contains
  pure real(wp) function shape_function(a, xi, eta, zeta)
    integer, intent(in) :: a
    real(wp), intent(in) :: xi, eta, zeta
    real(wp) :: s1, s2, s3
    s1 = 2*mod(a - 1, 2) - 1
    s2 = 2*mod((a - 1)/2, 2) - 1
    s3 = 2*((a - 1)/4) - 1
    shape_function = 0.125_wp*(1 + s1*xi)*(1 + s2*eta)*(1 + s3*zeta)
  end function shape_function

  subroutine hexahedra(m, young, poisson)
    type(mesh), intent(inout) :: m
    real(wp), intent(in) :: young, poisson
    real(wp) :: xe(3, 8), ue(3, 8), fe(3, 8), grad(3, 8), jac(3, 3), inv(3, 3), strain(6), stress(6)
    real(wp) :: p, det, lame, shear, volume, h, np, nm
    integer :: e, a, g, d, gx, gy, gz
    ! truth: parallel e; private xe ue fe grad jac inv strain stress
    ! truth+ features private-array indirect component function-known sections stride
    do e = 1, m%elements
      do a = 1, 8
        xe(:, a) = m%x(:, m%nodes(a, e))
        ue(:, a) = m%u(:, m%nodes(a, e))
      end do
      fe = 0
      lame = young*poisson/((1 + poisson)*(1 - 2*poisson))
      shear = young/(2*(1 + poisson))
      volume = 0
      h = 0.01_wp
      p = 0.577350269189626_wp
      do g = 0, 7
        gx = 2*mod(g, 2) - 1
        gy = 2*mod(g/2, 2) - 1
        gz = 2*(g/4) - 1
        do a = 1, 8
          np = shape_function(a, gx*p + h, gy*p, gz*p)
          nm = shape_function(a, gx*p - h, gy*p, gz*p)
          grad(1, a) = (np - nm)/(2*h)
          np = shape_function(a, gx*p, gy*p + h, gz*p)
          nm = shape_function(a, gx*p, gy*p - h, gz*p)
          grad(2, a) = (np - nm)/(2*h)
          np = shape_function(a, gx*p, gy*p, gz*p + h)
          nm = shape_function(a, gx*p, gy*p, gz*p - h)
          grad(3, a) = (np - nm)/(2*h)
        end do
        jac = 0
        do a = 1, 8
          do d = 1, 3
            jac(d, :) = jac(d, :) + grad(d, a)*xe(:, a)
          end do
        end do
        inv(1, 1) = jac(2, 2)*jac(3, 3) - jac(2, 3)*jac(3, 2)
        inv(2, 1) = jac(2, 3)*jac(3, 1) - jac(2, 1)*jac(3, 3)
        inv(3, 1) = jac(2, 1)*jac(3, 2) - jac(2, 2)*jac(3, 1)
        inv(1, 2) = jac(1, 3)*jac(3, 2) - jac(1, 2)*jac(3, 3)
        inv(2, 2) = jac(1, 1)*jac(3, 3) - jac(1, 3)*jac(3, 1)
        inv(3, 2) = jac(1, 2)*jac(3, 1) - jac(1, 1)*jac(3, 2)
        inv(1, 3) = jac(1, 2)*jac(2, 3) - jac(1, 3)*jac(2, 2)
        inv(2, 3) = jac(1, 3)*jac(2, 1) - jac(1, 1)*jac(2, 3)
        inv(3, 3) = jac(1, 1)*jac(2, 2) - jac(1, 2)*jac(2, 1)
        det = jac(1, 1)*inv(1, 1) + jac(1, 2)*inv(2, 1) + jac(1, 3)*inv(3, 1)
        if (abs(det) < 1e-9_wp) det = 1e-9_wp
        inv = inv/det
        volume = volume + det
        do a = 1, 8
          np = inv(1, 1)*grad(1, a) + inv(1, 2)*grad(2, a) + inv(1, 3)*grad(3, a)
          nm = inv(2, 1)*grad(1, a) + inv(2, 2)*grad(2, a) + inv(2, 3)*grad(3, a)
          grad(3, a) = inv(3, 1)*grad(1, a) + inv(3, 2)*grad(2, a) + inv(3, 3)*grad(3, a)
          grad(1, a) = np
          grad(2, a) = nm
        end do
        strain = 0
        do a = 1, 8
          strain(1:3) = strain(1:3) + grad(:, a)*ue(:, a)
          strain(4) = strain(4) + grad(2, a)*ue(1, a) + grad(1, a)*ue(2, a)
          strain(5) = strain(5) + grad(3, a)*ue(2, a) + grad(2, a)*ue(3, a)
          strain(6) = strain(6) + grad(1, a)*ue(3, a) + grad(3, a)*ue(1, a)
        end do
        np = strain(1) + strain(2) + strain(3)
        stress(1:3) = lame*np + 2*shear*strain(1:3)
        stress(4:6) = shear*strain(4:6)
        do a = 1, 8
          fe(1, a) = fe(1, a) + det*(stress(1)*grad(1, a) + stress(4)*grad(2, a) + stress(6)*grad(3, a))
          fe(2, a) = fe(2, a) + det*(stress(4)*grad(1, a) + stress(2)*grad(2, a) + stress(5)*grad(3, a))
          fe(3, a) = fe(3, a) + det*(stress(6)*grad(1, a) + stress(5)*grad(2, a) + stress(3)*grad(3, a))
        end do
      end do
      m%energy(e) = volume
      do a = 1, 8
        m%force(3*a - 2, e) = fe(1, a)
        m%force(3*a - 1, e) = fe(2, a)
        m%force(3*a, e) = fe(3, a)
      end do
    end do
  end subroutine hexahedra

  subroutine shells(ne, nodes, x, y, w, temp, thick, moment, work)
    integer, intent(in) :: ne, nodes(4, ne)
    real(wp), intent(in) :: x(*), y(*), w(*), temp(ne), thick(ne)
    real(wp), intent(inout) :: moment(3, ne), work(ne)
    real(wp) :: xe(4), ye(4), we(4), bend(3, 4), load(4), d(3, 3), b(4), area, side, rho, sound, expansion, k1, k2, k12, stiff
    integer :: e, a, r, c
    ! truth: parallel e; private xe ye we bend load d b
    ! truth+ features private-array indirect array-intrinsic unseen stride
    do e = 1, ne
      do a = 1, 4
        xe(a) = x(nodes(a, e))
        ye(a) = y(nodes(a, e))
        we(a) = w(nodes(a, e))
      end do
      area = 0
      do a = 1, 3
        area = area + xe(a)*ye(a + 1) - xe(a + 1)*ye(a)
      end do
      area = area + xe(4)*ye(1) - xe(1)*ye(4)
      area = max(0.5_wp*abs(area), 1e-3_wp)
      side = sqrt(area)
      call fluid_state(1e5_wp + 100*maxval(we), temp(e), rho, sound)
      expansion = 1.2e-5_wp*(temp(e) - 293)
      stiff = 2.1_wp*thick(e)**3/(12*(1 - 0.09_wp))
      do c = 1, 3
        do r = 1, 3
          d(r, c) = 0
        end do
      end do
      d(1, 1) = stiff
      d(2, 2) = stiff
      d(1, 2) = 0.3_wp*stiff
      d(2, 1) = 0.3_wp*stiff
      d(3, 3) = 0.35_wp*stiff
      do a = 1, 3, 2
        bend(1, a) = 1/side
        bend(1, a + 1) = -1/side
        bend(2, a) = (2 - a)/side
        bend(2, a + 1) = (2 - a)/side
        bend(3, a) = 0.25_wp*a/area
        bend(3, a + 1) = -0.25_wp*a/area
      end do
      k1 = 0
      k2 = 0
      k12 = 0
      do a = 1, 4
        k1 = k1 + bend(1, a)*we(a)
        k2 = k2 + bend(2, a)*we(a)
        k12 = k12 + bend(3, a)*we(a)
      end do
      k1 = k1 + expansion/thick(e)
      k2 = k2 + expansion/thick(e)
      do r = 1, 3
        moment(r, e) = d(r, 1)*k1 + d(r, 2)*k2 + d(r, 3)*k12
      end do
      do a = 1, 4
        load(a) = rho*thick(e)*area*0.25_wp
        b(a) = 0
        do r = 1, 3
          b(a) = b(a) + bend(r, a)*moment(r, e)
        end do
        load(a) = load(a) + 1e-3_wp*sound*abs(b(a))
      end do
      work(e) = dot_product(load, we)
      if (work(e) < 0) then
        work(e) = work(e) + 0.5_wp*area*abs(k12)
        moment(3, e) = moment(3, e)*0.9_wp
      else
        work(e) = work(e) - 0.5_wp*area*min(k1, k2)
      end if
      work(e) = work(e) + sum(b**2)*thick(e)
    end do
  end subroutine shells

  subroutine run_fem_elements(bits)
    integer(int64), intent(inout) :: bits
    integer, parameter :: n = 30, nn = 60
    type(mesh) :: m
    real(wp) :: x(nn), y(nn), w(nn), temp(n), thick(n), moment(3, n), work(n)
    integer :: e, nodes(4, n)
    m%elements = n
    allocate (m%nodes(8, n), m%x(3, nn), m%u(3, nn), m%force(24, n), m%energy(n))
    do e = 1, n
      m%nodes(:, e) = e + [0, 1, 5, 6, 20, 21, 25, 26]
    end do
    m%nodes = min(m%nodes, nn)
    call fill(m%x, 3*nn, 1, 0.0_wp, 3.0_wp)
    call fill(m%u, 3*nn, 2, -0.1_wp, 0.1_wp)
    call hexahedra(m, 200.0_wp, 0.3_wp)
    call add(bits, m%force, 24*n)
    call add(bits, m%energy, n)
    call fill(x, nn, 3)
    call fill(y, nn, 4)
    call fill(w, nn, 5)
    call fill(temp, n, 6, 250.0_wp, 350.0_wp)
    call fill(thick, n, 7, 0.1_wp, 0.3_wp)
    call fill_int(nodes, 4*n, 8, 1, nn)
    call shells(n, nodes, x, y, w, temp, thick, moment, work)
    call add(bits, moment, 3*n)
    call add(bits, work, n)
  end subroutine run_fem_elements
end module fem_elements
