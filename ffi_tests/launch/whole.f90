! whole.f90 - one `use portable` has all modules: a name of each, and generics that two modules share. Not here: what the names do (rooms of their own).
module whole_work
  use, intrinsic :: iso_c_binding
  use portable
  implicit none
  real(8), pointer :: h(:,:)
  type, bind(c) :: factor_t
    real(c_double) :: by
  end type
contains
  ! A kernel of a list of arguments, as generated code has them: the sum of the indices, and the largest one.
  recursive subroutine of_list(t, block, r) bind(c, name='')
    type(tile), intent(in) :: t
    type(factor_t), intent(in) :: block
    type(c_ptr), intent(in) :: r(*)
    real(c_double), pointer :: total
    integer(c_int64_t), pointer :: most
    integer :: i
    call c_f_pointer(r(1), total)
    call c_f_pointer(r(2), most)
    do i = t%lower(1), t%upper(1)
      total = total + block%by*i
      most = max(most, int(i, c_int64_t))
    end do
  end subroutine
  recursive subroutine twice(t)
    type(tile), intent(in) :: t
    integer :: i, j
    do j = t%lower(2), t%upper(2)
      do i = t%lower(1), t%upper(1)
        h(i,j) = 2*h(i,j)
      end do
    end do
  end subroutine
end module whole_work

program whole
  use, intrinsic :: iso_c_binding, only: c_funloc
  use portable
  use whole_work
  use check_mod
  implicit none
  integer(8) :: pool, hook
  real(8), pointer :: of_handle(:), d8(:,:,:,:,:,:,:,:)
  real(8) :: along(3), noise(8), total, column(4)
  integer(8) :: most
  type(portable_device_t) :: device
  type(portable_array) :: a
  type(portable_twin) :: w
  type(portable_record) :: one
  type(portable_records) :: r
  type(portable_argument) :: arguments(2)
  call portable_init()
  call portable_pool_create(pool, 'whole')
  call gator_allocate(h, [4,3], pool=pool)
  call portable_fill(h, 1d0, device=find_device('serial'))
  call parallel_for('twice', bounds([1,1], [4,3]), twice)
  call check(nint(reduce_sum(h)) == 24, 'a sum')
  along = reduce_sum(h, 1)
  call check(all(nint(along) == 8), 'sums along a dimension')
  call gator_allocate(d8, [1,1,1,1,1,1,1,2])
  call check(size(d8) == 2, 'eight dimensions')
  call a%allocate(of_handle, [5], label='of a handle')
  arguments = [arg(a), arg(h)]
  total = 0
  most = 0_8
  call parallel_reduce('of a list', bounds(100), c_funloc(of_list), [portable_result(total), portable_result(most, 'max')], &
                       [arg(2d0)])
  call check(nint(total) == 10100 .and. most == 100_8, 'several results of a list of arguments')
  call random_fill(noise, random_key(seed=1, step=2, series=3))
  call check(all(noise >= 0d0 .and. noise < 1d0), 'random numbers')
  column = [1d0, 2d0, 3d0, 4d0]
  call tridiagonal_column([0d0, 0d0, 0d0, 0d0], [2d0, 2d0, 2d0, 2d0], [0d0, 0d0, 0d0, 0d0], column)
  call check(all(nint(2*column) == [1, 2, 3, 4]), 'a column of a solver')
  call portable_device_properties(find_device('serial'), device)
  call check(device%kind == portable_device_host, 'properties')
  hook = 0
  call portable_hook_remove(hook)
  call one%add('x', portable_real64)
  call r%create(one, [3])
  call check(r%allocated(), 'records')
  call check(.not. w%allocated(), 'twins')
  call r%release()
  call a%release()
  call gator_deallocate(d8)
  call gator_deallocate(h)
  call portable_pool_destroy(pool)
  call portable_finalize()
  call finish_checks()
end program whole
