! The height of the sun over each column.
module cm_sun_mod
  use cm_constants_mod, only: wp, pi
  use cm_state_mod, only: nc, latitude, longitude, sun
  implicit none
  private
  public :: update_sun

contains

  ! day: of the year; hour: UTC.
  subroutine update_sun(day, hour)
    real(wp), intent(in) :: day, hour
    integer :: i
    real(wp) :: declination, angle
    declination = 23.44_wp*pi/180*sin(2*pi*(day - 81)/365.25_wp)
    !$omp parallel do private(angle)
    do i = 1, nc
      angle = 2*pi*(hour - 12)/24 + longitude(i)
      sun(i) = max(0.0_wp, sin(latitude(i))*sin(declination) + cos(latitude(i))*cos(declination)*cos(angle))
    end do
  end subroutine update_sun
end module cm_sun_mod
