! Trip counts: steps, zero trips, limits that change, and the value of the variable after the loop.
module trips
  use bits_of_results
  implicit none
contains
  subroutine rows(n, one, a, b)
    integer, intent(in) :: n, one
    integer, intent(inout) :: a(0:n + 1), b(0:n + 1, 0:n + 1)
    integer :: i, j, low, high, step
    integer(int64) :: l
    integer(int8) :: s
    ! truth: parallel i; run step-negative
    do i = n, 1, -1
      a(i) = n - i
    end do
    call show('step-negative', [bits(a), bits(i)])
    ! truth: parallel i; run step-does-not-divide
    do i = 2, n, 3
      a(i) = -i
    end do
    call show('step-does-not-divide', [bits(a), bits(i)])
    ! truth: parallel i; run step-negative-does-not-divide
    do i = n, 2, -4
      a(i) = 7*i
    end do
    call show('step-negative-does-not-divide', [bits(a), bits(i)])
    step = 2*one
    ! truth: parallel i; run step-variable
    do i = 1, n, step
      a(i) = a(i) + 1000
    end do
    call show('step-variable', [bits(a), bits(i)])
    step = -5*one
    ! truth: parallel i; run step-variable-negative
    do i = n, 0, step
      a(i) = 3*i
    end do
    call show('step-variable-negative', [bits(a), bits(i)])
    ! truth: parallel i; run trips-zero
    do i = 5*one, 4
      a(i) = -1
    end do
    call show('trips-zero', [bits(a), bits(i)])
    ! truth: parallel i; run trips-zero-negative-step
    do i = 4*one, 5, -1
      a(i) = -1
    end do
    call show('trips-zero-negative-step', [bits(a), bits(i)])
    ! truth: parallel j i; run trips-zero-inner
    do j = 1, n
      do i = 3, one
        b(i, j) = -1
      end do
    end do
    call show('trips-zero-inner', [bits([b]), bits(i), bits(j)])
    ! truth: parallel i; run trips-one
    do i = n, n
      a(i) = 99
    end do
    call show('trips-one', [bits(a), bits(i)])
    low = 2
    high = n - 2
    ! truth: parallel i; private low high; run limits-set-inside
    do i = low, high
      low = i/2
      high = low + 1
      a(i) = low*high
    end do
    call show('limits-set-inside', bits(a))
    ! truth: parallel j; private i; run triangle
    do j = 1, n
      do i = 1, j
        b(i, j) = i*100 + j
      end do
    end do
    call show('triangle', [bits([b]), bits(j)])
    ! truth: parallel j; private i; run triangle-below
    do j = n, 1, -1
      do i = n, j + 1, -2
        b(i, j) = b(j, i) + 1
      end do
    end do
    call show('triangle-below', bits([b]))
    ! truth: parallel j i; run rectangle-of-expressions
    do j = max(1, n/3), min(n, 2*n/3)
      do i = n - 3, n/4, -one
        b(i, j) = i - j
      end do
    end do
    call show('rectangle-of-expressions', [bits([b]), bits(i), bits(j)])
    ! truth: parallel l; run variable-of-long-kind
    do l = 1, int(n, int64)
      a(int(l)) = int(l*l)
    end do
    call show('variable-of-long-kind', [bits(a), bits(l)])
    ! truth: parallel s; run variable-of-short-kind
    do s = 1_int8, int(n, int8)
      a(s) = 2*s
    end do
    call show('variable-of-short-kind', [bits(a), bits(s)])
    ! truth: parallel i; run negative-range
    do i = -3, n - 4
      a(i + 3) = i*i
    end do
    call show('negative-range', [bits(a), bits(i)])
    ! truth: parallel i; run step-of-run-time-downwards
    do i = n, 1, -2*one
      a(i) = a(i) + i*i
    end do
    call show('step-of-run-time-downwards', [bits(a), bits(i)])
    ! truth: parallel i; run step-that-is-a-sum
    do i = n, 1, one - 4
      a(i) = a(i)*3 - i
    end do
    call show('step-that-is-a-sum', [bits(a), bits(i)])
  end subroutine rows
end module trips

program main
  use trips
  implicit none
  integer, parameter :: n = 37
  integer :: a(0:n + 1), b(0:n + 1, 0:n + 1)
  a = 5
  b = 6
  call rows(n, 1, a, b)
end program main
