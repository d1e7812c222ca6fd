! divisions.f90 - work divisions from Fortran: over random index spaces they are those of C, whose units begin at 0; and errors.
! Not in this file: whether those of C are right (divisions.c).
program divisions
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64
  use check_mod, only: check, finish_checks
  use gator_mod, only: gator_err_arg, gator_err_overflow
  use portable_mod
  implicit none
  type, bind(c) :: c_division
    integer(c_int32_t) :: rank, order, first, reserved
    integer(c_int64_t) :: lower(8), stride(8), extent(8), blocks(8), threads(8), elements(8)
  end type
  interface
    function c_divide(b, threads, elements, w) result(status) bind(c, name='portable_work_divide')
      import :: bounds_t, c_division, c_int32_t, c_int64_t
      type(bounds_t), intent(in) :: b
      integer(c_int64_t), intent(in) :: threads(*), elements(*)
      type(c_division), intent(out) :: w
      integer(c_int32_t) :: status
    end function
    function c_extent(w, of, in, d) result(n) bind(c)
      import :: c_division, c_int32_t, c_int64_t
      type(c_division), intent(in) :: w
      integer(c_int32_t), value :: of, in, d
      integer(c_int64_t) :: n
    end function
    function c_number(w, of, in, unit) result(n) bind(c)
      import :: c_division, c_int32_t, c_int64_t
      type(c_division), intent(in) :: w
      integer(c_int32_t), value :: of, in
      integer(c_int64_t), intent(in) :: unit(*)
      integer(c_int64_t) :: n
    end function
    subroutine c_unit(w, of, in, number, unit) bind(c)
      import :: c_division, c_int32_t, c_int64_t
      type(c_division), intent(in) :: w
      integer(c_int32_t), value :: of, in
      integer(c_int64_t), value :: number
      integer(c_int64_t), intent(out) :: unit(*)
    end subroutine
    function c_box(w, block, thread, lower, upper) result(some) bind(c)
      import :: c_division, c_int32_t, c_int64_t
      type(c_division), intent(in) :: w
      integer(c_int64_t), intent(in) :: block(*)
      integer(c_int64_t), optional, intent(in) :: thread(*)
      integer(c_int64_t), intent(out) :: lower(*), upper(*)
      integer(c_int32_t) :: some
    end function
    subroutine c_place(w, index, block, thread, element) bind(c)
      import :: c_division, c_int64_t
      type(c_division), intent(in) :: w
      integer(c_int64_t), intent(in) :: index(*)
      integer(c_int64_t), intent(out) :: block(*), thread(*), element(*)
    end subroutine
  end interface
  integer :: i
  call random_seed(put=[(37*i, i=1,64)])
  do i = 1, 300
    call one_space()
  end do
  call errors()
  call finish_checks()
