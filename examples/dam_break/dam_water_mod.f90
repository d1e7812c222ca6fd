! dam_water_mod.f90 - particles of water and walls, and their steps in time. Lists of neighbours
! look farther than the kernel, so one list serves several steps; each tenth list brings particles
! that are near each other together in memory. Not in this file: loops over particles.
module dam_water_mod
  use, intrinsic :: iso_fortran_env, only: real64
  use gator_mod, only: gator_allocate, gator_deallocate
  use portable_mod, only: reduce_min, reduce_max
  use portable_mesh_mod, only: portable_csr, portable_csr_free
  use portable_particles_mod, only: portable_cell_list, portable_cell_list_build, portable_cell_list_free, portable_neighbour_list
  use dam_loops_mod, only: rates, advance, bring, bring_numbers, rest
  implicit none
  private
  public :: water_t, water_make, water_free, step

  type :: water_t
    integer :: n = 0, steps = 0, lists = 0
    integer, pointer, contiguous :: id(:) => null(), wall(:) => null(), spare_number(:) => null()
    real(real64), pointer, contiguous :: x(:) => null(), y(:) => null(), u(:) => null(), v(:) => null() ! m, m/s
    real(real64), pointer, contiguous :: density(:) => null(), over(:) => null() ! kg/m3; pressure/density**2
    real(real64), pointer, contiguous :: u_old(:) => null(), v_old(:) => null(), density_old(:) => null()
    real(real64), pointer, contiguous :: ax(:) => null(), ay(:) => null(), change(:) => null()
    real(real64), pointer, contiguous :: limit(:) => null(), spare(:) => null()
    real(real64) :: h = 0, mass = 0, sound = 0, stiffness = 0, viscosity = 0.1d0, cfl = 0.2d0
    real(real64) :: low(2) = 0, high(2) = 0 ! the box in which all particles stay
    real(real64) :: skin = 0, way = 0 ! how much farther lists look; how far a particle has moved at most since the last list
    type(portable_cell_list) :: cells
    type(portable_csr) :: near
  end type

contains

  ! n particles of that distance, m; low and high: the box; sound: m/s.
  subroutine water_make(w, n, distance, sound, low, high)
    type(water_t), intent(inout) :: w
    integer, intent(in) :: n
    real(real64), intent(in) :: distance, sound, low(2), high(2)
    w%n = n
    w%h = 0.87d0*sqrt(2d0)*distance
    w%mass = rest*distance**2
    w%sound = sound
    w%stiffness = rest*sound**2/7
    w%low = low
    w%high = high
    w%skin = 0.5d0*distance
    w%way = w%skin
    w%steps = 0
    w%lists = 0
    call gator_allocate(w%id, [n], label='numbers')
    call gator_allocate(w%wall, [n], label='walls')
    call gator_allocate(w%spare_number, [n], label='spare numbers')
    call real_array(w%x, 'x')
    call real_array(w%y, 'y')
    call real_array(w%u, 'velocity in x')
    call real_array(w%v, 'velocity in y')
    call real_array(w%density, 'density')
    call real_array(w%over, 'pressure over density squared')
    call real_array(w%u_old, 'old velocity in x')
    call real_array(w%v_old, 'old velocity in y')
    call real_array(w%density_old, 'old density')
    call real_array(w%ax, 'acceleration in x')
    call real_array(w%ay, 'acceleration in y')
    call real_array(w%change, 'change of density')
    call real_array(w%limit, 'stable steps')
    call real_array(w%spare, 'spare')
  contains
    subroutine real_array(a, name)
      real(real64), pointer, contiguous, intent(inout) :: a(:)
      character(*), intent(in) :: name
      call gator_allocate(a, [n], label=name)
      a = 0
    end subroutine
  end subroutine

  subroutine water_free(w)
    type(water_t), intent(inout) :: w
    call portable_csr_free(w%near)
    call portable_cell_list_free(w%cells)
    call gator_deallocate(w%id)
    call gator_deallocate(w%wall)
    call gator_deallocate(w%spare_number)
    call gator_deallocate(w%x)
    call gator_deallocate(w%y)
    call gator_deallocate(w%u)
    call gator_deallocate(w%v)
    call gator_deallocate(w%density)
    call gator_deallocate(w%over)
    call gator_deallocate(w%u_old)
    call gator_deallocate(w%v_old)
    call gator_deallocate(w%density_old)
    call gator_deallocate(w%ax)
    call gator_deallocate(w%ay)
    call gator_deallocate(w%change)
    call gator_deallocate(w%limit)
    call gator_deallocate(w%spare)
  end subroutine

  ! One step of at most `most` seconds; dt is the one that was taken.
  subroutine step(w, most, dt)
    type(water_t), intent(inout) :: w
    real(real64), intent(in) :: most
    real(real64), intent(out) :: dt
    if (w%way >= 0.5d0*w%skin) call look(w)
    call rates(w%n, w%near%row, w%near%col, w%wall, w%x, w%y, w%u, w%v, w%density, w%over, w%mass, w%h, w%sound, w%viscosity, &
               w%ax, w%ay, w%change, w%limit)
    dt = min(most, w%cfl*reduce_min(w%limit, label='stable step'))
    call advance(w%n, w%wall, mod(w%steps, 40) == 0, dt, w%stiffness, w%ax, w%ay, w%change, w%x, w%y, w%u, w%v, w%density, &
                 w%u_old, w%v_old, w%density_old, w%over, w%limit)
    w%way = w%way + sqrt(reduce_max(w%limit, label='longest way'))
    w%steps = w%steps + 1
  end subroutine

  ! Lists the neighbours again. A particle that has left the box is an error that names it.
  subroutine look(w)
    type(water_t), intent(inout) :: w
    call make_cells()
    if (mod(w%lists, 10) == 0) then
      call reorder(w%x)
      call reorder(w%y)
      call reorder(w%u)
      call reorder(w%v)
      call reorder(w%density)
      call reorder(w%over)
      call reorder(w%u_old)
      call reorder(w%v_old)
      call reorder(w%density_old)
      call reorder_numbers(w%id)
      call reorder_numbers(w%wall)
      call make_cells()
    end if
    call portable_neighbour_list(w%cells, w%near, w%x, w%y)
    w%lists = w%lists + 1
    w%way = 0
  contains
    subroutine make_cells()
      call portable_cell_list_build(w%cells, w%x, w%y, cutoff=2*w%h + w%skin, lower=w%low, upper=w%high, label='cells')
    end subroutine
    subroutine reorder(a)
      real(real64), pointer, contiguous, intent(inout) :: a(:)
      real(real64), pointer, contiguous :: old(:)
      call bring(w%n, w%cells%order, a, w%spare)
      old => a
      a => w%spare
      w%spare => old
    end subroutine
    subroutine reorder_numbers(a)
      integer, pointer, contiguous, intent(inout) :: a(:)
      integer, pointer, contiguous :: old(:)
      call bring_numbers(w%n, w%cells%order, a, w%spare_number)
      old => a
      a => w%spare_number
      w%spare_number => old
    end subroutine
  end subroutine

end module dam_water_mod
