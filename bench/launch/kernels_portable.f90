! kernels_portable.f90 - loops that are bound by memory, as launches over arrays of the pool, in
! module procedures. The same loops over ALLOCATABLE arrays with OpenMP are in kernels_openmp.f90;
! kernels_main.f90 calls and times both.
module kernels
  use, intrinsic :: iso_fortran_env, only: int64, real32, real64
  use gator_mod
  use portable_mod
  implicit none
  private
  public :: start, make_triad, triad, drop_triad, make_diffusion, diffuse, scale, drop_diffusion, make_elements, write_elements, &
    read_elements, drop_elements, checksum
  real(real64), pointer, contiguous :: a(:) => null(), b(:) => null(), c(:) => null()
  real(real64), pointer, contiguous :: f(:,:,:) => null(), g(:,:,:) => null()
  real(real32), pointer, contiguous :: s(:) => null(), v(:,:) => null(), t(:,:) => null(), in(:,:) => null()
  real(real64) :: cc, ce
contains

  subroutine start()
    call portable_init()
    call gator_init()
  end subroutine

  ! ---- triad: a = b + 3 c ----

  subroutine make_triad(n)
    integer, intent(in) :: n
    call gator_allocate(a, [n])
    call gator_allocate(b, [n])
    call gator_allocate(c, [n])
    call parallel_for('first touch', bounds(n), touch_triad)
  end subroutine

  recursive subroutine touch_triad(u)
    type(tile), intent(in) :: u
    integer :: i
    associate (a => a, b => b, c => c)
      do i = u%lower(1), u%upper(1)
        a(i) = 0
        b(i) = 1
        c(i) = i
      end do
    end associate
  end subroutine

  subroutine triad()
    call parallel_for('triad', bounds(size(a)), triad_kernel)
  end subroutine

  recursive subroutine triad_kernel(u)
    type(tile), intent(in) :: u
    integer :: i
    associate (a => a, b => b, c => c)
      do i = u%lower(1), u%upper(1)
        a(i) = b(i) + 3*c(i)
      end do
    end associate
  end subroutine

  subroutine drop_triad()
    call gator_deallocate(a)
    call gator_deallocate(b)
    call gator_deallocate(c)
  end subroutine

  ! ---- diffusion: a 7-point stencil ----

  subroutine make_diffusion(n)
    integer, intent(in) :: n
    call gator_allocate(f, [n+2, n+2, n+2], [0, 0, 0])
    call gator_allocate(g, [n+2, n+2, n+2], [0, 0, 0])
    cc = 0.4d0
    ce = 0.1d0
    call parallel_for('first touch', bounds([0, 0, 0], [n+1, n+1, n+1]), touch_diffusion)
  end subroutine

  recursive subroutine touch_diffusion(u)
    type(tile), intent(in) :: u
    integer :: i, j, k
    associate (f => f, g => g)
      do k = u%lower(3), u%upper(3)
        do j = u%lower(2), u%upper(2)
          do i = u%lower(1), u%upper(1)
            f(i,j,k) = i + 2*j + 3*k
            g(i,j,k) = 0
          end do
        end do
      end do
    end associate
  end subroutine

  subroutine diffuse()
    integer :: n
    n = ubound(f, 1) - 1
    call parallel_for('diffuse', bounds([1, 1, 1], [n, n, n]), diffusion_kernel)
  end subroutine

  recursive subroutine diffusion_kernel(u)
    type(tile), intent(in) :: u
    integer :: i, j, k
    associate (f => f, g => g, cc => cc, ce => ce)
      do k = u%lower(3), u%upper(3)
        do j = u%lower(2), u%upper(2)
          do i = u%lower(1), u%upper(1)
            g(i,j,k) = cc*f(i,j,k) + ce*(f(i-1,j,k) + f(i+1,j,k) + f(i,j-1,k) + f(i,j+1,k) + f(i,j,k-1) + f(i,j,k+1))
          end do
        end do
      end do
    end associate
  end subroutine

  ! The copy of the same points, times a number: a plain copy would become a call of memcpy.
  subroutine scale()
    integer :: n
    n = ubound(f, 1) - 1
    call parallel_for('scale', bounds([1, 1, 1], [n, n, n]), scale_kernel)
  end subroutine

  recursive subroutine scale_kernel(u)
    type(tile), intent(in) :: u
    integer :: i, j, k
    associate (f => f, g => g, cc => cc)
      do k = u%lower(3), u%upper(3)
        do j = u%lower(2), u%upper(2)
          do i = u%lower(1), u%upper(1)
            g(i,j,k) = cc*f(i,j,k)
          end do
        end do
      end do
    end associate
  end subroutine

  subroutine drop_diffusion()
    call gator_deallocate(f)
    call gator_deallocate(g)
  end subroutine

  ! ---- openfpm's bandwidth test: a scalar, two vectors of 2 and a tensor of 2 x 2 for each element ----

  subroutine make_elements(n)
    integer, intent(in) :: n
    call gator_allocate(s, [n])
    call gator_allocate(v, [n, 2])
    call gator_allocate(t, [n, 4])
    call gator_allocate(in, [n, 2])
    call parallel_for('first touch', bounds(n), touch_elements)
  end subroutine

  recursive subroutine touch_elements(u)
    type(tile), intent(in) :: u
    integer :: i
    do i = u%lower(1), u%upper(1)
      s(i) = 0
      v(i,:) = 0
      t(i,:) = 0
      in(i,1) = mod(i, 7)
      in(i,2) = 0
    end do
  end subroutine

  subroutine write_elements()
    call parallel_for('write', bounds(size(s)), write_kernel)
  end subroutine

  ! With so many arrays gfortran gives up on proving that pointers do not overlap, associate or not; explicit-shape
  ! dummies say it.
  recursive subroutine write_kernel(u)
    type(tile), intent(in) :: u
    call write_part(size(s), s, v, t, in, u%lower(1), u%upper(1))
  end subroutine

  recursive subroutine write_part(n, s, v, t, in, first, last)
    integer, intent(in) :: n, first, last
    real(real32), intent(inout) :: s(n), v(n,2), t(n,4), in(n,2)
    real(real32) :: x
    integer :: i
    do i = first, last
      x = in(i,1)
      s(i) = x
      v(i,1) = x
      v(i,2) = x
      t(i,1) = x
      t(i,2) = x
      t(i,3) = x
      t(i,4) = x
      in(i,2) = x
    end do
  end subroutine

  subroutine read_elements()
    call parallel_for('read', bounds(size(s)), read_kernel)
  end subroutine

  recursive subroutine read_kernel(u)
    type(tile), intent(in) :: u
    call read_part(size(s), s, v, t, in, u%lower(1), u%upper(1))
  end subroutine

  recursive subroutine read_part(n, s, v, t, in, first, last)
    integer, intent(in) :: n, first, last
    real(real32), intent(in) :: s(n), v(n,2), t(n,4)
    real(real32), intent(inout) :: in(n,2)
    integer :: i
    do i = first, last
      in(i,2) = s(i) + v(i,1) + v(i,2) + t(i,1) + t(i,2) + t(i,3) + t(i,4) + in(i,1)
    end do
  end subroutine

  subroutine drop_elements()
    call gator_deallocate(s)
    call gator_deallocate(v)
    call gator_deallocate(t)
    call gator_deallocate(in)
  end subroutine

  ! So that no result is thrown away.
  function checksum() result(x)
    real(real64) :: x
    x = 0
    if (associated(a)) x = x + a(1) + a(size(a))
    if (associated(g)) x = x + g(1,1,1)
    if (associated(in)) x = x + in(1,2)
  end function
end module
