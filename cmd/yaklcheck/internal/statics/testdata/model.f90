! Static data of each kind, assigned by kernels and by what they call, and not. The tile is the library's, cut short.
module portable_core_mod
  use, intrinsic :: iso_c_binding
  type, bind(c) :: portable_tile
    integer(8) :: lower64(8)
    integer :: lower(8), upper(8)
  end type
end module

module model
  use portable_core_mod, only: tile => portable_tile
  implicit none
  real(8) :: flux, a(100), b(100), only_read = 2
  common /old/ w, row
  real(8) :: w, row(10)
contains
  recursive subroutine kernel(t)
    type(tile), intent(in) :: t
    integer, save :: calls
    real(8) :: table(3) = [1d0, 2d0, 3d0]
    integer :: i
    calls = calls + 1
    do i = t%lower(1), t%upper(1)
      flux = a(i)
      b(i) = flux*table(mod(i, 3) + 1)*only_read
      w = i
      call physics(b(i))
    end do
  end subroutine
  subroutine physics(x)
    real(8) :: x
    real(8) :: big(200, 200)
    integer :: k
    do k = 1, 200
      big(k, k) = x*k
    end do
    x = sum(big)
  end subroutine
  subroutine never(x)
    real(8) :: x
    real(8), save :: sum
    sum = sum + x
    x = sum
  end subroutine
end module

program simulation
  use model
  implicit none
  type(tile) :: t
  integer :: n = 0
  n = n + command_argument_count()
  t%lower = 1
  t%upper = 10
  call kernel(t)
  call inner(t)
  if (n > 3) call never(a(1))
  print *, b(3), n
contains
  recursive subroutine inner(t)
    type(tile), intent(in) :: t
    n = n + t%lower(1)
  end subroutine
end program
