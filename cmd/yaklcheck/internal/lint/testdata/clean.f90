! Nothing here is wrong: code that the linter must not report.
module clean
  use, intrinsic :: iso_c_binding
  use portable_mod
  use gator_mod, only: gator_allocate
  implicit none
  type, bind(c) :: arguments
    type(c_ptr) :: x
    integer(c_int) :: n
  end type
  real(8), pointer :: live => null(), grid(:,:) => null()
  real(8), allocatable :: a(:), b(:,:)
  real(8) :: scratch, first, quiet
  real(8) :: silenced                        ! yaklcheck: ok
  integer :: hits(10), list(100), next, tile_count
  real(8), save :: mine
  !$omp threadprivate(mine)
  type(scalar_live_out) :: result
contains
  subroutine start()
    call live_out_create(result, 0d0)
    call live_out_get(result, live)
    call parallel_for('all', bounds(100), everything)
    call parallel_outer('columns', bounds(10), columns)
    call parallel_for('once', bounds(1), single)
    call parallel_for('block', bounds(100), c_funloc(with_block), c_null_ptr, 0_c_size_t)
  end subroutine

  recursive subroutine everything(t)
    type(tile), intent(in) :: t
    type(tile) :: copy
    integer :: i, j, place
    character(20) :: text
    real(8) :: local(3), x
    real(8), pointer :: p(:)
    logical :: found
    copy = t
    mine = 1
    live = 42
    silenced = 1
    quiet = 2                                ! yaklcheck: ok, the same from all threads
    if (t%lower(1) == 1) first = a(1)
    if (t%worker == 0 .and. found) first = 2
    do i = t%lower(1), t%upper(1)
      block
        real(8) :: scratch
        scratch = a(i)
        a(i) = scratch
      end block
      associate (scratch => local(1), v => a(i), s => 2*a(i))
        scratch = v + s
        v = scratch
      end associate
      do concurrent (j = 1:3)
        local(j) = a(i)
      end do
      do concurrent (j = 1:3) local(x)
        x = a(i)
      end do
      call add_atomically(hits(1), 1)
      call add_atomically(next, 1, place)
      list(place) = i
      !$omp atomic
      hits(2) = hits(2) + 1
      !$omp critical
      hits(3) = hits(3) + 1
      hits(4) = max(hits(4), i)
      !$omp end critical
      write (text, '(i0)') i
      read (text, *) x
      local = [(real(j, 8), j=1, 3)]
      forall (j = 1:3) local(j) = j
      b(:, i) = 0
      b(1:3, i) = local
      where (b(:, i) > 0) b(:, i) = 1
      p => grid(:, i)
      p(1) = 3
      grid(1, i) = 2
      select case (i)
      case (1)
        x = 1
      case default
        x = 2
      end select
      if (i == 50) scratch = a(i)
      if (x > 5) error stop 'as anywhere'
    end do
    tile_count = size(a)                     ! yaklcheck: ok
  end subroutine

  subroutine single(t)
    type(tile), intent(in) :: t
    first = t%lower(1)
    print *, first
  end subroutine

  recursive subroutine columns(t)
    type(team), intent(in) :: t
    real(8), pointer :: work(:)
    integer :: i, k, from, to
    call c_f_pointer(t%scratch, work, [10])
    i = t%outer(1)
    call inner_range(t, 10, from, to)
    do k = from, to
      work(k) = b(k, i)
    end do
    call parallel_inner(t, bounds(10), inner)
  contains
    recursive subroutine inner(u)
      type(tile), intent(in) :: u
      integer :: k
      do k = u%lower(1), u%upper(1)
        work(k) = 0
        b(k, i) = work(k)
        from = k
      end do
    end subroutine
  end subroutine

  recursive subroutine with_block(t, p) bind(c)
    type(tile), intent(in) :: t
    type(arguments), intent(in) :: p
    real(c_double), pointer :: x(:)
    integer :: i
    call c_f_pointer(p%x, x, [p%n])
    do i = t%lower(1), t%upper(1)
      x(i) = local_function(x(i))
    end do
  contains
    pure recursive function local_function(v) result(w)
      real(8), intent(in) :: v
      real(8) :: w
      w = 2*v
    end function
  end subroutine

  subroutine serial()                        ! no kernel gets here
    scratch = 1
    print *, scratch
    stop
  end subroutine
end module

module other_tile
  implicit none
  type :: tile
    integer :: lower
  end type
  integer :: total
contains
  subroutine not_a_kernel(t)
    type(tile), intent(in) :: t
    total = total + t%lower
  end subroutine
end module
