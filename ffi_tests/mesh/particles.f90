! particles.f90 - cells, neighbours, merges and maps from Fortran: a loop over runs in a kernel against all pairs, 1 to 3 dimensions, both kinds, rebuilt
! many times, and what is refused. Not in this file: random and hostile cases (cells.c, merge.c).
program particles_fortran
  use portable
  use, intrinsic :: iso_fortran_env, only: int8, int32, int64, real32, real64
  implicit none
  integer, parameter :: n = 600
  real(real64), parameter :: h = 0.15d0
  type(cell_list) :: cells
  type(csr) :: list
  type(csr64) :: wide
  type(index_map) :: m
  type(index_map64) :: large
  real(real64) :: x(n), y(n), z(n)
  integer :: found(n), expected(n), i, j, k, stat, step
  integer(int64) :: held
  integer, allocatable :: a(:), b(:), c(:)
  real(real64) :: va(3), vb(2), vc(5)
  logical :: is_new(4)
  integer :: at(3)
  character(200) :: text
  call gator_init()
  do i = 1, n
    x(i) = mod(0.754877666d0*i, 1d0)
    y(i) = mod(0.569840291d0*i, 1d0)
    z(i) = mod(0.324717957d0*i, 1d0)
  end do
  call cell_list_build(cells, x, y, z, cutoff=h, lower=[0d0, 0d0, 0d0], upper=[1d0, 1d0, 1d0], &
                       periodic=[.true., .false., .true.], label='cells')
  call check(size(cells%order) == n .and. cells%start(1) == 1 .and. cells%start(size(cells%start)) == n + 1, 'the list')
  do i = 1, n
    expected(i) = count([(near(i, j), j = 1, n)])
  end do
  call parallel_for('near', bounds(n), around)
  call check(all(found == expected), 'runs')
  call neighbour_list(cells, list, x, y, z)
  call neighbour_list(cells, wide, x, y, z, half=.true.)
  do i = 1, n
    call check(list%row(i + 1) - list%row(i) == expected(i) - 1, 'how many neighbours')
    do k = list%row(i), list%row(i + 1) - 1
      call check(near(i, list%col(k)), 'a neighbour')
      if (k > list%row(i)) call check(list%col(k) > list%col(k - 1), 'ascending')
    end do
  end do
  call check(2*size(wide%col) == size(list%col), 'half')
  call cell_list_build(cells, x, y, cutoff=h, lower=[0d0, 0d0], upper=[1d0, 1d0])
  call neighbour_list(cells, list, x, y, cutoff=0.1d0)
  call check(size(list%col) == count([((i /= j .and. (x(i) - x(j))**2 + (y(i) - y(j))**2 <= 0.01d0, i = 1, n), j = 1, n)]), &
             'two dimensions')
  call cell_list_build(cells, real(x, real32), cutoff=0.01, lower=[0.0], upper=[1.0])
  call check(cells%descriptor%count(1) == 99 .and. all(cells%order(2:) >= 1), 'one dimension')
  held = 0
  do step = 1, 50
    call cell_list_build(cells, x, y, z, cutoff=h, lower=[0d0, 0d0, 0d0], upper=[1d0, 1d0, 1d0], stat=stat)
    call neighbour_list(cells, list, x, y, z, stat=stat)
    x = mod(x + 0.01d0, 1d0)
    if (step == 5) held = blocks()
    if (step > 5) call check(blocks() <= held, 'memory grows')
  end do
  call neighbour_list(cells, list, x, y, z, label='old', stat=stat, errmsg=text)
  call check(stat == gator_err_arg .and. index(text, "neighbour_list 'old': particle ") > 0 .and. &
             index(text, 'is no longer in the cell') > 0, 'moved: ' // trim(text))
  x(17) = 1.5d0
  call cell_list_build(cells, x, y, z, cutoff=h, lower=[0d0, 0d0, 0d0], upper=[1d0, 1d0, 1d0], label='cells', stat=stat, &
                       errmsg=text)
  call check(stat == gator_err_arg .and. index(text, "cell_list_build 'cells': particle 17 is at (1.5, ") > 0, &
             'outside: ' // trim(text))
  call check(size(cells%order) == n, 'the cells stay')
  call cell_list_build(cells, x, y(2:), cutoff=h, lower=[0d0, 0d0], upper=[2d0, 2d0], stat=stat, errmsg=text)
  call check(stat == gator_err_arg .and. index(text, 'y has 599 elements, and x has 600') > 0, 'sizes: ' // trim(text))
  call cell_list_build(cells, x, y, cutoff=h, lower=[0d0], upper=[2d0, 2d0], stat=stat, errmsg=text)
  call check(stat == gator_err_arg .and. index(text, 'as many elements as there are dimensions') > 0, 'box: ' // trim(text))
  call neighbour_list(cells, list, x, y, stat=stat, errmsg=text)
  call check(stat == gator_err_arg .and. index(text, '600 particles in 2 dimensions, but the cells have 600 in 3') > 0, &
             'rank: ' // trim(text))
  call cell_list_build(cells, x(1:0), cutoff=h, lower=[0d0], upper=[1d0])
  call check(size(cells%order) == 0 .and. all(cells%start == 1), 'none')
  call cell_list_free(cells)
  call check(.not. associated(cells%order), 'freed')
  call cell_list_free(cells)

  a = [1, 3, 3, 9]
  b = [0, 3, 4]
  allocate (c(7))
  call merge_sorted(a, b, c)
  call check(all(c == [0, 1, 3, 3, 3, 4, 9]), 'merged')
  call merge_sorted(a(4:1:-1), b(3:1:-1), c, descending=.true.)
  call check(all(c == [9, 4, 3, 3, 3, 1, 0]), 'descending sections')
  va = [1d0, 2d0, 3d0]
  vb = [10d0, 20d0]
  call merge_by_key([1_int8, 5_int8, 5_int8], [1_int8, 5_int8], bytes(5), va, vb, vc)
  call check(all(nint(vc) == [1, 10, 2, 3, 20]), 'values, stable')
  call merge_sorted(a, b, c(1:6), stat=stat, errmsg=text)
  call check(stat == gator_err_arg .and. index(text, 'the result has 6 elements, and both arrays together have 7') > 0, trim(text))
  call merge_sorted([3, 1], b, c(1:5), stat=stat, errmsg=text)
  call check(stat == gator_err_arg .and. index(text, 'element 1 of a') > 0, trim(text))

  call map_insert(m, [40, 7, 40, 12], new=is_new, label='keys')
  call check(all(is_new .eqv. [.true., .true., .false., .true.]) .and. m%count == 3 .and. all(m%keys == [7, 12, 40]), 'new keys')
  call check(all(map_find(m, [12, 40, 7, 8]) == [2, 3, 1, 0]), 'found')
  call map_insert(m, [9, 12])
  call check(all(map_find(m, [7, 9, 12, 40]) == [1, 4, 2, 3]), 'numbers stay')
  call map_lookup(m, [9, -9, 40], at)
  call check(all(at == [4, 0, 3]), 'a batch')
  call map_insert(m, [1, 2], new=is_new, stat=stat, errmsg=text)
  call check(stat == gator_err_arg .and. index(text, 'there are 2 keys, but new has 4 elements') > 0 .and. m%count == 4, trim(text))
  call map_insert(large, [2_int64**40])
  call check(map_find(large, 2_int64**40) == 1 .and. map_find(large, 0_int64) == 0, '64 bits')
  call map_free(m)
  call check(m%count == 0 .and. map_find(m, 7) == 0, 'an empty map')
  call map_lookup(m, [9, -9, 40], at)
  call check(all(at == 0), 'nothing found')
  call map_free(large)
  call csr_free(list)
  call csr_free(wide)
  call gator_finalize()
contains
  recursive logical function near(i, j)
    integer, intent(in) :: i, j
    real(real64) :: d(3)
    d = abs([x(i) - x(j), y(i) - y(j), z(i) - z(j)])
    d(1) = min(d(1), 1 - d(1))
    d(3) = min(d(3), 1 - d(3))
    near = d(1)*d(1) + d(2)*d(2) + d(3)*d(3) <= h*h
  end function

  recursive subroutine around(t)
    type(tile), intent(in) :: t
    integer :: k, r, p, n, runs(2, cell_runs), i
    do k = t%lower(1), t%upper(1)
      i = cells%order(k)
      found(i) = 0
      call cells_around(cells, k, runs, n)
      do r = 1, n
        do p = runs(1, r), runs(2, r)
          if (near(i, cells%order(p))) found(i) = found(i) + 1
        end do
      end do
    end do
  end subroutine

  function bytes(n) result(b)
    integer, intent(in) :: n
    integer(int8), pointer, contiguous :: b(:)
    allocate (b(n))
  end function

  integer(int64) function blocks()
    type(gator_stats_t) :: stats
    call gator_get_stats(stats)
    blocks = stats%in_use_blocks
  end function

  subroutine check(good, what)
    logical, intent(in) :: good
    character(*), intent(in) :: what
    if (good) return
    print '(2a)', 'FAILED: ', what
    error stop 1
  end subroutine
end program
