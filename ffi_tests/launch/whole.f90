! whole.f90 - one `use portable` has all modules: a name of each, and generics that two modules share. Not here: what the names do (rooms of their own).
module whole_work
  use portable
  implicit none
  real(8), pointer :: h(:,:)
contains
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
  use, intrinsic :: iso_c_binding, only: c_int64_t
  use portable
  use whole_work
  use check_mod
  implicit none
  integer(8) :: pool, hook
  real(8), pointer :: of_handle(:), d8(:,:,:,:,:,:,:,:)
  real(8) :: along(3)
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
