! Sums over all columns: what a user looks at first, and whether water is lost.
module cm_budget_mod
  use cm_constants_mod, only: wp
  use cm_cloud_mod, only: total_cover
  use cm_state_mod
  implicit none
  private
  public :: budget, take_budget, print_budget

  type :: budget
    real(wp) :: air = 0, ground = 0, fallen = 0, risen = 0, lost = 0 ! water, kg/m2 in the mean
    real(wp) :: temperature = 0, warmest = 0, coldest = 0 ! K
    real(wp) :: wettest = 0              ! largest rain since the start, kg/m2
    real(wp) :: cover = 0                ! of clouds
    integer :: where_wettest = 0
    real(wp) :: fastest = 0              ! wind, m/s
  end type budget

contains

  subroutine take_budget(b)
    type(budget), intent(out) :: b
    real(wp) :: air, ground, fallen, risen, lost, temperature, weight, wettest, warmest, coldest, fastest, covered
    real(wp), allocatable :: total(:)
    integer :: i, k, place
    air = 0
    temperature = 0
    weight = 0
    fastest = 0
    !$omp parallel do reduction(+: air, temperature, weight) reduction(max: fastest)
    do k = 1, nz
      do i = 1, nc
        air = air + mass(i, k)*(q(i, k) + qc(i, k) + qr(i, k))
        temperature = temperature + mass(i, k)*t(i, k)
        weight = weight + mass(i, k)
        fastest = max(fastest, sqrt(u(i, k)**2 + v(i, k)**2))
      end do
    end do

    ground = 0
    fallen = 0
    risen = 0
    lost = 0
    warmest = -huge(warmest)
    coldest = huge(coldest)
    !$omp parallel do reduction(+: ground, fallen, risen, lost) reduction(max: warmest) reduction(min: coldest)
    do i = 1, nc
      if (.not. sea(i)) then
        ground = ground + w_soil(i)
        lost = lost + runoff(i)
      end if
      fallen = fallen + rain(i)
      risen = risen + evaporated(i)
      warmest = max(warmest, ts(i))
      coldest = min(coldest, ts(i))
    end do

    wettest = -1
    place = 0
    do i = 1, nc
      if (rain(i) > wettest) then
        wettest = rain(i)
        place = i
      end if
    end do

    allocate (total(nc))
    call total_cover(total)
    covered = sum(total)/real(nc, wp)
    deallocate (total)

    b%air = air/real(nc, wp)
    b%ground = ground/real(nc, wp)
    b%fallen = fallen/real(nc, wp)
    b%risen = risen/real(nc, wp)
    b%lost = lost/real(nc, wp)
    b%temperature = temperature/weight
    b%warmest = warmest
    b%coldest = coldest
    b%wettest = wettest
    b%where_wettest = place
    b%fastest = fastest
    b%cover = covered
  end subroutine take_budget

  ! first: the budget at the start; the last column says how much water of the air is not accounted for.
  subroutine print_budget(hours, b, first)
    real(wp), intent(in) :: hours
    type(budget), intent(in) :: b, first
    print '(f7.2,f9.3,2f10.4,f9.3,2f8.2,f8.3,f8.2,i8,es11.2)', hours, b%air, b%fallen, b%risen, b%temperature, b%coldest, &
      b%warmest, b%cover, b%fastest, b%where_wettest, (b%air - first%air) - (b%risen - b%fallen)
  end subroutine print_budget
end module cm_budget_mod
