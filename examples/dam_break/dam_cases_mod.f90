! dam_cases_mod.f90 - the experiment of Martin and Moyce (1952): a column of water, twice as high as
! wide, falls in a tank. Its front, energy and mass, and the bits of a state. Not in this file: the
! scheme.
!
! Source of `times` and `fronts`: J. C. Martin, W. J. Moyce, An experimental study of the collapse of liquid columns on a rigid
! horizontal plane, Phil. Trans. R. Soc. A 244 (1952) 312-324, table 2: a column of 2.25 inches, n**2 = 2, times in sqrt(a/(n**2 g)).
module dam_cases_mod
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use portable_mod, only: exact_sum, exact_add, exact_value
  use dam_loops_mod, only: gravity, rest
  use dam_water_mod, only: water_t, water_make
  implicit none
  private
  public :: column, unit_of_time, front, energy, all_there, bits

  real(real64), parameter, public :: width = 0.05715d0, tank = 4*width ! m
  ! Published times begin when the dam begins to vanish, computed ones when there is none: earlier by this, 9.4 ms. It is the correction of
  ! another program for the same table (README.md).
  real(real64), parameter, public :: opening = 0.175d0
  ! The front, in widths of the column, at times in units of unit_of_time.
  real(real64), parameter, public :: times(*) = [0.41d0, 0.84d0, 1.19d0, 1.43d0, 1.63d0, 1.83d0, 1.98d0, 2.20d0, 2.32d0, 2.51d0, &
                                                 2.65d0, 2.83d0, 2.98d0, 3.11d0]
  real(real64), parameter, public :: fronts(*) = [1.11d0, 1.22d0, 1.44d0, 1.67d0, 1.89d0, 2.11d0, 2.33d0, 2.56d0, 2.78d0, 3.00d0, &
                                                  3.22d0, 3.44d0, 3.67d0, 3.89d0]

contains

  ! The column of `across` particles in its width at rest, on the left of a tank with walls of three layers. Drops may rise above.
  subroutine column(w, across)
    type(water_t), intent(inout) :: w
    integer, intent(in) :: across
    integer :: long, high, i, j, n
    real(real64) :: distance, deep
    distance = width/across
    long = nint(tank/distance)
    high = 4*across
    n = 2*across*across + 3*(long + 6) + 2*3*high
    call water_make(w, n, distance, 10*sqrt(2*width*gravity), [-3*distance, -3*distance], [tank + 3*distance, 10*width])
    n = 0
    do j = 1, 2*across
      do i = 1, across
        call particle(i, j, 0)
      end do
    end do
    do j = -2, high
      do i = -2, long + 3
        if (j < 1 .or. i < 1 .or. i > long) call particle(i, j, 1)
      end do
    end do
  contains
    subroutine particle(i, j, wall)
      integer, intent(in) :: i, j, wall
      n = n + 1
      w%id(n) = n
      w%wall(n) = wall
      w%x(n) = (i - 0.5d0)*distance
      w%y(n) = (j - 0.5d0)*distance
      w%density(n) = rest
      if (wall == 0) then ! its pressure carries the water above
        deep = 2*width - w%y(n)
        w%density(n) = rest*(1 + rest*gravity*deep/w%stiffness)**(1/7d0)
      end if
      w%over(n) = w%stiffness*((w%density(n)/rest)**7 - 1)/w%density(n)**2
    end subroutine
  end subroutine

  ! Seconds in which all times are measured.
  function unit_of_time()
    real(real64) :: unit_of_time
    unit_of_time = sqrt(width/(2*gravity))
  end function

  ! How far the water has come, in widths of the column: half a distance of particles farther than the centre of the first one.
  function front(w)
    type(water_t), intent(in) :: w
    real(real64) :: front
    front = (maxval(w%x, mask=w%wall == 0) + 0.5d0*sqrt(w%mass/rest))/width
  end function

  ! Energy of motion, height and compression, J in a tank of one metre's breadth: an exact sum, rounded once.
  function energy(w)
    type(water_t), intent(in) :: w
    real(real64) :: energy, r
    type(exact_sum) :: s
    integer :: i
    do i = 1, w%n
      if (w%wall(i) == 1) cycle
      r = w%density(i)/rest
      call exact_add(s, w%mass*(0.5d0*(w%u(i)**2 + w%v(i)**2) + gravity*w%y(i) + w%stiffness/rest*(r**6/6 + 1/r - 7/6d0)))
    end do
    energy = exact_value(s)
  end function

  ! Each particle is there once, in the tank, and has finite numbers: so the mass is what it was.
  function all_there(w)
    type(water_t), intent(in) :: w
    logical :: all_there, seen(w%n)
    integer :: i
    seen = .false.
    all_there = .true.
    do i = 1, w%n
      all_there = all_there .and. .not. seen(w%id(i))
      seen(w%id(i)) = .true.
      if (w%wall(i) == 1) cycle
      all_there = all_there .and. w%x(i) > 0 .and. w%x(i) < tank .and. w%y(i) > 0 .and. w%density(i) > 0.5d0*rest
    end do
  end function

  ! A number made of all bits of the water.
  function bits(w) result(hash)
    type(water_t), intent(in) :: w
    integer(int64) :: hash
    integer :: i
    hash = 1469598103934665603_int64
    do i = 1, w%n
      hash = ieor(ishftc(hash, 13), transfer(w%x(i), hash))
      hash = ieor(ishftc(hash, 13), transfer(w%y(i), hash))
      hash = ieor(ishftc(hash, 13), transfer(w%u(i), hash))
      hash = ieor(ishftc(hash, 13), transfer(w%v(i), hash))
      hash = ieor(ishftc(hash, 13), transfer(w%density(i), hash))
    end do
  end function

end module dam_cases_mod
