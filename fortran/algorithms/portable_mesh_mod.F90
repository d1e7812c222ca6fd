!> Meshes without a structure for Fortran: lists of rows (CSR), with the same result for any number of threads.
!>
!>     type(portable_csr) :: faces
!>     call portable_csr_build(faces, row_of=cell_of_face, n=ncells)   ! cell_of_face(2,nfaces); 0: none
!>     do k = faces%row(c), faces%row(c+1) - 1;  f = faces%col(k) ...  ! the faces of cell c, ascending
!>     call portable_csr_build(list, counts=neighbours)                ! rows of these lengths; the program fills list%col
!>     call portable_csr_transpose(cells, faces, n=nfaces)             ! the cells of each face
!>     call portable_segmented_sum(flux, faces%row, total, index=faces%col)   ! total(c): the sum of flux over the faces of cell c
!>     call portable_csr_free(faces)
!>     call portable_reorder(order, [portable_arg(x), portable_arg(v)])   ! x = x(order), v = v(:, order)
!>
!> In this module: these, _product, _min and _max, and the types. The module portable has them without portable_. Not in
!> this module: loops over rows, which are the program's; the order of particles.
!>
!> portable_csr has integer(int32) row and col, portable_csr64 integer(int64); row_of and counts are of the same kind. row has n+1
!> elements and col as many as there are entries; both are memory of the default pool, which devices access as the pool's other
!> blocks. An item that names a row twice is listed twice.
!> Reductions: row(r) to row(r+1)-1 are the elements of row r in data, or in index, whose numbers are those of elements of data. data
!> and total are integer(int32), integer(int64), real(real32) or real(real64); row and index of one kind. The lower bounds of arrays do not
!> matter: elements count from 1. Order of operations, empty rows and NaNs: portable_segmented_reduce of portable_mesh.h. total shares
!> memory with no other argument, and is not defined after an error.
!> reorder: order is a permutation of 1 to n, as sort_index gives it; the last extent of each array is n. Arrays are pointers or have TARGET,
!> and share no memory. A number out of range, or twice there, is an error that names it, and nothing is moved.
!> Assignment copies the pointers, not the memory: one of the copies is to be freed, once. A list that is built again is freed
!> first, when nothing can fail any more; a call that fails leaves it as it was. There is no finalizer, because it would free
!> the memory of copies.
!> Optional arguments: label=, the name of the launches in messages and reports; device= and stream=, where the call runs and is
!> waited for; stat= and errmsg=, as everywhere in this library. Errors: gator_err_arg (a row or column out of range, a negative
!> count; the text names it), _overflow (more entries than the kind counts), _nomem, _state, _nodevice, _handle. Threads: any
!> thread; a list is one thread's while it is built or freed. Since 0.1.
module portable_mesh_mod
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  use gator_mod, only: gator_internal_finish
  use portable_argument_mod, only: portable_argument
  use portable_reduce_mod, only: portable_internal_section, portable_internal_placed, portable_internal_launch
  implicit none
  private

  public :: portable_csr_build, portable_csr_transpose, portable_csr_free
  public :: portable_reorder
  public :: portable_segmented_sum, portable_segmented_product, portable_segmented_min, portable_segmented_max

  ! The version of portable.h that this module was written for; the archive refuses another one.
  integer(c_int32_t), parameter :: portable_version = 100

  ! The numbers of portable_reduce.h.
  integer(c_int32_t), parameter :: kind_int32 = 3_c_int32_t, kind_int64 = 4_c_int32_t

  !> portable_csr of portable_mesh.h, for C and device code. Since 0.1.
  type, bind(c), public :: portable_csr_descriptor
    integer(c_int64_t) :: rows = 0_c_int64_t, entries = 0_c_int64_t
    type(c_ptr) :: row = c_null_ptr, col = c_null_ptr, memory = c_null_ptr
    integer(c_int32_t) :: kind = kind_int32, lower = 1_c_int32_t
  end type

  !> Rows of 32-bit numbers. Since 0.1.
  type, public :: portable_csr
    integer(int32), pointer, contiguous :: row(:) => null(), col(:) => null()
    type(portable_csr_descriptor) :: descriptor
  end type

  !> Rows of 64-bit numbers. Since 0.1.
  type, public :: portable_csr64
    integer(int64), pointer, contiguous :: row(:) => null(), col(:) => null()
    type(portable_csr_descriptor) :: descriptor
  end type

  ! An index without elements.
  integer(int64), target, save :: none = 0_int64

  include 'portable_mesh_c.inc'

  include 'portable_mesh_interfaces.inc'

  interface portable_csr_build
    module procedure :: build_1_int32, build_2_int32, build_1_int64, build_2_int64
    module procedure :: build_1_int32_n64, build_2_int32_n64, build_1_int64_n64, build_2_int64_n64
    module procedure :: counts_int32, counts_int64
  end interface

  interface portable_csr_transpose
    module procedure :: transpose_int32, transpose_int64
  end interface

  interface portable_reorder
    module procedure :: reorder_int32, reorder_int64
  end interface

  interface portable_csr_free
    module procedure :: free_int32, free_int64
  end interface

