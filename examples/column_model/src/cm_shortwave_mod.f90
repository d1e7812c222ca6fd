! Radiation of the sun: one beam with absorption by vapour and ozone, and one stream in each
! direction of what clouds and the surface reflect. In this file: shortwave heating of air and
! surface. Not in this file: thermal radiation.
module cm_shortwave_mod
  use cm_constants_mod, only: wp, solar, heat_dry
  use cm_state_mod, only: nc, nz, q, p, mass, cover, depth, sun, albedo, short_down, heating_short
  implicit none
  private
  public :: shortwave

  integer, parameter :: most = 200 ! levels
  real(wp), parameter :: asymmetry = 0.85_wp

contains

  subroutine shortwave
    integer :: i
    !$omp parallel do schedule(static)
    do i = 1, nc
      if (sun(i) > 0.01_wp) then
        call one_column(i)
      else
        call night(i)
      end if
    end do
  end subroutine shortwave

  subroutine night(i)
    integer, intent(in) :: i
    integer :: k
    short_down(i) = 0
    do k = 1, nz
      heating_short(i, k) = 0
    end do
  end subroutine night

  subroutine one_column(i)
    integer, intent(in) :: i
    integer :: k
    real(wp) :: down(0:most), up(0:most), reflected(most), passed(most), path, scattered

    ! Shares of a layer.
    do k = 1, nz
      path = (0.012_wp*sqrt(q(i, k)*mass(i, k)*p(i, k)*1.0e-5_wp/10) + 2.0e-6_wp*mass(i, k))/sun(i)
      scattered = (1 - asymmetry)*depth(i, k)/(2 + (1 - asymmetry)*depth(i, k))
      reflected(k) = cover(i, k)*scattered
      passed(k) = (1 - reflected(k))*exp(-path)*(1 - 0.01_wp*cover(i, k)*min(depth(i, k), 10.0_wp)*0.1_wp)
    end do

    ! The beam, downwards.
    down(nz) = solar*sun(i)
    do k = nz, 1, -1
      down(k - 1) = down(k)*passed(k)
    end do

    ! The light that comes back. Light that is reflected twice is taken for lost upwards.
    up(0) = albedo(i)*down(0)
    do k = 1, nz
      up(k) = up(k - 1)*passed(k) + reflected(k)*down(k)
    end do

    short_down(i) = down(0) - up(0) + sum_caught()
    do k = 1, nz
      heating_short(i, k) = max(0.0_wp, (down(k) - down(k - 1) - up(k) + up(k - 1) - reflected(k)*up(k - 1)))/(heat_dry*mass(i, k))
    end do

  contains

    ! Light that layers reflect back down reaches the ground, which reflects a part once more.
    pure real(wp) function sum_caught()
      integer :: l
      sum_caught = 0
      do l = 1, nz
        sum_caught = sum_caught + reflected(l)*up(l - 1)*(1 - albedo(i))
      end do
    end function sum_caught
  end subroutine one_column
end module cm_shortwave_mod
