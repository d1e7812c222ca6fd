! DO CONCURRENT: locality, masks, several indices, steps, an index of another kind.
module concurrent
  use bits_of_results
  implicit none
  integer, parameter :: wp = real64
contains
  subroutine rows(n, a, b)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(n, n), b(n)
    real(wp) :: t, u
    integer :: i, j
    integer(int64) :: k
    ! truth: parallel i; run concurrent-plain
    do concurrent (i=1:n)
      b(i) = b(i)*2 + i
    end do
    call show('concurrent-plain', bits(b))
    ! truth: parallel i j; run concurrent-two-indices
    do concurrent (i=1:n, j=n:1:-2)
      a(i, j) = b(i) - b(j)
    end do
    call show('concurrent-two-indices', bits([a]))
    ! truth: parallel i j; run concurrent-mask
    do concurrent (i=1:n, j=1:n, i > j)
      a(i, j) = a(j, i) + 1
    end do
    call show('concurrent-mask', bits([a]))
    ! truth: parallel k; run concurrent-long-index
    do concurrent (k=2_int64:int(n, int64):3_int64)
      b(k) = -k
    end do
    call show('concurrent-long-index', bits(b))
    u = 4
    ! truth: parallel i; private t; run concurrent-local
    do concurrent (i=1:n)
      block
        real(wp) :: t
        t = b(i) + u
        b(i) = t*t
      end block
    end do
    call show('concurrent-local', bits(b))
    t = 0
    ! truth: parallel i; private j; run concurrent-with-inner-loop
    do concurrent (i=1:n)
      b(i) = 0
      do j = 1, n
        b(i) = b(i) + a(j, i)
      end do
    end do
    call show('concurrent-with-inner-loop', [bits(b), bits(t)])
    ! truth: parallel j i; run concurrent-inside
    do j = 1, n
      do concurrent (i=1:j)
        a(i, j) = b(i) + j
      end do
    end do
    call show('concurrent-inside', bits([a]))
    ! truth: parallel i; run concurrent-in-any-order
    do concurrent (i=1:n-1)
      b(mod(i*7, n)) = i
    end do
    call show('concurrent-in-any-order', bits(b))
    ! truth: parallel i; run independent-in-any-order
    !$portable parallel independent
    do i = 1, n - 1
      b(ieor(i - 1, 1) + 1) = b(ieor(i - 1, 1) + 1) + i
    end do
    call show('independent-in-any-order', bits(b))
  end subroutine rows
end module concurrent

program main
  use concurrent
  implicit none
  integer, parameter :: n = 23
  real(wp) :: a(n, n), b(n)
  integer :: i
  a = reshape(sample([(i, i=1, n*n)]), [n, n])
  b = sample([(i, i=1, n)])
  call rows(n, a, b)
end program main
