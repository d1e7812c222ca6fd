! Kinds of memory from Fortran with a cuda device: managed, pinned and device memory, by gator_allocate and by array handles.
module spot_mod
  implicit none
  type :: spot
    integer :: id = 5
  end type
end module spot_mod

module spot_pool_mod
  use spot_mod, only: gator_type => spot
  include 'gator_derived.inc'
end module spot_pool_mod

program places
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use gator_mod
  use portable_pool_mod
  use portable_array_mod, only: portable_array, portable_array_host_copy, portable_array_device_copy, portable_array_equal
  use portable_core_mod, only: portable_stream_create, portable_stream_destroy
  use portable_mod, only: portable_init, portable_finalize, default_device
  use spot_mod, only: spot
  use spot_pool_mod, only: gator_allocate, gator_deallocate
  use check_mod
  use expect_mod
  implicit none
  type(spot), pointer :: spots(:)
  real(real64), pointer :: h(:,:), d(:,:), back(:,:)
  type(portable_array) :: here, there, pinned, near, far
  integer(int64) :: own, of_space, stream
  integer :: space, codes(3), i
  call portable_init()
  codes = [portable_reach_host, portable_reach_host, portable_reach_device]
  do i = 1, 3
    space = merge(portable_space_device(0), i, i == 3)
    call gator_allocate(h, [4,3], label='h', space=space)
    call check_equal(int(portable_reach(c_loc(h)), int64), int(codes(i), int64), 'reach')
    of_space = portable_pool_of_space(space)
    own = portable_pool_of(c_loc(h))
    if (own == 0_int64) own = portable_pool_default()
    call check_equal(own, of_space, 'the pool of the space')
    call gator_deallocate(h)
    call check(.not. associated(h), 'deallocated')
    call portable_pool_create(own, 'own', space=space, limit_mb=4)
    call gator_allocate(h, [4,3], label='h', pool=own)
    call check_equal(int(portable_reach(c_loc(h)), int64), int(codes(i), int64), 'reach of a pool')
    call gator_deallocate(h)
    call portable_pool_destroy(own)
  end do
  call check_equal(portable_pool_of_device(0), 0_int64, 'the default device has the default pool')
  call check(portable_space_of_device(0) == portable_space_managed, 'managed')

  ! Values come and go by copies only.
  call gator_allocate(back, [4,3])
  back = reshape([(real(i, real64), i=1, 12)], [4,3])
  call gator_allocate(d, source=back, label='d', space=portable_space_device(0), stat=stat, errmsg=text)
  call expect(gator_err_arg, 'gator_allocate of ''d'': the host does not reach this memory')
  call check_equal(live_blocks(), 1_int64, 'nothing is left of it')
  call gator_allocate(spots, [3], label='spots', space=portable_space_device(0), stat=stat, errmsg=text)
  call expect(gator_err_arg, 'gator_allocate of ''spots'': the host does not reach this memory, so elements of a derived type')
  call gator_allocate(spots, [3], label='spots', space=portable_space_pinned)
  call check(all(spots%id == 5), 'elements in pinned memory')
  call gator_deallocate(spots)
  call check_equal(live_blocks(), 1_int64, 'nothing is left of them')
  call there%create([4,3], label='there', space=portable_space_device(0))
  call pinned%create([4,3], label='pinned', space=portable_space_pinned)
  call here%wrap(back, label='here')
  call here%copy_to(there)
  call there%copy_to(pinned)
  call pinned%get(h)
  call check(all(nint(h) == nint(back)), 'through device memory')
  call there%get(d, stat=stat, errmsg=text)
  call check(associated(d) .eqv. stat == 0, 'a pointer to device memory')
  call check(portable_reach(there%address()) == portable_reach_device, 'an array in device memory')
  ! A handle knows the memory of its pool, so it gives no pointer that the host must not use.
  call portable_pool_create(own, 'own', space=portable_space_device(0), limit_mb=4)
  call far%create([4,3], label='far', pool=own, zero=.true.)
  call check(portable_reach(far%address()) == portable_reach_device, 'a handle of a pool in device memory')
  nullify (d)
  call far%get(d, stat=stat, errmsg=text)
  call expect(gator_err_arg, 'portable_array_get of ''far''')
  call check(.not. associated(d), 'no pointer')
  call far%release()
  call portable_pool_destroy(own)
  call gator_allocate(h, [2,2], label='x', space=portable_space_device(9), stat=stat, errmsg=text)
  call expect(gator_err_nodevice, 'gator_allocate of ''x'': ')
  ! Copies that say where they run.
  call portable_stream_create(stream)
  call portable_array_device_copy(here, far, device=default_device())
  call portable_array_host_copy(far, near, stream=stream)
  call check(portable_array_equal(near, here), 'host_copy in a stream')
  call portable_array_device_copy(here, far, stream=int(z'123', int64), stat=stat, errmsg=text)
  call expect(gator_err_handle, '')
  call check(portable_array_equal(far, near), 'the contents stay')
  call near%release()
  call far%release()
  call portable_stream_destroy(stream)
  call there%release()
  call pinned%release()
  call here%release()
  call gator_deallocate(back)
  call check_nothing_live()
  call portable_finalize()
  call finish_checks()
end program places
