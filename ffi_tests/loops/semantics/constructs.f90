! ASSOCIATE, BLOCK, SELECT, CYCLE, EXIT, labels, DO WHILE, inner loops of every form, private
! arrays.
module constructs
  use bits_of_results
  implicit none
  integer, parameter :: wp = real64
contains
  subroutine rows(n, m, a, k)
    integer, intent(in) :: n, m
    real(wp), intent(inout) :: a(m, n)
    integer, intent(inout) :: k(n)
    real(wp) :: w(0:m + 1), v(m, 2), x
    integer :: i, j, c
    ! truth: parallel i; run associate-inside
    do i = 1, n
      associate (first => a(1, i), last => a(m, i), half => i/2)
        first = last + half
        last = first*2
      end associate
    end do
    call show('associate-inside', bits([a]))
    ! truth: parallel i; run associate-of-what-changes
    do i = 1, n
      c = 1
      x = a(2, i)
      whole: associate (first => a(c, i), kept => x, sum2 => a(1, i) + a(2, i), at => c)
        c = 2
        x = x + 1
        first = kept - sum2
        at = at + 1
        a(c, i) = a(1, i)*x + at
        associate (again => first, next => kept*2)
          if (again > next) exit whole
          again = again - next/(1 + sum2*sum2)
          kept = next
        end associate
        a(m, i) = kept + x
      end associate whole
    end do
    call show('associate-of-what-changes', bits([a]))
    associate (b => a(2:m - 1, :), twice => 2*n)
      ! truth: parallel i; run associate-outside
      do i = 1, n
        b(1, i) = b(2, i) + twice
      end do
    end associate
    call show('associate-outside', bits([a]))
    ! truth: parallel i; run block-inside
    do i = 1, n
      block
        real(wp) :: t, s(3)
        integer :: j
        s = 0
        do j = 1, 3
          s(j) = a(j, i)
        end do
        t = s(1) - s(3)
        a(2, i) = t
      end block
    end do
    call show('block-inside', bits([a]))
    ! truth: parallel i; run select-case
    do i = 1, n
      select case (mod(i, 7) - 2)
      case (:-1)
        k(i) = -1
      case (0, 3)
        k(i) = 30
      case (1:2)
        k(i) = 12
      case default
        k(i) = i
      end select
    end do
    call show('select-case', bits(k))
    ! truth: parallel i; run if-chain
    do i = 1, n
      if (k(i) < 0) then
        k(i) = 1
      else if (k(i) == 30 .and. i > 3) then
        k(i) = 2
      else if (k(i) == 12) then
        k(i) = 3
      end if
    end do
    call show('if-chain', bits(k))
    ! truth: parallel i; private j; run inner-cycle
    do i = 1, n
      do j = 1, m
        if (a(j, i) < 0) cycle
        a(j, i) = a(j, i) - 1
      end do
    end do
    call show('inner-cycle', bits([a]))
    ! truth: parallel i; private j; run inner-exit
    do i = 1, n
      k(i) = 0
      do j = 1, m
        if (a(j, i) < -1) exit
        k(i) = k(i) + j
      end do
      k(i) = k(i) + 100*j
    end do
    call show('inner-exit', bits(k))
    ! truth: parallel i; private j c; run cycle-of-outer
    outer: do i = 1, n
      do j = 1, m
        do c = 1, 3
          if (a(j, i) > 3 + c) cycle outer
        end do
      end do
      a(1, i) = -99
    end do outer
    call show('cycle-of-outer', bits([a]))
    ! truth: parallel i; private j c; run exit-of-block-and-if
    do i = 1, n
      search: block
        do j = 1, m
          if (a(j, i) > 2) exit search
        end do
        a(m, i) = 55
      end block search
      check: if (k(i) > 0) then
        if (mod(i, 2) == 0) exit check
        k(i) = -k(i)
      end if check
    end do
    call show('exit-of-block-and-if', [bits([a]), bits(k)])
    ! truth: parallel i; run goto-forward
    do i = 1, n
      if (k(i) < 0) goto 10
      k(i) = k(i)/2
      if (k(i) > 200) goto 20
      k(i) = k(i) + 5
10    k(i) = k(i) - 1
20    continue
    end do
    call show('goto-forward', bits(k))
    ! truth: parallel i; private x c; run do-while
    do i = 1, n
      x = abs(a(1, i)) + 1
      c = 0
      do while (x < 1000)
        x = x*3
        c = c + 1
      end do
      k(i) = c
    end do
    call show('do-while', bits(k))
    ! truth: parallel i; private c; run do-without-limit
    do i = 1, n
      c = i
      do
        c = c/2
        if (c < 3) exit
      end do
      k(i) = c
    end do
    call show('do-without-limit', bits(k))
    ! truth: parallel i; private w j; run private-array
    do i = 1, n
      w(0) = 0
      w(m + 1) = 1
      do j = 1, m
        w(j) = a(j, i)
      end do
      do j = 1, m
        a(j, i) = w(j - 1) - 2*w(j) + w(j + 1)
      end do
    end do
    call show('private-array', bits([a]))
    ! truth: parallel i; private v j; run private-array-of-two-ranks
    do i = 1, n
      v(:, 1) = a(:, i)
      do j = m, 1, -1
        v(j, 2) = v(m - j + 1, 1)
      end do
      a(:, i) = v(:, 2)
    end do
    call show('private-array-of-two-ranks', bits([a]))
    ! truth: parallel i; private w j; run private-array-scan
    do i = 1, n
      w(0) = i
      do j = 1, m
        w(j) = w(j - 1)*0.5_wp + a(j, i)
      end do
      a(1, i) = w(m)
    end do
    call show('private-array-scan', bits([a]))
    ! truth: parallel i; run statements-on-one-line
    do i = 1, n; k(i) = i; if (k(i) > 5) k(i) = 5; end do
    call show('statements-on-one-line', bits(k))
    ! truth: parallel i j; run labelled-do
    do 40 i = 1, n
    do 30 j = 1, m
      a(j, i) = a(j, i)* &
        & 2 + & ! a comment here

        1
30  continue
40  continue
    call show('labelled-do', bits([a]))
    i = 3
    ! truth: parallel j; run variable-used-before
    do j = i, n
      k(j) = j - i
    end do
    call show('variable-used-before', bits(k))
  end subroutine rows
end module constructs

program main
  use constructs
  implicit none
  integer, parameter :: n = 41, m = 6
  real(wp) :: a(m, n)
  integer :: i, k(n)
  a = reshape(sample([(i, i=1, n*m)]), [m, n])
  k = 0
  call rows(n, m, a, k)
end program main
