! river.f90 - shallow water on triangles. Without an argument: tests against exact solutions, and
! the bits of results; a failure ends it with an error. `river FILE [NX NY]`: a flood in a valley,
! whose mesh and water it writes into FILE. `river time [NX NY]`: the time that its first steps
! take. Not in this file: the scheme.
program river
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use gator_mod, only: gator_init, gator_finalize
  use river_cases_mod, only: rough_bed, still, dam, dam_error, valley, mass, bits, write_flood, check
  use river_mesh_mod, only: mesh_t, mesh_make, mesh_free
  use river_water_mod, only: water_t, water_make, water_free, run
  implicit none
  type(mesh_t) :: m
  type(water_t) :: w
  character(200) :: file
  call gator_init()
  if (command_argument_count() > 0) then
    call get_command_argument(1, file)
    if (file == 'time') then
      call timed()
    else
      call flood(trim(file))
    end if
  else
    call lake()
    call dam_breaks()
    call odd()
    call same_bits()
    call large(200, 50)
    call large(470, 117)
    print '(a)', 'river: all checks passed'
  end if
  call gator_finalize()

contains

  subroutine begin(nx, ny, width, height, shuffle)
    integer, intent(in) :: nx, ny
    real(real64), intent(in) :: width, height
    logical, intent(in) :: shuffle
    call mesh_make(m, nx, ny, width, height, shuffle)
    call water_make(w, m)
  end subroutine

  subroutine end()
    call water_free(w)
    call mesh_free(m)
  end subroutine

  ! A lake stays at rest.
  subroutine lake()
    real(real64), allocatable :: h(:)
    call begin(40, 30, 400d0, 300d0, .false.)
    call rough_bed(w, m)
    call still(w, m, 1.2d0)
    allocate (h(m%cells), source=w%h)
    call run(w, m, 60d0, 0.9d0, 0d0)
    call check(maxval(abs(w%h - h)) < 1d-12 .and. maxval(abs(w%hu)) < 1d-12 .and. maxval(abs(w%hv)) < 1d-12, 'a lake at rest')
    print '(a,i0,a)', 'lake at rest: ', w%steps, ' steps'
    call end()
  end subroutine

  ! Errors fall as the first order does: less near the front of Ritter's solution.
  subroutine dam_breaks()
    real(real64) :: coarse, fine
    coarse = broken(100, 4, 0d0)
    fine = broken(200, 8, 0d0)
    call check(fine < 0.01d0 .and. coarse/fine > 1.5d0, 'Ritter''s dam break')
    print '(a,2f9.6)', 'Ritter: mean errors of depth ', coarse, fine
    coarse = broken(100, 4, 0.2d0)
    fine = broken(200, 8, 0.2d0)
    call check(fine < 0.01d0 .and. coarse/fine > 1.5d0, 'Stoker''s dam break')
    print '(a,2f9.6)', 'Stoker: mean errors of depth ', coarse, fine
  end subroutine

  function broken(nx, ny, right) result(error)
    integer, intent(in) :: nx, ny
    real(real64), intent(in) :: right
    real(real64) :: error, before
    call begin(nx, ny, 50d0, 2d0, .false.)
    call dam(w, m, 25d0, 1d0, right)
    before = mass(w, m)
    call run(w, m, 3d0, 0.9d0, 0d0)
    call check(abs(mass(w, m) - before) < 1d-13*before, 'mass of a dam break')
    error = dam_error(w, m, 25d0, 1d0, right, 3d0)
    call end()
  end function

  ! A dry domain, one wet cell, a step in the bed with a step in time that is too long.
  subroutine odd()
    real(real64) :: before
    call begin(10, 8, 10d0, 8d0, .false.)
    call run(w, m, 1d0, 0.9d0, 0.25d0)
    call check(all(w%h <= 0) .and. all(abs(w%hu) <= 0) .and. w%steps == 4, 'a dry domain')
    w%h(77) = 1
    before = mass(w, m)
    call run(w, m, 5d0, 0.9d0, 0d0)
    call check(abs(mass(w, m) - before) < 1d-13*before .and. all(w%h >= 0) .and. count(w%h > 0) > 80, 'one wet cell')
    call end()
    call begin(40, 10, 40d0, 10d0, .false.)
    w%z = merge(1d0, 0d0, m%cx > 20)
    call dam(w, m, 10d0, 2d0, 0d0)
    before = mass(w, m)
    call run(w, m, 10d0, 0.9d0, 0.5d0)
    call check(abs(mass(w, m) - before) < 1d-13*before .and. all(w%h >= 0) .and. w%repeated > 0, 'steps that are too long')
    call check(maxval(w%h, mask=m%cx > 22) > 0.01d0, 'water above the step')
    print '(a,2(i0,a))', 'step in the bed: ', w%steps, ' steps, ', w%repeated, ' times with half of the time'
    call end()
  end subroutine

  ! The order in which edges are found does not matter. Threads do not, either: the printed number is the same.
  subroutine same_bits()
    integer(int64) :: first, second
    call begin(60, 20, 600d0, 200d0, .false.)
    call valley(w, m, 600d0, 200d0)
    call run(w, m, 20d0, 0.9d0, 0d0)
    first = bits(w%h, w%hu, w%hv)
    call end()
    call begin(60, 20, 600d0, 200d0, .true.)
    call valley(w, m, 600d0, 200d0)
    call run(w, m, 20d0, 0.9d0, 0d0)
    second = bits(w%h, w%hu, w%hv)
    call end()
    call check(first == second, 'the same bits with shuffled edges')
    print '(a,z16.16)', 'bits of the result: ', first
  end subroutine

  ! The first steps on a large mesh, stable ones, and fixed ones that are too long.
  subroutine large(nx, ny)
    integer, intent(in) :: nx, ny
    real(real64) :: before
    integer :: stable
    call begin(nx, ny, 2000d0, 500d0, .false.)
    call valley(w, m, 2000d0, 500d0)
    before = mass(w, m)
    call run(w, m, 0.5d0, 0.9d0, 0d0)
    stable = w%steps
    call check(abs(mass(w, m) - before) < 1d-13*before .and. all(w%h >= 0), 'mass of stable steps on a large mesh')
    call check(stable > 1, 'stable steps on a large mesh')
    call run(w, m, 8d0, 0.9d0, 2d0)
    call check(abs(mass(w, m) - before) < 1d-13*before .and. all(w%h >= 0), 'mass of fixed steps on a large mesh')
    call check(w%repeated > 0 .and. w%steps > stable, 'fixed steps on a large mesh')
    print '(4(i0,a))', m%cells, ' cells: ', stable, ' stable steps, ', w%steps - stable, ' fixed ones, ', w%repeated, &
      ' times with half of the time'
    print '(a,z16.16)', 'bits of the result: ', bits(w%h, w%hu, w%hv)
    call end()
  end subroutine

  ! The flood: triangles with bed and depth, for a picture.
  subroutine flood(name)
    character(*), intent(in) :: name
    real(real64) :: before
    call begin_flood()
    before = mass(w, m)
    call run(w, m, 120d0, 0.9d0, 0d0)
    call check(abs(mass(w, m) - before) < 1d-13*before, 'mass of the flood')
    call write_flood(name, m, w)
    print '(a,4(i0,a))', 'river: ', m%cells, ' cells, ', m%edges, ' edges, ', w%steps, ' steps, ', w%repeated, ' repeated'
    call end()
  end subroutine

  ! The mesh has NX by NY squares, or 200 by 50.
  subroutine begin_flood()
    integer :: nx, ny
    character(20) :: text
    nx = 200
    ny = 50
    if (command_argument_count() > 2) then
      call get_command_argument(2, text)
      read (text, *) nx
      call get_command_argument(3, text)
      read (text, *) ny
    end if
    call begin(nx, ny, 2000d0, 500d0, .false.)
    call valley(w, m, 2000d0, 500d0)
  end subroutine

  ! The time of stable steps of the flood, without the mesh.
  subroutine timed()
    integer(int64) :: first, last, rate
    call begin_flood()
    call system_clock(first, rate)
    call run(w, m, 5d0, 0.9d0, 0d0)
    call system_clock(last)
    print '(3(i0,a))', m%cells, ' cells, ', m%edges, ' edges, ', w%steps, ' steps'
    print '(a,f0.3,a)', 'time: ', real(last - first, real64)/real(rate, real64), ' s'
    print '(a,z16.16)', 'bits of the result: ', bits(w%h, w%hu, w%hv)
    call end()
  end subroutine

end program river
