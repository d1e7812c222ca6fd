! Bounds with more dimensions than a kernel reads of its tile, and with fewer.
module ranks
  use portable_mod
  implicit none
  integer, parameter :: nx = 100, ny = 50
  real :: a(nx, ny)
contains
  recursive subroutine plane(t)
    type(tile), intent(in) :: t
    integer :: i, j
    do j = t%lower(2), t%upper(2)
      do i = t%lower(1), t%upper(1)
        a(i, j) = 1
      end do
    end do
  end subroutine
  recursive subroutine row(t)
    type(tile), intent(in) :: t
    integer :: i
    do i = t%lower(1), t%upper(1)
      a(i, 1) = 1
    end do
  end subroutine
  recursive subroutine wide_row(t)
    type(tile), intent(in) :: t
    integer(8) :: i
    do i = t%lower64(1), t%upper64(1)
      a(i, 1) = 1
    end do
  end subroutine
  recursive subroutine any_rank(t)
    type(tile), intent(in) :: t
    integer :: i, j
    j = 1
    if (t%rank > 1) j = t%lower(2)
    do i = t%lower(1), t%upper(1)
      a(i, j) = 1
    end do
  end subroutine
  recursive subroutine hands_on(t)
    type(tile), intent(in) :: t
    integer :: i
    do i = t%lower(1), t%upper(1)
      call column(t, i)
    end do
  end subroutine
  recursive subroutine column(t, i)
    type(tile), intent(in) :: t
    integer, intent(in) :: i
    integer :: j
    do j = t%lower(2), t%upper(2)
      a(i, j) = 1
    end do
  end subroutine
  recursive subroutine counts(t)
    type(tile), intent(in) :: t
    if (t%number < 0) call kernel_fail(t, 1, 'never')
  end subroutine
  recursive subroutine columns(t)
    type(team), intent(in) :: t
    a(1, t%outer(1)) = t%outer(2)
    call parallel_inner(t, bounds(nx), inner)   !> bounds-rank inner
  contains
    recursive subroutine inner(k)
      type(tile), intent(in) :: k
      integer :: i
      do i = k%lower(1), k%upper(2)
        a(i, t%outer(1)) = 0
      end do
    end subroutine
  end subroutine
  recursive subroutine nested(t)
    type(tile), intent(in) :: t
    integer :: i
    do i = t%lower(1), t%upper(1)
      call column()
    end do
  contains
    recursive subroutine column()
      integer :: j
      do j = t%lower(2), t%upper(2)
        a(i, j) = 1
      end do
    end subroutine
  end subroutine
  recursive subroutine with_kind(t)
    type(tile), intent(in) :: t
    integer :: i, j
    do j = t%lower(2_4), t%upper(2_4)
      do i = t%lower(1), t%upper(1)
        a(i, j) = 1
      end do
    end do
  end subroutine
  recursive subroutine renamed(t)
    type(tile), intent(in) :: t
    integer :: i
    associate (k => t)
      do i = k%lower(1), k%upper(1)
        a(i, k%lower(2):k%upper(2)) = t%lower(1)
      end do
    end associate
  end subroutine
  subroutine launches(n, m, lower, upper)
    integer, intent(in) :: n, m, lower(:), upper(:)
    call parallel_for('two extents', bounds(nx, ny), plane)   !> bounds-rank plane
    call parallel_for('of variables', bounds(n + 1, m), plane) !> bounds-rank plane
    call parallel_for('sizes', kernel=plane, bounds=bounds(size(a, 1), upper(2))) !> bounds-rank plane
    call parallel_for('one', bounds(n), plane)                !> bounds-rank plane
    call parallel_for('old', bounds((/1, 1/), (/nx, ny/)), row) !> bounds-rank row
    call parallel_for('two', bounds([1, 1], [nx, ny]), wide_row) !> bounds-rank wide_row
    call parallel_for('three', bounds([1, 1, 1], [nx, ny, 2], [1, 1, 1]), plane) !> bounds-rank plane
    call parallel_outer('teams', bounds(ny), columns)         !> bounds-rank columns
    call parallel_for('right', bounds([1, 1], [nx, ny]), plane)
    call parallel_for('a row', bounds(2, nx), row)
    call parallel_for('arrays', bounds(lower, upper), plane)
    call parallel_for('sections', bounds(lower(1:2), upper(1:2)), row)
    call parallel_for('asks', bounds(n, m), any_rank)
    call parallel_for('handed on', bounds([1, 1], [nx, ny]), hands_on)
    call parallel_for('inside', bounds([1, 1], [nx, ny]), nested)
    call parallel_for('kinds', bounds([1, 1], [nx, ny]), with_kind)
    call parallel_for('associate', bounds([1, 1], [nx, ny]), renamed)
    call parallel_for('no index', bounds([1, 1], [nx, ny]), counts)
  end subroutine
end module
