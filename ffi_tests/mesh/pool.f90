! pool.f90 - meshes and particles from Fortran on arrays of the default pool, which a cuda device can access: rows, sums of rows, an order, cells, neighbours,
! merges and maps against serial loops, and no call that the host did for the device. Not in this file: arrays of the host (csr.f90, particles.f90).
program pool_fortran
  use portable
  use portable_observe_mod, only: portable_fallback_list, portable_fallback_t
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  implicit none
  integer, parameter :: cells = 60, faces = 150, n = 300
  real(real64), parameter :: h = 0.2d0
  integer, pointer, contiguous :: cell_of_face(:, :), counts(:), order(:), a(:), b(:), c(:), keys(:), at(:)
  integer(int64), pointer, contiguous :: large_keys(:), large_at(:)
  real(real64), pointer, contiguous :: flux(:), total(:), v(:, :), x(:), y(:), z(:), va(:), vb(:), vc(:)
  real(real32), pointer, contiguous :: single(:), most(:)
  type(csr) :: rows, back, lengths, list
  type(cell_list) :: boxes
  type(index_map) :: m
  type(index_map64) :: large
  type(portable_fallback_t), allocatable :: fallbacks(:)
  real(real64) :: sums(cells)
  integer :: i, j, k, wrong, stat
  character(200) :: text
  nullify (cell_of_face, counts, order, a, b, c, keys, at, large_keys, large_at, flux, total, v, x, y, z, va, vb, vc, single, most)
  call gator_init()
  call meshes()
  call particles()
  call merges_and_maps()
  call portable_fallback_list(fallbacks)
  do i = 1, size(fallbacks)
    print '(2a)', 'the host ran for the device: ', trim(fallbacks(i)%label)
  end do
  call check(size(fallbacks) == 0, 'no call was done by the host for a device')
  call gator_finalize()
  print '(a)', 'pool.f90: all checks passed'

