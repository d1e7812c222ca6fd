! Features that the text for devices loses easily: names that it has, arguments by keyword, kinds of
! values, bounds near the end of a type.
module devices
  use bits_of_results
  implicit none
  integer, parameter :: wp = real64
  type :: place
    real(wp) :: x(3) = 0
    logical :: far = .false.
  end type place
  type :: thing
    integer :: number = 0
    real(wp) :: mass = 1
    type(place) :: at
    logical(int8) :: alive = .true.
  end type thing
contains
  subroutine names(n, k, r)
    integer, intent(in) :: n, k(n)
    real(wp), intent(out) :: r(n)
    real(wp) :: give, args, copysign, user_give, errno
    integer :: i, j, last_1, last_2, last_3, step_2, trips_2, portable_i1, portable_last_2, llround, major
    r = 0
    ! truth: parallel i; run names-of-counters
    do i = 1, n
      last_1 = mod(k(i), 7)
      last_2 = last_1 + 1
      last_3 = last_1 + 2
      step_2 = 2
      trips_2 = 5
      do j = 1, last_1
        r(i) = r(i) + 1
      end do
      do j = 1, last_2, step_2
        r(i) = r(i) + trips_2
      end do
      do j = last_3, 1, -1
        r(i) = r(i) + 2
      end do
    end do
    call show('names-of-counters', bits(r))
    ! truth: parallel i; run names-of-the-text
    do i = 1, n
      give = 0.5_wp*i
      args = give - 20
      portable_i1 = nint(args)
      portable_last_2 = 3
      llround = nint(1.3*i)
      copysign = sign(args, -give)
      user_give = i
      major = 7
      errno = 2
      do j = 1, portable_last_2
        args = args + twice(give) + j
      end do
      r(i) = args + portable_i1 + llround + copysign + user_give + major + errno
    end do
    call show('names-of-the-text', bits(r))
    errno = 0
    ! truth: parallel i; reduction +:errno; run names-without-arguments
    do i = 1, 300
      give = 0.25_wp*i
      errno = errno + give
    end do
    call show('names-without-arguments', bits([errno]))
    call apart(n, r)
  contains
    subroutine apart(n, r)
      integer, intent(in) :: n
      real(wp), intent(inout) :: r(n)
      real(wp) :: args
      integer :: i
      ! truth: parallel i; run names-of-functions
      do i = 1, n
        args = r(i)
        r(i) = twice(args) + half(args)
      end do
      call show('names-of-functions', bits(r))
    end subroutine apart
  end subroutine names

  pure real(wp) function twice(half)
    real(wp), intent(in) :: half
    twice = 2*half
  end function twice

  pure real(wp) function half(give)
    real(wp), intent(in) :: give
    half = give/2
  end function half

  subroutine keywords(n, x, y, k, m, r)
    integer, intent(in) :: n, k(n)
    real(real32), intent(in) :: x(n)
    real(wp), intent(in) :: y(n, 3)
    integer(int64), intent(out) :: m(n)
    real(wp), intent(out) :: r(n)
    integer :: i
    ! truth: parallel i; run keywords-of-kinds
    do i = 1, n
      r(i) = real(kind=wp, a=x(i))/3 + real(a=k(i), kind=wp)/7 + aint(kind=wp, a=x(i)) + anint(kind=wp, a=x(i))
      m(i) = int(kind=int64, a=y(i, 1)) + nint(kind=int64, a=x(i)) + floor(kind=int64, a=x(i)) + size(y, kind=int64, dim=2)
      m(i) = m(i) + ubound(kind=int64, array=y, dim=2)*10 + lbound(dim=1, array=y)*100 + size(kind=int64, array=y)
    end do
    call show('keywords-of-kinds', [bits(r), bits(int(m))])
    ! truth: parallel i; run keywords-out-of-order
    do i = 1, n
      r(i) = sign(b=-y(i, 2), a=y(i, 1)) + mod(p=y(i, 2) + 9, a=y(i, 1)) + dim(y=y(i, 1), x=y(i, 2))
      r(i) = r(i) + nint(1e6_wp*atan2(x=y(i, 1), y=y(i, 2)))
      m(i) = ishft(shift=2, i=k(i)) + ibits(len=3, pos=1, i=k(i)) + merge(mask=btest(pos=1, i=k(i)), fsource=3, tsource=5)
    end do
    call show('keywords-out-of-order', [bits(r), bits(int(m))])
    ! truth: parallel i; run keywords-left-out
    do i = 1, n
      r(i) = nint(1e6_wp*atan(y(i, 1), y(i, 2))) + nint(x(i)) + nint(1e6_wp*atan(y(i, 1)))
    end do
    call show('keywords-left-out', bits(r))
  end subroutine keywords

  subroutine kinds(n, k, r, m)
    integer, intent(in) :: n, k(n)
    real(wp), intent(out) :: r(n)
    integer(int64), intent(out) :: m(n)
    integer(int64) :: l
    integer(int8) :: b
    integer :: i, j
    logical :: open(6)
    real(wp) :: s
    ! truth: parallel i; run power-long
    do i = 1, n
      r(i) = (1 + k(i)*0.37_wp)**int(mod(k(i), 9) - 7, int64) + (1 + k(i)*0.11_wp)**(-7_int64) + (k(i)*0.11_wp)**9_int64
    end do
    call show('power-long', bits(r))
    ! truth: parallel i; run trips-of-all-integers
    do i = 1, n
      m(i) = 0
      do l = -huge(l), huge(l), huge(l)/(2 + mod(k(i), 3))
        m(i) = m(i) + 1
      end do
      do l = huge(l) - 3*i, huge(l) - 4, 4
        m(i) = m(i) + 1
      end do
      do b = 100_int8, 120_int8, 7_int8
        m(i) = m(i) + b
      end do
      do j = -huge(j) + i, -huge(j), -3
        m(i) = m(i) + 1
      end do
    end do
    call show('trips-of-all-integers', bits(int(m)))
    ! truth: parallel i; run concurrent-mask-set
    do i = 1, n
      open = mod(k(i), 2) == 0
      open(2) = .true.
      do concurrent (j=1:6, open(j))
        open(7 - j) = .false.
      end do
      m(i) = 0
      do j = 1, 6
        if (open(j)) m(i) = m(i) + 2**j
      end do
    end do
    call show('concurrent-mask-set', bits(int(m)))
    s = -0.0_wp
    ! truth: parallel i; reduction +:s; run reduction-of-nothing
    do i = 1, n
      if (k(i) < 0) s = s - k(i)
    end do
    call show('reduction-of-nothing', bits([s]))
  end subroutine kinds

  subroutine slices(n, k, w, t, r)
    integer, intent(in) :: n, k(n)
    real(wp), intent(inout) :: w(4, 0:2, n), t(0:n, 6, 3), r(n)
    integer :: i, last
    last = n - 93
    ! truth: parallel i; run slices-of-one-array
    do i = 1, n
      w(:, 0, i) = -w(:, 1, i) + w(:, 0, i)
      w(2:4, 2, i) = w(1, 2, i) + w(2:4, 2, i)*w(:3, 1, i)
      w(1:2, 1, i) = w(3:4, 1, i)
    end do
    call show('slices-of-one-array', bits(reshape(w, [size(w)])))
    ! truth: parallel i; run slices-that-may-be-one
    do i = 1, 3
      t(0, :, i) = 2*t(last, :, i) - t(n, :, i)
    end do
    call show('slices-that-may-be-one', bits(reshape(t, [size(t)])))
    call structures(n, k, r)
    call calls(n, w, t, r)
  end subroutine slices

  subroutine structures(n, k, r)
    integer, intent(in) :: n, k(n)
    real(wp), intent(inout) :: r(n)
    type(thing) :: all(-3:n)
    type(thing), allocatable, target :: grid(:, :)
    type(thing), pointer :: some(:)
    integer :: i, j
    allocate(grid(2:9, n))
    ! truth: parallel i; run components-of-elements
    do i = 1, n
      all(i - 4)%at%x(2) = r(i)
      all(i - 4)%mass = k(i) + all(i)%at%x(1)
      all(i - 4)%alive = k(i) > 4
      all(i - 4)%number = all(i - 4)%number - k(i)
    end do
    call show('components-of-elements', [bits(all%mass), bits(all%at%x(2)), bits(merge(1, all%number, all%alive))])
    ! truth: parallel i j; run components-of-two-dimensions
    do i = 1, n
      do j = 3, 8
        grid(j, i)%at%x(3) = 0.5_wp*i*j
        grid(j, i)%at%far = all(i)%mass > 3
      end do
    end do
    call show('components-of-two-dimensions', [bits(reshape(grid%at%x(3), [size(grid)])), &
      bits(reshape(merge(1, 0, grid%at%far), [size(grid)]))])
    some => grid(8:3:-2, n)
    ! truth: parallel i; run components-of-a-pointer
    do i = 1, 3
      some(i)%mass = some(i)%at%x(3) + i
      call grow(some(i)%number, all(i)%number)
    end do
    call show('components-of-a-pointer', [bits(reshape(grid%mass, [size(grid)])), bits(reshape(grid%number, [size(grid)]))])
  end subroutine structures

  subroutine calls(n, w, t, r)
    integer, intent(in) :: n
    real(wp), intent(inout) :: w(4, 0:2, n), t(0:n, 6, 3), r(n)
    real(wp) :: own(3, 2)
    integer :: i, j
    ! truth: parallel i; run arrays-of-calls
    do i = 1, n
      call smooth(4, w(:, 1, i))
      call smooth(3, w(2, 0, i))
      call smooth(2, w(1, :, i))
      call smooth(2, w(4:1:-2, 2, i))
      r(i) = weighted(w(:, 0, i)) + weighted(w(2, 1:, i)) + weighted(w(4:2, 0, i))
    end do
    call show('arrays-of-calls', [bits(reshape(w, [size(w)])), bits(r)])
    ! truth: parallel i; run private-arrays-of-calls
    do i = 1, n
      own = r(i)
      do j = 1, 6
        own(1 + mod(j, 3), 1 + mod(j, 2)) = t(i, j, 1)
      end do
      call smooth(3, own(:, 2))
      call smooth(2, own(2, :))
      call smooth(5, own(2, 1))
      t(i, 1:3, 2) = own(:, 1) + weighted(own(:, 2))
      own = own/(2 + own)
      t(i, 4:6, 2) = own(:, 2)
    end do
    call show('private-arrays-of-calls', bits(reshape(t, [size(t)])))
    ! truth: parallel i; run sums-of-arrays
    do i = 1, n
      if (sum(t(i, :, 1)) > 0) then
        r(i) = sum(t(i, :, 1)*2 - t(i, :, 3)) + dot_product(t(i, 1:3, 1), t(i, 4:6, 2)) + product(t(i, 6:5:-1, 3))
      else if (i > 2) then
        t(i, :, 3) = t(i, :, 3)/(1 + sum(abs(t(i, :, 3))))
        r(i) = sum(w(:, :, i)) + sum(w(2:1, 0, i))
      end if
    end do
    call show('sums-of-arrays', [bits(reshape(t, [size(t)])), bits(r)])
  end subroutine calls

  subroutine blocks(n, w, t, r)
    integer, intent(in) :: n
    real(wp), intent(inout) :: w(4, 0:2, n), t(0:n, 6, 3), r(n)
    real(wp) :: own(4, 3)
    integer :: i
    ! truth: parallel i; run blocks-of-calls
    !$portable parallel independent
    do i = 1, n
      call turn(w(:, :, i))
      call turn(w(4:1:-2, 1:, i))
      call turn(w(2:1, :, i))
      call relax(4, 3, w(:, :, i))
      call relax(2, 4, w(:, 1:2, i))
      call relax(2, 2, w(:, 1, i))
      call relax(1, 3, w(3, :, i))
      r(i) = trace(w(:, :, i)) - trace(w(::3, ::2, i))
    end do
    call show('blocks-of-calls', [bits(reshape(w, [size(w)])), bits(r)])
    ! truth: parallel i; run private-blocks-of-calls
    !$portable parallel private(own)
    do i = 1, n
      own = r(i)
      own(2, :) = t(i, 1:3, 1)
      call turn(own)
      call turn(own(1:3:2, :))
      call relax(4, 3, own)
      call relax(3, 2, own(3, 1))
      call turn(t(i, :, 2:3))
      r(i) = trace(own(2:, 2:)) + trace(t(i, :, :))
      t(i, 1:4, 1) = own(:, 2) + r(i)
    end do
    call show('private-blocks-of-calls', bits(reshape(t, [size(t)])))
    ! truth: parallel i; run elements-for-blocks
    do i = 1, n
      r(i) = r(i)/2 + spread2(w(3, 0, i), 3, 2)
    end do
    call show('elements-for-blocks', bits(r))
  end subroutine blocks

  subroutine masks(n, w, t, r)
    integer, intent(in) :: n
    real(wp), intent(inout) :: w(4, 0:2, n), t(0:n, 6, 3), r(n)
    real(wp) :: own(4, 3)
    integer :: i
    logical(1) :: low(4, 3)
    ! truth: parallel i; run masks-of-elements
    do i = 1, n
      where (w(:, :, i) > 2)
        w(:, :, i) = 1/w(:, :, i)
        t(i, 1:4, :) = w(:, :, i) - t(i, 1:4, :)
      elsewhere (w(:, :, i) < -2 .or. t(i, 1:4, :) > 40)
        w(:, :, i) = w(:, :, i)*0.5_wp
        where (t(i, 1:4, :) > 5)
          t(i, 1:4, :) = w(:, :, i) + sum(r(i:i))
        end where
      elsewhere
        t(i, 1:4, :) = -w(:, :, i)
      end where
      where (t(i, :, 1) > r(i)) t(i, :, 2) = sqrt(abs(t(i, :, 1))) + sum(w(:, 1, i))
      where (w(4:1:-1, 1, i) > w(:, 2, i)) w(:, 0, i) = w(:, 2, i) - w(4:1:-1, 1, i)
    end do
    call show('masks-of-elements', [bits(reshape(w, [size(w)])), bits(reshape(t, [size(t)]))])
    ! truth: parallel i; run masks-of-private-arrays
    !$portable parallel private(own, low)
    do i = 1, n
      own(:, :) = w(:, :, i)
      low(:, :) = own < 1
      where (low .and. own > -3)
        own = own*3
        low = own > 1
      elsewhere (.not. low)
        own = own - 1
      end where
      where (low(::2, 1)) own(2:4:2, 3) = own(1:2, 2) + i
      call hide(own, r(i))
      r(i) = sum(own)
    end do
    call show('masks-of-private-arrays', bits(r))
  end subroutine masks

  subroutine hide(x, limit)
    real(wp), intent(inout) :: x(:, 0:)
    real(wp), intent(in) :: limit
    where (x > limit)
      x = limit
    elsewhere
      x = x/2
    end where
  end subroutine hide

  subroutine small(n, k, r)
    integer, intent(in) :: n, k(n)
    real(wp), intent(in) :: r(n)
    type(thing) :: one
    integer :: table(0:10, 2), i, j, total, ends(n)
    real(wp) :: most
    table = 3
    total = 1
    most = -50
    ! truth: parallel i j; reduction +:total; sums table; run sums-into-a-small-array
    do i = 1, n
      do j = 1, 5
        table(mod(k(i) + j, 11), 2) = table(mod(k(i) + j, 11), 2) + j
        if (r(i) > 0) table(k(i), 1) = table(k(i), 1) - 1
        total = total + k(i)*j
      end do
    end do
    call show('sums-into-a-small-array', bits([reshape(table, [size(table)]), total]))
    ! truth: parallel i; run reduction-into-a-component
    do i = 1, n
      one%mass = one%mass + r(i)
      one%number = max(one%number, k(i) + nint(r(i)))
    end do
    call show('reduction-into-a-component', [bits([one%mass]), bits([one%number])])
    ! truth: parallel i; reduction max:most; sums table; run maximum-and-sums
    do i = 1, n
      most = max(most, r(i))
      table(k(i), 1) = table(k(i), 1) + 2
    end do
    ! truth: parallel i; run jumps-by-goto
    do i = 1, n
      total = k(i)
