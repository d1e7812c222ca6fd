! Private arrays whose bounds are known when the program runs: those of the procedure with the nest, those of
! called procedures, and values of assignments that read what they set.
module run_time_sizes
  use bits_of_results
  implicit none
  integer, parameter :: wp = real64
  type :: fields
    real(wp), allocatable :: x(:, :)
    real(wp), pointer :: y(:, :)
  end type fields
contains
  subroutine columns_on_the_device(n, m, a, r, k)
    integer, intent(in) :: n
    integer, intent(inout) :: m
    real(wp), intent(in) :: a(m, n)
    real(wp), intent(inout) :: r(n)
    integer, intent(inout) :: k(n)
    real(wp) :: t(m), f(-1:m + 2), q(m, 0:2), s(m/2)
    integer :: i, j, seen(2*m), first
    logical(1) :: ok(max(m, 3))
    ! truth: parallel i; private t j; run columns-of-a-length
    do i = 1, n
      t = a(:, i)
      do j = 2, size(t)
        t(j) = t(j) - 0.5_wp*t(j - 1)
      end do
      r(i) = sum(t)
      if (m > 0) r(i) = r(i) + t(m)
    end do
    call show('columns-of-a-length', bits(r))
    m = m + 3
    ! truth: parallel i; private f j; run bounds-from-before-a-change
    do i = n, 1, -2
      f = i
      f(-1) = 0
      do j = 0, ubound(f, 1)
        f(j) = f(j - 1) + 0.25_wp*j
      end do
      f(-1:1) = f(ubound(f, 1) - 2:) - lbound(f, 1)
      r(i) = f(0) + size(f) + maxval(f)
    end do
    call show('bounds-from-before-a-change', bits(r))
    m = m - 3
    ! truth: parallel i; private q t s j; run matrices-of-a-length
    do i = 1, n
      q(:, 0) = a(:, i)
      do j = 1, 2
        q(:, j) = q(:, j - 1) + j
      end do
      t = sum(q, dim=2)
      s = t(1:m/2)
      where (t > 2) t = -t
      r(i) = sum(t) + sum(q) + sum(s) - size(s)
    end do
    call show('matrices-of-a-length', bits(r))
    ! truth: parallel i; private seen ok j; run integers-and-logicals-of-a-length
    do i = 1, n
      seen = i
      ok = .false.
      do j = 1, size(seen)
        seen(j) = mod(i*j, 7)
      end do
      ok(1:2) = [mod(i, 2) == 0, mod(i, 3) == 0]
      first = 0
      if (any(seen == 3)) first = findloc(seen, 3, dim=1)
      k(i) = sum(seen) + 100*first + merge(10000, 0, ok(1)) + 100000*count(ok)
    end do
    call show('integers-and-logicals-of-a-length', bits(k))
  end subroutine columns_on_the_device

  subroutine called_on_the_device(nx, ny, nz, t, q)
    integer, intent(in) :: nx, ny, nz
    real(wp), intent(inout) :: t(nz, nx, ny), q(nz, nx, ny)
    real(wp) :: w(nz)
    integer :: i, j
    ! truth: parallel j i; run columns-of-called-procedures
    do j = 1, ny
      do i = 1, nx
        call column(nz, t(:, i, j), q(:, i, j))
      end do
    end do
    call show('columns-of-called-procedures', bits(pack(t, .true.)))
    ! truth: parallel j i; private w; run columns-of-two-sizes
    do j = 1, ny
      do i = 1, nx
        w = q(:, i, j)
        call column(nz, w, t(:, i, j))
        call column(nz/2, w, t(:, i, j))
        call smooth(w)
        call smooth(w(1:nz/3))
        q(:, i, j) = q(:, i, j)*0.5_wp + w
      end do
    end do
    call show('columns-of-two-sizes', [bits(pack(t, .true.)), bits(pack(q, .true.))])
    ! truth: parallel j i; run functions-with-work-arrays
    do j = 1, ny
      do i = 1, nx
        q(:, i, j) = weight(t(:, i, j)) + q(:, i, j)/4
      end do
    end do
    call show('functions-with-work-arrays', bits(pack(q, .true.)))
  end subroutine called_on_the_device

  subroutine column(nz, t, q)
    integer, intent(in) :: nz
    real(wp), intent(inout) :: t(nz), q(nz)
    real(wp) :: f(0:nz), g(nz, 2)
    integer :: k
    f(0) = 1
    do k = 1, nz
      f(k) = f(k - 1) + t(k) - q(k)
      g(k, 1) = f(k)*0.5_wp
      g(k, 2) = k
    end do
    call smooth(f(0:nz))
    t = t - f(1:nz) + f(0:nz - 1)
    q(2:nz) = q(1:nz - 1) + g(2:nz, 1)
    q = q(nz:1:-1) + g(:, 2)
  end subroutine column

  subroutine smooth(x)
    real(wp), intent(inout) :: x(:)
    real(wp) :: old(size(x))
    integer :: k
    old = x
    do k = 2, size(x) - 1
      x(k) = 0.25_wp*old(k - 1) + 0.5_wp*old(k) + 0.25_wp*old(k + 1)
    end do
  end subroutine smooth

  pure real(wp) function weight(x)
    real(wp), intent(in) :: x(:)
    real(wp) :: part(size(x)/2 + 1)
    integer :: k
    part = 1
    do k = 1, size(x)/2
      part(k + 1) = part(k) - x(k)
    end do
    weight = sum(part) - maxval(part)
  end function weight

  subroutine shifts_on_the_device(n, m, a)
    integer, intent(in) :: n, m
    real(wp), intent(inout) :: a(m, n)
    integer :: i
    ! truth: parallel i; run shifts-of-columns
    do i = 1, n
      a(2:m, i) = a(1:m - 1, i) + i
      a(1:m - 1, i) = a(2:m, i) - a(1:m - 1, i)
    end do
    call show('shifts-of-columns', bits(pack(a, .true.)))
    ! truth: parallel i; run turns-of-columns
    do i = 1, n
      a(:, i) = a(m:1:-1, i)*0.5_wp
      a(1:m:2, i) = a(1:(m + 1)/2, i)
      if (m > 2) a(2:m - 1, i) = 0.25_wp*(a(1:m - 2, i) + 2*a(2:m - 1, i) + a(3:m, i))
      if (m > 0) a(:, i) = a(:, i) - a((m + 1)/2, i)
    end do
    call show('turns-of-columns', bits(pack(a, .true.)))
  end subroutine shifts_on_the_device

  subroutine old_arguments_on_the_device(n, m, a)
    integer, intent(in) :: n, m
    real(wp), intent(inout) :: a(m, n)
    real(wp) :: w(12), t(m)
    integer :: i
    ! truth: parallel i; private w t; run arguments-of-assumed-size
    do i = 1, n
      w = i
      t = a(:, i)
      call scaled(4, w)
      call scaled(3, w(9))
      call scaled(2, w(1:12:5))
      call scaled(m, t)
      call scaled(m, a(:, i))
      call rows(3, 2, w)
      call rows(2, 3, w(5))
      if (m > 0) a(1, i) = a(1, i) + sum(w) + sum(t)
    end do
    call show('arguments-of-assumed-size', bits(pack(a, .true.)))
  end subroutine old_arguments_on_the_device

  subroutine scaled(n, x)
    integer, intent(in) :: n
    real(wp), intent(inout) :: x(*)
    integer :: k
    do k = 1, n
      x(k) = x(k)*0.5_wp + k
    end do
  end subroutine scaled

  subroutine rows(n, m, x)
    integer, intent(in) :: n, m
    real(wp), intent(inout) :: x(n, 0:*)
    integer :: k
    do k = 0, m - 1
      x(:, k) = x(:, k) + k
      x(n, k) = -x(1, k)
    end do
    call scaled(m, x(1, 1))
    call scaled(n, x)
  end subroutine rows

  subroutine sums_on_the_device(n, m, a, k)
    integer, intent(in) :: n, m
    real(wp), intent(in) :: a(m, n)
    integer, intent(inout) :: k(n)
    real(wp) :: t(m), total, most, hit(4)
    integer :: i, j, odd, seen(n)
    total = 0
    odd = 0
    ! truth: parallel i; private t j; reduction +:total +:odd; run sums-with-work-arrays
    do i = 1, n
      t = a(:, i)
      do j = 2, m
        t(j) = t(j) - t(j - 1)
      end do
      total = total + sum(t)
      odd = odd + count(t > 1)
    end do
    call show('sums-with-work-arrays', [bits([total]), bits([odd])])
    most = -5
    ! truth: parallel i; private t; reduction max:most; run extremes-with-work-arrays
    do i = 1, n
      t = a(:, i)*2
      call smooth(t)
      most = max(most, maxval([sum(t), weight(t)]))
    end do
    call show('extremes-with-work-arrays', bits([most]))
    seen = 0
    hit = 0
    ! truth: parallel i; private t j; sums hit seen; run array-sums-with-work-arrays
    do i = 1, n
      t = a(:, i)
      do j = 1, m
        hit(mod(j, 4) + 1) = hit(mod(j, 4) + 1) + t(m + 1 - j)
      end do
      seen(k(i)) = seen(k(i)) + count(t > 0)
    end do
    call show('array-sums-with-work-arrays', [bits(hit), bits(seen)])
  end subroutine sums_on_the_device

  subroutine names_on_the_device(n, m, a, f)
    integer, intent(in) :: n, m
    real(wp), intent(inout) :: a(m, n)
    type(fields), intent(inout) :: f
    real(wp) :: w(9), v(9)
    integer :: i, k
    ! truth: parallel i; private k; run names-of-columns
    do i = 1, n
      associate (col => a(:, i), half => a(1:m:2, i))
        do k = 2, m
          col(k) = col(k) + col(k - 1)*0.5_wp
        end do
        half = half + 1
        k = size(half)
        col = col - k
        half = -half
        if (m > 0) col = col - col(m)
      end associate
    end do
    call show('names-of-columns', bits(pack(a, .true.)))
    ! truth: parallel i; private w v; run names-of-private-arrays
    do i = 1, n
      w = [1, 2, 3, 4, 5, 6, 7, 8, 9]*i
      v = w + 1
      associate (left => w(1:8), right => v(2:9), back => w(9:1:-1))
        right = left
        left(2:8) = left(1:7) - right(2:8)
        where (back > 4) back = -back
        call smooth(right)
        call smooth(back)
        w(2:4) = right(1:3)
        f%x(i, 0) = sum(back(1:9:3)) + lbound(back, 1) + ubound(right, 1) + maxval(left) + v(9)
      end associate
    end do
    call show('names-of-private-arrays', bits(f%x(:, 0)))
    ! truth: parallel i; private k; run names-of-components
    do i = 1, n
      associate (x => f%x, y => f%y)
        do k = lbound(x, 2), ubound(x, 2)
          x(i, k) = x(i, k) + y(i, k + 1)*k
        end do
        y(i, :) = 2 - y(i, :)
      end associate
    end do
    call show('names-of-components', [bits(pack(f%x, .true.)), bits(pack(f%y, .true.))])
  end subroutine names_on_the_device

  subroutine lengths_on_the_host(n, m, length, a, r)
    integer, intent(in) :: n, m, length(n)
    real(wp), intent(in) :: a(m, n)
    real(wp), intent(inout) :: r(n)
    real(wp) :: t(m)
    integer :: i
    ! truth: parallel i; run lengths-of-the-iterations
    do i = 1, n
      r(i) = weight_of(length(i), a(1:length(i), i))
    end do
    call show('lengths-of-the-iterations', bits(r))
    t = 0
    ! truth: parallel i; private t; last t; run last-values-of-a-length
    do i = 1, n
      t = a(:, i) + i
      r(i) = sum(t)
    end do
    call show('last-values-of-a-length', [bits(r), bits(t)])
  end subroutine lengths_on_the_host

  pure real(wp) function weight_of(n, x)
    integer, intent(in) :: n
    real(wp), intent(in) :: x(n)
    real(wp) :: part(n)
    part = x*2
    weight_of = sum(part)
  end function weight_of
