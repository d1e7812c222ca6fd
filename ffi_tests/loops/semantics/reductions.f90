! Reductions of each operator, places of extrema by an IF, sums into arrays.
module reductions
  use bits_of_results
  implicit none
  integer, parameter :: wp = real64
contains
  subroutine rows(n, x, k, b)
    integer, intent(in) :: n, k(n)
    real(wp), intent(in) :: x(n)
    logical, intent(in) :: b(n)
    real(wp) :: s, t, best, p
    real(real32) :: r
    integer :: i, c, place, ands, ors, xors
    integer(int64) :: l
    logical :: every, some, same, odd
    s = 3
    ! truth: parallel i; reduction +:s; run reduction-sum
    do i = 1, n
      s = s + x(i)
    end do
    call show('reduction-sum', bits([s]))
    ! truth: parallel i; reduction +:s; run reduction-minus
    do i = 1, n
      s = s - x(i)
    end do
    call show('reduction-minus', bits([s]))
    t = 1
    ! truth: parallel i; reduction +:t; run reduction-operand-first
    do i = 1, n
      t = x(i) + t
    end do
    call show('reduction-operand-first', bits([t]))
    p = 1
    ! truth: parallel i; reduction *:p; run reduction-product
    do i = 1, n
      p = p*sign(1.0_wp, x(i))
    end do
    call show('reduction-product', bits([p]))
    s = -100
    t = 100
    ! truth: parallel i; reduction max:s min:t; run reduction-extrema
    do i = 1, n
      s = max(s, x(i))
      t = min(x(i), t)
    end do
    call show('reduction-extrema', bits([s, t]))
    s = -100
    ! truth: parallel i; reduction max:s; run reduction-maximum-by-if
    do i = 1, n
      if (x(i) > s) s = x(i)
    end do
    call show('reduction-maximum-by-if', bits([s]))
    best = -100
    place = 0
    ! truth: parallel i; reduction max:best maxloc:place; run reduction-place-of-maximum
    do i = 1, n
      if (x(i) > best) then
        best = x(i)
        place = i
      end if
    end do
    call show('reduction-place-of-maximum', [bits(best), bits(place)])
    best = 100
    ! truth: parallel i; reduction min:best minloc:place; run reduction-last-place-of-minimum
    do i = 1, n
      if (x(i) <= best) then
        place = i
        best = x(i)
      end if
    end do
    call show('reduction-last-place-of-minimum', [bits(best), bits(place)])
    c = 0
    ! truth: parallel i; reduction +:c; run reduction-count
    do i = 1, n
      if (x(i) > 0 .and. b(i)) c = c + 1
    end do
    call show('reduction-count', bits([c]))
    l = 0
    ! truth: parallel i; reduction +:l; run reduction-long
    do i = 1, n
      l = l + int(k(i), int64)*1000000000_int64
    end do
    call show('reduction-long', bits([l]))
    r = 0
    ! truth: parallel i; reduction +:r; run reduction-single
    do i = 1, n
      r = r + real(x(i), real32)
    end do
    call show('reduction-single', bits([r]))
    every = .true.
    some = .false.
    ! truth: parallel i; reduction .and.:every .or.:some; run reduction-logical
    do i = 1, n
      every = every .and. x(i) < 100
      some = b(i) .or. some
    end do
    call show('reduction-logical', bits([every, some]))
    same = .true.
    odd = .false.
    ! truth: parallel i; reduction .eqv.:same .neqv.:odd; run reduction-equivalence
    do i = 1, n
      same = same .eqv. b(i)
      odd = odd .neqv. b(i)
    end do
    call show('reduction-equivalence', bits([same, odd]))
    ands = -1
    ors = 0
    xors = 0
    ! truth: parallel i; reduction iand:ands ior:ors ieor:xors; run reduction-bits
    do i = 1, n
      ands = iand(ands, k(i) + 64)
      ors = ior(k(i), ors)
      xors = ieor(xors, k(i))
    end do
    call show('reduction-bits', bits([ands, ors, xors]))
    s = 0
    c = 0
    ! truth: parallel i; reduction +:s +:c; private t; run reduction-several
    do i = 1, n
      t = x(i)*4
      if (t < 0) cycle
      s = s + t
      c = c + 2
    end do
    call show('reduction-several', [bits(s), bits(c)])
    s = 5
    ! truth: parallel i; reduction +:s; run reduction-zero-trips
    do i = n, 1
      s = s + x(i)
    end do
    call show('reduction-zero-trips', bits([s]))
  end subroutine rows

  subroutine nests(n, m, a, total, largest)
    integer, intent(in) :: n, m
    real(wp), intent(in) :: a(m, n)
    real(wp), intent(inout) :: total, largest
    integer :: i, k
    ! truth: parallel i k; reduction +:total max:largest; run reduction-two-loops
    do i = 1, n
      do k = 1, m
        total = total + a(k, i)
        largest = max(largest, abs(a(k, i)))
      end do
    end do
    call show('reduction-two-loops', bits([total, largest]))
  end subroutine nests

  subroutine sums(n, k, x, table)
    integer, intent(in) :: n, k(n)
    real(wp), intent(in) :: x(n)
    integer, intent(inout) :: table(0:7)
    integer :: i, cell
    integer(int64) :: large(0:7)
    real(wp) :: weight(0:7)
    table = 0
    large = 0
    weight = 0
    ! truth: parallel i; sums table; run sums-histogram
    do i = 1, n
      table(k(i)) = table(k(i)) + 1
    end do
    call show('sums-histogram', bits(table))
    ! truth: parallel i; sums table large; private cell; run sums-two-arrays
    do i = 1, n
      cell = mod(k(i) + i, 8)
      table(cell) = table(cell) - k(i)
      large(cell) = large(cell) + 5000000000_int64
    end do
    call show('sums-two-arrays', [bits(table), bits(large)])
    ! truth: parallel i; sums weight; run sums-real
    do i = 1, n
      weight(k(i)) = weight(k(i)) + x(i)
      weight(7 - k(i)) = weight(7 - k(i)) - 0.5_wp*x(i)
    end do
    call show('sums-real', bits(weight))
    ! truth: parallel i; sums table; run sums-conditional
    do i = 1, n
      if (x(i) > 0) table(0) = table(0) + k(i)
    end do
    call show('sums-conditional', bits(table))
  end subroutine sums
end module reductions

program main
  use reductions
  implicit none
  integer, parameter :: n = 211
  integer :: i, k(n), table(0:7)
  real(wp) :: x(n), total, largest
  x = sample([(i, i=1, n)])
  k = [(mod(i*i, 8), i=1, n)]
  call rows(n, x, k, x > -1)
  total = 1
  largest = 0
  call nests(30, 7, reshape(x, [7, 30]), total, largest)
  call sums(n, k, x, table)
end program main
