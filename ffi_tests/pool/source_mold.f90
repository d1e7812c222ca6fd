! source= and mold=: values, shape and lower bounds, with and without dims, over sections, of zero size.
program source_mold
  use, intrinsic :: iso_fortran_env, only: int32, int64, real64
  use gator_mod
  use check_mod, only: check, check_nothing_live, finish_checks
  implicit none
  real(real64), pointer :: a(:, :), b(:, :), c(:, :, :), d(:, :, :)
  real(real64), target :: plain(0:4, -2:2)
  real(real64), allocatable, target :: kept(:, :)
  character(len=200) :: message
  integer :: stat, i, j, k
  nullify(a, b, c, d)
  do j = -2, 2
    do i = 0, 4
      plain(i, j) = real(10*i + j, real64)
    end do
  end do
  call gator_init()

  call gator_allocate(a, source=plain)
  call check(all(lbound(a) == [0, -2]) .and. all(ubound(a) == [4, 2]), 'bounds of a target')
  call check(same(a, plain), 'values of a target')
  call gator_allocate(b, source=a, label='copy')
  call check(all(lbound(b) == [0, -2]), 'bounds of a pointer')
  call check(same(a, b) .and. .not. associated(a, b), 'values of a pointer')
  call gator_deallocate(b)
  allocate (kept(3:4, 5:6))
  kept = 2.5_real64
  call gator_allocate(b, source=kept)
  call check(all(lbound(b) == [3, 5]) .and. same(b, kept), 'an allocatable target')
  deallocate (kept)
  call gator_deallocate(b)
  call gator_allocate(b, [5, 5], source=a)
  call check(all(lbound(b) == 1) .and. same(a, b), 'dims and source: bounds from dims')
  call gator_deallocate(b)
  call gator_allocate(b, [5_int64, 5_int64], [7_int64, 8_int64], source=a)
  call check(all(lbound(b) == [7, 8]) .and. same(a, b), 'dims and lbounds in 64 bits and source')
  call gator_deallocate(b)
  call gator_allocate(b, source=a, lbounds=[-5_int32, -6_int32])
  call check(all(lbound(b) == [-5, -6]) .and. same(a, b), 'lbounds and source')
  call gator_deallocate(b)

  ! sections: gaps in the first, in the second, in both dimensions, and backwards
  call gator_allocate(b, source=plain(0:4:2, :))
  call check(same(b, plain(0:4:2, :)), 'gaps in the first dimension')
  call gator_deallocate(b)
  call gator_allocate(b, source=plain(:, -2:2:2))
  call check(same(b, plain(:, -2:2:2)), 'gaps in the second dimension')
  call gator_deallocate(b)
  call gator_allocate(b, source=plain(1:4, 1:2))
  call check(same(b, plain(1:4, 1:2)), 'part of both dimensions')
  call gator_deallocate(b)
  call gator_allocate(b, source=plain(4:0:-1, 2:-2:-3))
  call check(same(b, plain(4:0:-1, 2:-2:-3)), 'backwards')
  call gator_deallocate(b)
  call gator_allocate(b, source=plain(2:2, :))
  call check(same(b, plain(2:2, :)), 'one row')
  call gator_deallocate(b)
  call gator_allocate(c, [3, 4, 5])
  do k = 1, 5
    do j = 1, 4
      do i = 1, 3
        c(i, j, k) = real(100*i + 10*j + k, real64)
      end do
    end do
  end do
  call gator_allocate(d, source=c(:, 2:3, ::2))
  call check(all(shape(d) == [3, 2, 3]), 'rank 3: shape')
  call check(all(abs(d - c(:, 2:3, ::2)) <= 0.0_real64), 'rank 3: values')
  call gator_deallocate(d)
  call gator_deallocate(c)

  call gator_allocate(b, mold=a)
  call check(all(lbound(b) == [0, -2]) .and. all(ubound(b) == [4, 2]), 'mold')
  call gator_deallocate(b)
  call gator_allocate(b, [2, 2], mold=a)
  call check(all(shape(b) == 2) .and. all(lbound(b) == 1), 'dims and mold: dims win')
  call gator_deallocate(b)
  call gator_allocate(b, source=plain(0:-1, :))
  call check(associated(b) .and. size(b) == 0, 'a source of zero size')
  call gator_deallocate(b)

  call gator_allocate(b, [5, 4], source=a, stat=stat, errmsg=message)
  call check(stat == gator_err_arg .and. index(message, 'shape') > 0, 'another shape')
  call gator_allocate(b, source=a, mold=a, stat=stat, errmsg=message)
  call check(stat == gator_err_arg .and. index(message, 'mold') > 0, 'source and mold')
  call check(.not. associated(b), 'nothing is allocated after an error')
  call gator_allocate(b, source=b, stat=stat, errmsg=message)
  call check(stat == gator_err_arg .and. index(message, 'source') > 0, 'a null source')
  call gator_allocate(b, mold=b, stat=stat, errmsg=message)
  call check(stat == gator_err_arg .and. index(message, 'mold') > 0, 'a null mold')

  ! an array that is its own source: the old memory is still there under another name
  b => a
  call gator_allocate(a, source=a) ! with the warning of an associated pointer
  call check(same(a, b) .and. .not. associated(a, b), 'its own source')
  call gator_deallocate(b)
  call gator_deallocate(a)
  call check_nothing_live()
  call gator_finalize()
  call finish_checks()
contains
  function same(x, y)
    real(real64), intent(in) :: x(:, :), y(:, :)
    logical :: same
    same = all(shape(x) == shape(y))
    if (same) same = all(abs(x - y) <= 0.0_real64)
  end function
end program
