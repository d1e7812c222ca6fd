! Drag of gravity waves over hills: the stress of the surface goes up until the wave breaks
! (Lindzen 1981).
module cm_waves_mod
  use cm_constants_mod, only: wp, gravity
  use cm_state_mod, only: nc, nz, t, u, v, exner, mass, rho, z, hills, sea
  implicit none
  private
  public :: wave_drag

  real(wp), parameter :: wave_number = 2.5e-5_wp, efficiency = 0.1_wp

contains

  subroutine wave_drag(dt)
    real(wp), intent(in) :: dt
    integer :: i, k
    real(wp) :: stress, allowed, along, speed, cosine, sine, stability, change
    !$omp parallel do private(k, stress, allowed, along, speed, cosine, sine, stability, change)
    do i = 1, nc
      if (sea(i) .or. hills(i) < 10) cycle
      speed = sqrt(u(i, 1)**2 + v(i, 1)**2)
      if (speed < 1) cycle
      cosine = u(i, 1)/speed
      sine = v(i, 1)/speed
      stress = efficiency*wave_number*rho(i, 1)*buoyancy(i, 1)*speed*min(hills(i), speed/buoyancy(i, 1))**2
      do k = 2, nz - 1
        along = u(i, k)*cosine + v(i, k)*sine
        if (along <= 0.5_wp) then
          allowed = 0 ! the wave is absorbed where the wind along it is zero
        else
          stability = buoyancy(i, k)
          allowed = efficiency*wave_number*rho(i, k)*along**3/stability
        end if
        if (stress > allowed) then
          change = min((stress - allowed)*dt/mass(i, k), 0.5_wp*abs(along))
          u(i, k) = u(i, k) - change*cosine
          v(i, k) = v(i, k) - change*sine
          stress = allowed
        end if
        if (stress <= 0) exit
      end do
    end do
  end subroutine wave_drag

  ! The frequency of buoyancy at a level, 1/s.
  pure real(wp) function buoyancy(i, k)
    integer, intent(in) :: i, k
    real(wp) :: low, high
    low = t(i, k)/exner(i, k)
    high = t(i, k + 1)/exner(i, k + 1)
    buoyancy = sqrt(max(gravity*(high - low)/(low*(z(i, k + 1) - z(i, k))), 1.0e-6_wp))
  end function buoyancy
end module cm_waves_mod
