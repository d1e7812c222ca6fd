! The part of portable_list_mod that generated files use, in a few lines: one thread, which takes the tiles of a launch from the last to the
! first one, each of at most tile_shape iterations in a dimension. A body that depends on the order of tiles gives other bits.
module portable_core_mod
  implicit none
  integer, parameter :: portable_loop_rank = 8, portable_dynamic = 2
contains
  integer function portable_num_threads()
    portable_num_threads = 2
  end function portable_num_threads
end module portable_core_mod

! The pool: every third array finds no memory.
module gator_mod
  use, intrinsic :: iso_c_binding
  implicit none
  integer :: asked = 0
  interface gator_allocate
    module procedure allocate_r8, allocate_r4, allocate_i8, allocate_i4
  end interface gator_allocate
  interface gator_deallocate
    module procedure deallocate_r8, deallocate_r4, deallocate_i8, deallocate_i4
  end interface gator_deallocate
contains

  subroutine allocate_r8(a, dims, label, stat)
    real(c_double), pointer, intent(inout) :: a(:)
    integer(c_int64_t), intent(in) :: dims(:)
    character(*), intent(in) :: label
    integer, intent(out) :: stat
    asked = asked + 1
    stat = merge(1, 0, modulo(asked, 3) == 0 .or. label == '')
    if (stat == 0) allocate (a(dims(1)))
  end subroutine allocate_r8

  subroutine deallocate_r8(a)
    real(c_double), pointer, intent(inout) :: a(:)
    deallocate (a)
  end subroutine deallocate_r8

  subroutine allocate_r4(a, dims, label, stat)
    real(c_float), pointer, intent(inout) :: a(:)
    integer(c_int64_t), intent(in) :: dims(:)
    character(*), intent(in) :: label
    integer, intent(out) :: stat
    asked = asked + 1
    stat = merge(1, 0, modulo(asked, 3) == 0 .or. label == '')
    if (stat == 0) allocate (a(dims(1)))
  end subroutine allocate_r4

  subroutine deallocate_r4(a)
    real(c_float), pointer, intent(inout) :: a(:)
    deallocate (a)
  end subroutine deallocate_r4

  subroutine allocate_i8(a, dims, label, stat)
    integer(c_int64_t), pointer, intent(inout) :: a(:)
    integer(c_int64_t), intent(in) :: dims(:)
    character(*), intent(in) :: label
    integer, intent(out) :: stat
    asked = asked + 1
    stat = merge(1, 0, modulo(asked, 3) == 0 .or. label == '')
    if (stat == 0) allocate (a(dims(1)))
  end subroutine allocate_i8

  subroutine deallocate_i8(a)
    integer(c_int64_t), pointer, intent(inout) :: a(:)
    deallocate (a)
  end subroutine deallocate_i8

  subroutine allocate_i4(a, dims, label, stat)
    integer(c_int), pointer, intent(inout) :: a(:)
    integer(c_int64_t), intent(in) :: dims(:)
    character(*), intent(in) :: label
    integer, intent(out) :: stat
    asked = asked + 1
    stat = merge(1, 0, modulo(asked, 3) == 0 .or. label == '')
    if (stat == 0) allocate (a(dims(1)))
  end subroutine allocate_i4

  subroutine deallocate_i4(a)
    integer(c_int), pointer, intent(inout) :: a(:)
    deallocate (a)
  end subroutine deallocate_i4
end module gator_mod

module portable_list_mod
  use, intrinsic :: iso_c_binding
  implicit none
  integer :: tile_shape = 7
  integer :: launches = 0
  logical :: inside = .false.

  type, bind(c) :: portable_tile
    integer(c_int64_t) :: lower64(8), upper64(8)
    integer(c_int) :: lower(8), upper(8), workers
  end type portable_tile

  type :: portable_bounds
    integer(c_int64_t), allocatable :: lower(:), upper(:)
  end type portable_bounds

  type, bind(c) :: portable_view_dimension
    integer(c_int64_t) :: lower, extent, stride
  end type portable_view_dimension

  type, bind(c) :: portable_view_1
    type(c_ptr) :: data
    integer(c_int) :: rank, argument
    type(portable_view_dimension) :: dim(1)
  end type portable_view_1

  type, bind(c) :: portable_view_2
    type(c_ptr) :: data
    integer(c_int) :: rank, argument
    type(portable_view_dimension) :: dim(2)
  end type portable_view_2

  type, bind(c) :: portable_race_cell
    integer(c_int64_t) :: wrote, read
  end type portable_race_cell

  type, bind(c) :: portable_shadow
    type(c_ptr) :: cells = c_null_ptr
    integer(c_int64_t) :: from = 0, low = 0, elements = 0
    integer(c_int) :: array = 0, reserved = 0
  end type portable_shadow

  type, bind(c) :: portable_argument
    type(c_ptr) :: first, last
    integer(c_int) :: written
  end type portable_argument

  interface portable_parallel_for
    module procedure launch, launch_checked
  end interface portable_parallel_for

  abstract interface
    subroutine kernel_interface(t, b) bind(c)
      import :: portable_tile, c_ptr
      type(portable_tile), intent(in) :: t
      type(c_ptr), value :: b
    end subroutine kernel_interface
  end interface

  interface portable_arg
    module procedure arg_r8, arg_r8_2, arg_i8, arg_p8, arg_p8_2, element_r8
  end interface portable_arg

  interface portable_atomic_add
    module procedure add_r8, add_r4, add_i4
  end interface portable_atomic_add

