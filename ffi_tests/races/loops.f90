! loops.f90 - PORTABLE_CHECK=races with kernels that get a list of arguments, as generated code has them: a second kernel with shadows runs in
! the place of the first, serially. Without the check the first one runs. Not in this file: kernels in C (races.c).
module race_kernels
  use, intrinsic :: iso_fortran_env, only: int32, int64, real64
  use, intrinsic :: iso_c_binding
  use portable_list_mod
  implicit none

  type, bind(c) :: block
    integer(c_int32_t) :: n
    type(portable_view_3) :: a
  end type

  type, bind(c) :: pair
    type(portable_view_1) :: x, y
  end type

  integer :: plain = 0, checked = 0 ! calls
  logical :: apart(9)               ! answers

contains

  ! a(i,j,k+2) = a(i,j,k+1): a race of each k with the one before.
  recursive subroutine smooth(t, b) bind(c, name='')
    type(portable_tile), intent(in) :: t
    type(block), intent(in) :: b
    real(real64), pointer, contiguous :: a(:, :, :)
    integer :: i, j, k
    call portable_atomic_add(plain, 1)
    call c_f_pointer(b%a%data, a, b%a%dim%extent)
    do k = t%lower(3), t%upper(3)
      do j = t%lower(2), t%upper(2)
        do i = t%lower(1), t%upper(1)
          a(i, j, k + 2) = a(i, j, k + 1)
        end do
      end do
    end do
  end subroutine

  ! The same by calls.
  recursive subroutine smooth_checked(t, b) bind(c, name='')
    type(portable_tile), intent(in) :: t
    type(block), intent(in) :: b
    real(real64), pointer, contiguous :: a(:, :, :)
    type(portable_shadow) :: s
    integer(int64) :: first, step(8), n, at
    integer :: i, j, k
    checked = checked + 1 ! yaklcheck: ok
    call c_f_pointer(b%a%data, a, b%a%dim%extent)
    s = portable_shadow_of(t, 2)
    first = portable_tile_iteration(t, step)
    do k = t%lower(3), t%upper(3)
      do j = t%lower(2), t%upper(2)
        do i = t%lower(1), t%upper(1)
          n = first + int(i - t%lower(1), int64)*step(1) + int(j - t%lower(2), int64)*step(2) + int(k - t%lower(3), int64)*step(3)
          at = int(i - 1, int64) + int(j - 1, int64)*size(a, 1) + int(k, int64)*size(a, 1)*size(a, 2)
          call portable_shadow_read(s, at, n, 44_int32)
          a(i, j, k + 2) = a(i, j, k + 1)
          call portable_shadow_write(s, at + size(a, 1)*size(a, 2), n, 47_int64)
        end do
      end do
    end do
  end subroutine

  recursive subroutine copy(t, b) bind(c, name='')
    type(portable_tile), intent(in) :: t
    type(pair), intent(in) :: b
    real(real64), pointer, contiguous :: x(:), y(:)
    integer :: i
    call portable_atomic_add(plain, 1)
    call c_f_pointer(b%x%data, x, b%x%dim%extent)
    call c_f_pointer(b%y%data, y, b%y%dim%extent)
    do i = t%lower(1), t%upper(1)
      y(i) = x(i)
    end do
  end subroutine

  ! The same with cells in the place of calls; x has none where it is apart from y.
  recursive subroutine copy_checked(t, b) bind(c, name='')
    type(portable_tile), intent(in) :: t
    type(pair), intent(in) :: b
    real(real64), pointer, contiguous :: x(:), y(:)
    type(portable_race_cell), pointer, contiguous :: cx(:), cy(:)
    type(portable_shadow) :: sx, sy
    integer(int64) :: first, step(8), n, now
    logical :: of_x
    integer :: i
    checked = checked + 1 ! yaklcheck: ok
    call c_f_pointer(b%x%data, x, b%x%dim%extent)
    call c_f_pointer(b%y%data, y, b%y%dim%extent)
    sx = portable_shadow_of(t, 1)
    sy = portable_shadow_of(t, 2)
    of_x = c_associated(sx%cells)
    nullify (cx)
    if (of_x) call c_f_pointer(sx%cells, cx, shape(x))
    if (.not. c_associated(sy%cells)) error stop 'no cells'
    call c_f_pointer(sy%cells, cy, shape(y))
    first = portable_tile_iteration(t, step)
    do i = t%lower(1), t%upper(1)
      n = first + int(i - t%lower(1), int64)*step(1)
      now = sy%from + ishft(n, 20) + 60
      if (of_x) then
        if (cx(i)%wrote >= sx%from .and. ieor(cx(i)%wrote, now) > 1048575_int64) then
          call portable_shadow_read(sx, int(i - 1, int64), n, 60)
        else if (cx(i)%read < sx%from) then
          cx(i)%read = now
        end if
      end if
      y(i) = x(i)
      if ((cy(i)%wrote >= sy%from .and. ieor(cy(i)%wrote, now) > 1048575_int64) .or. &
          (cy(i)%read >= sy%from .and. ieor(cy(i)%read, now) > 1048575_int64)) then
        call portable_shadow_write(sy, int(i - 1, int64), n, 60)
      else
        cy(i)%wrote = now
      end if
    end do
  end subroutine

  ! One question in the place of all accesses.
  recursive subroutine copy_asked(t, b) bind(c, name='')
    type(portable_tile), intent(in) :: t
    type(pair), intent(in) :: b
    integer(int64) :: i
    checked = checked + 1 ! yaklcheck: ok
    i = t%lower64(1)
    if (c_associated(b%x%data, b%y%data)) error stop 'one array'
    apart = [portable_shadow_apart(t, [-2, 1], reshape([i - 1, i, i - 1, i], [2, 2])), & ! yaklcheck: ok
      portable_shadow_apart(t, [2, 1], reshape([i - 1, i, i - 1, i], [2, 2])), &
      portable_shadow_apart(t, [-2, 2], reshape([i - 1, i, i, i + 1], [2, 2])), &
      portable_shadow_apart(t, [-2], reshape([i - 1, i - 1], [2, 1])), &
      portable_shadow_apart(t, [-3], reshape([i - 1, i], [2, 1])), &
      portable_shadow_apart(t, [-2], reshape([i, i + 1], [2, 1])), &
      portable_shadow_apart(t, [-2, 1], reshape([i - 1, i], [2, 1])), &
      portable_shadow_apart(t, [integer ::], reshape([integer(int64) ::], [2, 0])), &
      portable_shadow_apart(t, spread(1, 1, 65), spread([i - 1, i], 2, 65))]
  end subroutine

  recursive subroutine total(t, b, r) bind(c, name='')
    type(portable_tile), intent(in) :: t
    type(pair), intent(in) :: b
    type(c_ptr), intent(in) :: r(*)
    real(real64), pointer :: sum
    call c_f_pointer(r(1), sum)
    sum = sum + (t%upper(1) - t%lower(1) + 1)
    call copy(t, b)
  end subroutine

  recursive subroutine total_checked(t, b, r) bind(c, name='')
    type(portable_tile), intent(in) :: t
    type(pair), intent(in) :: b
    type(c_ptr), intent(in) :: r(*)
    real(real64), pointer :: sum
    call c_f_pointer(r(1), sum)
    sum = sum + (t%upper(1) - t%lower(1) + 1)
    call copy_checked(t, b)
  end subroutine
