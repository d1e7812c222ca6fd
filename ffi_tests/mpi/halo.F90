! halo.F90: ghost cells from Fortran: plain arrays, sections, pointers with negative bounds and handles, of several kinds and ranks,
! through communicators of both faces of MPI; inner cells and rim; additions; lists; particles; what is refused. Not in this file: boxes of
! all shapes (halo.c).
module halo_visits
  use portable_core_mod, only: tile => portable_tile
  implicit none
  integer, pointer :: visits(:,:) => null()
contains
  recursive subroutine visit(t)
    type(tile), intent(in) :: t
    integer :: i, j
    do j = t%lower(2), t%upper(2)
      do i = t%lower(1), t%upper(1)
        visits(i, j) = visits(i, j) + 1
      end do
    end do
  end subroutine
end module

program halos
  use check_mod, only: check, finish_checks
#ifndef PORTABLE_MPI_OLD
  use mpi_f08
#endif
  use gator_mod
  use portable_core_mod, only: bounds_t => portable_bounds_t, parallel_for => portable_parallel_for
  use halo_visits
  use portable_array_mod, only: portable_array, portable_array_allocate, portable_array_deallocate, portable_array_release
  use portable_halo_mod
  implicit none
#ifdef PORTABLE_MPI_OLD
  include 'mpif.h'
  integer :: grid_comm
#else
  type(MPI_Comm) :: grid_comm