contains

  subroutine meshes()
    call gator_allocate(cell_of_face, [2, faces], label='cells of faces')
    call gator_allocate(flux, [faces], label='flux')
    call gator_allocate(total, [cells], label='total')
    call gator_allocate(single, [faces], label='single')
    call gator_allocate(most, [cells], label='most')
    call gator_allocate(counts, [cells], label='counts')
    call gator_allocate(order, [faces], label='order')
    call gator_allocate(v, [3, faces], label='v')
    do k = 1, faces
      cell_of_face(1, k) = 1 + mod(7*k, cells)
      cell_of_face(2, k) = merge(0, 1 + mod(11*k + 3, cells), mod(k, 10) == 0)
      flux(k) = 0.25d0*mod(37*k, 101)
      single(k) = real(flux(k), real32)
      order(k) = 1 + mod(29*k, faces) ! a permutation: 29 and 150 have no common divisor
      v(:, k) = [1, 2, 3]*k
    end do
    call csr_build(rows, row_of=cell_of_face, n=cells, label='faces')
    sums = 0
    do k = 1, faces
      do i = 1, 2
        if (cell_of_face(i, k) > 0) sums(cell_of_face(i, k)) = sums(cell_of_face(i, k)) + flux(k)
      end do
    end do
    call check(rows%row(1) == 1 .and. rows%row(cells + 1) == count(cell_of_face > 0) + 1, 'rows')
    call segmented_sum(flux, rows%row, total, index=rows%col, label='total')
    call check(all(abs(total - sums) < 1d-12), 'sums of rows') ! multiples of 0.25: exact
    call segmented_max(single, rows%row, most, index=rows%col, label='most')
    wrong = 0
    do i = 1, cells
      if (abs(most(i) - maxval(single(rows%col(rows%row(i):rows%row(i + 1) - 1)))) > 0) wrong = wrong + 1
      do k = rows%row(i), rows%row(i + 1) - 1
        if (.not. any(cell_of_face(:, rows%col(k)) == i)) wrong = wrong + 1
        if (k > rows%row(i)) wrong = wrong + merge(1, 0, rows%col(k) < rows%col(k - 1))
      end do
    end do
    call check(wrong == 0, 'a row lists its faces, ascending')
    call csr_transpose(back, rows, n=faces, label='back')
    call check(all([(back%row(k + 1) - back%row(k) == count(cell_of_face(:, k) > 0), k=1, faces)]), 'transposed')
    do i = 1, cells
      counts(i) = mod(i, 4)
    end do
    call csr_build(lengths, counts=counts, label='lengths')
    call check(all([(lengths%row(i + 1) - lengths%row(i) == mod(i, 4), i=1, cells)]), 'counts')
    call reorder(order, [arg(flux), arg(v)], label='reorder')
    call check(all([(nint(v(3, k)) == 3*order(k), k=1, faces)]), 'an order, of vectors')
    call check(all([(abs(flux(k) - 0.25d0*mod(37*order(k), 101)) < 1d-12, k=1, faces)]), 'an order, of numbers')
    ! refused by the device as by the host
    cell_of_face(2, 5) = cells + 1
    call csr_build(rows, row_of=cell_of_face, n=cells, label='mesh', stat=stat, errmsg=text)
    call check(stat == gator_err_arg .and. index(text, "csr_build 'mesh': item 5 is in row 61 (its number 2), " // &
               "but rows are 1 to 60") > 0, trim(text))
    order(3) = order(2)
    call reorder(order, [arg(flux)], label='twice', stat=stat, errmsg=text)
    call check(stat == gator_err_arg .and. index(text, "reorder 'twice': order has element 59 twice") > 0, trim(text))
    call csr_free(rows)
    call csr_free(back)
    call csr_free(lengths)
    call gator_deallocate(cell_of_face)
    call gator_deallocate(flux)
    call gator_deallocate(total)
    call gator_deallocate(single)
    call gator_deallocate(most)
    call gator_deallocate(counts)
    call gator_deallocate(order)
    call gator_deallocate(v)
  end subroutine

  subroutine particles()
    call gator_allocate(x, [n], label='x')
    call gator_allocate(y, [n], label='y')
    call gator_allocate(z, [n], label='z')
    do i = 1, n
      x(i) = mod(0.754877666d0*i, 1d0)
      y(i) = mod(0.569840291d0*i, 1d0)
      z(i) = mod(0.324717957d0*i, 1d0)
    end do
    call cell_list_build(boxes, x, y, z, cutoff=h, lower=[0d0, 0d0, 0d0], upper=[1d0, 1d0, 1d0], &
                         periodic=[.true., .false., .true.], label='cells')
    call neighbour_list(boxes, list, x, y, z, label='near')
    wrong = 0
    do i = 1, n
      k = list%row(i)
      do j = 1, n
        if (j == i .or. .not. near(i, j)) cycle
        if (k >= list%row(i + 1)) then
          wrong = wrong + 1
          cycle
        end if
        if (list%col(k) /= j) wrong = wrong + 1
        k = k + 1
      end do
      if (k /= list%row(i + 1)) wrong = wrong + 1
    end do
    call check(wrong == 0, 'neighbours')
    x(7) = 1.5d0
    call cell_list_build(boxes, x, y, z, cutoff=h, lower=[0d0, 0d0, 0d0], upper=[1d0, 1d0, 1d0], &
                         label='out', stat=stat, errmsg=text)
    call check(stat == gator_err_arg .and. index(text, "cell_list_build 'out': particle 7 is at (1.5, ") > 0, trim(text))
    call csr_free(list)
    call cell_list_free(boxes)
    call gator_deallocate(x)
    call gator_deallocate(y)
    call gator_deallocate(z)
  end subroutine

  logical function near(i, j)
    integer, intent(in) :: i, j
    real(real64) :: d(3)
    d = abs([x(i) - x(j), y(i) - y(j), z(i) - z(j)])
    d(1) = min(d(1), 1 - d(1))
    d(3) = min(d(3), 1 - d(3))
    near = sum(d**2) <= h**2
  end function

  subroutine merges_and_maps()
    call gator_allocate(a, [40], label='a')
    call gator_allocate(b, [25], label='b')
    call gator_allocate(c, [65], label='c')
    call gator_allocate(va, [40], label='va')
    call gator_allocate(vb, [25], label='vb')
    call gator_allocate(vc, [65], label='vc')
    call gator_allocate(keys, [50], label='keys')
    call gator_allocate(at, [50], label='at')
    call gator_allocate(large_keys, [50], label='large keys')
    call gator_allocate(large_at, [50], label='large at')
    do i = 1, 40
      a(i) = 3*i
      va(i) = i
    end do
    do i = 1, 25
      b(i) = 5*i
      vb(i) = -i
    end do
    call merge_sorted(a, b, c, label='merge')
    call check(all(c(2:) >= c(:64)) .and. sum(c) == sum(a) + sum(b), 'a merge')
    call merge_by_key(a, b, c, va, vb, vc, label='merge by key')
    call check(all([(merge(3, 5, vc(i) > 0)*nint(abs(vc(i))) == c(i), i=1, 65)]), 'values follow their keys')
    do i = 1, 50
      keys(i) = mod(17*i, 31)
    end do
    large_keys = 1000000000000_int64*keys
    call map_insert(m, keys, label='insert')
    call map_lookup(m, keys, at, label='find')
    call check(m%count == 31 .and. all([(at(i) == keys(i) + 1, i=1, 50)]), 'a map: keys 0 to 30 have the numbers 1 to 31')
    call map_insert(large, large_keys, label='insert')
    large_keys(1) = 5
    call map_lookup(large, large_keys, large_at, label='find')
    call check(large_at(1) == 0 .and. all([(large_at(i) == keys(i) + 1, i=2, 50)]), 'a map of 64 bits')
    call map_free(m)
    call map_free(large)
    call gator_deallocate(a)
    call gator_deallocate(b)
    call gator_deallocate(c)
    call gator_deallocate(va)
    call gator_deallocate(vb)
    call gator_deallocate(vc)
    call gator_deallocate(keys)
    call gator_deallocate(at)
    call gator_deallocate(large_keys)
    call gator_deallocate(large_at)
  end subroutine

  subroutine check(good, what)
    logical, intent(in) :: good
    character(*), intent(in) :: what
    if (good) return
    print '(2a)', 'pool.f90: FAILED: ', what
    error stop 1
  end subroutine
end program
