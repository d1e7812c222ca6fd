! allocate.f90 - faults with memory of ALLOCATE and automatic arrays, in a program that links portable::allocate; chosen by the first argument.
! Not in this file: arrays of the pool (pool.f90), what marks mean (../main.go).
module allocate_faults
  implicit none
  real(8), volatile :: sink = 0
contains

  ! fault allocate_write: an allocatable array is written past its end
  subroutine allocate_write(n)
    integer, intent(in) :: n
    real(8), allocatable :: a(:)
    integer :: i
    allocate (a(n))
    do i = 1, n + 1
      a(i) = i !~ out-of-bounds
    end do
    sink = a(n)
  end subroutine

  ! fault automatic_read: an automatic array is read past its end
  subroutine automatic_read(n)
    integer, intent(in) :: n
    real(8) :: a(n)
    integer :: i
    a = sink
    do i = 1, n + 1
      sink = sink + a(i) !~ out-of-bounds
    end do
  end subroutine

  ! fault allocate_freed: a pointer into an array outlives it
  subroutine allocate_freed(n)
    integer, intent(in) :: n
    real(8), allocatable, target :: a(:)
    real(8), pointer :: p(:)
    allocate (a(n))
    a = 1
    p => a(2:)
    deallocate (a)
    sink = p(7) !~ use-after-free
  end subroutine

  ! clean allocate_all: allocatable and automatic arrays, grown, moved and passed on
  subroutine allocate_all(n)
    integer, intent(in) :: n
    real(8), allocatable :: a(:), b(:)
    real(8) :: c(n)
    integer :: i
    allocate (a(n))
    a = 1
    do i = 1, 5
      b = [a, a(1:n)]
      call move_alloc(b, a)
    end do
    c = a(1:n)
    sink = sum(c)
  end subroutine
end module

program allocate
  use gator_mod, only: gator_init, gator_finalize
  use allocate_faults
  implicit none
  character(40) :: name
  integer, parameter :: n = 100000
  call get_command_argument(1, name)
  call gator_init()
  select case (name)
  case ('allocate_write'); call allocate_write(n)
  case ('automatic_read'); call automatic_read(n)
  case ('allocate_freed'); call allocate_freed(n)
  case ('allocate_all'); call allocate_all(n)
  case default
    error stop 'no such case'
  end select
  call gator_finalize()
end program
