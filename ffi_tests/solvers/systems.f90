! systems.f90 - solves of Fortran: ranks, dims, sections, one matrix, periodic, both kinds, with the bits of one column; errors name the argument. Not in
! this file: the numbers of the column (oracles.c), all layouts (systems.c).
program systems
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  use portable_mod
  use gator_mod, only: gator_init, gator_finalize, gator_err_arg
  use check_mod
  implicit none
  character(200) :: text
  integer :: status
  call gator_init()
  call rank_3()
  call rank_7()
  call single()
  call sections()
  call five()
  call faults()
  call gator_finalize()
  call finish_checks()
contains

  subroutine rank_3()
    real(real64), target :: a(6,5,40), b(6,5,40), c(6,5,40), x(6,5,40), before(6,5,40), column(40)
    real(real64), target :: low(40), mid(40), up(40)
    integer :: i, j, row
    logical :: round
    integer :: turn
    call random_number(a)
    call random_number(b)
    call random_number(c)
    call random_number(before)
    call random_number(low)
    call random_number(mid)
    call random_number(up)
    b = b + 3
    mid = mid + 3
    do turn = 1, 2
      round = turn == 2
      x = before
      call solve_tridiagonal(a, b, c, x, dim=3, label='columns', periodic=round, stat=status, errmsg=text)
      call check(status == 0, 'rank 3')
      do j = 1, 5
        do i = 1, 6
          column = before(i,j,:)
          call tridiagonal_column(a(i,j,:), b(i,j,:), c(i,j,:), column, periodic=round, row=row)
          call check(row == 0 .and. all(transfer(column, [1_int64]) == transfer(x(i,j,:), [1_int64])), 'bits of rank 3')
        end do
      end do
      x = before
      call solve_tridiagonal(low, mid, up, x, 3, round)
      do j = 1, 5
        do i = 1, 6
          column = before(i,j,:)
          call tridiagonal_column(low, mid, up, column, round)
          call check(all(transfer(column, [1_int64]) == transfer(x(i,j,:), [1_int64])), 'bits of one matrix')
        end do
      end do
    end do
  end subroutine

  subroutine rank_7()
    real(real64), target :: a(2,1,2,5,1,3,2), b(2,1,2,5,1,3,2), x(2,1,2,5,1,3,2), y(2,1,2,5,1,3,2), vector(9), other(9)
    call random_number(a)
    call random_number(x)
    b = a + 2
    y = x
    call solve_tridiagonal(a, b, a, x, dim=4)
    call tridiagonal_column(a(2,1,1,:,1,3,2), b(2,1,1,:,1,3,2), a(2,1,1,:,1,3,2), y(2,1,1,:,1,3,2))
    call check(all(transfer(x(2,1,1,:,1,3,2), [1_int64]) == transfer(y(2,1,1,:,1,3,2), [1_int64])), 'bits of rank 7')
    call random_number(vector)
    other = 1
    call solve_tridiagonal(vector, vector + 2, vector, other)
    y(:,1,1,1,1,1,1) = other(:2)
    other = 1
    call tridiagonal_column(vector, vector + 2, vector, other)
    call check(all(transfer(y(:,1,1,1,1,1,1), [1_int64]) == transfer(other(:2), [1_int64])), 'rank 1 needs no dim')
  end subroutine

  subroutine single()
    real(real32), target :: a(30,20), b(30,20), x(30,20), y(30,20)
    integer :: i, turn
    call random_number(a)
    call random_number(y)
    b = a + 3
    do turn = 1, 2
      x = y
      call solve_tridiagonal(a, b, a, x, dim=1, periodic=turn == 2)
      do i = 1, 20
        call tridiagonal_column(a(:,i), b(:,i), a(:,i), y(:,i), turn == 2)
      end do
      call check(all(transfer(x, [1_int32]) == transfer(y, [1_int32])), 'bits of real32')
      call solve_pentadiagonal(a, a, b, a, a, x, dim=2, periodic=turn == 2)
      do i = 1, 30
        call pentadiagonal_column(a(i,:), a(i,:), b(i,:), a(i,:), a(i,:), y(i,:), turn == 2)
      end do
      call check(all(transfer(x, [1_int32]) == transfer(y, [1_int32])), 'bits of five diagonals of real32')
    end do
  end subroutine

  subroutine sections()
    real(real64), target :: a(40,30), x(40,30), y(40,30), mid(30)
    integer :: i
    call random_number(a)
    call random_number(x)
    y = x
    mid = 4
    call solve_tridiagonal(a(40:2:-2,:), a(1:39:2,:) + 3, a(2:40:2,30:1:-1), x(39:1:-2,30:1:-1), dim=2)
    do i = 1, 20
      call tridiagonal_column(a(42-2*i,:), a(2*i-1,:) + 3, a(2*i,30:1:-1), y(41-2*i,30:1:-1))
    end do
    call check(all(transfer(x, [1_int64]) == transfer(y, [1_int64])), 'bits of sections')
    call solve_tridiagonal(a(3,:), mid, a(3,30:1:-1), x(::3,:), dim=2)
    do i = 1, 40, 3
      call tridiagonal_column(a(3,:), mid, a(3,30:1:-1), y(i,:))
    end do
    call check(all(transfer(x, [1_int64]) == transfer(y, [1_int64])), 'bits of a section with one matrix')
  end subroutine

  subroutine five()
    real(real64), target :: a(7,50), b(7,50), d(7,50), x(7,50), y(7,50), low(50), mid(50)
    integer :: i, turn, row, n
    call random_number(a)
    call random_number(b)
    call random_number(y)
    call random_number(low)
    d = a + 4
    mid = low + 4
    do turn = 1, 2
      x = y
      call solve_pentadiagonal(a, b, d, b, a, x, dim=2, periodic=turn == 2)
      do i = 1, 7
        call pentadiagonal_column(a(i,:), b(i,:), d(i,:), b(i,:), a(i,:), y(i,:), turn == 2, row)
        call check(row == 0, 'no pivot of 0')
      end do
      call check(all(transfer(x, [1_int64]) == transfer(y, [1_int64])), 'bits of five diagonals')
      call solve_pentadiagonal(low, low, mid, low, low, x, dim=2, periodic=turn == 2)
      do i = 1, 7
        call pentadiagonal_column(low, low, mid, low, low, y(i,:), turn == 2)
      end do
      call check(all(transfer(x, [1_int64]) == transfer(y, [1_int64])), 'bits of one matrix of five diagonals')
      do n = 0, 6
        call solve_pentadiagonal(a(:,:n), b(:,:n), d(:,:n), b(:,:n), a(:,:n), x(:,:n), dim=2, periodic=turn == 2)
        call solve_tridiagonal(b(:,:n), d(:,:n), a(:,:n), x(:,:n), dim=2, periodic=turn == 2)
        do i = 1, 7
          call pentadiagonal_column(a(i,:n), b(i,:n), d(i,:n), b(i,:n), a(i,:n), y(i,:n), turn == 2)
          call tridiagonal_column(b(i,:n), d(i,:n), a(i,:n), y(i,:n), turn == 2)
        end do
        call check(all(transfer(x, [1_int64]) == transfer(y, [1_int64])), 'bits of few rows')
      end do
    end do
  end subroutine

  subroutine faults()
    real(real64), target :: a(6,9), b(6,9), x(6,9), v(9), short(8)
    integer :: row
    a = 1
    b = 3
    x = 1
    v = 1
    short = 1
    b(4,1) = 0
    b(2,5) = -1e300_real64
    call solve_tridiagonal(a, b, a, x, dim=2, label='vdiff', stat=status, errmsg=text)
    call check(status == gator_err_arg .and. &
               index(text, "solve_tridiagonal 'vdiff': in system (4,:) the pivot of row 1 is 0") > 0, text)
    call check(all(x(4,:) /= x(4,:)) .and. all(x(5,:) <= x(5,:)), 'only its system is NaN')
    call tridiagonal_column(a(4,:), b(4,:), a(4,:), v, row=row)
    call check(row == 1 .and. all(v /= v), 'the row of a column')
    call tridiagonal_column(a(4,:), short, a(4,:), v, row=row)
    call check(row == -1 .and. all(v /= v), 'sizes of a column')
    v = 1
    x = 1
    call solve_tridiagonal(a, b(:,:8), a, x, dim=2, stat=status, errmsg=text)
    call check(status == gator_err_arg .and. index(text, 'extent 2 of diag is 8; the array has 9 there') > 0, text)
    call solve_tridiagonal(v, v, short, x, dim=2, stat=status, errmsg=text)
    call check(status == gator_err_arg .and. index(text, 'upper has 8 elements; the systems have 9 rows') > 0, text)
    call solve_tridiagonal(a, b, a, x, stat=status, errmsg=text)
    call check(status == gator_err_arg .and. index(text, 'dim is not 1 to 2') > 0, text)
    call solve_tridiagonal(a, b, a, x, dim=3, stat=status, errmsg=text)
    call check(status == gator_err_arg .and. index(text, 'dim is not 1 to 2') > 0, text)
    call solve_pentadiagonal(a, a, b, a, a, x, dim=-1, stat=status, errmsg=text)
    call check(status == gator_err_arg .and. index(text, "solve_pentadiagonal 'solve_pentadiagonal': dim is not 1 to 2") > 0, text)
    call check(all(x <= 1) .and. all(x >= 1), 'nothing changes')
  end subroutine
end program
