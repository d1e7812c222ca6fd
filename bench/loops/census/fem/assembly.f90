! Assembly over edges, faces and elements of meshes; nodal loops; pointers to fields.
module fem_assembly
  use census_support, only: wp, int64, fill, fill_int, add, add_int
  implicit none
  integer, parameter :: ne = 48, nn = 30, nb = 10
  type field
    real(wp), pointer :: value(:) => null()
    real(wp), allocatable :: old(:), rate(:)
    real(wp) :: scale = 1
  end type field
  type(field) :: temp, pres
  real(wp), target :: store(nn), other(nn)
  real(wp), pointer :: view(:), far(:)
  real(wp) :: rhs(nn), mass(nn), len_of(ne), flux(ne), stiff(3, 3, ne), coord(2, nn), area(ne), grad(2, ne), bc(nb), lumped, h_min
  integer :: ends(2, ne), tri(3, ne), boundary(nb), degree(nn), marker(nn)
  character(len=8) :: names(nn)
contains
  pure real(wp) function triangle(a, b, c)
    real(wp), intent(in) :: a(2), b(2), c(2)
    triangle = 0.5_wp*abs((b(1) - a(1))*(c(2) - a(2)) - (c(1) - a(1))*(b(2) - a(2)))
  end function triangle

  subroutine local_matrix(a, k)
    real(wp), intent(in) :: a
    real(wp), intent(inout) :: k(3, 3)
    integer :: i
    k = -a/6
    do i = 1, 3
      k(i, i) = a/3
    end do
  end subroutine local_matrix

  subroutine edges()
    real(wp) :: d1, d2, f
    integer :: e, l, r, n
    ! truth: parallel e; private l r d1 d2; features indirect
    do e = 1, ne
      l = ends(1, e)
      r = ends(2, e)
      d1 = coord(1, r) - coord(1, l)
      d2 = coord(2, r) - coord(2, l)
      len_of(e) = sqrt(d1*d1 + d2*d2)
    end do
    ! truth: parallel e; private f; sums rhs; features array-sum
    do e = 1, ne
      f = flux(e)*len_of(e)
      rhs(ends(1, e)) = rhs(ends(1, e)) - f
      rhs(ends(2, e)) = rhs(ends(2, e)) + f
    end do
    ! truth: parallel e n; sums degree; features array-sum
    do e = 1, ne
      do n = 1, 2
        degree(ends(n, e)) = degree(ends(n, e)) + 1
      end do
    end do
    h_min = huge(h_min)
    ! truth: parallel e; reduction min:h_min; features reduction
    do e = 1, ne
      if (len_of(e) < h_min) h_min = len_of(e)
    end do
    ! truth: parallel n; features core
    do n = 1, nn
      rhs(n) = rhs(n)/max(degree(n), 1)
    end do
  end subroutine edges

  subroutine elements()
    integer :: e, i, j, n
    real(wp) :: s
    ! truth: parallel e; features function-known
    do e = 1, ne
      area(e) = triangle(coord(:, tri(1, e)), coord(:, tri(2, e)), coord(:, tri(3, e)))
    end do
    ! truth: parallel e; features calls-known
    do e = 1, ne
      call local_matrix(area(e), stiff(:, :, e))
    end do
    ! truth: parallel e; private i; sums mass; features array-sum
    do e = 1, ne
      do i = 1, 3
        mass(tri(i, e)) = mass(tri(i, e)) + area(e)/3
      end do
    end do
    ! truth: parallel e j i; features core
    do e = 1, ne
      do j = 1, 3
        do i = 1, 3
          stiff(i, j, e) = stiff(i, j, e)*(1 + 0.1_wp*e) + i - j
        end do
      end do
    end do
    ! truth: parallel e; private s i j; features core
    do e = 1, ne
      s = 0
      do j = 1, 3
        do i = 1, j
          s = s + stiff(i, j, e)
        end do
      end do
      grad(1, e) = s
      grad(2, e) = s**2
    end do
    ! truth: parallel e; features sections
    do e = 1, ne
      stiff(1, :, e) = 0
      stiff(1, 1, e) = 1
    end do
    lumped = 0
    ! truth: parallel n; reduction +:lumped; features reduction
    do n = 1, nn
      lumped = lumped + mass(n)
    end do
    ! truth: parallel n; reduction +:lumped; features reduction
    do n = 1, nn
      if (marker(n) > 0) lumped = lumped - 0.5_wp*mass(n)
    end do
    ! truth: parallel e; private bc; last bc; census whole-array; features core
    do e = 1, ne
      bc(:) = area(e)
      grad(2, e) = bc(1 + mod(e, nb))
    end do
    ! truth: refused same-element mass; features core
    do e = 1, ne
      mass(1) = 0.5_wp*mass(1) + area(e) !<
    end do
  end subroutine elements

  subroutine nodal(dt)
    real(wp), intent(in) :: dt
    integer :: n
    real(wp) :: shift
    ! truth: parallel n; features component pointer
    do n = 1, nn
      temp%value(n) = temp%old(n) + dt*temp%rate(n)
    end do
    ! truth: parallel n; features component
    do n = 1, nn
      temp%rate(n) = -temp%scale*(temp%old(n) - pres%old(n))
    end do
    ! truth: parallel n; features pointer
    do n = 1, nn
      view(n) = far(n)*0.5_wp
    end do
    ! truth: parallel n; features pointer
    do n = 1, size(view)
      view(n) = view(n) + rhs(n)
    end do
    ! truth: parallel n; reduction +:temp%scale; features pointer reduction
    do n = 1, nn
      temp%scale = temp%scale + far(n)*1e-3_wp
    end do
    ! truth: parallel n; features component
    do n = 1, nn
      pres%old(n) = pres%rate(n)
    end do
    ! truth: parallel n; features character
    do n = 1, nn
      if (names(n) == 'fixed') rhs(n) = 0
    end do
    ! truth: parallel n; features character
    do n = 1, nn
      marker(n) = len_trim(names(n))
    end do
    shift = 0
    ! truth: refused conditional-scalar shift; features core
    do n = 1, nn
      if (marker(n) > 4) shift = rhs(n) !<
      mass(n) = mass(n) + shift !<
    end do
    ! truth: parallel n; private shift; features core
    do n = 1, nn
      if (marker(n) > 4) then
        shift = rhs(n)
      else
        shift = 0
      end if
      mass(n) = mass(n) - shift
    end do
    ! truth: refused not-converted; features character
    do n = 1, nn
      names(n) = 'n'//names(n)(1:7) !<
    end do
  end subroutine nodal

  subroutine run_fem_assembly(bits)
    integer(int64), intent(inout) :: bits
    integer :: e
    call fill(coord, 2*nn, 1)
    call fill(flux, ne, 2)
    call fill(rhs, nn, 3)
    call fill(store, nn, 4)
    call fill(other, nn, 5)
    call fill_int(ends, 2*ne, 6, 1, nn)
    call fill_int(marker, nn, 7, -1, 1)
    tri = reshape([(1 + mod(e*e, nn), e=1, 3*ne)], [3, ne])
    names = [(merge('fixed   ', 'open    ', mod(e, 4) == 0), e=1, nn)]
    mass = 0
    degree = 0
    temp%value => store
    temp%old = other
    temp%rate = rhs
    pres%old = store
    pres%rate = other
    view => store
    far => other(nn:1:-1)
    call edges()
    call elements()
    call nodal(0.1_wp)
    call add(bits, rhs, nn)
    call add(bits, mass, nn)
    call add(bits, store, nn)
    call add(bits, stiff, 9*ne)
    call add(bits, grad, 2*ne)
    call add(bits, temp%rate, nn)
    call add(bits, [lumped, h_min, temp%scale], 3)
    call add_int(bits, marker, nn)
  end subroutine run_fem_assembly
end module fem_assembly
