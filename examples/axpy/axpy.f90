!> y = a x + y, the smallest loop there is: the loop as it was, and the same loop moved over. Both must give the same bits.
!> axpy [ELEMENTS]. Exit status: 0 when they do.
module axpy_mod
  use, intrinsic :: iso_fortran_env, only: real64
  use portable_mod, only: parallel_for, bounds, tile, arg
  implicit none
  real(real64), pointer :: x(:) => null(), y(:) => null()
  real(real64) :: a = 0.1_real64
contains

  subroutine axpy_serial(n, y)
    integer, intent(in) :: n
    real(real64), intent(inout) :: y(n)
    integer :: i
    do i = 1, n
      y(i) = a*x(i) + y(i)
    end do
  end subroutine

  subroutine axpy(n)
    integer, intent(in) :: n
    call parallel_for('axpy', bounds(n), axpy_kernel, [arg(x, 'read'), arg(y), arg(a)])
  end subroutine

  recursive subroutine axpy_kernel(t)
    type(tile), intent(in) :: t
    integer :: i
    associate (x => x, y => y)
      do i = t%lower(1), t%upper(1)
        y(i) = a*x(i) + y(i)
      end do
    end associate
  end subroutine
end module

program main
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use gator_mod, only: gator_init, gator_allocate, gator_deallocate, gator_finalize
  use portable_mod, only: num_threads, cuda_code, fence
  use axpy_mod
  implicit none
  real(real64), allocatable :: expected(:)
  integer :: n, i, repeat
  integer(int64) :: start, middle, finish, rate
  character(len=32) :: argument
  n = 1000000
  call get_command_argument(1, argument)
  if (argument /= '') read (argument, *) n
  call gator_init()
  call cuda_code('axpy', file='axpy.cu') ! for launches on a GPU; other devices ignore it
  call gator_allocate(x, [n], label='x')
  call gator_allocate(y, [n], label='y')
  allocate (expected(n))
  do i = 1, n
    x(i) = sin(real(i, real64))
  end do
  expected = 1
  y = 1
  call system_clock(start, rate)
  do repeat = 1, 10
    call axpy_serial(n, expected)
  end do
  call system_clock(middle)
  do repeat = 1, 10
    call axpy(n)
  end do
  call fence() ! on a GPU launches return before they are done
  call system_clock(finish)
  print '(a,i0,a,f0.3,a,i0,a,f0.3,a)', 'axpy of ', n, ' elements: serial ', 100.0_real64*(middle - start)/rate, &
    ' ms, parallel_for on ', num_threads(), ' threads ', 100.0_real64*(finish - middle)/rate, ' ms'
  if (any(y < expected .or. y > expected)) error stop 'axpy: the results differ'
  call gator_deallocate(y)
  call gator_deallocate(x)
  call gator_finalize()
end program
