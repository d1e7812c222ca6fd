! csr.f90 - rows of numbers from Fortran: faces of cells, of both kinds, from rank 1 and 2, from counts, transposed, in a loop over rows; and what is
! refused. Not in this file: large and random lists (csr.c).
program csr_fortran
  use portable
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  implicit none
  integer, parameter :: ncells = 4, nfaces = 6
  integer(int32) :: cell_of_face(2, nfaces) = reshape([1, 2, 2, 3, 3, 4, 4, 0, 0, 1, 1, 3], [2, nfaces])
  type(csr) :: faces, cells, list, stale
  type(csr64) :: wide
  real(real64) :: flux(nfaces), total(ncells)
  real(real32) :: single(ncells)
  integer(int32) :: whole(ncells)
  real(real64), pointer :: x(:), v(:, :), backwards(:)
  real(real64), target :: no_rows(0, 5), no_columns(3, 0)
  integer :: k, stat
  character(200) :: text
  call gator_init()
  call csr_build(faces, row_of=cell_of_face, n=ncells, label='faces')
  call check(all(faces%row == [1, 4, 6, 9, 11]), 'row')
  call check(all(faces%col == [1, 5, 6, 1, 2, 2, 3, 6, 3, 4]), 'col')
  flux = [(real(k, real64), k = 1, nfaces)]
  call parallel_for('totals', bounds(ncells), sums)
  call check(all(nint(total) == [12, 3, 11, 7]), 'a loop over rows')
  call segmented_sum(flux, faces%row, total, index=faces%col, label='totals')
  call check(all(nint(total) == [12, 3, 11, 7]), 'sums')
  call segmented_max(flux, faces%row, total, index=faces%col)
  call check(all(nint(total) == [6, 2, 6, 4]), 'greatest values')
  call segmented_min(flux, [1, 3, 3, 7], total(1:3))
  call check(nint(total(1)) == 1 .and. total(2) >= huge(total) .and. nint(total(3)) == 3, 'least values')
  call segmented_product(faces%col, faces%row, whole)
  call check(all(whole == [30, 2, 36, 12]), 'products of integers')
  call segmented_sum(real(flux, real32), int(faces%row, int64), single, index=int(faces%col, int64))
  call check(all(nint(single) == [12, 3, 11, 7]), 'sums in single precision')
  call segmented_sum(flux, faces%row(1:1), total(1:0))
  call segmented_sum(flux, faces%row, total(1:3), stat=stat, errmsg=text)
  call check(stat == gator_err_arg .and. index(text, 'there are 3 results, but row has 5 elements') > 0, 'shape: ' // trim(text))
  call segmented_sum(flux, [1, 4, 3], total(1:2), label='sums', stat=stat, errmsg=text)
  call check(stat == gator_err_arg .and. index(text, "'sums': row 2 begins at 4 and the next one at 3") > 0, 'rows: ' // trim(text))
  call segmented_sum(flux, [1, 4, 9], total(1:2), stat=stat, errmsg=text)
  call check(stat == gator_err_arg .and. index(text, 'row 2 is 4 to 8, but data has the elements 1 to 6') > 0, &
             'end: ' // trim(text))
  call segmented_sum(flux, [1, 4], total(1:1), index=[1, 7, 2], stat=stat, errmsg=text)
  call check(stat == gator_err_arg .and. index(text, 'index 2 is 7, but data has the elements 1 to 6') > 0, 'index: ' // trim(text))
  call csr_transpose(cells, faces, n=nfaces)
  call check(all(cells%row == [1, 3, 5, 7, 8, 9, 11]), 'row of cells')
  call check(all(cells%col == [1, 2, 2, 3, 3, 4, 4, 1, 1, 3]), 'col of cells')
  call csr_build(wide, row_of=int(cell_of_face, int64), n=ncells)
  call check(all(wide%row == faces%row) .and. all(wide%col == faces%col), '64 bits')
  call csr_build(list, row_of=cell_of_face(1, :), n=ncells)
  call check(all(list%row == [1, 3, 4, 5, 6]) .and. all(list%col == [1, 6, 2, 3, 4]), 'rank 1')
  call csr_build(list, counts=[2_int32, 0_int32, 3_int32])
  call check(all(list%row == [1, 3, 3, 6]) .and. size(list%col) == 5, 'counts')
  list%col = 9
  stat = 0
  call csr_build(list, row_of=cell_of_face, n=3, label='mesh', stat=stat, errmsg=text)
  call check(stat == gator_err_arg .and. index(text, "csr_build 'mesh': item 3 is in row 4 (its number 2), " // &
             "but rows are 1 to 3, and 0 means none") > 0, 'an error: ' // trim(text))
  call check(all(list%row == [1, 3, 3, 6]) .and. all(list%col == 9), 'the list stays')
  call csr_build(list, counts=[2_int32, -1_int32], stat=stat, errmsg=text)
  call check(stat == gator_err_arg .and. index(text, 'row 2 has -1 entries') > 0, 'an error: ' // trim(text))
  call csr_build(list, counts=[integer(int32) ::])
  call check(size(list%row) == 1 .and. size(list%col) == 0, 'no rows')
  allocate (x(5), v(2, 5))
  x = [10d0, 20d0, 30d0, 40d0, 50d0]
  v = reshape([(real(k, real64), k = 1, 10)], [2, 5])
  call reorder([3, 1, 5, 2, 4], [arg(x), arg(v)], label='particles')
  call check(all(nint(x) == [30, 10, 50, 20, 40]), 'reordered')
  call check(all(nint(v) == reshape([5, 6, 1, 2, 9, 10, 3, 4, 7, 8], [2, 5])), 'reordered in rank 2')
  backwards => x(5:1:-1)
  call reorder([2_int64, 1_int64, 3_int64, 4_int64, 5_int64], [arg(backwards)])
  call check(all(nint(x) == [30, 10, 50, 40, 20]), 'reordered backwards')
  call reorder([3, 1, 5, 3, 4], [arg(x)], label='particles', stat=stat, errmsg=text)
  call check(stat == gator_err_arg .and. index(text, "'particles': order has element 3 twice") > 0, 'twice: ' // trim(text))
  call reorder([3, 1, 6, 2, 4], [arg(x)], stat=stat, errmsg=text)
  call check(stat == gator_err_arg .and. index(text, 'number 3 of order is 6, but elements are 1 to 5') > 0, 'out: ' // trim(text))
  call reorder([3, 1, 2], [arg(x)], stat=stat, errmsg=text)
  call check(stat == gator_err_arg .and. index(text, 'order has 3 numbers, but the last extent of array 1 is 5') > 0, trim(text))
  call check(all(nint(x) == [30, 10, 50, 40, 20]), 'arrays stay')
  call reorder([5, 4, 3, 2, 1], [arg(no_rows), arg(x)]) ! arrays without elements have no address
  call check(all(nint(x) == [20, 40, 50, 10, 30]), 'reordered next to an empty array')
  call reorder([integer(int32) ::], [arg(no_columns), arg(x(1:0))])
  call reorder([1, 2], [arg(no_columns)], stat=stat, errmsg=text)
  call check(stat == gator_err_arg .and. index(text, 'order has 2 numbers, but the last extent of array 1 is 0') > 0, trim(text))
  stale = list
  call csr_free(list)
  call csr_build(stale, counts=[1_int32], stat=stat, errmsg=text)
  call check(stat == gator_err_pointer .and. index(text, 'has been freed already') > 0, 'built over a stale copy: ' // trim(text))
  call csr_free(stale, stat=stat)
  call check(stat == gator_err_pointer, 'the copy stays stale')
  call check(.not. associated(list%row) .and. .not. associated(list%col), 'freed')
  call csr_free(list)
  call csr_free(faces)
  call csr_free(cells)
  call csr_free(wide)
  call gator_finalize()
contains
  recursive subroutine sums(t)
    type(tile), intent(in) :: t
    integer :: c, k
    do c = t%lower(1), t%upper(1)
      total(c) = 0
      do k = faces%row(c), faces%row(c + 1) - 1
        total(c) = total(c) + flux(faces%col(k))
      end do
    end do
  end subroutine

  subroutine check(good, what)
    logical, intent(in) :: good
    character(*), intent(in) :: what
    if (good) return
    print '(2a)', 'FAILED: ', what
    error stop 1
  end subroutine
end program
