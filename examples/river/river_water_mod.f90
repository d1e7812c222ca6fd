! river_water_mod.f90 - water on a mesh, and its steps in time: a stable step, which is tried again
! with half of dt where a depth would be negative. The arrays are the pool's. Not in this file:
! loops over edges and cells (river_loops_mod), other ranks (river_ranks_mod).
module river_water_mod
  use, intrinsic :: iso_fortran_env, only: real64
  use gator_mod, only: gator_allocate, gator_deallocate
  use river_loops_mod, only: fluxes, limits, update, least_of
  use river_mesh_mod, only: mesh_t
  use river_ranks_mod, only: refresh, least
  implicit none
  private
  public :: water_t, water_make, water_free, run

  type :: water_t
    real(real64), pointer, contiguous :: z(:) => null(), h(:) => null(), hu(:) => null(), hv(:) => null() ! m, m, m2/s
    real(real64), pointer, contiguous :: h_new(:) => null(), hu_new(:) => null(), hv_new(:) => null() ! after the step that is tried
    real(real64), pointer, contiguous :: flux(:, :) => null(), limit(:) => null()
    real(real64) :: friction = 0
    integer :: steps = 0, repeated = 0
  end type

contains

  subroutine water_make(w, m)
    type(water_t), intent(inout) :: w
    type(mesh_t), intent(in) :: m
    call gator_allocate(w%z, [m%cells], label='bed')
    call gator_allocate(w%h, [m%cells], label='depth')
    call gator_allocate(w%hu, [m%cells], label='momentum in x')
    call gator_allocate(w%hv, [m%cells], label='momentum in y')
    call gator_allocate(w%h_new, [m%cells], label='next depth')
    call gator_allocate(w%hu_new, [m%cells], label='next momentum in x')
    call gator_allocate(w%hv_new, [m%cells], label='next momentum in y')
    call gator_allocate(w%flux, [m%edges, 6], label='fluxes')
    call gator_allocate(w%limit, [m%own], label='stable steps')
    w%z = 0
    w%h = 0
    w%hu = 0
    w%hv = 0
    w%friction = 0
    w%steps = 0
    w%repeated = 0
  end subroutine

  subroutine water_free(w)
    type(water_t), intent(inout) :: w
    call gator_deallocate(w%z)
    call gator_deallocate(w%h)
    call gator_deallocate(w%hu)
    call gator_deallocate(w%hv)
    call gator_deallocate(w%h_new)
    call gator_deallocate(w%hu_new)
    call gator_deallocate(w%hv_new)
    call gator_deallocate(w%flux)
    call gator_deallocate(w%limit)
  end subroutine

  ! Goes on for `time` seconds. fixed: the step, in s, as long as it keeps depths positive; 0: cfl times the stable step.
  subroutine run(w, m, time, cfl, fixed)
    type(water_t), intent(inout) :: w
    type(mesh_t), intent(in) :: m
    real(real64), intent(in) :: time, cfl, fixed
    real(real64) :: left, dt
    left = time
    do while (left > 0)
      call refresh(m, w%h, w%hu, w%hv)
      call fluxes(m%edges, m%cells, m%cell_of_edge, m%nx, m%ny, m%length, w%z, w%h, w%hu, w%hv, w%flux(:, 1), w%flux(:, 2), &
                  w%flux(:, 3), w%flux(:, 4), w%flux(:, 5), w%flux(:, 6))
      dt = fixed
      if (fixed <= 0) then
        call limits(m%edges, m%own, m%edges_of%row, m%edges_of%col, m%area, w%flux(:, 6), w%limit)
        dt = cfl*least(m, least_of(m%own, w%limit))
      end if
      dt = min(dt, left)
      do
        call update(m%edges, m%own, m%edges_of%row, m%edges_of%col, m%cell_of_edge, m%area, dt, w%friction, &
                    w%flux(:, 1), w%flux(:, 2), w%flux(:, 3), w%flux(:, 4), w%flux(:, 5), w%h, w%hu, w%hv, w%h_new, &
                    w%hu_new, w%hv_new)
        if (least(m, least_of(m%own, w%h_new)) >= 0) exit
        if (dt < 1d-12*time) error stop 'river: no step, however short, keeps depths positive'
        dt = 0.5d0*dt ! w%h is what it was: the step is taken again
        w%repeated = w%repeated + 1
      end do
      call swap(w%h, w%h_new)
      call swap(w%hu, w%hu_new)
      call swap(w%hv, w%hv_new)
      w%steps = w%steps + 1
      left = left - dt
    end do
  end subroutine

  subroutine swap(a, b)
    real(real64), pointer, contiguous, intent(inout) :: a(:), b(:)
    real(real64), pointer, contiguous :: c(:)
    c => a
    a => b
    b => c
  end subroutine

end module river_water_mod
