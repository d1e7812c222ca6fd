! Arrays of derived types: default initialisation, components freed, source and mold, several types in one
! scope with the intrinsic ones. Run under a leak checker it shows that the components are freed.
program derived_types
  use, intrinsic :: iso_fortran_env, only: int32, int64, real64
  use gator_mod
  use particle_mod, only: particle, cell, plain_pair
  use particle_pool_mod
  use cell_pool_mod
  use pair_pool_mod
  use check_mod, only: check, check_equal, check_nothing_live, finish_checks
  implicit none
  type(particle), pointer :: p(:), q(:), grid(:, :), copy(:, :), part(:)
  type(cell), pointer :: cells(:), more(:), deep(:, :, :, :, :, :, :)
  type(plain_pair), pointer :: pairs(:)
  real(real64), pointer :: a(:)
  real(real64), target :: field(2)
  type(gator_stats_t) :: stats
  integer :: stat, i, j, round
  nullify(p, q, grid, copy, cells, more, deep, pairs, a)
  field = 6.0_real64
  call gator_init()

  ! twice, so that the second time finds the memory of the first, full of old components
  do round = 1, 2
    call gator_allocate(p, [50], [0], label='particles')
    call check(lbound(p, 1) == 0 .and. ubound(p, 1) == 49, 'bounds')
    do i = 0, 49
      call check(p(i)%id == -7, 'default value')
      call check(all(abs(p(i)%x - [1.0_real64, 2.0_real64, 3.0_real64]) <= 0.0_real64), 'default values of an array')
      call check(.not. allocated(p(i)%history) .and. .not. allocated(p(i)%name), 'allocatable components')
      call check(.not. associated(p(i)%field), 'pointer component')
    end do
    do i = 0, 49
      allocate (p(i)%history(100 + i))
      p(i)%history = real(i, real64)
      p(i)%name = repeat('n', i)
      p(i)%field => field
      p(i)%id = int(i, int32)
    end do
    call gator_allocate(q, source=p)
    call check(lbound(q, 1) == 0 .and. size(q) == 50, 'source: bounds')
    q(9)%history(1) = -1.0_real64
    call check(abs(p(9)%history(1) - 9.0_real64) <= 0.0_real64, 'source: components are copied')
    call check(size(q(49)%history) == 149 .and. len(q(49)%name) == 49 .and. q(3)%id == 3, 'source: values')
    call check(associated(q(1)%field, field), 'source: pointer components are shared')
    call gator_deallocate(p)
    call check(.not. associated(p), 'nullified')
    call gator_deallocate(q)
  end do
  call check(all(abs(field - 6.0_real64) <= 0.0_real64), 'targets of pointer components stay')

  call gator_allocate(grid, [4_int64, 3_int64], [-1_int64, 5_int64])
  do j = 5, 7
    do i = -1, 2
      grid(i, j)%id = int(10*i + j, int32)
      allocate (grid(i, j)%history(2))
    end do
  end do
  call gator_allocate(copy, source=grid(-1:2:3, :))
  call check(all(shape(copy) == [2, 3]), 'source: shape of a section')
  call check(copy(2, 3)%id == 27 .and. allocated(copy(1, 1)%history), 'source: values of a section')
  call gator_deallocate(copy)
  call gator_allocate(copy, mold=grid)
  call check(all(lbound(copy) == [-1, 5]) .and. copy(0, 6)%id == -7, 'mold')
  call gator_deallocate(copy)
  call gator_deallocate(grid)

  call gator_allocate(cells, [5])
  call check(cells(5)%level == 4 .and. cells(5)%center%id == -7, 'nested defaults')
  call check(.not. allocated(cells(2)%members) .and. .not. allocated(cells(2)%center%history), 'nested components')
  do i = 1, 5
    allocate (cells(i)%members(3))
    allocate (cells(i)%members(2)%history(7))
    allocate (cells(i)%center%history(5))
  end do
  call gator_allocate(more, [5], source=cells)
  call check(size(more(4)%members(2)%history) == 7, 'nested components are copied')
  call gator_deallocate(more)
  call gator_deallocate(cells)
  call gator_allocate(deep, [1, 2, 1, 2, 1, 2, 1], [0, 0, 0, 0, 0, 0, 0])
  call check(size(deep) == 8 .and. deep(0, 1, 0, 1, 0, 1, 0)%level == 4, 'rank 7')
  allocate (deep(0, 1, 0, 1, 0, 1, 0)%members(4))
  call gator_deallocate(deep)

  call gator_allocate(pairs, [1000], label='pairs')
  pairs%first = 1.0_real64
  pairs%second = 2.0_real64
  call check(abs(sum(pairs%second) - 2000.0_real64) < 1.0e-9_real64, 'a type without defaults')
  call gator_deallocate(pairs)

  ! pool= and space= as with intrinsic types
  call gator_allocate(p, [3], pool=0_int64)
  call check(all(p%id == -7), 'the default pool by its number')
  call gator_deallocate(p)
  call gator_allocate(p, [3_int64], space=1, label='pinned')
  call check(all(p%id == -7), 'the memory of a space')
  allocate (p(2)%history(10))
  call gator_deallocate(p)
  call gator_allocate(p, [3], pool=77_int64, stat=stat)
  call check(stat == gator_err_handle .and. .not. associated(p), 'a pool that does not exist')
  call gator_allocate(p, [3], pool=0_int64, space=1, stat=stat)
  call check(stat == gator_err_arg .and. .not. associated(p), 'a pool and a space')

  ! errors come before any element is touched
  call gator_allocate(p, [4])
  part => p
  call gator_deallocate(p)
  call gator_deallocate(part, stat)
  call check(stat == gator_err_pointer .and. associated(part), 'a second deallocate')
  call gator_deallocate(p, stat)
  call check(stat == gator_err_pointer, 'a null pointer')
  call gator_allocate(p, [4])
  part => p(2:)
  call gator_deallocate(part, stat)
  call check(stat == gator_err_pointer, 'an interior pointer')
  allocate (p(4)%history(10))
  part => p(1:3:2)
  call gator_deallocate(part, stat)
  call check(stat == 0, 'a section from the first element on stands for its array')
  nullify(p)
  call gator_allocate(p, [-1], stat=stat)
  call check(stat == gator_err_arg .and. .not. associated(p), 'a negative extent')
  call gator_allocate(p, [0])
  call check(associated(p) .and. size(p) == 0, 'a zero extent')
  call gator_deallocate(p)

  call gator_allocate(a, [10])
  call gator_get_stats(stats)
  call check_equal(stats%in_use_blocks, 1_int64, 'intrinsic types in the same scope')
  call gator_deallocate(a)
  call check_nothing_live()
  call gator_finalize()
  call finish_checks()
end program
