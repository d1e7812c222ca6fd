!> Particles for Fortran: the cells that they are in, neighbours, merges of sorted arrays, sets of integers.
!>
!>     type(portable_cell_list) :: cells
!>     call portable_cell_list_build(cells, x, y, z, cutoff=h, lower=[0d0,0d0,0d0], upper=[lx,ly,lz], periodic=[.true.,.true.,.false.])
!>     call portable_cells_around(cells, k, runs, n)                 ! in a kernel over places k: places runs(1,r) to runs(2,r)
!>     call portable_neighbour_list(cells, list, x, y, z)            ! type(portable_csr): list%col(list%row(i) : list%row(i+1)-1)
!>     call portable_merge_sorted(a, b, c)                           ! stable; portable_merge_by_key(ka, kb, kc, va, vb, vc)
!>     call portable_map_insert(m, keys, new=is_new);  at = portable_map_find(m, key)     ! 0: not there
!>
!> In this module: these, _free, the batch portable_map_lookup(m, keys, at), and the types. The module portable has them without
!> portable_. Not in this module: forces, which are the program's.
!>
!> Cells: x, y, z are real(real32) or real(real64), one kind; y and z are left out in one and two dimensions. lower and upper have an
!> element for each dimension, periodic too (left out: none). cells%order(k) is the particle at place k: those of the first cell,
!> ascending, then those of the second one, first dimension fastest. cells%start(c) is the place where cell c begins, cells%cell(k) the
!> cell of place k. Particles whose arrays are brought to that order stand at their places. Particles on a face of the box are inside.
!> portable_cells_around is pure, for kernels; runs is integer(int32) (2, portable_cell_runs), no run is empty, and k is in one.
!> There is none for a k that is no place, and in cells that were not built.
!> portable_neighbour_list: others at a distance of at most cutoff (left out: that of the cells), ascending; half=.true.: only those
!> with a larger number. Rules of distances: portable_particles.h.
!> Merges: keys of the kinds of portable_sort, in its order, or with descending=.true. in the other one; the result is another array.
!> Maps: portable_index_map has integer(int32) keys, portable_index_map64 integer(int64). A new key gets the next number, from 1, in
!> ascending order of the keys of a batch; a number never changes. portable_map_find is elemental, for kernels.
!> Assignment copies the pointers, not the memory: one of the copies is to be freed, once. Cells and maps that are made again are
!> freed first, when nothing can fail any more; a call that fails leaves them as they were.
!> Optional arguments: label=, the name of the launches; device= and stream=, where the call runs and is waited for; stat= and
!> errmsg=, as everywhere in this library. Errors: gator_err_arg (a particle outside, a cutoff, arrays not in order; the text names
!> it), _overflow, _nomem, _state, _nodevice, _handle. Threads: any thread; a descriptor is one thread's while it is made. Since 0.1.
module portable_particles_mod
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  use gator_mod, only: gator_internal_finish
  use portable_reduce_mod, only: portable_internal_section, portable_internal_placed, portable_internal_launch
  use portable_mesh_mod, only: portable_csr, portable_csr64, portable_csr_descriptor
  implicit none
  private

  public :: portable_cell_list_build, portable_cell_list_free, portable_cells_around, portable_neighbour_list
  public :: portable_merge_sorted, portable_merge_by_key
  public :: portable_map_insert, portable_map_find, portable_map_lookup, portable_map_free

  !> Most runs of portable_cells_around. Since 0.1.
  integer, parameter, public :: portable_cell_runs = 18

  ! The version of portable.h that this module was written for; the archive refuses another one.
  integer(c_int32_t), parameter :: portable_version = 100

  ! The numbers of portable_reduce.h.
  integer(c_int32_t), parameter :: kind_int32 = 3_c_int32_t, kind_int64 = 4_c_int32_t, kind_real32 = 5_c_int32_t, &
    kind_real64 = 6_c_int32_t

  !> portable_cell_list of portable_particles.h, for C and device code. Since 0.1.
  type, bind(c), public :: portable_cell_list_descriptor
    integer(c_int64_t) :: particles = 0_c_int64_t, cells = 0_c_int64_t
    type(c_ptr) :: order = c_null_ptr, start = c_null_ptr, cell = c_null_ptr, memory = c_null_ptr
    real(c_double) :: low(3) = 0, high(3) = 0, cutoff = 0, per_length(3) = 0
    integer(c_int32_t) :: count(3) = 1_c_int32_t, periodic(3) = 0_c_int32_t, rank = 0_c_int32_t, lower = 1_c_int32_t
  end type

  !> Particles by cells. Since 0.1.
  type, public :: portable_cell_list
    integer(int32), pointer, contiguous :: order(:) => null(), start(:) => null(), cell(:) => null()
    type(portable_cell_list_descriptor) :: descriptor
  end type

  !> portable_index_map of portable_particles.h, for C and device code. Since 0.1.
  type, bind(c), public :: portable_map_descriptor
    integer(c_int64_t) :: count = 0_c_int64_t
    type(c_ptr) :: keys = c_null_ptr, number = c_null_ptr, memory = c_null_ptr
    integer(c_int32_t) :: kind = kind_int32, lower = 1_c_int32_t
  end type

  !> A set of 32-bit numbers: keys ascend, number has the number of each. Since 0.1.
  type, public :: portable_index_map
    integer(int32) :: count = 0_int32
    integer(int32), pointer, contiguous :: keys(:) => null(), number(:) => null()
    type(portable_map_descriptor) :: descriptor
  end type

  !> A set of 64-bit numbers. Since 0.1.
  type, public :: portable_index_map64
    integer(int64) :: count = 0_int64
    integer(int64), pointer, contiguous :: keys(:) => null(), number(:) => null()
    type(portable_map_descriptor) :: descriptor
  end type

  include 'portable_particles_c.inc'

  include 'portable_particles_interfaces.inc'

  interface portable_cell_list_build
    module procedure :: build_real32, build_real64
  end interface

  interface portable_neighbour_list
    module procedure :: neighbours_real32_32, neighbours_real32_64, neighbours_real64_32, neighbours_real64_64
  end interface

  interface portable_map_insert
    module procedure :: insert_32, insert_64
  end interface

  interface portable_map_lookup
    module procedure :: lookup_32, lookup_64
  end interface

  interface portable_map_find
    module procedure :: find_32, find_64
  end interface

  interface portable_map_free
    module procedure :: map_free_32, map_free_64
  end interface

