! Called procedures and BLOCKs whose own variables have pointers that no statement associates: by a default value, by a
! structure constructor, by a procedure that no file has. Two iterations may have the memory behind them.
module local_pointers
  implicit none
  real, target :: shared(5) = 1, one = 1
  type :: by_default
    integer :: k
    real, pointer :: s => one
    real, pointer :: p(:) => shared
  end type by_default
  type :: holder
    real, pointer :: p(:)
  end type holder
  interface
    pure function chosen(a) result(p)
      real, target, intent(in) :: a(:)
      real, pointer :: p
    end function chosen
    pure subroutine choose(p, a)
      real, pointer, intent(out) :: p(:)
      real, target, intent(in) :: a(:)
    end subroutine choose
  end interface
contains
  subroutine initial(i)
    integer, intent(in) :: i
    type(by_default) :: h
    h%p(3) = h%p(3)*i
  end subroutine initial

  real function look()
    type(by_default) :: h
    look = h%p(3)
  end function look

  subroutine constructed(h, i)
    type(holder), intent(in) :: h
    integer, intent(in) :: i
    h%p(3) = h%p(3)*i
  end subroutine constructed

  subroutine given(a, i)
    integer, intent(in) :: i
    real, intent(inout), target :: a(:)
    real, pointer :: p(:)
    call choose(p, a)
    p(3) = p(3)*i
  end subroutine given

  subroutine scaled(x, i)
    real, intent(inout) :: x
    integer, intent(in) :: i
    x = x*i
  end subroutine scaled

  subroutine run(a, b, n)
    integer, intent(in) :: n
    real, intent(inout), target :: a(n)
    real, intent(inout) :: b(n)
    integer :: i
    type(by_default) :: own
    ! truth: refused call-effect
    do i = 1, n
      b(i) = i
      call initial(i) !<
    end do
    ! truth: refused call-effect
    do i = 1, n
      shared(i) = i
      b(i) = look() !<
    end do
    ! truth: refused call-effect
    do i = 1, n
      b(i) = i
      call constructed(holder(a), i) !<
    end do
    ! truth: refused not-seen
    do i = 1, n
      b(i) = i
      call given(a, i) !<
    end do
    ! truth: refused not-seen
    do i = 1, n
      b(i) = i
      call scaled(chosen(a), i) !<
    end do
    ! truth: refused call-effect
    do i = 1, n
      b(i) = i
      block
        type(by_default) :: h
        h%p(3) = h%p(3)*i !<
      end block
    end do
    ! truth: refused not-converted
    do i = 1, n
      own%s = i !<
      b(i) = one + own%s
    end do
    ! truth: refused not-converted
    do i = 1, n
      own%k = i !<
      own%p = own%k
      b(i) = shared(2) + own%p(2)
    end do
  end subroutine run
end module local_pointers
