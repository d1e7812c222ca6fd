! The traps of docs/start/first-loop.md, each with its way out next to it.
module traps
  use portable_mod, only: parallel_for, parallel_reduce, bounds, tile
  implicit none
  real(8) :: flux, total, least, most
  real(8), allocatable :: a(:), b(:), table(:,:)
  real(8) :: work(10)
  logical :: bad
  integer :: i, count_of
  real(8), pointer :: h(:,:), hnew(:,:)
  common /old/ tmp, row
  real(8) :: tmp, row(10)
contains
  recursive subroutine shares(t)
    type(tile), intent(in) :: t
    do i = t%lower(1), t%upper(1)            !> shared-scalar i
      flux = a(i+1) - a(i)                   !> shared-scalar flux
      b(i) = flux
    end do
  end subroutine

  recursive subroutine own(t)
    type(tile), intent(in) :: t
    real(8) :: flux
    integer :: i
    do i = t%lower(1), t%upper(1)
      flux = a(i+1) - a(i)
      b(i) = flux
    end do
  end subroutine

  recursive subroutine sums(t)
    type(tile), intent(in) :: t
    integer :: i
    do i = t%lower(1), t%upper(1)
      total = total + a(i)                   !> reduction-by-hand total
      least = min(least, a(i))               !> reduction-by-hand least
      if (a(i) > most) most = a(i)           !> reduction-by-hand most
      if (a(i) < 0) bad = .true.             !> shared-scalar bad
      if (a(i) < 0) then
        count_of = count_of + 1              !> reduction-by-hand count_of
      end if
    end do
  end subroutine

  recursive subroutine commons(t)
    type(tile), intent(in) :: t
    integer :: i, k
    do i = t%lower(1), t%upper(1)
      tmp = a(i)                             !> shared-scalar tmp
      do k = 1, 10
        row(k) = tmp*k                       !> shared-array row
        work(k) = row(k)                     !> shared-array work
        table(k, i) = row(k)
      end do
      work(:) = 0
      work = 1
    end do
  end subroutine

  recursive subroutine saves(t)
    type(tile), intent(in) :: t
    integer, save :: calls
    integer :: first = 1, i
    real(8) :: known(3) = [1, 2, 3]          ! never assigned: a table
    integer :: n
    data n /0/
    calls = calls + 1                        !> saved-local calls
    first = 0                                !> saved-local first
    n = n + 1                                !> saved-local n
    do i = t%lower(1), t%upper(1)
      b(i) = known(2)
    end do
  end subroutine

  subroutine plain(t)                        !> not-recursive plain
    type(tile), intent(in) :: t
    real(8) :: large(100, 100)               !> static-array large
    real(8) :: small(10)
    integer :: i
    large = 0
    small = 1
    do i = t%lower(1), t%upper(1)
      b(i) = large(1, 1) + small(1)
    end do
  end subroutine

  recursive subroutine slow(t)
    type(tile), intent(in) :: t
    integer :: i, j
    do j = t%lower(2), t%upper(2)
      do i = t%lower(1), t%upper(1)
        hnew(i,j) = h(i,j) + h(i-1,j)        !> pointer-stencil h
      end do
    end do
  end subroutine

  recursive subroutine fast(t)
    type(tile), intent(in) :: t
    integer :: i, j
    associate (h => h, hnew => hnew)
      do j = t%lower(2), t%upper(2)
        do concurrent (i = t%lower(1):t%upper(1))
          hnew(i,j) = h(i,j) + h(i-1,j)
        end do
      end do
    end associate
  end subroutine

  subroutine host(n)
    integer, intent(in) :: n
    real(8) :: last, sum
    real(8) :: row(n)
    integer :: j
    call parallel_for('inner', bounds(n), kernel)
    call parallel_reduce('sum', bounds(n), add, sum)
    row(1) = last + sum
  contains
    recursive subroutine kernel(t)
      type(tile), intent(in) :: t
      do j = t%lower(1), t%upper(1)          !> shared-scalar j
        last = a(j)                          !> shared-scalar last
        row(j) = a(j)
      end do
    end subroutine
    recursive subroutine add(t, r)
      type(tile), intent(in) :: t
      real(8), intent(inout) :: r
      integer :: j
      do j = t%lower(1), t%upper(1)
        r = r + a(j)
      end do
    end subroutine
  end subroutine
end module
