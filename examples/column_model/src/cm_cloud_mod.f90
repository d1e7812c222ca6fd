! Cover and optical depth of clouds, from relative humidity and cloud water.
module cm_cloud_mod
  use cm_constants_mod, only: wp, water_density
  use cm_saturation_mod, only: saturation
  use cm_state_mod, only: nc, nz, t, q, qc, p, p_half, mass, cover, depth
  implicit none
  private
  public :: update_clouds, total_cover

  real(wp), parameter :: radius = 1.0e-5_wp ! of a drop, m

contains

  subroutine update_clouds
    integer :: i, k
    real(wp) :: humidity, critical, part
    !$omp parallel do private(humidity, critical, part)
    do k = 1, nz
      do i = 1, nc
        humidity = (q(i, k) + qc(i, k))/saturation(t(i, k), p(i, k))
        critical = 0.75_wp + 0.2_wp*(p(i, k)/p_half(i, 0))**4
        part = (humidity - critical)/(1 - critical)
        if (part <= 0) then
          cover(i, k) = 0
        else if (part >= 1) then
          cover(i, k) = 1
        else
          cover(i, k) = part**2
        end if
        if (qc(i, k) > 1.0e-8_wp) cover(i, k) = max(cover(i, k), 0.05_wp)
        depth(i, k) = 1.5_wp*qc(i, k)*mass(i, k)/(water_density*radius)
        ! Clouds smaller than the layer have no cloud water of their own.
        if (cover(i, k) > 0) depth(i, k) = depth(i, k) + 0.5_wp*cover(i, k)
      end do
    end do
  end subroutine update_clouds

  ! The part of the sky that clouds cover, with the largest overlap of neighbours.
  subroutine total_cover(total)
    real(wp), intent(out) :: total(:)
    integer :: i, k
    real(wp) :: clear
    !$omp parallel do private(k, clear)
    do i = 1, nc
      clear = 1 - cover(i, 1)
      do k = 2, nz
        if (cover(i, k - 1) < 1) clear = clear*(1 - max(cover(i, k), cover(i, k - 1)))/(1 - cover(i, k - 1))
        if (cover(i, k) >= 1) clear = 0
      end do
      total(i) = 1 - clear
    end do
  end subroutine total_cover
end module cm_cloud_mod