contains

  ! The pointers of a list, from its descriptor.
  recursive subroutine point32(list)
    type(portable_csr), intent(inout) :: list
    call c_f_pointer(list%descriptor%row, list%row, [list%descriptor%rows + 1_c_int64_t])
    call c_f_pointer(list%descriptor%col, list%col, [list%descriptor%entries])
  end subroutine

  recursive subroutine point64(list)
    type(portable_csr64), intent(inout) :: list
    call c_f_pointer(list%descriptor%row, list%row, [list%descriptor%rows + 1_c_int64_t])
    call c_f_pointer(list%descriptor%col, list%col, [list%descriptor%entries])
  end subroutine

  ! The common part: from row_of, from counts (each < 0), or of another list.
  recursive subroutine make(d, kind, data, items, each, rows, label, stat, errmsg, device, stream, from, done)
    type(portable_csr_descriptor), intent(inout) :: d
    integer(c_int32_t), intent(in) :: kind
    type(c_ptr), intent(in) :: data
    integer(c_int64_t), intent(in) :: items, each, rows
    character(*), optional, intent(in) :: label
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer, optional, intent(in) :: device
    integer(int64), optional, intent(in) :: stream
    type(portable_csr_descriptor), optional, intent(in) :: from
    logical, intent(out) :: done
    integer(c_int32_t) :: status
    type(portable_internal_launch), target :: launch
    type(portable_internal_section) :: placed
    placed = portable_internal_placed(placed, launch, device, stream)
    if (present(label)) then
      status = labelled(label, d, kind, data, items, each, rows, placed%launch, from)
    else
      status = labelled(' ', d, kind, data, items, each, rows, placed%launch, from)
    end if
    done = status == 0_c_int32_t
    if (present(from)) then
      call gator_internal_finish(status, 'portable_csr_transpose', stat, errmsg)
    else
      call gator_internal_finish(status, 'portable_csr_build', stat, errmsg)
    end if
  end subroutine

  recursive function labelled(label, d, kind, data, items, each, rows, config, from) result(status)
    character(*), intent(in) :: label
    type(portable_csr_descriptor), intent(inout) :: d
    integer(c_int32_t), intent(in) :: kind
    type(c_ptr), intent(in) :: data, config
    integer(c_int64_t), intent(in) :: items, each, rows
    type(portable_csr_descriptor), optional, intent(in) :: from
    integer(c_int32_t) :: status
    if (present(from)) then
      status = c_csr_transpose(portable_version, label, len(label, c_size_t), from, rows, config, d)
    else if (each < 0_c_int64_t) then
      status = c_csr_counts(portable_version, label, len(label, c_size_t), kind, data, rows, config, d)
    else
      status = c_csr_build(portable_version, label, len(label, c_size_t), kind, data, items, each, rows, config, d)
    end if
  end function

  recursive subroutine transpose_int32(list, from, n, label, stat, errmsg, device, stream)
    type(portable_csr), intent(inout) :: list
    type(portable_csr), intent(in) :: from
    integer, intent(in) :: n
    character(*), optional, intent(in) :: label
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer, optional, intent(in) :: device
    integer(int64), optional, intent(in) :: stream
    logical :: done
    type(portable_csr_descriptor) :: d
    d = from%descriptor
    call make(list%descriptor, kind_int32, c_null_ptr, 0_c_int64_t, 0_c_int64_t, int(n, c_int64_t), label, stat, errmsg, device, &
              stream, d, done)
    if (done) call point32(list)
  end subroutine

  recursive subroutine transpose_int64(list, from, n, label, stat, errmsg, device, stream)
    type(portable_csr64), intent(inout) :: list
    type(portable_csr64), intent(in) :: from
    integer, intent(in) :: n
    character(*), optional, intent(in) :: label
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer, optional, intent(in) :: device
    integer(int64), optional, intent(in) :: stream
    logical :: done
    type(portable_csr_descriptor) :: d
    d = from%descriptor
    call make(list%descriptor, kind_int64, c_null_ptr, 0_c_int64_t, 0_c_int64_t, int(n, c_int64_t), label, stat, errmsg, device, &
              stream, d, done)
    if (done) call point64(list)
  end subroutine

  recursive subroutine free_int32(list, stat, errmsg)
    type(portable_csr), intent(inout) :: list
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer(c_int32_t) :: status
    status = c_csr_free(list%descriptor)
    if (status == 0_c_int32_t) nullify (list%row, list%col)
    call gator_internal_finish(status, 'portable_csr_free', stat, errmsg)
  end subroutine

  recursive subroutine free_int64(list, stat, errmsg)
    type(portable_csr64), intent(inout) :: list
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer(c_int32_t) :: status
    status = c_csr_free(list%descriptor)
    if (status == 0_c_int32_t) nullify (list%row, list%col)
    call gator_internal_finish(status, 'portable_csr_free', stat, errmsg)
  end subroutine

  recursive subroutine reorder(kind, order, n, arrays, label, stat, errmsg, device, stream)
    integer(c_int32_t), intent(in) :: kind
    type(c_ptr), intent(in) :: order
    integer(c_int64_t), intent(in) :: n
    type(portable_argument), intent(in) :: arrays(:)
    character(*), optional, intent(in) :: label
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer, optional, intent(in) :: device
    integer(int64), optional, intent(in) :: stream
    integer(c_int32_t) :: status, count
    type(portable_internal_launch), target :: launch
    type(portable_internal_section) :: placed
    placed = portable_internal_placed(placed, launch, device, stream)
    count = size(arrays, kind=c_int32_t)
    if (present(label)) then
      status = c_reorder(portable_version, label, len(label, c_size_t), kind, order, n, arrays, count, placed%launch)
    else
      status = c_reorder(portable_version, ' ', 0_c_size_t, kind, order, n, arrays, count, placed%launch)
    end if
    call gator_internal_finish(status, 'portable_reorder', stat, errmsg)
  end subroutine

  recursive subroutine reorder_int32(order, arrays, label, stat, errmsg, device, stream)
    integer(int32), contiguous, target, intent(in) :: order(:)
    type(portable_argument), target, intent(in) :: arrays(:)
    character(*), optional, intent(in) :: label
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer, optional, intent(in) :: device
    integer(int64), optional, intent(in) :: stream
    call reorder(kind_int32, c_loc(order), size(order, kind=c_int64_t), arrays, label, stat, errmsg, device, stream)
  end subroutine

  recursive subroutine reorder_int64(order, arrays, label, stat, errmsg, device, stream)
    integer(int64), contiguous, target, intent(in) :: order(:)
    type(portable_argument), target, intent(in) :: arrays(:)
    character(*), optional, intent(in) :: label
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer, optional, intent(in) :: device
    integer(int64), optional, intent(in) :: stream
    call reorder(kind_int64, c_loc(order), size(order, kind=c_int64_t), arrays, label, stat, errmsg, device, stream)
  end subroutine

  ! The common part of all reductions of rows.
  recursive subroutine reduce(op, kind, data, count, row_kind, row, rows, index, indices, results, total, label, stat, errmsg, &
                              device, stream)
    integer(c_int32_t), intent(in) :: op, kind, row_kind
    type(c_ptr), intent(in) :: data, row, index, results
    integer(c_int64_t), intent(in) :: count, rows, indices, total
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
      status = c_segmented(portable_version, label, len(label, c_size_t), op, kind, data, count, row_kind, row, rows, index, &
                           indices, placed%launch, results, total)
    else
      status = c_segmented(portable_version, ' ', 0_c_size_t, op, kind, data, count, row_kind, row, rows, index, indices, &
                           placed%launch, results, total)
    end if
    call gator_internal_finish(status, 'portable_segmented', stat, errmsg)
  end subroutine

  include 'portable_mesh_procedures.inc'

end module portable_mesh_mod
