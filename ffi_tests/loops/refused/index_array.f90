! Subscripts through index arrays.
module index_array
  implicit none
  integer, parameter :: wp = kind(1d0)
contains
  subroutine scatter(n, map, a, b)
    integer, intent(in) :: n, map(n)
    real(wp), intent(inout) :: a(n)
    real(wp), intent(in) :: b(n)
    integer :: i, k
    ! truth: refused index-array a; ask independent
    do i = 1, n
      a(map(i)) = b(i) !<
    end do
    ! truth: parallel i
    do i = 1, n
      a(i) = b(map(i))
    end do
    ! truth: parallel i; sums a
    do i = 1, n
      a(map(i)) = a(map(i)) + b(i)
    end do
    ! truth: refused index-array a; ask independent
    do i = 1, n
      k = map(i)
      a(k) = 2*b(i) !<
    end do
    ! truth: refused index-array a
    do i = 1, n
      a(i) = a(map(i)) !<
    end do
  end subroutine scatter

  subroutine edges(ne, nn, ends, flux, area, rhs)
    integer, intent(in) :: ne, nn, ends(2, ne)
    real(wp), intent(in) :: flux(ne)
    real(wp), intent(inout) :: area(nn), rhs(nn)
    integer :: e, l, r
    ! truth: parallel e; private l r; sums rhs
    do e = 1, ne
      l = ends(1, e)
      r = ends(2, e)
      rhs(l) = rhs(l) - flux(e)
      rhs(r) = rhs(r) + flux(e)
    end do
    ! truth: refused index-array area
    do e = 1, ne
      l = ends(1, e)
      area(l) = area(l) + flux(e)*area(ends(2, e)) !<
    end do
  end subroutine edges

  subroutine rows(n, first, a)
    integer, intent(in) :: n, first(n + 1)
    real(wp), intent(inout) :: a(*)
    integer :: i, k
    ! truth: parallel k
    do i = 1, n
      do k = first(i), first(i + 1) - 1
        a(k) = a(k)/i
      end do
    end do
  end subroutine rows

  ! A procedure's own array of places, passed on to another one.
  subroutine passed(n, a)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(n)
    integer :: i
    ! truth: refused index-array a
    do i = 1, n
      call through(i, a) !<
    end do
  end subroutine passed
  subroutine through(i, a)
    integer, intent(in) :: i
    real(wp), intent(inout) :: a(:)
    integer :: place(2)
    place = [i, 3]
    call add_at(place(1), a)
    call add_at(place(2), a)
  end subroutine through
  subroutine add_at(k, a)
    integer, intent(in) :: k
    real(wp), intent(inout) :: a(:)
    a(k) = 0.5_wp*a(k) + 1
  end subroutine add_at
end module index_array