end module

program loops
  use, intrinsic :: iso_fortran_env, only: error_unit, int32, real64
  use, intrinsic :: iso_c_binding
  use portable_core_mod, only: portable_finalize, portable_is_initialized, portable_stream_create, portable_stream_destroy
  use race_kernels
  use check_mod
  implicit none
  integer, parameter :: n = 100
  real(real64) :: a(4, 5, 9), sum
  real(real64), target :: x(2*n), y(n)
  integer(c_int64_t) :: queue
  integer :: i
  call check(.not. portable_is_initialized(), 'the library does not run')
  call portable_ensure()
  call check(portable_is_initialized(), 'the library runs')
  call check(.not. portable_in_kernel(), 'no kernel runs')
  call portable_ensure()
  x = [(real(i, real64), i=1, 2*n)]
  a = 1
  call portable_parallel_for('smooth:40', portable_bounds([1, 1, 1], [4, 5, 7]), c_funloc(smooth), [portable_arg(9_int32), &
    portable_arg(a, [1, 1, 1], 'both', name='a')], c_funloc(smooth_checked), cut=16)
  call copied('apart', x(1:n), y)
  call check(all(abs(y - x(1:n)) <= 0), 'copied')
  call copied('shifted', x(1:n), x(2:n + 1))
  sum = 1
  call portable_parallel_reduce('total', portable_bounds(n), c_funloc(total), [portable_result(sum, into=.true.)], &
    [portable_arg(x, 'read', name='x'), portable_arg(y, 'write', name='y')], c_funloc(total_checked), cut=16)
  call check(abs(sum - n - 1) <= 0, 'total')
  call asked('asked')
  if (portable_races_checked()) call check(all(apart .eqv. [.true., .true., .false., .false., .false., .false., .false., .false., &
    .false.]), 'apart')
  call asked('asked in parts', [10])
  call check(.not. any(apart), 'parts are not the launch')
  call portable_stream_create(queue)
  call portable_parallel_for('apart', portable_bounds(n), c_funloc(copy), [portable_arg(x, 'read', name='x'), portable_arg(y, &
    'write', name='y')], &
    c_funloc(copy_checked), stream=queue)
  call portable_stream_destroy(queue)
  call check(merge(plain == 0 .and. checked >= 5, plain >= 5 .and. checked == 0, portable_races_checked()), 'which kernel runs')
  call finish_checks()
  write (error_unit, '(a)') 'all passed'
  ! portable_ensure ends the library, which reports.
contains
  subroutine asked(label, tile)
    character(*), intent(in) :: label
    integer, optional, intent(in) :: tile(:)
    apart = .false.
    call portable_parallel_for(label, portable_bounds(n), c_funloc(copy), [portable_arg(x(:n), [1], 'read', name='x'), &
      portable_arg(y, [1], 'write', name='y')], c_funloc(copy_asked), tile=tile)
  end subroutine
  subroutine copied(label, x, y)
    character(*), intent(in) :: label
    real(real64), intent(in) :: x(:)
    real(real64), intent(inout) :: y(:)
    call portable_parallel_for(label, portable_bounds(size(x)), c_funloc(copy), [portable_arg(x, [1], 'read', name='x'), &
      portable_arg(y, [1], 'write', name='y')], c_funloc(copy_checked))
  end subroutine
end program
