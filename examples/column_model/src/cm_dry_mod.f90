! Dry adjustment: neighbours that are unstable are mixed, sweep by sweep, until the column is
! stable.
module cm_dry_mod
  use cm_constants_mod, only: wp
  use cm_state_mod, only: nc, nz, t, q, mass, exner
  implicit none
  private
  public :: dry_adjustment

contains

  ! sweeps: the largest number that a column took.
  subroutine dry_adjustment(sweeps)
    integer, intent(out) :: sweeps
    integer :: i, k, n
    logical :: stable
    real(wp) :: low, high, both, moisture, share
    sweeps = 0
    !$omp parallel do private(k, n, stable, low, high, both, moisture, share) reduction(max: sweeps)
    do i = 1, nc
      n = 0
      stable = .false.
      do while (.not. stable .and. n < 30)
        stable = .true.
        n = n + 1
        do k = 1, nz - 1
          low = t(i, k)/exner(i, k)
          high = t(i, k + 1)/exner(i, k + 1)
          if (low > high + 0.01_wp) then
            stable = .false.
            ! The enthalpy stays: both get one potential temperature.
            share = mass(i, k)*exner(i, k)/(mass(i, k)*exner(i, k) + mass(i, k + 1)*exner(i, k + 1))
            both = share*low + (1 - share)*high
            t(i, k) = both*exner(i, k)
            t(i, k + 1) = both*exner(i, k + 1)
            moisture = (mass(i, k)*q(i, k) + mass(i, k + 1)*q(i, k + 1))/(mass(i, k) + mass(i, k + 1))
            q(i, k) = moisture
            q(i, k + 1) = moisture
          end if
        end do
      end do
      sweeps = max(sweeps, n)
    end do
  end subroutine dry_adjustment
end module cm_dry_mod
