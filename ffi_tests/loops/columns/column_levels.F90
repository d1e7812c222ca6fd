! A procedure for one column whose loops over levels run over the columns: its dummies and some locals get the columns' dimensions.
module column_levels
  implicit none
  integer, parameter :: wp = kind(1d0)
  real(wp) :: scratch(40)
contains
  subroutine physics(nx, ny, nz, t, q, ps, rain, ring)
    integer, intent(in) :: nx, ny, nz
    real(wp), dimension(nz), intent(inout) :: t, q
    real(wp), intent(in) :: ps
    real(wp), intent(out) :: rain
    real(wp), intent(inout) :: ring(0:)
    real(wp) :: flux(0:nz), strong, dt
    integer :: i, j, k, top
    dt = 0.1_wp
    !$portable parallel columns(i=1:nx, j=1:ny) label('first')
    do k = 1, nz
      if (k == 1) flux(0) = ps
      flux(k) = flux(k - 1)*0.5_wp + t(k)*dt
      if (k == 1) top = 0
      if (flux(k) > 60) top = k
      if (k == nz) strong = maxval(flux)
      scratch(k) = flux(k)
      q(k) = q(k) + scratch(k)*1e-3_wp
    end do
    !$portable parallel columns(i=1:nx, j=1:ny) label('middle')
    call settle(nz, q, strong, rain)
    !$portable parallel columns(i=1:nx, j=1:ny) label('last')
    do k = nz, 1, -1
      t(k) = t(k) + (flux(k) - flux(k - 1))*dt
      if (k <= top) t(k) = t(k)*0.999_wp
      ring(k - 1) = ring(k - 1) + sum(flux(k - 1:k))
    end do
  end subroutine physics

  subroutine settle(n, q, strong, rain)
    integer, intent(in) :: n
    real(wp), intent(inout) :: q(n)
    real(wp), intent(in) :: strong
    real(wp), intent(out) :: rain
    integer :: k
    rain = 0
    do k = 1, n
      rain = rain + q(k)*0.01_wp*strong
      q(k) = q(k)*0.99_wp
    end do
  end subroutine settle
end module column_levels

program column_main
  use column_levels
  implicit none
  integer, parameter :: nx = 19, ny = 6, nz = 13
  real(wp) :: t(nx, ny, nz), q(nz, nx, ny), ps(nx, ny), rain(nx, ny), ring(nx, 0:nz - 1, ny)
  integer :: i, j, k, step
  ring = 0
  do j = 1, ny
    do i = 1, nx
      ps(i, j) = mod(i*7 + j*3, 11)*0.13_wp
      do k = 1, nz
        t(i, j, k) = 280 - k + 0.1_wp*i*j
        q(k, i, j) = mod(i + j + k, 5)
      end do
    end do
  end do
  do step = 1, 3
#ifdef BY_HAND
    do j = 1, ny
      do i = 1, nx
        call physics(nx, ny, nz, t(i, j, :), q(:, i, j), ps(i, j), rain(i, j), ring(i, :, j))
      end do
    end do
#else
    call physics(nx, ny, nz, t, q, ps, rain, ring)
#endif
    print '(4(1x, z16.16))', sum(t), sum(q), sum(rain), sum(ring)
  end do
end program column_main