contains

  ! The common part of both kinds. rank 0: lower or upper has another number of elements.
  recursive subroutine build(cells, kind, rank, at, sizes, cutoff, box, periodic, label, stat, errmsg, device, stream)
    type(portable_cell_list), intent(inout) :: cells
    integer(c_int32_t), intent(in) :: kind, rank
    type(c_ptr), intent(in) :: at(3)
    integer(c_int64_t), intent(in) :: sizes(3)
    real(c_double), intent(in) :: cutoff, box(3, 2)
    logical, optional, intent(in) :: periodic(:)
    character(*), optional, intent(in) :: label
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer, optional, intent(in) :: device
    integer(int64), optional, intent(in) :: stream
    integer(c_int32_t) :: status, along(3), dims
    type(portable_internal_launch), target :: launch
    type(portable_internal_section) :: placed
    placed = portable_internal_placed(placed, launch, device, stream)
    along = 0_c_int32_t
    dims = rank
    if (present(periodic)) then
      if (size(periodic) == rank) then
        along(:rank) = merge(1_c_int32_t, 0_c_int32_t, periodic)
      else
        dims = 0_c_int32_t
      end if
    end if
    if (present(label)) then
      status = c_cell_list(portable_version, label, len(label, c_size_t), kind, dims, at, sizes, cutoff, box, along, &
                           placed%launch, cells%descriptor)
    else
      status = c_cell_list(portable_version, ' ', 0_c_size_t, kind, dims, at, sizes, cutoff, box, along, placed%launch, &
                           cells%descriptor)
    end if
    if (status == 0_c_int32_t) then
      call c_f_pointer(cells%descriptor%order, cells%order, [cells%descriptor%particles])
      call c_f_pointer(cells%descriptor%cell, cells%cell, [cells%descriptor%particles])
      call c_f_pointer(cells%descriptor%start, cells%start, [cells%descriptor%cells + 1_c_int64_t])
    end if
    call gator_internal_finish(status, 'portable_cell_list_build', stat, errmsg)
  end subroutine

  recursive subroutine portable_cell_list_free(cells, stat, errmsg)
    type(portable_cell_list), intent(inout) :: cells
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer(c_int32_t) :: status
    status = c_cell_list_free(cells%descriptor)
    if (status == 0_c_int32_t) nullify (cells%order, cells%start, cells%cell)
    call gator_internal_finish(status, 'portable_cell_list_free', stat, errmsg)
  end subroutine

  ! The places of the particles in the cell of place k and in those next to it.
  pure recursive subroutine portable_cells_around(cells, k, runs, n)
    type(portable_cell_list), intent(in) :: cells
    integer(int32), intent(in) :: k
    integer(int32), intent(inout) :: runs(2, portable_cell_runs)
    integer(int32), intent(out) :: n
    integer(int32) :: here, nx, ny, x(2, 2), y(2, 2), z(2, 2), xs, ys, zs, a, b, c, iy, iz, row
    n = 0_int32
    if (k < 1_int32 .or. k > cells%descriptor%particles) return
    nx = cells%descriptor%count(1)
    ny = cells%descriptor%count(2)
    here = cells%cell(k) - 1_int32
    call next_to(nx, cells%descriptor%periodic(1), mod(here, nx), x, xs)
    call next_to(ny, cells%descriptor%periodic(2), mod(here/nx, ny), y, ys)
    call next_to(cells%descriptor%count(3), cells%descriptor%periodic(3), here/nx/ny, z, zs)
    do c = 1_int32, zs
      do iz = z(1, c), z(2, c)
        do b = 1_int32, ys
          do iy = y(1, b), y(2, b)
            row = (iz*ny + iy)*nx + 1_int32
            do a = 1_int32, xs
              if (cells%start(row + x(1, a)) >= cells%start(row + x(2, a) + 1_int32)) cycle
              n = n + 1_int32
              runs(1, n) = cells%start(row + x(1, a))
              runs(2, n) = cells%start(row + x(2, a) + 1_int32) - 1_int32
            end do
          end do
        end do
      end do
    end do
  end subroutine

  ! Cells from at - 1 to at + 1 of count, from 0: one range, or two where it wraps.
  pure recursive subroutine next_to(count, periodic, at, range, ranges)
    integer(int32), intent(in) :: count, periodic, at
    integer(int32), intent(out) :: range(2, 2), ranges
    ranges = 1_int32
    range(1, 1) = max(at - 1_int32, 0_int32)
    range(2, 1) = min(at + 1_int32, count - 1_int32)
    range(:, 2) = 0_int32
    if (periodic == 0_int32 .or. (at > 0_int32 .and. at < count - 1_int32)) return
    if (count <= 3_int32) then ! each cell is next to each other one, and is there once
      range(1, 1) = 0_int32
      range(2, 1) = count - 1_int32
    else
      ranges = 2_int32
      if (at == 0_int32) range(:, 2) = count - 1_int32
    end if
  end subroutine

  ! The common part of all kinds.
  recursive subroutine neighbours(cells, kind, rank, at, sizes, list_kind, half, cutoff, label, stat, errmsg, device, stream, &
                                  list, done)
    type(portable_cell_list_descriptor), intent(in) :: cells
    integer(c_int32_t), intent(in) :: kind, rank, list_kind
    type(c_ptr), intent(in) :: at(3)
    integer(c_int64_t), intent(in) :: sizes(3)
    logical, optional, intent(in) :: half
    real(c_double), intent(in) :: cutoff
    character(*), optional, intent(in) :: label
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer, optional, intent(in) :: device
    integer(int64), optional, intent(in) :: stream
    type(portable_csr_descriptor), intent(inout) :: list
    logical, intent(out) :: done
    integer(c_int32_t) :: status, one_of_pair
    type(portable_internal_launch), target :: launch
    type(portable_internal_section) :: placed
    placed = portable_internal_placed(placed, launch, device, stream)
    one_of_pair = 0_c_int32_t
    if (present(half)) one_of_pair = merge(1_c_int32_t, 0_c_int32_t, half)
    if (present(label)) then
      status = c_neighbours(portable_version, label, len(label, c_size_t), cells, kind, rank, at, sizes, list_kind, one_of_pair, &
                            cutoff, placed%launch, list)
    else
      status = c_neighbours(portable_version, ' ', 0_c_size_t, cells, kind, rank, at, sizes, list_kind, one_of_pair, cutoff, &
                            placed%launch, list)
    end if
    done = status == 0_c_int32_t
    call gator_internal_finish(status, 'portable_neighbour_list', stat, errmsg)
  end subroutine

  ! The common part of all merges. arrays: the keys of a and b, their values.
  recursive subroutine merge_any(kind, arrays, sizes, value_bytes, keys, values, descending, label, stat, errmsg, device, stream)
    integer(c_int32_t), intent(in) :: kind
    type(c_ptr), intent(in) :: arrays(4), keys, values
    integer(c_int64_t), intent(in) :: sizes(6), value_bytes
    logical, optional, intent(in) :: descending
    character(*), optional, intent(in) :: label
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer, optional, intent(in) :: device
    integer(int64), optional, intent(in) :: stream
    integer(c_int32_t) :: status, down
    type(portable_internal_launch), target :: launch
    type(portable_internal_section) :: placed
    placed = portable_internal_placed(placed, launch, device, stream)
    down = 0_c_int32_t
    if (present(descending)) down = merge(1_c_int32_t, 0_c_int32_t, descending)
    if (present(label)) then
      status = c_merge(portable_version, label, len(label, c_size_t), kind, down, arrays, sizes, value_bytes, placed%launch, &
                       keys, values)
    else
      status = c_merge(portable_version, ' ', 0_c_size_t, kind, down, arrays, sizes, value_bytes, placed%launch, keys, values)
    end if
    call gator_internal_finish(status, 'portable_merge', stat, errmsg)
  end subroutine

  ! Keys into a map. wanted: the elements of new, or of keys where it is left out.
  recursive subroutine insert(m, keys, count, flags, wanted, label, stat, errmsg, device, stream, done)
    type(portable_map_descriptor), intent(inout) :: m
    type(c_ptr), intent(in) :: keys, flags
    integer(c_int64_t), intent(in) :: count, wanted
    character(*), optional, intent(in) :: label
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer, optional, intent(in) :: device
    integer(int64), optional, intent(in) :: stream
    logical, intent(out) :: done
    integer(c_int32_t) :: status
    type(portable_internal_launch), target :: launch
    type(portable_internal_section) :: placed
    placed = portable_internal_placed(placed, launch, device, stream)
    if (present(label)) then
      status = c_map_insert(portable_version, label, len(label, c_size_t), m, keys, count, placed%launch, flags, wanted)
    else
      status = c_map_insert(portable_version, ' ', 0_c_size_t, m, keys, count, placed%launch, flags, wanted)
    end if
    done = status == 0_c_int32_t
    call gator_internal_finish(status, 'portable_map_insert', stat, errmsg)
  end subroutine

  recursive subroutine lookup(m, keys, count, at, numbers, label, stat, errmsg, device, stream)
    type(portable_map_descriptor), intent(in) :: m
    type(c_ptr), intent(in) :: keys, at
    integer(c_int64_t), intent(in) :: count, numbers
    character(*), optional, intent(in) :: label
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer, optional, intent(in) :: device
    integer(int64), optional, intent(in) :: stream
    integer(c_int32_t) :: status
    type(portable_internal_launch), target :: launch
    type(portable_internal_section) :: placed
    placed = portable_internal_placed(placed, launch, device, stream)
    if (present(label)) then
      status = c_map_find(portable_version, label, len(label, c_size_t), m, keys, count, numbers, placed%launch, at)
    else
      status = c_map_find(portable_version, ' ', 0_c_size_t, m, keys, count, numbers, placed%launch, at)
    end if
    call gator_internal_finish(status, 'portable_map_lookup', stat, errmsg)
  end subroutine

  include 'portable_particles_procedures.inc'

end module portable_particles_mod
