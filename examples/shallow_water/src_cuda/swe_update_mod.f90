!> The effect of the fluxes on the cells, and the arithmetic of the time step.
module swe_update_mod
  use portable_mod, only: parallel_for, bounds, tile, arg
  use swe_kinds_mod, only: wp, ng, dry_depth
  implicit none
  private
  public :: zero_tendency, add_divergence, add_tendency, copy_state, average_states, signal_rates

contains

  subroutine zero_tendency(nx, ny, dh, dqn, dqt)
    integer, intent(in) :: nx, ny
    real(wp), intent(out), dimension(nx, ny) :: dh, dqn, dqt
    call parallel_for('zero_tendency', bounds([1, 1], [nx, ny]), body, &
      [arg(dh, lbound(dh), 'write'), arg(dqn, lbound(dqn), 'write'), arg(dqt, lbound(dqt), 'write')])
  contains
    recursive subroutine body(t)
    type(tile), intent(in) :: t
    integer :: i, j

    do j = t%lower(2), t%upper(2)
      do concurrent (i = t%lower(1):t%upper(1))
        dh(i, j) = 0
        dqn(i, j) = 0
        dqt(i, j) = 0
      end do
    end do
    end subroutine body
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
    call parallel_for('add_divergence', bounds([1, 1], [nx, ny]), body, &
      [arg(di), arg(dj), arg(ds), arg(g), arg(h_minus, lbound(h_minus), 'read'), &
       arg(b_minus, lbound(b_minus), 'read'), arg(h_plus, lbound(h_plus), 'read'), &
       arg(b_plus, lbound(b_plus), 'read'), arg(flux_h, lbound(flux_h), 'read'), &
       arg(flux_n_minus, lbound(flux_n_minus), 'read'), arg(flux_n_plus, lbound(flux_n_plus), 'read'), &
       arg(flux_t, lbound(flux_t), 'read'), arg(dh, lbound(dh), 'both'), arg(dqn, lbound(dqn), 'both'), &
       arg(dqt, lbound(dqt), 'both')])
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
    call parallel_for('add_tendency', bounds([1, 1], [nx, ny]), body, &
      [arg(time_step), arg(dh, lbound(dh), 'read'), arg(dqu, lbound(dqu), 'read'), &
       arg(dqv, lbound(dqv), 'read'), arg(h, lbound(h), 'both'), arg(hu, lbound(hu), 'both'), &
       arg(hv, lbound(hv), 'both')])
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
    call parallel_for('copy_state', bounds([1, 1], [nx, ny]), body, &
      [arg(h, lbound(h), 'read'), arg(hu, lbound(hu), 'read'), arg(hv, lbound(hv), 'read'), &
       arg(h_copy, lbound(h_copy), 'write'), arg(hu_copy, lbound(hu_copy), 'write'), &
       arg(hv_copy, lbound(hv_copy), 'write')])
  contains
    recursive subroutine body(t)
    type(tile), intent(in) :: t
    integer :: i, j

    do j = t%lower(2), t%upper(2)
      do concurrent (i = t%lower(1):t%upper(1))
        h_copy(i, j) = h(i, j)
        hu_copy(i, j) = hu(i, j)
        hv_copy(i, j) = hv(i, j)
      end do
    end do
    end subroutine body
  end subroutine copy_state

  !> The mean of the old state and the twice-advanced one: the end of Heun's step.
  subroutine average_states(nx, ny, h_old, hu_old, hv_old, h, hu, hv)
    integer, intent(in) :: nx, ny
    real(wp), intent(in), dimension(nx, ny) :: h_old, hu_old, hv_old
    real(wp), intent(inout), dimension(1-ng:nx+ng, 1-ng:ny+ng) :: h, hu, hv
    call parallel_for('average_states', bounds([1, 1], [nx, ny]), body, &
      [arg(h_old, lbound(h_old), 'read'), arg(hu_old, lbound(hu_old), 'read'), &
       arg(hv_old, lbound(hv_old), 'read'), arg(h, lbound(h), 'both'), arg(hu, lbound(hu), 'both'), &
       arg(hv, lbound(hv), 'both')])
  contains
    recursive subroutine body(t)
    type(tile), intent(in) :: t
    integer :: i, j

    do j = t%lower(2), t%upper(2)
      do concurrent (i = t%lower(1):t%upper(1))
        h(i, j) = 0.5_wp*(h_old(i, j) + h(i, j))
        hu(i, j) = 0.5_wp*(hu_old(i, j) + hu(i, j))
        hv(i, j) = 0.5_wp*(hv_old(i, j) + hv(i, j))
      end do
    end do
    end subroutine body
  end subroutine average_states

  !> How many cells a signal crosses per second, both directions together [1/s]. Half of its inverse is the
  !> step up to which a second-order step keeps depths positive.
  subroutine signal_rates(nx, ny, dx, dy, g, h, hu, hv, rate)
    integer, intent(in) :: nx, ny
    real(wp), intent(in) :: dx, dy, g
    real(wp), intent(in), dimension(1-ng:nx+ng, 1-ng:ny+ng) :: h, hu, hv
    real(wp), intent(out) :: rate(nx, ny)
    call parallel_for('signal_rates', bounds([1, 1], [nx, ny]), body, &
      [arg(dx), arg(dy), arg(g), arg(h, lbound(h), 'read'), arg(hu, lbound(hu), 'read'), &
       arg(hv, lbound(hv), 'read'), arg(rate, lbound(rate), 'write')])
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
