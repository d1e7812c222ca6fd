! river_mpi.f90 - the river on MPI ranks. Without an argument: each case on all ranks, and again on
! rank 0 alone; the water has the same bits. `river_mpi FILE [NX NY]`: the flood of river.f90, with
! the bytes of its file. A failure ends it with an error. Not in this file: ghost cells.
program river_mpi
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08
  use gator_mod, only: gator_init, gator_finalize
  use river_cases_mod, only: rough_bed, still, dam, valley, mass, bits, write_flood, check
  use river_mesh_mod, only: mesh_t, mesh_make, mesh_free
  use river_owners_mod, only: owners
  use river_ranks_mod, only: part_make, part_free, gather
  use river_water_mod, only: water_t, water_make, water_free, run
  implicit none
  type(mesh_t) :: whole, m
  type(water_t) :: all, w
  integer :: rank, ranks
  character(200) :: file
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call gator_init()
  if (command_argument_count() > 0) then
    call get_command_argument(1, file)
    call flood(trim(file))
  else
    call same_water('a lake at rest', 20, 15, 200d0, 150d0, 20d0, 0d0)
    call same_water('a valley', 60, 20, 600d0, 200d0, 20d0, 0d0)
    call same_water('a step in the bed', 40, 10, 40d0, 10d0, 10d0, 0.5d0)
    call same_water('a dry domain', 10, 8, 10d0, 8d0, 1d0, 0.25d0)
    if (rank == 0) print '(a)', 'river_mpi: all checks passed'
  end if
  call gator_finalize()
  call MPI_Finalize()

contains

  subroutine begin(nx, ny, width, height)
    integer, intent(in) :: nx, ny
    real(real64), intent(in) :: width, height
    integer, allocatable :: owner(:)
    call mesh_make(whole, nx, ny, width, height, .false.)
    call owners(whole, owner)
    call part_make(m, whole, owner)
    call water_make(w, m)
    call water_make(all, whole)
  end subroutine

  subroutine end()
    call part_free(m)
    call water_free(w)
    call water_free(all)
    call mesh_free(whole)
  end subroutine

  ! The water of all ranks, on rank 0.
  subroutine put_together()
    call gather(m, w%z, all%z)
    call gather(m, w%h, all%h)
    call gather(m, w%hu, all%hu)
    call gather(m, w%hv, all%hv)
  end subroutine

  subroutine same_water(name, nx, ny, width, height, time, fixed)
    character(*), intent(in) :: name
    integer, intent(in) :: nx, ny
    real(real64), intent(in) :: width, height, time, fixed
    real(real64) :: before
    real(real64), allocatable :: h(:), hu(:), hv(:)
    integer :: moving
    call begin(nx, ny, width, height)
    call set(name, w, m, width, height)
    call run(w, m, time, 0.9d0, fixed)
    call put_together()
    if (rank == 0) then
      allocate (h, source=all%h)
      allocate (hu, source=all%hu)
      allocate (hv, source=all%hv)
      call set(name, all, whole, width, height)
      before = mass(all, whole)
      call run(all, whole, time, 0.9d0, fixed)
      moving = count(all%h /= h) + count(all%hu /= hu) + count(all%hv /= hv) ! exact: the same bits, but for the sign of 0
      call check(moving == 0 .and. bits(h, hu, hv) == bits(all%h, all%hu, all%hv), 'the water of one process: '//name)
      call check(w%steps == all%steps .and. w%repeated == all%repeated, 'the steps of one process: '//name)
      call check(abs(mass(all, whole) - before) <= 1d-13*before .and. all_positive(h), 'mass: '//name)
      call check((w%repeated > 0) .eqv. name == 'a step in the bed', 'steps that are repeated: '//name)
      print '(2a,3(i0,a),z16.16)', name, ': ', ranks, ' ranks, ', w%steps, ' steps, ', w%repeated, &
        ' repeated, bits ', bits(h, hu, hv)
    end if
    call end()
  end subroutine

  pure logical function all_positive(h)
    real(real64), intent(in) :: h(:)
    all_positive = minval(h) >= 0
  end function

  ! A case on a part of the mesh, or on the whole one. Water at rest is what water_make gives.
  subroutine set(name, water, mesh, width, height)
    character(*), intent(in) :: name
    type(water_t), intent(inout) :: water
    type(mesh_t), intent(in) :: mesh
    real(real64), intent(in) :: width, height
    water%z = 0
    water%h = 0
    water%hu = 0
    water%hv = 0
    select case (name)
    case ('a lake at rest')
      call rough_bed(water, mesh)
      call still(water, mesh, 1.2d0)
    case ('a valley')
      call valley(water, mesh, width, height)
    case ('a step in the bed')
      water%z = merge(1d0, 0d0, mesh%cx > 0.5d0*width)
      call dam(water, mesh, 0.25d0*width, 2d0, 0d0)
    end select
  end subroutine

  subroutine flood(name)
    character(*), intent(in) :: name
    character(20) :: text
    integer :: nx, ny
    nx = 200
    ny = 50
    if (command_argument_count() > 2) then
      call get_command_argument(2, text)
      read (text, *) nx
      call get_command_argument(3, text)
      read (text, *) ny
    end if
    call begin(nx, ny, 2000d0, 500d0)
    call valley(w, m, 2000d0, 500d0)
    call run(w, m, 120d0, 0.9d0, 0d0)
    call put_together()
    if (rank == 0) then
      call write_flood(name, whole, all)
      print '(a,5(i0,a))', 'river: ', ranks, ' ranks, ', whole%cells, ' cells, ', whole%edges, ' edges, ', w%steps, ' steps, ', &
        w%repeated, ' repeated'
    end if
    call end()
  end subroutine

end program river_mpi
