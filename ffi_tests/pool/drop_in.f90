! A source as written for YAKL's gator_mod: one module, positional arguments, names of iso_c_binding from it.
module drop_in_fields
  use gator_mod
  implicit none
  integer, parameter :: r8 = selected_real_kind(13) ! users have this name; the module must not
  integer, parameter :: i4 = 4
  real(r8), pointer :: a(:, :)
  real(4), pointer :: halo(:, :, :)
  complex(8), pointer :: spectrum(:)
  logical, pointer :: wet(:, :)
  integer(i4), pointer :: index_map(:)
  integer(8), pointer :: global_id(:)
end module

program drop_in
  use drop_in_fields
  use check_mod, only: check, check_nothing_live, finish_checks
  implicit none
  integer :: nx, ny, i, j
  type(c_ptr) :: raw
  real(r8), pointer :: view(:)
  integer(c_size_t) :: bytes
  nx = 20
  ny = 10
  nullify(a, halo, spectrum, wet, index_map, global_id)
  call gator_init()

  call gator_allocate(a, (/nx, ny/))
  call check(all(lbound(a) == 1) .and. all(ubound(a) == [nx, ny]), 'bounds without lbounds')
  call gator_allocate(halo, (/nx + 2, ny + 2, 3/), (/-1, 0, 1/))
  call check(all(lbound(halo) == [-1, 0, 1]) .and. all(ubound(halo) == [nx, ny + 1, 3]), 'bounds with lbounds')
  do j = 1, ny
    do i = 1, nx
      a(i, j) = real(100*i + j, r8)
    end do
  end do
  halo = 0.0
  halo(-1, 0, 1) = 1.0
  halo(nx, ny + 1, 3) = 2.0
  call check(abs(sum(halo) - 3.0) < 1.0e-6, 'halo values')
  raw = c_loc(a)
  call c_f_pointer(raw, view, [nx*ny])
  call check(abs(view(nx + 3) - a(3, 2)) <= 0.0_r8, 'c_loc: the first index is the fastest')

  call gator_allocate(spectrum, [nx])
  spectrum = (1.0_8, -1.0_8)
  call gator_allocate(wet, [nx, ny], [0, 0])
  wet = .true.
  call check(count(wet) == nx*ny, 'logical values')
  call gator_allocate_int4_1d(index_map, int([nx], c_int)) ! a specific has no other integers, whatever -fdefault-integer-8 says
  index_map = [(i, i=1, nx)]
  call gator_allocate_int8_1d(global_id, int([nx], c_int), [5_c_int])
  call check(lbound(global_id, 1) == 5, 'bounds of a specific')

  bytes = gator_checked_bytes([nx, ny], 8_c_size_t)
  call check(bytes == 1600_c_size_t, 'gator_checked_bytes')
  bytes = checked_bounds(bytes, [nx, ny], [-1, -1])
  call check(bytes == 1600_c_size_t, 'checked_bounds')
  bytes = gator_checked_bytes([3000000000_c_int64_t, 2_c_int64_t], 8_c_size_t)
  call check(bytes == 48000000000_c_size_t, 'gator_checked_bytes, 64 bits')
  bytes = checked_bounds(bytes, [3000000000_c_int64_t], [-1_c_int64_t])
  call check(bytes == 48000000000_c_size_t, 'checked_bounds, 64 bits')
  raw = checked_alloc(800_c_size_t, .false.)
  call check(c_associated(raw), 'checked_alloc')
  call gator_checked_deallocate(raw)
  raw = gator_allocate_c(int(8*nx, c_size_t))
  call check(c_associated(raw), 'gator_allocate_c')
  call gator_deallocate_c(raw)

  call gator_deallocate(a)
  call check(.not. associated(a), 'nullified')
  call gator_deallocate(halo)
  call gator_deallocate(spectrum)
  call gator_deallocate(wet)
  call gator_deallocate_int4_1d(index_map)
  call gator_deallocate_int8_1d(global_id)
  call check_nothing_live()
  call gator_finalize()

  ! init after finalize works
  call gator_init()
  call gator_allocate(a, [nx, ny])
  call gator_deallocate(a)
  call check_nothing_live()
  call gator_finalize()
  call finish_checks()
end program
