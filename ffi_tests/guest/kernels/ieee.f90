! ieee.f90: the IEEE modules over launches: halting and rounding modes in kernels are those of the program, flags that kernels raise
! are found by ieee_get_flag. Compiled with and without -ffpe-trap. Not in this file: each mode alone (modes.c).
module ieee_kernels
  use portable_mod
  use, intrinsic :: ieee_arithmetic
  implicit none
  logical :: halting(64)
  real(8) :: up(64), zero = 0, one = 1, three = 3
  integer :: who = 1
contains
  recursive subroutine look(t)
    type(tile), intent(in) :: t
    integer :: i
    do i = t%lower(1), t%upper(1)
      call ieee_get_halting_mode(ieee_overflow, halting(i))
      up(i) = one/three
    end do
  end subroutine
  recursive subroutine divides(t)
    type(tile), intent(in) :: t
    integer :: i
    do i = t%lower(1), t%upper(1)
      if (i == who) up(i) = one/zero
    end do
  end subroutine
end module

program ieee
  use ieee_kernels
  implicit none
  logical :: mine, raised
  real(8) :: expected
  call portable_init()
  call ieee_get_halting_mode(ieee_overflow, mine)
  call ieee_set_rounding_mode(ieee_up)
  expected = one/three
  call parallel_for('look', bounds(64), look, tile=[1])
  if (any(halting .neqv. mine)) error stop 2
  if (any(abs(up - expected) > 0)) error stop 3
  call ieee_set_rounding_mode(ieee_nearest)
  call parallel_for('look', bounds(64), look)
  if (any(abs(up - one/three) > 0)) error stop 4
  call ieee_set_halting_mode(ieee_divide_by_zero, .false.)
  do who = 1, 64
    call ieee_set_flag(ieee_all, .false.)
    call parallel_for('divides', bounds(64), divides)
    call ieee_get_flag(ieee_divide_by_zero, raised)
    if (.not. raised) error stop 5
    call ieee_get_flag(ieee_invalid, raised)
    if (raised) error stop 6
  end do
  call ieee_set_flag(ieee_all, .false.) ! or gfortran 12 traps where it restores the halting modes, also in a program without us
  call portable_finalize()
  print '(a, l2)', 'done', mine
end program
