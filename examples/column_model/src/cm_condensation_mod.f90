! Clouds form and dissolve: vapour above saturation becomes cloud water, cloud water in dry air
! evaporates.
module cm_condensation_mod
  use cm_constants_mod, only: wp, heat_dry, heat_evaporation
  use cm_saturation_mod, only: saturation, saturation_slope
  use cm_state_mod, only: nc, nz, t, q, qc, p
  implicit none
  private
  public :: condensation

contains

  ! most: the largest change of temperature, K.
  subroutine condensation(most)
    real(wp), intent(out) :: most
    integer :: i, k, round
    real(wp) :: amount, sum, before
    most = 0
    !$omp parallel do private(round, amount, sum, before) reduction(max: most)
    do k = 1, nz
      do i = 1, nc
        before = t(i, k)
        sum = 0
        do round = 1, 3
          amount = (q(i, k) - saturation(t(i, k), p(i, k)))/(1 + heat_evaporation/heat_dry*saturation_slope(t(i, k), p(i, k)))
          amount = max(amount, -qc(i, k))
          t(i, k) = t(i, k) + heat_evaporation/heat_dry*amount
          q(i, k) = q(i, k) - amount
          qc(i, k) = qc(i, k) + amount
          sum = sum + abs(amount)
        end do
        if (sum > 0) most = max(most, abs(t(i, k) - before))
      end do
    end do
  end subroutine condensation
end module cm_condensation_mod
