! divided.f90 - work divisions that drive launches from Fortran: both forms of kernels, outer iterations, a version for devices; results have the bits of
! plain loops; refusals. Not in this file: divisions as data (divisions.f90), shapes on a device (divided.c).
module divided_mod
  use, intrinsic :: iso_c_binding, only: c_f_pointer
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use check_mod, only: check
  use portable_mod
  implicit none
  integer, parameter :: rows = 83, columns = 45, height = 12, width = 8
  real(real64), pointer, contiguous :: x(:,:) => null(), y(:,:) => null()
  type(work_division) :: w
contains

  recursive subroutine plain(t)
    type(tile), intent(in) :: t
    integer :: i, j
    integer(int64) :: place(2), lower(2), upper(2)
    call work_place(w, int(t%lower(1:2), int64), place)
    call work_box(w, place, lower, upper)
    call check(all(lower == t%lower(1:2)) .and. all(upper == t%upper(1:2)), 'a tile is a block')
    do j = t%lower(2), t%upper(2)
      do i = t%lower(1), t%upper(1)
        y(i, j) = x(i, j)/3 + 0.25_real64*i
      end do
    end do
  end subroutine

  ! Each element gets that of the opposite end of its block, through scratch.
  recursive subroutine opposite(t)
    type(team), intent(in) :: t
    real(real64), pointer :: copy(:,:)
    integer(int64) :: from(2), to(2), lower(2), upper(2), i, j
    integer :: part
    call c_f_pointer(t%scratch, copy, [height, width])
    call work_box(w, t%outer64(1:2), from, to)
    do part = 1, work_parts(w, t)
      call work_part(w, t, part, lower, upper)
      do j = lower(2), upper(2)
        do i = lower(1), upper(1)
          copy(i - from(1) + 1, j - from(2) + 1) = x(i, j)
        end do
      end do
    end do
    call fence_inner(t)
    do part = 1, work_parts(w, t)
      call work_part(w, t, part, lower, upper)
      do j = lower(2), upper(2)
        do i = lower(1), upper(1)
          y(i, j) = 3*x(i, j) - copy(to(1) - i + 1, to(2) - j + 1)
        end do
      end do
    end do
  end subroutine

  pure function mirrored(i, size, n) result(k)
    integer, intent(in) :: i, size, n
    integer :: k, first
    first = (i - 1)/size*size + 1
    k = first + min(first + size - 1, n) - i
  end function

end module

program divided
  use check_mod, only: finish_checks
  use gator_mod, only: gator_allocate, gator_deallocate, gator_err_arg
  use divided_mod
  implicit none
  character(300) :: text
  integer :: i, j, stat
  logical :: good
  call portable_init()
  call gator_allocate(x, [rows, columns])
  call gator_allocate(y, [rows, columns])
  do j = 1, columns
    do i = 1, rows
      x(i, j) = 1.0_real64/(3*i + 7*j)
    end do
  end do
  call divide_work(bounds([1, 1], [rows, columns]), w, threads=[4, 2], elements=[3, 4])
  y = 0
  call parallel_for('plain', bounds([1, 1], [rows, columns]), plain, division=w)
  good = .true.
  do j = 1, columns
    do i = 1, rows
      good = good .and. transfer(y(i, j), 0_int64) == transfer(x(i, j)/3 + 0.25_real64*i, 0_int64)
    end do
  end do
  call check(good, 'parallel_for')
  y = 0
  call parallel_outer('opposite', work_grid(w), opposite, scratch_bytes=8*height*width, division=w)
  good = .true.
  do j = 1, columns
    do i = 1, rows
      good = good .and. transfer(y(i, j), 0_int64) == &
        transfer(3*x(i, j) - x(mirrored(i, height, rows), mirrored(j, width, columns)), 0_int64)
    end do
  end do
  call check(good, 'parallel_outer')
  call parallel_for('other bounds', bounds([1, 1], [rows, columns + 1]), plain, division=w, stat=stat, errmsg=text)
  call check(stat == gator_err_arg .and. index(text, 'the division is of 45 iterations from 1 on by 1 in dimension 2') > 0, text)
  call parallel_outer('no grid', bounds([1, 1], [rows, columns]), opposite, division=w, stat=stat, errmsg=text)
  call check(stat == gator_err_arg .and. index(text, 'level block: the grid of the division has 7 blocks from 1 on') > 0, text)
  call parallel_for('both', bounds([1, 1], [rows, columns]), plain, tile=[2, 2], division=w, stat=stat, errmsg=text)
  call check(stat == gator_err_arg .and. index(text, 'a tile or a cut') > 0, text)
  call gator_deallocate(x)
  call gator_deallocate(y)
  call portable_finalize()
  call finish_checks()
end program