#endif
  integer, parameter :: nx = 13, ny = 11, w = 2
  type(fields) :: state, one
  type(halo) :: ghosts, plain
  type(portable_array) :: handle
  type(bounds_t) :: inner
  type(bounds_t), allocatable :: rim(:)
  real(8), pointer :: h(:,:)
  real(8), target, allocatable :: u(:,:), wide(:,:)
  integer, pointer :: q(:,:,:)
  complex(8), pointer :: z(:,:)
  logical, target, allocatable :: mask(:,:)
  integer :: rank, ranks, ierr, dims(2), first(2), last(2), n(2), i, j, k, step, stat
  character(200) :: text
  nullify (h, q, z)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  call gator_init()
  dims = 0
  call MPI_Dims_create(ranks, 2, dims, ierr)
  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.true., .false.], .false., grid_comm, ierr)

  call halo_box(ghosts, grid_comm, [nx, ny], w, label='ghosts')
  call halo_own(ghosts, first, last)
  n = last - first + 1
  call gator_allocate(h, n + 2*w, [1-w, -7], label='h')
  allocate (u(1-w:n(1)+w, 1-w:n(2)+w), wide(2*(n(1)+2*w), n(2)+2*w), mask(1-w:n(1)+w, 1-w:n(2)+w))
  call gator_allocate(q, [3, n(1)+2*w, n(2)+2*w], [1, 1-w, 1-w], label='q')
  call portable_array_allocate(handle, z, n + 2*w, [1-w, 1-w], label='z')
  call fields_add(state, 'h', h)
  call fields_add(state, 'u', u)
  call fields_add(state, 'wide', wide(1::2, :))        ! a section
  call fields_add(state, 'q', q, dims=[2, 3])
  call fields_add(state, 'z', handle)
  call fields_add(state, 'mask', mask)
  do step = 1, 2
    h = -1
    u = -1
    wide = -1
    q = -1
    z = -1
    mask = .false.
    do j = 1, n(2)
      do i = 1, n(1)
        call set(i, j)
      end do
    end do
    call halo_begin(ghosts, state)
    call halo_end(ghosts, state)
    do j = 1 - w, n(2) + w
      do i = 1 - w, n(1) + w
        call compare(i, j)
      end do
    end do
  end do
  call check(all(wide(2::2, :) == -1), 'elements between those of a section')

  ! inner cells and rim: each own cell once
  call halo_split(ghosts, inner, rim)
  call gator_allocate(visits, n, label='visits')
  visits = 0
  call parallel_for('inner', inner, visit)
  do k = 1, size(rim)
    call parallel_for('rim', rim(k), visit)
  end do
  call check(all(visits == 1), 'inner and rim')

  ! ghost cells of 1 add up to the number of copies of all cells
  h = 1
  call fields_add(one, 'h', h)
  call halo_add(ghosts, one)
  call check(nint(sum_of(h)) == (nx + 2*w*dims(1))*(ny + 2*w*(dims(2) - 1)), 'additions')

  ! lists around a ring, with a plain integer communicator where MPI has types
  call ring()

  call particles()
  call ghost_particles()
  if (ranks > 1) call released()

  ! refusals
  call fields_add(state, 'late', u, stat=stat, errmsg=text)
  call check(stat == gator_err_state .and. index(text, 'late') > 0, 'a field after the first exchange: '//trim(text))
  call fields_add(one, 'two', u, dims=[1, 1], stat=stat, errmsg=text)
  call check(stat /= 0, 'a dimension twice')
  call halo_box(plain, MPI_COMM_WORLD, [nx, ny], 14, stat=stat, errmsg=text)
  call check((stat == gator_err_arg .and. index(text, 'width 14') > 0) .or. ranks == 1, 'a width above the cells: '//trim(text))
  call halo_box(plain, MPI_COMM_WORLD, [nx, ny], [1], stat=stat, errmsg=text)
  call check(stat == gator_err_arg .and. index(text, 'another length') > 0, 'too few widths: '//trim(text))
  call halo_box(plain, MPI_COMM_WORLD, [nx, ny], [1, 1, 1], stat=stat, errmsg=text)
  call check(stat == gator_err_arg .and. index(text, 'another length') > 0, 'too many widths: '//trim(text))
  call halo_box(plain, MPI_COMM_WORLD, [nx, ny], periodic=[.true.], stat=stat, errmsg=text)
  call check(stat == gator_err_arg .and. index(text, 'another length') > 0, 'too few periods: '//trim(text))
  call halo_box(plain, MPI_COMM_WORLD, [nx, ny], grid=[ranks, 1, 1], stat=stat, errmsg=text)
  call check(stat == gator_err_arg .and. index(text, 'another length') > 0, 'too long a grid: '//trim(text))

  call halo_destroy(plain)
  call fields_destroy(state)
  call fields_destroy(one)
  call halo_destroy(ghosts)
  call portable_array_release(handle)
  call gator_deallocate(h)
  call gator_deallocate(q)
  call gator_deallocate(visits)
  call gator_finalize()
  call MPI_Comm_free(grid_comm, ierr)
  call MPI_Finalize(ierr)
  call finish_checks()

contains

  ! The cell of the whole domain, which is periodic along dimension 1; 0 outside.
  integer function cell(i, j)
    integer, intent(in) :: i, j
    integer :: y
    y = first(2) + j - 1
    cell = 0
    if (y >= 1 .and. y <= ny) cell = 1 + modulo(first(1) + i - 2, nx) + nx*(y - 1)
  end function

  subroutine set(i, j)
    integer, intent(in) :: i, j
    h(i, j - 6) = cell(i, j) + step/10d0
    u(i, j) = -cell(i, j) - step
    wide(2*(i+w) - 1, j+w) = 2*cell(i, j)
    q(:, i, j) = [1, 2, 3]*cell(i, j)
    z(i, j) = cmplx(cell(i, j), step, 8)
    mask(i, j) = modulo(cell(i, j), 3) == 0
  end subroutine

  subroutine compare(i, j)
    integer, intent(in) :: i, j
    integer :: c
    c = cell(i, j)
    if (c == 0) then
      call check(h(i, j-6) == -1 .and. u(i, j) == -1 .and. all(q(:, i, j) == -1) .and. .not. mask(i, j), 'outside')
    else
      call check(h(i, j-6) == c + step/10d0, 'h')
      call check(u(i, j) == -c - step .and. wide(2*(i+w) - 1, j+w) == 2*c, 'u')
      call check(all(q(:, i, j) == [1, 2, 3]*c), 'q')
      call check(z(i, j) == cmplx(c, step, 8) .and. (mask(i, j) .eqv. modulo(c, 3) == 0), 'z')
    end if
  end subroutine

  ! The sum of own cells of all ranks.
  real(8) function sum_of(a)
    real(8), pointer, intent(in) :: a(:,:)
    real(8) :: mine
    mine = sum(a(1:n(1), lbound(a, 2) + w:ubound(a, 2) - w))
    call MPI_Allreduce(mine, sum_of, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
  end function

  subroutine ring()
    type(fields) :: cells
    type(halo) :: around
    real(4), target :: a(4, 6)
    integer :: east, west
    east = modulo(rank + 1, ranks)
    west = modulo(rank - 1, ranks)
    a(:, 1:4) = rank
    a(:, 5:6) = -1
#ifdef PORTABLE_MPI_OLD
    call lists(around, MPI_COMM_WORLD, east, west)
#else
    call lists(around, MPI_COMM_WORLD%MPI_VAL, east, west)
#endif
    call fields_add(cells, 'a', a)
    call halo_begin(around, cells)
    call halo_end(around, cells)
    call check(all(a(:, 5) == west) .and. all(a(:, 6) == merge(west, east, ranks <= 2)), 'lists')
    call halo_destroy(around)
    call fields_destroy(cells)
  end subroutine

  ! The last rank releases the memory of its field: its neighbours get an error at the end, and their cells stay.
  subroutine released()
    type(fields) :: cells
    type(halo) :: around
    type(portable_array) :: mine
    real(8), pointer :: a(:)
    integer :: east, west
    logical :: near
    nullify (a)
    east = modulo(rank + 1, ranks)
    west = modulo(rank - 1, ranks)
    near = (east == ranks - 1 .or. west == ranks - 1) .and. rank /= ranks - 1
    call portable_array_allocate(mine, a, [6], label='mine')
    a = rank
#ifdef PORTABLE_MPI_OLD
    call lists(around, MPI_COMM_WORLD, east, west)
#else
    call lists(around, MPI_COMM_WORLD%MPI_VAL, east, west)
#endif
    call fields_add(cells, 'mine', mine)
    call halo_begin(around, cells)
    call halo_end(around, cells)
    call check(a(5) == west, 'a handle around a ring')
    a(5) = -1
    if (rank == ranks - 1) call portable_array_deallocate(mine)
    call halo_begin(around, cells, stat=stat, errmsg=text)
    call check(stat == merge(gator_err_state, 0, rank == ranks - 1), 'begin: '//trim(text))
    if (rank == ranks - 1) then
      call check(index(text, "field 1 'mine' was released") > 0, trim(text))
    else
      call halo_end(around, cells, stat=stat, errmsg=text)
      call check(stat == merge(gator_err_state, 0, near), 'end: '//trim(text))
      if (near) call check(index(text, 'has an error, and its cells have not come') > 0 .and. a(5) == -1, trim(text))
    end if
    call halo_cancel(around)
    call halo_destroy(around)
    call fields_destroy(cells)
    call portable_array_release(mine)
  end subroutine

  ! Each rank has 10 particles at a distance of 1 on a ring of all ranks; it needs two of each neighbour.
  subroutine ghost_particles()
    type(halo) :: near
    type(fields) :: state
    integer, parameter :: room = 20
    integer, target :: id(room)
    real(8), target :: x(room), y(room)
    real(4), target :: single(room)
    integer :: n, i, others
    logical :: found(0:10*ranks - 1)
    others = merge(0, 4, ranks == 1)
    do i = 1, 10
      id(i) = 10*rank + i - 1
      x(i) = id(i) + 0.25d0
    end do
    y = 0
    single(:10) = real(x(:10))
    call fields_add(state, 'id', id)
    call fields_add(state, 'x', x)
    n = 10
    call particles_ghosts(near, MPI_COMM_WORLD, state, n, x(:n), y(:n), cutoff=2.5d0, lower=[0d0, 0d0], upper=[10d0*ranks, 0d0], &
                          periodic=[.true., .false.], label='near')
    call check(n == 10 + others, 'the number of ghosts')
    found = .false.
    do i = 1, n
      call check(.not. found(id(i)) .and. x(i) == id(i) + 0.25d0, 'a ghost')
      found(id(i)) = .true.
    end do
    do i = 10*rank - 2, 10*rank + 11
      call check(found(modulo(i, 10*ranks)), 'a ghost that is needed')
    end do
    x(:10) = x(:10) + 1
    call halo_begin(near, state)
    call halo_end(near, state)
    call check(all(x(:n) == id(:n) + 1.25d0), 'moved ghosts')
    n = 10
#ifdef PORTABLE_MPI_OLD
    call particles_ghosts(near, MPI_COMM_WORLD, state, n, single(:n), cutoff=1.5, label='line')
#else
    call particles_ghosts(near, MPI_COMM_WORLD%MPI_VAL, state, n, single(:n), cutoff=1.5, label='line')
#endif
    call check(n == 10 + merge(1, 0, rank > 0) + merge(1, 0, rank < ranks - 1), 'ghosts along a line')
    n = 10
    if (rank == ranks - 1) single(3) = transfer(2143289344, 1.0) ! NaN
    call particles_ghosts(near, MPI_COMM_WORLD, state, n, single(:n), cutoff=1.5, stat=stat, errmsg=text)
    call check(stat == gator_err_arg .and. n == 10, 'a particle without a place')
    if (rank == ranks - 1) call check(index(text, 'coordinate 1 of particle 3 of 10 on rank') > 0, trim(text))
    call particles_ghosts(near, MPI_COMM_WORLD, state, n, x(:n), y(:n - 1), cutoff=1.5d0, stat=stat, errmsg=text)
    call check(stat == gator_err_arg .and. index(text, 'y has another number of elements than x') > 0, trim(text))
    call particles_ghosts(near, MPI_COMM_WORLD, state, n, x(:n), cutoff=1.5d0, periodic=[.true., .true.], stat=stat)
    call check(stat == gator_err_arg, 'a list of another length')
    call particles_ghosts(near, MPI_COMM_WORLD, state, n, x(:n), cutoff=1.5d0, lower=[0d0, 0d0], upper=[1d0, 1d0], stat=stat, &
                          errmsg=text)
    call check(index(text, 'lower, upper and periodic have as many elements as there are dimensions') > 0, trim(text))
    call particles_ghosts(near, MPI_COMM_WORLD, state, n, x(:n), cutoff=11d0*ranks, lower=[0d0], upper=[10d0*ranks], &
                          periodic=[.true.], stat=stat, errmsg=text)
    call check(stat == gator_err_arg .and. index(text, 'dimension 1 is periodic and reaches from 0 to') > 0, trim(text))
    call particles_ghosts(near, MPI_COMM_WORLD, state, n, x(:n), cutoff=1.5d0, lower=[1d0*rank + 1000], upper=[2000d0], &
                          periodic=[.true.], stat=stat, errmsg=text)
    call check(index(text, 'coordinate 1 of particle 1 of 10 on rank') > 0 .and. index(text, 'outside of 10') > 0, trim(text))
    n = 0
    call particles_ghosts(near, MPI_COMM_WORLD, state, n, x(:0), cutoff=1d3)
    call check(n == 0, 'no particle, and no ghost')
    x(:10) = 0.5d0
    n = 10
    call particles_ghosts(near, MPI_COMM_WORLD, state, n, x(:n), cutoff=1d-9, stat=stat, errmsg=text)
    if (10*ranks <= room) then
      call check(stat == 0 .and. n == 10*ranks .and. all(abs(x(:n) - 0.5d0) < 1d-15), 'all particles in one place')
    else
      call check(stat == gator_err_arg .and. n == 10 .and. index(text, "field 1 'id'") > 0, trim(text))
    end if
    call halo_destroy(near)
    call fields_destroy(state)
  end subroutine

  ! Each rank has 4 particles and sends its second one to the next rank, its last one to the one before.
  subroutine particles()
    type(fields) :: beam
    integer, parameter :: room = 20
    integer, target :: id(room)
    real(8), target :: x(room), v(3, room)
    complex(8), target :: wave(room, 2)
    integer :: n, i, k, east, west, owner(4), before(room), want(room)
    east = modulo(rank + 1, ranks)
    west = modulo(rank - 1, ranks)
    owner = [rank, east, rank, west]
    n = 4
    do i = 1, n
      id(i) = 10*rank + i
      x(i) = id(i)/3d0
      v(:, i) = id(i)*[1, 2, 3]
      wave(i, :) = [cmplx(id(i), 1, 8), cmplx(2, id(i), 8)]
    end do
    call fields_add(beam, 'id', id)
    call fields_add(beam, 'x', x)
    call fields_add(beam, 'v', v)
    call fields_add(beam, 'wave', wave, dims=[1])
    owner(3) = ranks
    call particles_migrate(MPI_COMM_WORLD, owner, beam, n, stat=stat, errmsg=text)
    call check(stat == gator_err_arg .and. n == 4 .and. index(text, 'particle 3 of 4') > 0, 'a wrong owner: '//trim(text))
    owner(3) = rank
#ifdef PORTABLE_MPI_OLD
    call particles_migrate(MPI_COMM_WORLD, owner(1:n), beam, n, label='beam')
#else
    call particles_migrate(MPI_COMM_WORLD%MPI_VAL, owner(1:n), beam, n, label='beam')
#endif
    k = 0
    do i = 1, 4 ! those that stay
      if (owner(i) /= rank) cycle
      k = k + 1
      want(k) = 10*rank + i
    end do
    do i = 0, ranks - 1 ! those that come
      if (i == rank) cycle
      before(1:2) = [modulo(i + 1, ranks), modulo(i - 1, ranks)]
      if (before(1) == rank) then
        k = k + 1
        want(k) = 10*i + 2
      end if
      if (before(2) == rank) then
        k = k + 1
        want(k) = 10*i + 4
      end if
    end do
    call check(n == k, 'the number of particles')
    call check(all(id(:k) == want(:k)) .and. all(x(:k) == want(:k)/3d0) .and. all(v(3, :k) == 3*want(:k)), 'particles')
    call check(all(wave(:k, 1) == cmplx(want(:k), 1, 8)) .and. all(wave(:k, 2) == cmplx(2, want(:k), 8)), 'particles fastest')
    call fields_destroy(beam)
  end subroutine

  subroutine lists(around, comm, east, west)
    type(halo), intent(inout) :: around
    integer, intent(in) :: comm, east, west
    if (east == west) then ! one or two ranks: one neighbour with both cells
      call halo_lists(around, comm, [east], [1, 3], [4, 1], [1, 3], [5, 6])
    else
      call halo_lists(around, comm, [east, west], [1, 2, 3], [4, 1], [1, 2, 3], [6, 5])
    end if
  end subroutine
end program