contains

  logical function portable_in_kernel()
    portable_in_kernel = inside
  end function portable_in_kernel

  logical function portable_races_checked()
    portable_races_checked = .false.
  end function portable_races_checked

  subroutine portable_ensure()
    character(len=20) :: text
    integer :: status
    call get_environment_variable('TILE', text, status=status)
    if (status == 0) read (text, *) tile_shape
  end subroutine portable_ensure

  ! The next tile before the one in t; false: there is none.
  logical function before(b, t, first)
    type(portable_bounds), intent(in) :: b
    type(portable_tile), intent(inout) :: t
    logical, intent(in) :: first
    integer(c_int64_t) :: parts, size
    integer :: d, n
    n = ubound(b%lower, 1)
    t%workers = merge(2, 1, tile_shape == 7) ! so that both forms of a sum run
    size = int(tile_shape, c_int64_t)
    before = .true.
    do d = 1, n
      parts = (b%upper(d) - b%lower(d))/size
      if (first) then
        t%lower64(d) = b%lower(d) + parts*size
      else if (t%lower64(d) > b%lower(d)) then
        t%lower64(d) = t%lower64(d) - size
        exit
      else
        t%lower64(d) = b%lower(d) + parts*size
        if (d == n) before = .false.
      end if
    end do
    do d = 1, n
      t%upper64(d) = min(t%lower64(d) + size - 1, b%upper(d))
    end do
    t%lower(1:n) = int(t%lower64(1:n))
    t%upper(1:n) = int(t%upper64(1:n))
  end function before

  subroutine launch(label, bounds, kernel, block, block_bytes, stream, wide, cut, tile, schedule)
    character(*), intent(in) :: label
    type(portable_bounds), intent(in) :: bounds
    type(c_funptr), value :: kernel
    type(c_ptr), intent(in) :: block
    integer(c_size_t), intent(in) :: block_bytes
    integer(c_int64_t), optional, intent(in) :: stream
    logical, optional, intent(in) :: wide
    integer, optional, intent(in) :: cut, tile(:), schedule
    procedure(kernel_interface), pointer :: run
    type(portable_tile) :: t
    logical :: more
    launches = launches + 1
    if (any(bounds%upper < bounds%lower)) return
    call c_f_procpointer(kernel, run)
    more = before(bounds, t, .true.)
    do while (more)
      inside = .true.
      call run(t, block)
      inside = .false.
      more = before(bounds, t, .false.)
    end do
  end subroutine launch

  subroutine launch_checked(label, bounds, kernel, args, checked, wide, cut, schedule)
    character(*), intent(in) :: label
    type(portable_bounds), intent(in) :: bounds
    type(c_funptr), value :: kernel
    type(portable_argument), intent(in) :: args(:)
    type(c_funptr), intent(in) :: checked
    logical, optional, intent(in) :: wide
    integer, optional, intent(in) :: cut, schedule
    error stop 'races are not checked here'
  end subroutine launch_checked

  type(portable_shadow) function portable_shadow_of(t, number)
    type(portable_tile), intent(in) :: t
    integer, intent(in) :: number
    portable_shadow_of%array = number + t%lower(1)
  end function portable_shadow_of

  logical function portable_shadow_apart(t, arrays, elements)
    type(portable_tile), intent(in) :: t
    integer, intent(in) :: arrays(:)
    integer(c_int64_t), contiguous, intent(in) :: elements(:,:)
    portable_shadow_apart = all(arrays > t%lower(1)) .and. all(elements > 0)
  end function portable_shadow_apart

  integer(c_int64_t) function portable_tile_iteration(t, step)
    type(portable_tile), intent(in) :: t
    integer(c_int64_t), intent(out) :: step(8)
    step = t%lower64
    portable_tile_iteration = 0
  end function portable_tile_iteration

  subroutine portable_shadow_read(shadow, element, iteration, line)
    type(portable_shadow), intent(in) :: shadow
    integer(c_int64_t), value :: element, iteration, line
    print *, shadow%array, element, iteration, line
  end subroutine portable_shadow_read

  subroutine portable_shadow_write(shadow, element, iteration, line)
    type(portable_shadow), intent(in) :: shadow
    integer(c_int64_t), value :: element, iteration, line
    print *, shadow%array, element, iteration, line
  end subroutine portable_shadow_write

  ! Each tile has a partial result; they are joined in the order of the iterations.
  subroutine portable_parallel_reduce(label, bounds, kernel, result, combine, bytes, identity, into, wide, cut, tile, schedule)
    character(*), intent(in) :: label
    type(portable_bounds), intent(in) :: bounds
    procedure() :: kernel, combine
    type(c_ptr), intent(in) :: result, identity
    integer(c_size_t), intent(in) :: bytes
    logical, intent(in) :: into
    logical, optional, intent(in) :: wide
    integer, optional, intent(in) :: cut, tile(:), schedule
    integer(c_int64_t), target, allocatable :: partial(:,:)
    integer(c_int64_t), pointer :: start(:), all(:)
    type(portable_tile) :: t
    integer :: words, i, n
    logical :: more
    launches = launches + 1
    if (any(bounds%upper < bounds%lower)) return
    words = int((bytes + 7)/8)
    call c_f_pointer(identity, start, [words])
    call c_f_pointer(result, all, [words])
    allocate (partial(words, 20000))
    n = 0
    more = before(bounds, t, .true.)
    do while (more)
      n = n + 1
      partial(:, n) = start
      inside = .true.
      call kernel(t, partial(1, n))
      inside = .false.
      more = before(bounds, t, .false.)
    end do
    do i = n, 1, -1
      call combine(all, partial(1, i))
    end do
  end subroutine portable_parallel_reduce

  function arg_r8(a, lower, access, name, may_overlap) result(r)
    real(c_double), target, intent(in) :: a(:)
    integer, intent(in) :: lower(:)
    character(*), intent(in) :: access, name
    logical, optional, intent(in) :: may_overlap
    type(portable_argument) :: r
    r%first = c_loc(a(1))
    r%last = c_loc(a(size(a)))
    r%written = merge(0, 1, access == 'read')
  end function arg_r8

  function arg_r8_2(a, lower, access, name, may_overlap) result(r)
    real(c_double), target, intent(in) :: a(:,:)
    integer, intent(in) :: lower(:)
    character(*), intent(in) :: access, name
    logical, optional, intent(in) :: may_overlap
    type(portable_argument) :: r
    r%first = c_loc(a(1, 1))
    r%last = c_loc(a(size(a, 1), size(a, 2)))
    r%written = merge(0, 1, access == 'read')
  end function arg_r8_2

  function arg_p8(a, access, name, may_overlap) result(r)
    real(c_double), pointer, intent(in) :: a(:)
    character(*), intent(in) :: access, name
    logical, optional, intent(in) :: may_overlap
    type(portable_argument) :: r
    r%first = c_loc(a(lbound(a, 1)))
    r%last = c_loc(a(ubound(a, 1)))
    r%written = merge(0, 1, access == 'read')
  end function arg_p8

  function arg_p8_2(a, access, name, may_overlap) result(r)
    real(c_double), pointer, intent(in) :: a(:,:)
    character(*), intent(in) :: access, name
    logical, optional, intent(in) :: may_overlap
    type(portable_argument) :: r
    r%first = c_loc(a(lbound(a, 1), lbound(a, 2)))
    r%last = c_loc(a(ubound(a, 1), ubound(a, 2)))
    r%written = merge(0, 1, access == 'read')
  end function arg_p8_2

  function element_r8(a, extents, access, name, may_overlap) result(r)
    real(c_double), target, intent(in) :: a
    integer, intent(in) :: extents(:)
    character(*), intent(in) :: access, name
    logical, optional, intent(in) :: may_overlap
    type(portable_argument) :: r
    r%first = c_loc(a)
    r%last = c_loc(a)
    r%written = merge(0, 1, access == 'read')
  end function element_r8

  function arg_i8(x, name) result(r)
    integer(c_int64_t), intent(in) :: x
    character(*), intent(in) :: name
    type(portable_argument) :: r
    r%written = int(x)
  end function arg_i8

  logical function portable_overlap(args)
    type(portable_argument), intent(in) :: args(:)
    integer(c_intptr_t) :: a(2), b(2)
    integer :: i, j
    portable_overlap = .false.
    do i = 1, size(args)
      do j = i + 1, size(args)
        a = transfer([args(i)%first, args(i)%last], a)
        b = transfer([args(j)%first, args(j)%last], b)
        if (a(1) <= b(2) .and. b(1) <= a(2)) portable_overlap = .true.
      end do
    end do
  end function portable_overlap

  subroutine add_r8(x, value)
    real(c_double), intent(inout) :: x
    real(c_double), intent(in) :: value
    x = x + value
  end subroutine add_r8

  subroutine add_r4(x, value)
    real(c_float), intent(inout) :: x
    real(c_float), intent(in) :: value
    x = x + value
  end subroutine add_r4

  subroutine portable_atomic_min(x, value)
    integer, intent(inout) :: x
    integer, intent(in) :: value
    x = min(x, value)
  end subroutine portable_atomic_min

  subroutine portable_atomic_max(x, value)
    integer, intent(inout) :: x
    integer, intent(in) :: value
    x = max(x, value)
  end subroutine portable_atomic_max

  subroutine add_i4(x, value)
    integer, intent(inout) :: x
    integer, intent(in) :: value
    x = x + value
  end subroutine add_i4
end module portable_list_mod
