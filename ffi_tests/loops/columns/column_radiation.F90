! The second and the third level of calls.
module column_radiation
  use column_state
  implicit none
  private
  public :: radiate
  interface radiate
    module procedure radiate_clear, radiate_cloudy
  end interface
contains
  subroutine radiate_clear(nz, t)
    integer, intent(in) :: nz
    real(wp), intent(inout) :: t(nz)
    integer :: k
    flux(0) = 0
    do k = 1, nz
      flux(k) = flux(k - 1)*weights(1) + warmed(k)
    end do
    total = flux(nz)
    do k = 1, nz
      t(k) = t(k) + flux(k) - flux(k - 1)
    end do
  end subroutine radiate_clear

  subroutine radiate_cloudy(nz, t, cover)
    integer, intent(in) :: nz
    real(wp), intent(inout) :: t(nz)
    real(wp), intent(in) :: cover
    real(wp), save :: shade(most)
    integer :: k
    do k = 1, nz
      shade(k) = cover*table(mod(k, 10))
    end do
    call radiate_clear(nz, t)
    do k = nz, 1, -1
      if (k > cloud_top) cycle
      t(k) = t(k) - shade(k)*deep(k)
    end do
  contains
    real(wp) function deep(k)
      integer, intent(in) :: k
      deep = shade(k) + work(k)*1e-3_wp
    end function deep
  end subroutine radiate_cloudy

  real(wp) function warmed(k) result(value)
    integer, intent(in) :: k
    value = work(k)*weights(2)
    if (moist(k)) value = value*0.9_wp
  end function warmed
end module column_radiation