contains

  function random_below(n) result(k)
    integer, intent(in) :: n
    integer :: k
    real :: x
    call random_number(x)
    k = min(int(x*n), n - 1)
  end function

  subroutine one_space()
    type(work_division) :: w
    type(c_division) :: c
    integer :: rank, d, k, lower(8), upper(8), stride(8), threads(8), elements(8), of, in
    integer(int64) :: n, number
    integer(c_int64_t), dimension(8) :: unit, again, block, thread, lo, up, expected_lo, expected_up, place
    logical :: inside
    rank = 1 + random_below(8)
    do d = 1, rank
      lower(d) = random_below(100) - 50
      stride(d) = 1 + random_below(3)
      upper(d) = lower(d) + random_below(9)*stride(d) - merge(1, 0, random_below(12) == 0)
      threads(d) = 1 + random_below(3)
      elements(d) = 1 + random_below(4)
    end do
    call divide_work(bounds(lower(:rank), upper(:rank), stride(:rank)), w, threads(:rank), elements(:rank))
    call check(c_divide(bounds(lower(:rank), upper(:rank), stride(:rank)), int(threads, c_int64_t), int(elements, c_int64_t), c) &
                == 0, 'c_divide')
    call check(w%rank == c%rank .and. all(w%lower(:rank) == c%lower(:rank)) .and. all(w%stride(:rank) == c%stride(:rank)) .and. &
                all(w%extent(:rank) == c%extent(:rank)) .and. all(w%blocks(:rank) == c%blocks(:rank)) .and. &
                all(w%threads(:rank) == c%threads(:rank)) .and. all(w%elements(:rank) == c%elements(:rank)), 'the division')
    do of = 0, 4
      do in = -1, 4
        do d = 1, rank
          call check(work_extent(w, of, in, d) == c_extent(c, of, in, d - 1), 'extent')
        end do
      end do
    end do
    call check(iterations(work_grid(w)) == work_count(w, portable_block_level, portable_grid_level), 'grid')
    do of = 1, 3
      do in = 0, of - 1
        n = work_count(w, of, in)
        do number = 1, n, n/20 + 1
          unit(:rank) = work_unit(w, of, in, number)
          call c_unit(c, of, in, number - 1, again)
          call check(all(unit(:rank) == again(:rank) + 1), 'unit')
          call check(work_number(w, of, in, unit(:rank)) == number, 'number')
          call check(c_number(c, of, in, unit(:rank) - 1) == number - 1, 'number in C')
        end do
      end do
    end do
    n = work_count(w, portable_thread_level, portable_grid_level)
    do number = 1, n, n/50 + 1
      again(:rank) = work_unit(w, portable_thread_level, portable_grid_level, number)
      block(:rank) = (again(:rank) - 1)/w%threads(:rank) + 1
      thread(:rank) = mod(again(:rank) - 1, w%threads(:rank)) + 1
      call work_box(w, block(:rank), lo(:rank), up(:rank))
      k = c_box(c, block(:rank) - 1, lower=expected_lo, upper=expected_up)
      call check(all(lo(:rank) == expected_lo(:rank)) .and. all(up(:rank) == expected_up(:rank)), 'box of a block')
      call work_box(w, block(:rank), lo(:rank), up(:rank), thread(:rank))
      k = c_box(c, block(:rank) - 1, thread(:rank) - 1, expected_lo, expected_up)
      call check(all(lo(:rank) == expected_lo(:rank)) .and. all(up(:rank) == expected_up(:rank)), 'box of a thread')
      call work_index(w, block(:rank), unit(:rank), inside, thread(:rank))
      call check(inside .eqv. k == 1, 'inside')
      if (.not. inside) cycle
      call check(all(unit(:rank) == lo(:rank)), 'index')
      call work_place(w, unit(:rank), block(:rank), thread(:rank), again(:rank))
      call c_place(c, unit(:rank), expected_lo, expected_up, place)
      call check(all(block(:rank) == expected_lo(:rank) + 1) .and. all(thread(:rank) == expected_up(:rank) + 1) .and. &
                  all(again(:rank) == 1) .and. all(place(:rank) == 0), 'place')
    end do
    do k = portable_block_level, portable_thread_level
      call check(work_count(work_collapse(w, k), portable_element_level, portable_grid_level) == &
                  work_count(w, portable_element_level, portable_grid_level), 'collapse')
    end do
  end subroutine

  subroutine errors()
    type(work_division) :: w
    type(bounds_t) :: none
    integer :: stat
    character(200) :: text
    call divide_work(bounds([1,1], [10,10]), w, threads=[1], stat=stat, errmsg=text)
    call check(stat == gator_err_arg .and. index(text, 'one number for each dimension') > 0 .and. w%rank == 0, text)
    call divide_work(bounds([1,1], [10,10]), w, elements=[1,0], stat=stat)
    call check(stat == gator_err_arg, 'elements')
    call divide_work(none, w, stat=stat)
    call check(stat == gator_err_arg, 'no bounds')
    call divide_work(bounds([1_int64,1_int64], [4294967296_int64,2147483647_int64]), w, stat=stat)
    call check(stat == 0, 'the largest')
    call divide_work(bounds([1_int64,1_int64], [4294967296_int64,2147483647_int64]), w, elements=[1,3], stat=stat, errmsg=text)
    call check(stat == gator_err_overflow .and. index(text, 'beyond the index space') > 0, text)
  end subroutine

end program