10    total = total + 3
      if (mod(total, 4) /= 0) goto 10
      do j = 1, 9
        if (j > total) goto 30
        if (mod(j, 2) == 0) goto 20
        total = total - j
20      continue
      end do
      if (total < 0) goto 40
30    total = total + 100
40    ends(i) = total
    end do
    call show('jumps-by-goto', bits(ends))
    call show('maximum-and-sums', [bits([most]), bits(reshape(table, [size(table)]))])
  end subroutine small

  subroutine smooth(n, x)
    integer, intent(in) :: n
    real(wp), intent(inout) :: x(0:n - 1)
    integer :: k
    x = x/(1 + sum(abs(x)))
    do k = lbound(x, 1) + 1, ubound(x, 1)
      x(k) = x(k) + 0.5_wp*x(k - 1) + size(x)
    end do
    if (n > 2) call smoother(x(1:))
  end subroutine smooth

  subroutine smoother(x)
    real(wp), intent(inout) :: x(-1:)
    x(-1) = x(ubound(x, 1)) + weighted(x)
  end subroutine smoother

  subroutine turn(x)
    real(wp), intent(inout) :: x(0:, :)
    integer :: i, j
    do j = 1, ubound(x, 2)
      do i = lbound(x, 1) + 1, ubound(x, 1)
        x(i, j) = x(i, j) - 0.25_wp*x(i - 1, max(j - 1, 1)) + size(x, 1)
      end do
    end do
    if (size(x) > 6) call relax(size(x, 1), 1, x(:, 2))
    if (size(x, 2) > 2 .and. size(x, 1) > 2) call turn_part(x(1:2, 2:))
  end subroutine turn

  subroutine turn_part(x)
    real(wp), intent(inout) :: x(:, 2:)
    x = x/(1 + sum(abs(x))) + lbound(x, 2) + ubound(x, 2)
  end subroutine turn_part

  subroutine relax(m, n, x)
    integer, intent(in) :: m, n
    real(wp), intent(inout) :: x(m, -1:n - 2)
    integer :: i, j
    do j = -1, n - 2
      do i = 1, m
        x(i, j) = x(i, j)/(2 + abs(x(1, -1))) + i - 2*j
      end do
    end do
    if (n > 2 .and. m > 1) x(2, 0) = trace(x) + spread2(x(1, 0), m - 1, 2)
    if (size(x) > 8) call turn_part(x(m:1:-1, 0:))
  end subroutine relax

  pure real(wp) function trace(x)
    real(wp), intent(in) :: x(:, :)
    integer :: k
    trace = 3
    do k = 1, min(size(x, 1), size(x, 2))
      trace = x(k, k) - 0.5_wp*trace
    end do
  end function trace

  pure real(wp) function spread2(x, m, n)
    integer, intent(in) :: m, n
    real(wp), intent(in) :: x(m, n)
    spread2 = sum(x)*lbound(x, 1) + x(m, n)
  end function spread2

  pure real(wp) function weighted(x)
    real(wp), intent(in) :: x(:)
    integer :: k
    weighted = -1
    do k = 1, size(x)
      weighted = x(k) - 0.5_wp*weighted
    end do
  end function weighted

subroutine grow(a, b)
    integer, intent(inout) :: a
    integer, intent(in) :: b
    a = a + 2*b + 1
  end subroutine grow
end module devices

program main
  use devices
  implicit none
  integer, parameter :: n = 93
  integer :: i, k(n)
  integer(int64) :: m(n)
  real(wp) :: r(n), x(n), w(4, 0:2, n), t(0:n, 6, 3)
  x = sample([(i, i=1, n)])
  k = [(mod(i*i, 11), i=1, n)]
  call names(n, k, r)
  call keywords(n, real(x, real32), reshape([x, x + 1, 2*x], [n, 3]), k, m, r)
  call kinds(n, k, r, m)
  w = reshape(x, shape(w), x)
  t = reshape(x, shape(t), x)
  call slices(n, k, w, t, r)
  call small(n, k, x)
  call blocks(n, w, t, r)
  call masks(n, w, t, r)
end program main
