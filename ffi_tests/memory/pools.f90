!> Pools of the program's own from Fortran: arrays and blocks in them, functions that give slabs, lists, and what is refused.
!> Not here: memory of devices (cuda/memory/places.f90), arrays that know their shape (arrays/handles.f90).
module slabs
  use, intrinsic :: iso_c_binding
  implicit none
  type :: slab_t
    integer(c_int64_t), pointer :: words(:) => null()
  end type
  integer, target :: given = 0, taken = 0
  type(slab_t), save :: slabs_given(100)
contains
  function give(bytes, payload) result(slab) bind(c)
    integer(c_size_t), value :: bytes
    type(c_ptr), value :: payload
    type(c_ptr) :: slab
    integer, pointer :: n
    call c_f_pointer(payload, n)
    n = n + 1
    allocate (slabs_given(n)%words(bytes/8_c_size_t + 1_c_size_t))
    slab = c_loc(slabs_given(n)%words)
  end function
  subroutine take(slab, bytes, payload) bind(c)
    type(c_ptr), value :: slab
    integer(c_size_t), value :: bytes
    type(c_ptr), value :: payload
    integer :: i
    do i = 1, size(slabs_given)
      if (.not. associated(slabs_given(i)%words)) cycle
      if (.not. c_associated(c_loc(slabs_given(i)%words), slab)) cycle
      if (bytes > 0_c_size_t .and. c_associated(payload)) taken = taken + 1
      deallocate (slabs_given(i)%words)
    end do
  end subroutine
end module slabs

module visits
  use, intrinsic :: iso_c_binding
  use portable_pool_mod, only: portable_block_t
  implicit none
  integer(c_int64_t) :: seen_bytes = 0_c_int64_t
  integer :: seen = 0
contains
  function visit(block, payload) result(ends) bind(c)
    type(portable_block_t), intent(in) :: block
    type(c_ptr), value :: payload
    integer(c_int32_t) :: ends
    seen = seen + 1
    seen_bytes = seen_bytes + block%bytes
    ends = 0_c_int32_t
    if (c_associated(payload)) ends = 1_c_int32_t ! one is enough
  end function
end module visits

module grain_mod
  implicit none
  type :: grain
    integer :: id = -3
    real, allocatable :: history(:)
  end type
end module grain_mod

module grain_pool_mod
  use grain_mod, only: gator_type => grain
  include 'gator_derived.inc'
end module grain_pool_mod

