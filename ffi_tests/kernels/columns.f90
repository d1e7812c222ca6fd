! columns.f90 - outer and inner loops from Fortran: column physics with levels inside, scratch, both forms of kernels and of inner
! loops, errors. Not in this file: work divisions (divisions.f90).
module columns_mod
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use portable_mod
  implicit none
  integer, parameter :: levels = 137, nx = 23, ny = 11
  real(real64) :: q(levels, nx, ny)
  integer :: visits(-2:7, 3:9)
  integer(c_int), allocatable, target :: marks(:)

  type, bind(c) :: block
    integer(c_int) :: factor
    type(c_ptr) :: marks
  end type
contains

  ! The loop lines are those of the serial form; only their bounds come from the team.
  recursive subroutine normalise(t)
    type(team), intent(in) :: t
    real(real64), pointer :: work(:)
    integer :: i, j, k, from, to
    call c_f_pointer(t%scratch, work, [levels])
    i = t%outer(1)
    j = t%outer(2)
    call inner_range(t, levels, from, to)
    do k = from, to
      work(k) = abs(q(k,i,j)) + 1
    end do
    call fence_inner(t)
    call parallel_inner(t, bounds(2, levels-1), smooth)
    call fence_inner(t)
    if (single_inner(t)) q(1,i,j) = -q(1,i,j)
  contains
    recursive subroutine smooth(u)
      type(tile), intent(in) :: u
      integer :: k
      do k = u%lower(1), u%upper(1)
        q(k,i,j) = q(k,i,j)/(work(k-1) + work(k) + work(k+1))
      end do
    end subroutine
  end subroutine

  subroutine normalise_serial(q)
    real(real64), intent(inout) :: q(levels, nx, ny)
    real(real64) :: work(levels)
    integer :: i, j, k
    do j = 1, ny
      do i = 1, nx
        work = abs(q(:,i,j)) + 1
        do k = 2, levels - 1
          q(k,i,j) = q(k,i,j)/(work(k-1) + work(k) + work(k+1))
        end do
        q(1,i,j) = -q(1,i,j)
      end do
    end do
  end subroutine

  recursive subroutine visit(t)
    type(team), intent(in) :: t
    if (c_associated(t%scratch) .or. t%scratch_bytes /= 0_c_size_t) call kernel_fail(t, 1, 'scratch that was not asked for')
    visits(t%outer(1), t%outer(2)) = visits(t%outer(1), t%outer(2)) + 1
  end subroutine

  ! The form with bind(c) and a block.
  recursive subroutine mark(t, b) bind(c)
    type(team), intent(in) :: t
    type(block), intent(in) :: b
    integer(c_int), pointer :: m(:)
    call c_f_pointer(b%marks, m, [100])
    m(t%outer(1)) = b%factor*int(t%outer(1), c_int)
  end subroutine

  recursive subroutine far(t)
    type(team), intent(in) :: t
    if (t%outer64(1) == 5000000003_int64) marks(3) = 77
  end subroutine

  ! Larger and smaller scratch than the outer one's, inside it.
  recursive subroutine nested(t)
    type(team), intent(in) :: t
    integer, pointer :: mine(:)
    call c_f_pointer(t%scratch, mine, [10])
    mine = t%outer(1)
    call parallel_outer('inside', bounds(5), spoil, scratch_bytes=4*t%outer(1))
    if (any(mine /= t%outer(1))) call kernel_fail(t, 9, 'another team wrote here')
  end subroutine

  recursive subroutine spoil(t)
    type(team), intent(in) :: t
    integer, pointer :: mine(:)
    call c_f_pointer(t%scratch, mine, [t%scratch_bytes/4])
    mine = -1
  end subroutine

  recursive subroutine strided_inner(t)
    type(team), intent(in) :: t
    call parallel_inner(t, bounds([1], [9], [4]), stepped, strided=.true.)
    call parallel_inner(t, bounds(3, 2), nothing)
  contains
    recursive subroutine stepped(u)
      type(tile), intent(in) :: u
      if (u%lower(1) /= 1 .or. u%upper(1) /= 9 .or. u%stride(1) /= 4 .or. u%rank /= 1) call kernel_fail(u, 2, 'the tile')
    end subroutine
  end subroutine

  recursive subroutine nothing(u)
    type(tile), intent(in) :: u
    call kernel_fail(u, 3, 'called for nothing')
  end subroutine

  recursive subroutine bad_stride(t)
    type(team), intent(in) :: t
    call parallel_inner(t, bounds([1], [9], [2]), nothing)
  end subroutine

  recursive subroutine bad_bounds(t)
    type(team), intent(in) :: t
    call parallel_inner(t, bounds([1], [9], [0]), nothing)
  end subroutine

  recursive subroutine fails(t)
    type(team), intent(in) :: t
    if (t%outer(1) == 3) call kernel_fail(t, 42, 'team three')
  end subroutine