end module run_time_sizes

program main
  use run_time_sizes
  implicit none
  integer :: m(5) = [7, 1, 2, 0, 40], i
  integer :: n
  n = 53
  do i = 1, size(m)
    call all_of(n, m(i))
  end do
  call all_of(0, m(1))
contains
  subroutine all_of(n, m)
    integer, intent(in) :: n
    integer, intent(inout) :: m
    real(wp) :: a(m, n), r(n), t(m, n, 3), q(m, n, 3)
    type(fields) :: f
    integer :: k(n), i
    a = reshape(sample([(i*i + 3*i, i=1, n*m)]), [m, n])
    t = reshape([a, a + 1, a*2], [m, n, 3])
    q = 0.5_wp*t
    r = 0
    k = 0
    call columns_on_the_device(n, m, a, r, k)
    call called_on_the_device(n, 3, m, t, q)
    call lengths_on_the_host(n, m, [(mod(i, m + 1), i=1, n)], a, r)
    call shifts_on_the_device(n, m, a)
    allocate (f%x(n, -1:m), f%y(n, 0:m + 1))
    f%x = 2
    f%y = reshape([(mod(i, 9)*0.25_wp, i=1, size(f%y))], shape(f%y))
    call old_arguments_on_the_device(n, m, a)
    k = [(1 + mod(i*i, n), i=1, n)]
    call sums_on_the_device(n, m, a, k)
    call names_on_the_device(n, m, a, f)
    deallocate (f%y)
  end subroutine all_of
end program main
