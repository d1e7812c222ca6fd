! fortran_arrays.f90 - compares loops over targets of handles of portable_array_mod with the same
! loops over ALLOCATABLE arrays, and measures making and dropping an array. Both versions of a loop
! use the same memory, in turn, so that only their code differs. usage: bench_fortran_arrays
! portable arrays [N]. Prints name, value and unit, a line each, separated by tabs. With N it does
! an Nth of the work, to test that it works.
module fortran_arrays
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use portable_array_mod, only: portable_array
  use portable_mod
  implicit none
  real(real64), allocatable, target :: x(:), y(:), z(:), u(:,:,:), v(:,:,:)
  type(portable_array) :: held(5)
  ! The targets of the handles: contiguous, as arrays of their own are.
  real(real64), pointer, contiguous :: a(:) => null(), b(:) => null(), c(:) => null(), f(:,:,:) => null(), g(:,:,:) => null()
  real(real64), parameter :: cc = 0.4d0, ce = 0.1d0
contains

  ! ---- triad ----

  subroutine make_triad(n)
    integer, intent(in) :: n
    allocate (x(n), y(n), z(n))
    call parallel_for('first touch', bounds(n), touch_triad)
    call held(1)%wrap(x, 'a')
    call held(2)%wrap(y, 'b')
    call held(3)%wrap(z, 'c')
  end subroutine

  recursive subroutine touch_triad(t)
    type(tile), intent(in) :: t
    integer :: i
    do i = t%lower(1), t%upper(1)
      x(i) = 0
      y(i) = 1
      z(i) = i
    end do
  end subroutine

  subroutine triad_allocatable()
    call parallel_for('triad', bounds(size(x)), triad_of_allocatables)
  end subroutine

  recursive subroutine triad_of_allocatables(t)
    type(tile), intent(in) :: t
    integer :: i
    do i = t%lower(1), t%upper(1)
      x(i) = y(i) + 3*z(i)
    end do
  end subroutine

  ! The pointers are taken again for each loop, as in a routine that gets handles.
  subroutine triad_handles()
    call held(1)%get(a)
    call held(2)%get(b)
    call held(3)%get(c)
    call parallel_for('triad', bounds(size(a)), triad_of_pointers)
  end subroutine

  recursive subroutine triad_of_pointers(t)
    type(tile), intent(in) :: t
    integer :: i
    associate (a => a, b => b, c => c)
      do i = t%lower(1), t%upper(1)
        a(i) = b(i) + 3*c(i)
      end do
    end associate
  end subroutine

  ! ---- a 7-point stencil ----

  subroutine make_stencil(n)
    integer, intent(in) :: n
    allocate (u(0:n+1,0:n+1,0:n+1), v(0:n+1,0:n+1,0:n+1))
    call parallel_for('first touch', bounds([0, 0, 0], [n+1, n+1, n+1]), touch_stencil)
    call held(4)%wrap(u, 'f')
    call held(5)%wrap(v, 'g')
  end subroutine

  recursive subroutine touch_stencil(t)
    type(tile), intent(in) :: t
    integer :: i, j, k
    do k = t%lower(3), t%upper(3)
      do j = t%lower(2), t%upper(2)
        do i = t%lower(1), t%upper(1)
          u(i,j,k) = i + 2*j + 3*k
          v(i,j,k) = 0
        end do
      end do
    end do
  end subroutine

  subroutine stencil_allocatable()
    integer :: n
    n = ubound(u, 1) - 1
    call parallel_for('stencil', bounds([1, 1, 1], [n, n, n]), stencil_of_allocatables)
  end subroutine

  recursive subroutine stencil_of_allocatables(t)
    type(tile), intent(in) :: t
    integer :: i, j, k
    do k = t%lower(3), t%upper(3)
      do j = t%lower(2), t%upper(2)
        do i = t%lower(1), t%upper(1)
          v(i,j,k) = cc*u(i,j,k) + ce*(u(i-1,j,k) + u(i+1,j,k) + u(i,j-1,k) + u(i,j+1,k) + u(i,j,k-1) + u(i,j,k+1))
        end do
      end do
    end do
  end subroutine

  subroutine stencil_handles()
    integer :: n
    call held(4)%get(f)
    call held(5)%get(g)
    n = ubound(f, 1) - 1
    call parallel_for('stencil', bounds([1, 1, 1], [n, n, n]), stencil_of_pointers)
  end subroutine

  recursive subroutine stencil_of_pointers(t)
    type(tile), intent(in) :: t
    integer :: i, j, k
    associate (f => f, g => g)
      do k = t%lower(3), t%upper(3)
        do j = t%lower(2), t%upper(2)
          do i = t%lower(1), t%upper(1)
            g(i,j,k) = cc*f(i,j,k) + ce*(f(i-1,j,k) + f(i+1,j,k) + f(i,j-1,k) + f(i,j+1,k) + f(i,j,k-1) + f(i,j,k+1))
          end do
        end do
      end do
    end associate
  end subroutine

  ! ---- a work array: made when a routine is entered, gone when it is left ----

  subroutine use_work(k, sum)
    integer, intent(in) :: k
    real(real64), intent(inout) :: sum
    type(portable_array) :: work
    real(real64), pointer :: w(:,:)
    call work%allocate(w, [100, 100], label='work')
    w(1 + mod(k, 100), 7) = k
    sum = sum + w(1 + mod(k, 100), 7)
  end subroutine
