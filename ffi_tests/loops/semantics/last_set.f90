! Values that only some iterations set, and arrays of modules and dummies of which each iteration sets all: those of the last one stay.
module last_set
  use bits_of_results
  implicit none
  integer, parameter :: wp = real64
  type box
    real(wp) :: x(40), y
  end type box
  real(wp) :: latest, work(5), table(2, 3)
contains
  subroutine scalars(n, a, x, last, w)
    integer, intent(in) :: n
    real(wp), intent(in) :: x(n)
    real(wp), intent(inout) :: a(n), last
    type(box), intent(in) :: w
    integer :: i, k, where
    real(real32) :: half
    logical :: high
    complex(wp) :: z
    where = -1
    ! truth: parallel i; last where; run set-one-line
    do i = 1, n
      if (x(i) > 1) where = i ! a comment
    end do
    call show('set-one-line', [bits(where)])
    last = 12
    half = 3
    ! truth: parallel i; last last; run set-never
    do i = 1, n
      if (x(i) > 1000) last = x(i)
    end do
    call show('set-never', [bits(last)])
    ! truth: parallel i; last last half; run set-in-branches
    do i = n, 1, -1
      if (x(i) > 2) then
        last = x(i)*2 &
               + i
        a(i) = last
      else if (x(i) < -2) then
        last = -x(i); half = real(x(i), real32)
        a(i) = half
      end if
    end do
    call show('set-in-branches', [bits([last]), bits(half), bits(a)])
    ! truth: parallel i; last last; run set-no-iteration
    do i = n, 1
      if (x(i) > 0) last = x(i)
    end do
    call show('set-no-iteration', [bits(last)])
    ! truth: parallel i; private k; last last; run set-in-inner-loop
    do i = 1, n
      do k = 1, mod(i, 4)
        if (a(i) > x(k)) last = a(i) + k
      end do
    end do
    call show('set-in-inner-loop', [bits(last)])
    z = 0
    high = .false.
    ! truth: parallel i; last high z; run set-other-types
    do i = 1, n
      if (mod(i, 3) == 1) high = x(i) > 0
      if (mod(i, 5) == 4) z = cmplx(x(i), i, wp)
    end do
    call show('set-other-types', [bits(high), bits(real(z)), bits(aimag(z))])
    ! truth: parallel i; last latest; run set-module-variable
    do i = 1, n
      if (x(i) < w%x(min(i, 40)) + w%y**2) latest = w%x(min(i, 40))**3 - x(i)
    end do
    call show('set-module-variable', [bits(latest)])
    ! truth: parallel i; last where; reduction +:last; run set-and-sum
    do i = 1, n
      last = last + int(x(i))
      if (x(i) > 0) where = i
    end do
    call show('set-and-sum', [bits(last), bits(where)])
    ! truth: parallel i; last where; run set-by-select
    do i = 1, n
      select case (mod(i, 7))
      case (2)
        where = i
      case (3:4)
        where = -i
        a(i) = where
      end select
    end do
    call show('set-by-select', [bits(a), bits([where])])
  end subroutine scalars

  subroutine planes(n, m, b, place)
    integer, intent(in) :: n, m
    real(wp), intent(in) :: b(n, m)
    integer, intent(inout) :: place(2)
    integer :: i, j, p, q
    p = 0
    q = 0
    ! truth: parallel j i; last p q; run set-in-two-loops
    do j = 1, m
      do i = 1, n
        if (b(i, j) > 1.25_wp .and. mod(i + j, 3) == 0) then
          p = i
          q = j
        end if
      end do
    end do
    place = [p, q]
    call show('set-in-two-loops', bits(place))
  end subroutine planes

  subroutine arrays(n, m, c, out, y, v)
    integer, intent(in) :: n, m
    real(wp), intent(in) :: c(m, n)
    real(wp), intent(inout) :: out(n), y(m), v(0:)
    integer :: i, k
    ! truth: parallel i; private work; last work; run set-module-array
    do i = 1, n
      work(:) = c(1, i)
      work(2) = work(3) + i
      out(i) = work(2) - work(5)
    end do
    call show('set-module-array', [bits(out), bits(work)])
    ! truth: parallel i; private y; last y; run set-dummy-array
    do i = 1, n
      y = c(:, i)*2
      out(i) = out(i) + y(1) - y(m)
    end do
    call show('set-dummy-array', [bits(out), bits(y)])
    ! truth: parallel i; private v k; last v k; run set-assumed-shape
    do i = 1, n
      do k = lbound(v, 1), ubound(v, 1)
        v(k) = c(mod(k, m) + 1, i) + k
      end do
      out(i) = out(i)*v(0)
    end do
    call show('set-assumed-shape', [bits(out), bits(v), bits([k])])
    ! truth: parallel i; private table; last table; run set-no-array
    do i = n, 1
      table = c(1, i)
      out(i) = table(2, 2)
    end do
    call show('set-no-array', bits([table]))
  end subroutine arrays
end module last_set

program main
  use last_set
  implicit none
  integer, parameter :: n = 57, m = 6
  real(wp) :: a(n), x(n), b(n, m), c(m, n), out(n), y(m), v(0:3), last
  type(box) :: w
  integer :: i, place(2)
  x = sample([(i, i=1, n)])
  a = x(n:1:-1)
  b = reshape(sample([(3*i, i=1, n*m)]), [n, m])
  c = reshape(sample([(i + 7, i=1, n*m)]), [m, n])
  w%x = sample([(11*i, i=1, 40)])
  w%y = 0.5_wp
  out = 1
  y = 9
  v = 8
  latest = 5
  work = 4
  table = reshape([1, 2, 3, 4, 5, 6], [2, 3])*0.5_wp
  call scalars(n, a, x, last, w)
  call planes(n, m, b, place)
  call arrays(n, m, c, out, y, v)
end program main
