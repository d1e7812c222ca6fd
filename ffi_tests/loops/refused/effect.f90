! Statements with an effect outside of arrays and scalars.
module effect
  implicit none
  integer, parameter :: wp = kind(1d0)
contains
  subroutine output(n, a)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(n)
    integer :: i
    character(len=20) :: text
    ! truth: refused effect
    do i = 1, n
      a(i) = 2*a(i)
      write (*, *) i, a(i) !<
    end do
    ! truth: refused effect
    do i = 1, n
      a(i) = 2*a(i)
      if (a(i) > 1e9_wp) print *, 'large', i !<
    end do
    ! truth: refused effect
    do i = 1, n
      read (*, *) a(i) !<
    end do
    ! truth: refused effect|not-converted
    do i = 1, n
      write (text, '(f20.4)') a(i) !<
      a(i) = len_trim(text)
    end do
  end subroutine output

  subroutine stops(n, a)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(n)
    integer :: i
    ! truth: refused effect
    do i = 1, n
      if (a(i) <= 0) stop 'not positive' !<
      a(i) = log(a(i))
    end do
    ! truth: refused effect
    do i = 1, n
      if (a(i) <= 0) error stop 3 !<
      a(i) = sqrt(a(i))
    end do
    ! truth: parallel i
    do i = 1, n
      if (a(i) <= 0) cycle
      a(i) = sqrt(a(i))
    end do
  end subroutine stops

  subroutine memory(n, a)
    integer, intent(in) :: n
    real(wp), intent(inout), target :: a(n)
    real(wp), allocatable :: w(:)
    real(wp), pointer :: p
    integer :: i
    ! truth: refused effect
    do i = 1, n
      allocate (w(i)) !<
      w = i
      a(i) = sum(w)
      deallocate (w)
    end do
    ! truth: refused effect
    do i = 1, n
      p => a(i) !<
      p = 2*p
    end do
    allocate (w(4))
    ! truth: refused effect|whole-array w
    do i = 1, n
      w = [a(i), a(i)] !<
      a(i) = w(2)
    end do
  end subroutine memory

  subroutine clock(n, a)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(n)
    real :: now
    integer :: i
    ! truth: refused effect|call-effect
    do i = 1, n
      call cpu_time(now) !<
      a(i) = now
    end do
    ! truth: refused effect|call-effect
    do i = 1, n
      call random_number(a(i)) !<
    end do
  end subroutine clock
end module effect