end module

program main
  use fortran_arrays
  implicit none
  character(32) :: text
  integer :: part, n, i, k, times
  integer(int64) :: before, after, rate
  real(real64) :: best, sum, expected
  call get_command_argument(3, text)
  part = 1
  if (text /= '') read (text, *) part
  call portable_init()
  n = 16000000/part
  call make_triad(n)
  call compare('triad in Fortran, 16 M elements', 24d0*n, triad_allocatable, triad_handles)
  if (abs(x(n) - (1 + 3d0*n)) > 0) error stop 'triad: the result is wrong'
  n = max(4, nint(256/real(part)**(1/3.0)))
  call make_stencil(n)
  call compare('7-point stencil in Fortran, 256^3', 16d0*real(n, real64)**3, stencil_allocatable, stencil_handles)
  expected = cc*u(1,1,1) + ce*6*u(1,1,1)
  if (abs(v(1,1,1) - expected) > 1d-9*expected) error stop 'stencil: the result is wrong'
  times = max(100, 200000/part)
  best = huge(best)
  sum = 0
  do i = 1, 5
    call system_clock(before, rate)
    do k = 1, times
      call use_work(k, sum)
    end do
    call system_clock(after)
    best = min(best, real(max(1_int64, after - before), real64)/rate/times)
  end do
  if (sum < 0) error stop 'work: the result is wrong'
  call told('a work array of 80 KB, made and dropped in Fortran', best*1d9, 'ns')
  call portable_finalize()
contains

  subroutine told(name, value, unit)
    character(*), intent(in) :: name, unit
    real(real64), intent(in) :: value
    character(20) :: number
    write (number, '(es14.6)') value
    print '(5a)', name, achar(9), trim(adjustl(number)), achar(9), unit
  end subroutine

  ! The best of some rounds of each of two, in turn.
  subroutine compare(name, bytes, plain, handles)
    character(*), intent(in) :: name
    real(real64), intent(in) :: bytes
    interface
      subroutine plain()
      end subroutine
      subroutine handles()
      end subroutine
    end interface
    real(real64) :: least(2)
    integer :: round
    least = huge(least)
    do round = 1, 20
      call system_clock(before, rate)
      call plain()
      call system_clock(after)
      least(1) = min(least(1), real(max(1_int64, after - before), real64)/rate)
      call system_clock(before)
      call handles()
      call system_clock(after)
      least(2) = min(least(2), real(max(1_int64, after - before), real64)/rate)
    end do
    call told(name//', ALLOCATABLE', bytes/least(1)*1d-9, 'GB/s')
    call told(name//', handles', bytes/least(2)*1d-9, 'GB/s')
  end subroutine
end program