end module

program main
  use check_mod, only: check, finish_checks
  use columns_mod
  use gator_mod, only: gator_err_arg, gator_err_kernel, gator_err_overflow
  implicit none
  real(real64) :: expected(levels, nx, ny)
  type(block), target :: b
  character(300) :: text
  integer :: stat, i, k, round
  integer(int64) :: from, to
  call portable_init()

  do round = 1, 5
    call random_number(q)
    expected = q
    call normalise_serial(expected)
    call parallel_outer('normalise', bounds([1,1], [nx,ny]), normalise, scratch_bytes=8*levels, &
                        schedule=merge(portable_static, portable_dynamic, round < 3))
    call check(.not. any(q < expected .or. q > expected), 'columns')
  end do

  visits = 0
  call parallel_outer('visit', bounds([-2,3], [7,9], [3,2]), visit)
  call check(sum(visits) == 16 .and. all(visits(-2:7:3, 3:9:2) == 1), 'strides')
  call parallel_outer('visit', bounds([1,1], [0,5]), visit)
  call check(sum(visits) == 16, 'nothing')

  allocate (marks(100))
  marks = 0_c_int
  b = block(3_c_int, c_loc(marks))
  call parallel_outer('mark', bounds(100), c_funloc(mark), c_loc(b), c_sizeof(b))
  call check(all(marks == [(3*i, i=1,100)]), 'bind(c)')
  call parallel_outer('far', bounds(5000000000_int64, 5000000010_int64), far, wide=.true.)
  call check(marks(3) == 77, 'wide')
  call parallel_outer('nested', bounds(60), nested, scratch_bytes=40)
  call parallel_outer('strided', bounds(2), strided_inner)

  ! As on a device: the ranges of a team of 4 are the whole.
  k = 0
  do i = 0, 3
    call inner_range(member(i, 4), 10_int64, from, to)
    call check(from == k + 1, 'ranges')
    k = int(to)
  end do
  call check(k == 10, 'ranges')

  call parallel_outer('e', bounds(10), fails, stat=stat, errmsg=text)
  call check(stat == gator_err_kernel .and. index(text, &
    'parallel_outer ''e'': the kernel failed with code 42: team three') > 0, text)
  call parallel_outer('e', bounds(10), fails, scratch_bytes=-1, stat=stat, errmsg=text)
  call check(stat == gator_err_arg .and. index(text, '-1 bytes of scratch') > 0, text)
  call parallel_outer('e', bounds(10), fails, scratch_bytes=67108865, stat=stat, errmsg=text)
  call check(stat == gator_err_arg .and. index(text, 'at most 67108864') > 0, text)
  call parallel_outer('e', bounds(5000000000_int64, 5000000010_int64), fails, stat=stat, errmsg=text)
  call check(stat == gator_err_overflow .and. index(text, 'parallel_outer ''e'': the bounds of dimension 1 do not fit') > 0, text)
  call parallel_outer('e', bounds(10), bad_stride, stat=stat, errmsg=text)
  call check(stat == gator_err_kernel .and. index(text, 'a stride of the inner bounds is not 1') > 0, text)
  call parallel_outer('e', bounds(10), bad_bounds, stat=stat, errmsg=text)
  call check(stat == gator_err_kernel .and. index(text, 'these are no inner bounds') > 0, text)
  call portable_finalize()
  call parallel_outer('late', bounds(10), fails, stat=stat, errmsg=text)
  call check(stat /= 0 .and. index(text, 'portable_parallel_outer: the library does not run') > 0, text)
  call finish_checks()
contains

  function member(i, n) result(t)
    integer, intent(in) :: i, n
    type(team) :: t
    t%size = int(n, c_int32_t)
    t%member = int(i, c_int32_t)
    t%outer64 = 0
    t%outer = 0
    t%rank = 1_c_int32_t
    t%reserved = 0_c_int32_t
    t%scratch = c_null_ptr
    t%scratch_bytes = 0_c_size_t
    t%tile = c_null_ptr
  end function

end program
