!> The effect of the fluxes on the cells, and the arithmetic of the time step.
module swe_update_mod
  use portable_mod, only: parallel_for, bounds, tile
  use swe_kinds_mod, only: wp, ng, dry_depth
  implicit none
  private
  public :: zero_tendency, add_divergence, add_tendency, copy_state, average_states, signal_rates

contains

  subroutine zero_tendency(nx, ny, dh, dqn, dqt)
    integer, intent(in) :: nx, ny
    real(wp), intent(out), dimension(nx, ny) :: dh, dqn, dqt

    dh = 0
    dqn = 0
    dqt = 0
  end subroutine zero_tendency

  !> Adds the flux differences of one direction and the weight of the water on the sloping bed inside the
  !> cell to the tendencies (per second); ds is the cell's size in that direction [m].
  subroutine add_divergence(nx, ny, di, dj, ds, g, h_minus, b_minus, h_plus, b_plus, &
      flux_h, flux_n_minus, flux_n_plus, flux_t, dh, dqn, dqt)
    integer, intent(in) :: nx, ny, di, dj
    real(wp), intent(in) :: ds, g
    real(wp), intent(in), dimension(nx+1, ny+1) :: h_minus, b_minus, h_plus, b_plus
    real(wp), intent(in), dimension(nx+1, ny+1) :: flux_h, flux_n_minus, flux_n_plus, flux_t
    real(wp), intent(inout), dimension(nx, ny) :: dh, dqn, dqt
    call parallel_for('add_divergence', bounds([1, 1], [nx, ny]), body)
  contains
    recursive subroutine body(t)
    type(tile), intent(in) :: t
    real(wp) :: weight
    integer :: i, j, ie, je

    do j = t%lower(2), t%upper(2)
      do concurrent (i = t%lower(1):t%upper(1))
        ie = i + di
        je = j + dj
        weight = 0.5_wp*g*(h_minus(ie, je) + h_plus(i, j))*(b_minus(ie, je) - b_plus(i, j))
        dh(i, j) = dh(i, j) - (flux_h(ie, je) - flux_h(i, j))/ds
        dqn(i, j) = dqn(i, j) - ((flux_n_minus(ie, je) - flux_n_plus(i, j)) + weight)/ds
        dqt(i, j) = dqt(i, j) - (flux_t(ie, je) - flux_t(i, j))/ds
      end do
    end do
    end subroutine body
  end subroutine add_divergence

  !> state = state + time_step * tendency; what is dry does not move.
  subroutine add_tendency(nx, ny, time_step, dh, dqu, dqv, h, hu, hv)
    integer, intent(in) :: nx, ny
    real(wp), intent(in) :: time_step
    real(wp), intent(in), dimension(nx, ny) :: dh, dqu, dqv
    real(wp), intent(inout), dimension(1-ng:nx+ng, 1-ng:ny+ng) :: h, hu, hv
    call parallel_for('add_tendency', bounds([1, 1], [nx, ny]), body)
  contains
    recursive subroutine body(t)
    type(tile), intent(in) :: t
    real(wp) :: wet
    integer :: i, j

    do j = t%lower(2), t%upper(2)
      do concurrent (i = t%lower(1):t%upper(1))
        h(i, j) = h(i, j) + time_step*dh(i, j)
        wet = merge(1.0_wp, 0.0_wp, h(i, j) > dry_depth)
        hu(i, j) = wet*(hu(i, j) + time_step*dqu(i, j))
        hv(i, j) = wet*(hv(i, j) + time_step*dqv(i, j))
      end do
    end do
    end subroutine body
  end subroutine add_tendency

  subroutine copy_state(nx, ny, h, hu, hv, h_copy, hu_copy, hv_copy)
    integer, intent(in) :: nx, ny
    real(wp), intent(in), dimension(1-ng:nx+ng, 1-ng:ny+ng) :: h, hu, hv
    real(wp), intent(out), dimension(nx, ny) :: h_copy, hu_copy, hv_copy

    h_copy = h(1:nx, 1:ny)
    hu_copy = hu(1:nx, 1:ny)
    hv_copy = hv(1:nx, 1:ny)
  end subroutine copy_state

  !> The mean of the old state and the twice-advanced one: the end of Heun's step.
  subroutine average_states(nx, ny, h_old, hu_old, hv_old, h, hu, hv)
    integer, intent(in) :: nx, ny
    real(wp), intent(in), dimension(nx, ny) :: h_old, hu_old, hv_old
    real(wp), intent(inout), dimension(1-ng:nx+ng, 1-ng:ny+ng) :: h, hu, hv
    integer :: i, j

    do j = 1, ny
      do i = 1, nx
        h(i, j) = 0.5_wp*(h_old(i, j) + h(i, j))
        hu(i, j) = 0.5_wp*(hu_old(i, j) + hu(i, j))
        hv(i, j) = 0.5_wp*(hv_old(i, j) + hv(i, j))
      end do
    end do
  end subroutine average_states

  !> How many cells a signal crosses per second, both directions together [1/s]. Half of its inverse is the
  !> step up to which a second-order step keeps depths positive.
  subroutine signal_rates(nx, ny, dx, dy, g, h, hu, hv, rate)
    integer, intent(in) :: nx, ny
    real(wp), intent(in) :: dx, dy, g
    real(wp), intent(in), dimension(1-ng:nx+ng, 1-ng:ny+ng) :: h, hu, hv
    real(wp), intent(out) :: rate(nx, ny)
    call parallel_for('signal_rates', bounds([1, 1], [nx, ny]), body)
  contains
    recursive subroutine body(t)
    type(tile), intent(in) :: t
    real(wp) :: depth, c
    integer :: i, j

    do j = t%lower(2), t%upper(2)
      do concurrent (i = t%lower(1):t%upper(1))
        depth = max(h(i, j), dry_depth)
        c = sqrt(g*depth)
        rate(i, j) = (abs(hu(i, j))/depth + c)/dx + (abs(hv(i, j))/depth + c)/dy
      end do
    end do
    end subroutine body
  end subroutine signal_rates
end module swe_update_mod
