!> y = a x + y as in axpy.f90, on arrays that handles own: its arrays are released when the main routine returns. Both must give the same bits.
!> axpy_arrays [ELEMENTS]. Exit status: 0 when they do.
module axpy_arrays_mod
  use, intrinsic :: iso_fortran_env, only: real64
  use portable_array_mod, only: portable_array
  use portable_mod, only: parallel_for, bounds, tile, arg, cuda_code, fence
  implicit none
  real(real64), parameter :: a = 0.1_real64
  real(real64), pointer, contiguous :: from(:), to(:) ! what the kernel reads and changes
contains

  !> The loop of a routine that is handed plain arrays.
  subroutine axpy(n, x, y)
    integer, intent(in) :: n
    real(real64), intent(in), target :: x(n)
    real(real64), intent(inout), target :: y(n)
    from => x
    to => y
    call parallel_for('axpy', bounds(n), body, [arg(x, [1], 'read'), arg(y, [1]), arg(a)])
  end subroutine

  recursive subroutine body(t)
    type(tile), intent(in) :: t
    integer :: i
    associate (x => from, y => to)
      do concurrent (i = t%lower(1):t%upper(1))
        y(i) = a*x(i) + y(i)
      end do
    end associate
  end subroutine

  subroutine run(n)
    integer, intent(in) :: n
    type(portable_array) :: held(2), copy
    real(real64), pointer :: x(:), y(:), expected(:)
    integer :: i, repeat
    call cuda_code('axpy', file='axpy.cu')
    call held(1)%allocate(x, [n], label='x')
    call held(2)%allocate(y, [n], label='y')
    do i = 1, n
      x(i) = sin(real(i, real64))
    end do
    y = 1
    call held(2)%host_copy(copy)
    call copy%get(expected)
    do repeat = 1, 10
      expected = a*x + expected
      call axpy(n, x, y)
    end do
    call fence()
    if (any(y < expected .or. y > expected)) error stop 'axpy_arrays: the results differ'
    print '(a,i0,a)', 'axpy of ', n, ' elements, on arrays that handles own'
  end subroutine
end module

program main
  use axpy_arrays_mod, only: run
  use gator_mod, only: gator_init, gator_finalize
  implicit none
  integer :: n
  character(len=20) :: argument
  n = 100000
  call get_command_argument(1, argument)
  if (argument /= '') read (argument, *) n
  call gator_init()
  call run(n)
  call gator_finalize() ! it lists live blocks: none
end program
