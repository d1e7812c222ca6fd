!> Active columns: some physics (here rain) is for the columns that have clouds only. As a loop with an IF inside, threads
!> get unequal work and the loop is not vectorised. Here: the list of cloudy columns is made, what the physics needs is brought
!> together, the physics runs over the list, and its results go back. Both must give the same bits.
!> active_columns [LEVELS COLUMNS STEPS]. Exit status: 0 when they do.
module active_columns_mod
  use, intrinsic :: iso_fortran_env, only: real64
  use portable_mod, only: parallel_for, parallel_filter, pack_into, unpack_into, bounds, tile, arg
  implicit none
  integer :: levels = 40, columns = 5000
  real(real64), pointer :: heat(:, :) => null(), water(:, :) => null() ! columns, levels
  real(real64), pointer :: rain(:) => null()                           ! that has fallen out of each column
  logical, pointer :: cloudy(:) => null()
  integer, pointer :: list(:) => null()                                     ! of the cloudy columns
  integer :: active = 0                                                ! how many there are
  real(real64), pointer :: some_heat(:, :) => null(), some_water(:, :) => null(), some_rain(:) => null() ! of those in the list
contains

  !> One level of one column: a quarter of the water above what the air holds falls as rain, and its heat stays.
  elemental subroutine rain_out(heat, water, rain)
    real(real64), intent(inout) :: heat, water, rain
    real(real64) :: most, falling
    most = 0.5_real64 + heat*(0.25_real64 + 0.125_real64*heat)
    falling = 0.25_real64*max(0.0_real64, water - most)
    heat = heat + 0.5_real64*falling
    water = water - falling
    rain = rain + falling
  end subroutine

  !> As it was.
  subroutine physics_serial(heat, water, rain)
    real(real64), intent(inout) :: heat(columns, levels), water(columns, levels), rain(columns)
    logical :: cloudy(columns)
    integer :: column, level
    do column = 1, columns
      cloudy(column) = any(water(column, :) > 0.5_real64)
    end do
    do level = levels, 1, -1
      do column = 1, columns
        if (cloudy(column)) call rain_out(heat(column, level), water(column, level), rain(column))
      end do
    end do
  end subroutine

  !> Moved over.
  subroutine physics()
    call parallel_filter('cloudy columns', bounds(columns), is_cloudy, list, active)
    call parallel_for('bring together', bounds([1, 1], [active, levels]), bring_together, &
                      [arg(heat, 'read'), arg(water, 'read'), arg(some_heat, 'write'), arg(some_water, 'write'), arg(list, 'read')])
    call pack_into(rain, cloudy, some_rain, active)
    call parallel_for('rain', bounds(active), rain_kernel, [arg(some_heat), arg(some_water), arg(some_rain), arg(levels)])
    call unpack_into(some_rain, cloudy, rain)
    call parallel_for('spread', bounds([1, 1], [active, levels]), spread_out, &
                      [arg(heat, 'write'), arg(water, 'write'), arg(some_heat, 'read'), arg(some_water, 'read'), arg(list, 'read')])
  end subroutine

  !> A predicate as a kernel: it says of each column of the tile whether it is in the list.
  recursive subroutine is_cloudy(t, chosen)
    type(tile), intent(in) :: t
    logical, intent(inout) :: chosen(t%lower(1):t%upper(1))
    integer :: column
    do column = t%lower(1), t%upper(1)
      chosen(column) = any(water(column, :) > 0.5_real64)
      cloudy(column) = chosen(column) ! the mask, for pack_into
    end do
  end subroutine

  recursive subroutine bring_together(t)
    type(tile), intent(in) :: t
    integer :: k, level
    do level = t%lower(2), t%upper(2)
      do k = t%lower(1), t%upper(1)
        some_heat(k, level) = heat(list(k), level)
        some_water(k, level) = water(list(k), level)
      end do
    end do
  end subroutine

  !> The loop over columns has no IF any more.
  recursive subroutine rain_kernel(t)
    type(tile), intent(in) :: t
    integer :: k, level
    do level = levels, 1, -1
      do k = t%lower(1), t%upper(1)
        call rain_out(some_heat(k, level), some_water(k, level), some_rain(k))
      end do
    end do
  end subroutine

  recursive subroutine spread_out(t)
    type(tile), intent(in) :: t
    integer :: k, level
    do level = t%lower(2), t%upper(2)
      do k = t%lower(1), t%upper(1)
        heat(list(k), level) = some_heat(k, level)
        water(list(k), level) = some_water(k, level)
      end do
    end do
  end subroutine
end module

program main
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use gator_mod, only: gator_init, gator_allocate, gator_deallocate, gator_finalize
  use portable_mod, only: num_threads, cuda_code, fence
  use active_columns_mod
  implicit none
  real(real64), allocatable :: expected_heat(:, :), expected_water(:, :), expected_rain(:)
  integer :: steps, column, level, n
  integer(int64) :: start, middle, finish, rate
  character(len=32) :: argument(3)
  steps = 10
  do n = 1, 3
    call get_command_argument(n, argument(n))
  end do
  if (argument(3) /= '') read (argument, *) levels, columns, steps
  call gator_init()
  call cuda_code([character(14) :: 'bring together', 'rain', 'spread'], file='active_columns.cu') ! for launches on a GPU
  call gator_allocate(heat, [columns, levels], label='heat')
  call gator_allocate(water, [columns, levels], label='water')
  call gator_allocate(rain, [columns], label='rain')
  call gator_allocate(some_heat, [columns, levels], label='some_heat')
  call gator_allocate(some_water, [columns, levels], label='some_water')
  call gator_allocate(some_rain, [columns], label='some_rain')
  call gator_allocate(cloudy, [columns], label='cloudy')
  call gator_allocate(list, [columns], label='list')
  do level = 1, levels
    do column = 1, columns
      heat(column, level) = 0.25_real64*cos(0.01_real64*column + level)
      water(column, level) = 0.6_real64*(sin(0.003_real64*column)**2 + 0.4_real64*cos(0.3_real64*level))
    end do
  end do
  rain = 0
  allocate (expected_heat, source=heat)
  allocate (expected_water, source=water)
  allocate (expected_rain, source=rain)
  call system_clock(start, rate)
  do n = 1, steps
    call physics_serial(expected_heat, expected_water, expected_rain)
  end do
  call system_clock(middle)
  do n = 1, steps
    call physics()
  end do
  call fence()
  call system_clock(finish)
  print '(4(a,i0),a,f0.3,a,i0,a,f0.3,a)', 'active columns, ', active, ' of ', columns, ' with ', levels, ' levels, ', steps, &
    ' steps: serial ', 1000.0_real64*(middle - start)/rate, ' ms, with a list on ', num_threads(), ' threads ', &
    1000.0_real64*(finish - middle)/rate, ' ms'
  if (active == 0 .or. active == columns) error stop 'active_columns: there is nothing to choose'
  if (any(heat < expected_heat .or. heat > expected_heat)) error stop 'active_columns: the heat differs'
  if (any(water < expected_water .or. water > expected_water)) error stop 'active_columns: the water differs'
  if (any(rain < expected_rain .or. rain > expected_rain)) error stop 'active_columns: the rain differs'
  call gator_deallocate(list)
  call gator_deallocate(cloudy)
  call gator_deallocate(some_rain)
  call gator_deallocate(some_water)
  call gator_deallocate(some_heat)
  call gator_deallocate(rain)
  call gator_deallocate(water)
  call gator_deallocate(heat)
  call gator_finalize()
end program
