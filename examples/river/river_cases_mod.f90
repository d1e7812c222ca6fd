! river_cases_mod.f90 - test cases of the river: still water over any bed, dam breaks with exact
! solutions, odd domains; and a valley for the demonstration. Not in this file: the scheme.
module river_cases_mod
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use portable_mod, only: exact_sum, exact_add, exact_value, random_key, random_key_t, random_real
  use river_loops_mod, only: gravity
  use river_mesh_mod, only: mesh_t
  use river_water_mod, only: water_t
  implicit none
  private
  public :: rough_bed, still, dam, dam_error, valley, mass, bits, write_flood, check

contains

  ! A bed without any form, with islands.
  subroutine rough_bed(w, m)
    type(water_t), intent(inout) :: w
    type(mesh_t), intent(in) :: m
    type(random_key_t) :: key
    integer :: c
    key = random_key(seed=7_int64)
    do c = 1, m%cells
      w%z(c) = 2*random_real(key, cell=m%number(c), draw=0)
    end do
  end subroutine

  ! A lake with that surface.
  subroutine still(w, m, surface)
    type(water_t), intent(inout) :: w
    type(mesh_t), intent(in) :: m
    real(real64), intent(in) :: surface
    integer :: c
    do c = 1, m%cells
      w%h(c) = max(0d0, surface - w%z(c))
    end do
  end subroutine

  ! A dam at x = at, with these depths.
  subroutine dam(w, m, at, left, right)
    type(water_t), intent(inout) :: w
    type(mesh_t), intent(in) :: m
    real(real64), intent(in) :: at, left, right
    integer :: c
    do c = 1, m%cells
      w%h(c) = merge(left, right, m%cx(c) < at)
    end do
  end subroutine

  ! The mean error of the depth after the dam has broken: Ritter's solution if it was dry on the right, else Stoker's.
  function dam_error(w, m, at, left, right, time) result(error)
    type(water_t), intent(in) :: w
    type(mesh_t), intent(in) :: m
    real(real64), intent(in) :: at, left, right, time
    real(real64) :: error, c, low, high, middle, u, s, x, exact
    integer :: i
    low = right
    high = left
    do i = 1, 100 ! the depth between rarefaction and shock
      middle = 0.5d0*(low + high)
      if (right <= 0) exit
      if (2*(sqrt(gravity*left) - sqrt(gravity*middle)) > (middle - right)*sqrt(0.5d0*gravity*(middle + right)/(middle*right))) then
        low = middle
      else
        high = middle
      end if
    end do
    if (right <= 0) middle = 0
    c = sqrt(gravity*left)
    u = 2*(c - sqrt(gravity*middle))
    s = 2*c ! of the front
    if (right > 0) s = u*middle/(middle - right)
    error = 0
    do i = 1, m%cells
      x = (m%cx(i) - at)/time
      exact = right
      if (x < s) exact = middle
      if (x < u - sqrt(gravity*middle)) exact = (2*c - x)**2/(9*gravity)
      if (x < -c) exact = left
      error = error + m%area(i)*abs(w%h(i) - exact)
    end do
    error = error/sum(m%area)
  end function

  ! A valley that winds, with a reservoir behind a dam at its upper end.
  subroutine valley(w, m, width, height)
    type(water_t), intent(inout) :: w
    type(mesh_t), intent(in) :: m
    real(real64), intent(in) :: width, height
    real(real64) :: bend, across
    integer :: c
    do c = 1, m%cells
      bend = height*(0.5d0 + 0.18d0*sin(6.28318530717958648d0*1.5d0*m%cx(c)/width))
      across = (m%cy(c) - bend)/height
      w%z(c) = 6*(1 - m%cx(c)/width) + min(120*across**2, 10d0)
      w%h(c) = 0
      if (m%cx(c) < 0.15d0*width) w%h(c) = max(0d0, 12 - w%z(c))
    end do
    w%friction = 0.03d0
  end subroutine

  ! All water, m3: an exact sum, rounded once.
  function mass(w, m) result(total)
    type(water_t), intent(in) :: w
    type(mesh_t), intent(in) :: m
    real(real64) :: total
    type(exact_sum) :: s
    integer :: c
    do c = 1, m%cells
      call exact_add(s, m%area(c)*w%h(c))
    end do
    total = exact_value(s)
  end function

  ! A number made of all bits of the water.
  function bits(h, hu, hv) result(hash)
    real(real64), intent(in) :: h(:), hu(:), hv(:)
    integer(int64) :: hash
    integer :: c
    hash = 1469598103934665603_int64
    do c = 1, size(h)
      hash = ieor(ishftc(hash, 13), transfer(h(c), hash))
      hash = ieor(ishftc(hash, 13), transfer(hu(c), hash))
      hash = ieor(ishftc(hash, 13), transfer(hv(c), hash))
    end do
  end function

  ! The triangles of a whole mesh with bed and depth, for a picture.
  subroutine write_flood(name, m, w)
    character(*), intent(in) :: name
    type(mesh_t), intent(in) :: m
    type(water_t), intent(in) :: w
    integer :: unit, c
    open (newunit=unit, file=name, action='write', status='replace')
    write (unit, '(i0)') m%cells
    do c = 1, m%cells
      write (unit, '(8f10.4)') m%x(m%node_of_cell(1, c)), m%y(m%node_of_cell(1, c)), m%x(m%node_of_cell(2, c)), &
        m%y(m%node_of_cell(2, c)), m%x(m%node_of_cell(3, c)), m%y(m%node_of_cell(3, c)), w%z(c), w%h(c)
    end do
    close (unit)
  end subroutine

  ! A test that fails ends the program with an error.
  subroutine check(good, text)
    logical, intent(in) :: good
    character(*), intent(in) :: text
    if (good) return
    print '(2a)', 'river: FAILED: ', text
    error stop 1
  end subroutine

end module river_cases_mod