program pools
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, real32, real64
  use gator_mod
  use portable_pool_mod
  use grain_mod, only: grain
  use grain_pool_mod, only: gator_allocate, gator_deallocate
  use slabs, only: give, take, given, taken
  use visits, only: visit, seen, seen_bytes
  use check_mod
  use expect_mod
  implicit none
  integer(int64) :: pool, other, none
  type(gator_stats_t) :: stats
  type(portable_block_t) :: block
  real(real64), pointer :: h(:,:), big(:), b(:)
  real(real32), pointer :: f(:,:,:)
  real(real64), target :: values(2,3)
  real(real64), pointer :: from(:,:), first(:,:)
  type(grain), pointer :: grains(:), inner(:)
  type(c_ptr) :: address
  integer(int64) :: released
  integer :: unit
  character(80) :: line
  call gator_init()

  ! An array of a pool knows where it goes back to.
  call portable_pool_create(pool, 'halo', limit_mb=1, block_bytes=64)
  call gator_allocate(h, [3,4], [0,-1], label='h', pool=pool)
  call check(lbound(h, 2) == -1 .and. ubound(h, 1) == 2, 'bounds')
  h = 7
  call gator_get_stats(stats, pool=pool)
  call check_equal(stats%in_use_blocks, 1_int64, 'blocks of the pool')
  call check_equal(stats%in_use_bytes, 96_int64, 'bytes of the pool')
  call check_equal(stats%limit_bytes, 1048576_int64, 'limit of the pool')
  call check_equal(live_blocks(), 0_int64, 'the default pool has none')
  call check_equal(portable_pool_of(c_loc(h(1,0))), pool, 'pool of an address')
  call check(portable_reach(c_loc(h)) == portable_reach_host, 'the host reaches it')
  call portable_pool_find(pool, c_loc(h(2,2)), block)
  call check(c_associated(block%address, c_loc(h)) .and. block%bytes == 96_c_int64_t .and. block%waiting == 0, 'found')
  call gator_allocate(b, [10], pool=0_int64)
  call check_equal(portable_pool_of(c_loc(b)), 0_int64, 'pool 0 is the default one')
  call check(portable_pool_default() /= 0_int64, 'its handle')
  call gator_deallocate(b)
  call gator_allocate(f, [2_int64,2_int64,2_int64], space=portable_space_host)
  call check_equal(portable_pool_of(c_loc(f)), 0_int64, 'memory of the host is the default pool''s')
  call gator_deallocate(f)
  call gator_allocate(b, [5], label='p', space=portable_space_pinned)
  b = 1
  call check(portable_reach(c_loc(b)) == portable_reach_host, 'pinned memory is the host''s')
  call gator_deallocate(b)

  ! Values of a source; shape of a mold.
  values = reshape([1d0,2d0,3d0,4d0,5d0,6d0], [2,3])
  from => values(2:1:-1,:)
  first => h
  call gator_allocate(h, source=from, label='copy', pool=pool)
  call check(all(nint(h) == nint(reshape([2d0,1d0,4d0,3d0,6d0,5d0], [2,3]))), 'source=')
  call gator_get_stats(stats, pool=pool)
  call check_equal(stats%in_use_blocks, 2_int64, 'the first array is still there')

  ! Arrays of a derived type: their elements are initialised and finalised there, too.
  call gator_allocate(grains, [7], [0], label='grains', pool=pool)
  call check(all(grains%id == -3) .and. lbound(grains, 1) == 0, 'default values')
  call check_equal(portable_pool_of(c_loc(grains(6)%id)), pool, 'pool of an element')
  allocate (grains(3)%history(100))
  inner => grains(2:)
  call gator_deallocate(inner, stat=stat, errmsg=text)
  call expect(gator_err_pointer, 'gator_deallocate: the pointer is not a live block: it is ')
  call gator_deallocate(grains)
  call check(.not. associated(grains), 'deallocated')
  call gator_get_stats(stats, pool=pool)
  call check_equal(stats%in_use_blocks, 2_int64, 'the block is free')
  call gator_allocate(grains, [2], label='grains', pool=pool + 1_int64, stat=stat, errmsg=text)
  call expect(gator_err_handle, 'gator_allocate of ''grains'': ')

  ! Lists and reports.
  call portable_pool_list(pool, c_funloc(visit))
  call check(seen == 2 .and. seen_bytes == 144_c_int64_t, 'list')
  call portable_pool_list(pool, c_funloc(visit), c_loc(given))
  call check(seen == 3, 'a visitor ends the list')
  open (newunit=unit, status='scratch', action='readwrite')
  call gator_report(unit, pool=pool)
  rewind (unit)
  read (unit, '(a)') line
  call check(index(line, 'halo') > 0, 'report: '//trim(line))
  close (unit)
  call gator_check(pool=pool)
  call gator_trim(released, pool=pool)

  ! Refused calls, which change nothing.
  nullify (big)
  call gator_allocate(big, [200000], label='big', pool=pool, stat=stat, errmsg=text)
  call expect(gator_err_nomem, 'gator_allocate of ''big'': ')
  call check(.not. associated(big) .and. index(text, 'halo') > 0, 'the pool is named: '//trim(text))
  call gator_allocate(big, [10], pool=pool, space=portable_space_host, stat=stat, errmsg=text)
  call expect(gator_err_arg, 'gator_allocate: pool= and space= exclude each other')
  call gator_allocate(big, [10], label='x', space=-5, stat=stat, errmsg=text)
  call expect(gator_err_arg, 'gator_allocate of ''x'': portable_pool_of_space: space is -')
  call gator_allocate(big, [10], label='x', space=portable_space_device(0), stat=stat, errmsg=text)
  call expect(gator_err_nodevice, 'gator_allocate of ''x'': ')
  call gator_allocate(big, [10], pool=pool + 1_int64, stat=stat, errmsg=text)
  call expect(gator_err_handle, 'gator_allocate: ')
  call gator_allocate(big, [-1], label='x', pool=pool, stat=stat, errmsg=text)
  call expect(gator_err_arg, 'gator_allocate of ''x'': ')
  call portable_pool_create(none, limit_mb=-1, stat=stat, errmsg=text)
  call expect(gator_err_arg, 'portable_pool_create: a size is negative')
  call portable_pool_create(none, alloc=c_funloc(give), free=c_null_funptr, stat=stat, errmsg=text)
  call expect(gator_err_arg, 'portable_pool_create: free is NULL')
  call portable_pool_create(none, space=portable_space_pinned, alloc=c_funloc(give), free=c_funloc(take), stat=stat, errmsg=text)
  call expect(gator_err_arg, 'portable_pool_create: config.space is 1 together with alloc')
  call portable_pool_create(none, space=portable_space_device(3), stat=stat, errmsg=text)
  call expect(gator_err_nodevice, 'there is no such device: space 6')
  call check_equal(none, 0_int64, 'no pool')
  none = portable_pool_of(c_loc(values), stat=stat, errmsg=text)
  call expect(gator_err_pointer, 'gator: not a live block: portable_pool_of: no live block of any pool holds')
  none = portable_pool_of_space(-2147483647, stat=stat, errmsg=text)
  call expect(gator_err_arg, 'portable_pool_of_space: space is -2147483647')
  none = portable_pool_of_space(-1, stat=stat, errmsg=text)
  call expect(gator_err_arg, 'portable_pool_of_space: space is -1')
  call portable_pool_find(pool, c_loc(values), block, stat=stat, errmsg=text)
  call expect(gator_err_pointer, 'portable_pool_find')
  b => h(:,2)
  call gator_deallocate(b, stat=stat, errmsg=text)
  call expect(gator_err_pointer, 'gator_deallocate')
  call check(associated(b), 'unchanged')

  ! Blocks without a shape, and slabs of the program's.
  call portable_pool_create(other, 'mine', initial_mb=2, grow_mb=2, alloc=c_funloc(give), free=c_funloc(take), &
                            payload=c_loc(given))
  call check(given >= 1, 'the first slab')
  call portable_pool_allocate(other, 100_int64, address, label='raw')
  call check_equal(portable_pool_of(address), other, 'pool of a block')
  call portable_pool_deallocate(pool, address, stat=stat, errmsg=text)
  call expect(gator_err_pointer, 'portable_pool_deallocate')
  call portable_pool_deallocate(other, address)
  call check(.not. c_associated(address), 'null')
  call portable_pool_allocate(other, -1_int64, address, stat=stat, errmsg=text)
  call expect(gator_err_arg, 'portable_pool_allocate: fewer than 0 bytes')
  call gator_allocate(b, [1000000], pool=other)
  b = 2
  call check(given >= 2, 'growth')
  call gator_deallocate(b)
  call portable_pool_destroy(other)
  call check(taken == given .and. other == 0_int64, 'all slabs are back')
  call portable_pool_allocate(0_int64, 8_int64, address)
  call check_equal(live_blocks(), 1_int64, 'a block of the default pool')
  call portable_pool_deallocate(0_int64, address)

  ! After the pool.
  call gator_deallocate(h)
  call gator_deallocate(first)
  other = pool
  call portable_pool_destroy(pool)
  call check_equal(pool, 0_int64, 'destroyed')
  call portable_pool_destroy(pool)
  call portable_pool_destroy(other, stat=stat, errmsg=text)
  call expect(gator_err_handle, 'portable_pool_destroy')
  call gator_get_stats(stats, pool=other, stat=stat, errmsg=text)
  call expect(gator_err_handle, 'gator_get_stats')
  call check_nothing_live()
  call gator_finalize()
  call portable_pool_create(pool, stat=stat, errmsg=text)
  call expect(gator_err_state, 'portable_pool_create')
  call finish_checks()
end program pools
