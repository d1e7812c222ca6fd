! The first level of calls.
module column_physics
  use column_state, only: wp, constants, work, total, cloud_top, moist, lifted, heating
  use column_radiation
  implicit none
contains
  ! A structure and an optional argument: devices have neither in called procedures.
  subroutine full_physics(nz, i, j, t, q, ps, what, rain, most_rain)
    integer, intent(in) :: nz, i, j
    real(wp), intent(inout) :: t(:), q(:)
    real(wp), intent(in) :: ps
    type(constants), intent(in) :: what
    real(wp), intent(out) :: rain
    real(wp), intent(in), optional :: most_rain
    call physics(nz, i, j, t, q, ps, what%gravity/what%heat, what%steps, rain)
    if (present(most_rain)) rain = min(rain, most_rain)
  end subroutine full_physics

  subroutine physics(nz, i, j, t, q, ps, factor, steps, rain)
    integer, intent(in) :: nz, i, j
    real(wp), intent(inout) :: t(nz), q(0:nz - 1)
    real(wp), intent(in) :: ps, factor
    integer, intent(in) :: steps
    real(wp), intent(out) :: rain
    real(wp) :: before(nz)
    integer :: k, step
    rain = 0
    before = t
    do k = 1, nz
      work(k) = t(k)*ps
      moist(k) = q(k - 1) > 2
    end do
    if (ps < 0.3_wp) return
    cloud_top = nz/2
    if (ps > 1) then
      cloud_top = nz/3
    end if
    do step = 1, steps
      if (mod(step, 2) == 0) then
        call radiate(nz, t)
      else
        call radiate(nz, t, cover=0.01_wp*step)
      end if
      do k = 1, nz
        q(k - 1) = q(k - 1) + total*factor*work(k)
      end do
    end do
    call lift(nz, q)
    rain = lifted(nz, 1) + lifted(nz, 2)
    do k = 1, nz
      heating(k, i, j) = t(k) - before(k)
    end do
  end subroutine physics

  subroutine lift(nz, q)
    integer, intent(in) :: nz
    real(wp), intent(inout) :: q(nz)
    integer :: k
    lifted(0, :) = 0
    do k = 1, nz
      lifted(k, 1) = lifted(k - 1, 1)*0.5_wp + q(k)
      lifted(k, 2) = max(lifted(k - 1, 2), q(k))
    end do
    q = q*0.99_wp
  end subroutine lift
end module column_physics
