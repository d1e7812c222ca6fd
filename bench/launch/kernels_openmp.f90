! kernels_openmp.f90 - the loops of kernels_portable.f90 over ALLOCATABLE arrays, with OpenMP.
module kernels
  use, intrinsic :: iso_fortran_env, only: int64, real32, real64
  implicit none
  private
  public :: start, make_triad, triad, drop_triad, make_diffusion, diffuse, scale, drop_diffusion, make_elements, write_elements, &
    read_elements, drop_elements, checksum
  real(real64), allocatable :: a(:), b(:), c(:)
  real(real64), allocatable :: f(:,:,:), g(:,:,:)
  real(real32), allocatable :: s(:), v(:,:), t(:,:), in(:,:)
  real(real64) :: cc, ce
contains

  subroutine start()
  end subroutine

  ! ---- triad: a = b + 3 c ----

  subroutine make_triad(n)
    integer, intent(in) :: n
    integer :: i
    allocate (a(n))
    allocate (b(n))
    allocate (c(n))
    !$omp parallel do schedule(static)
    do i = 1, n
      a(i) = 0
      b(i) = 1
      c(i) = i
    end do
    !$omp end parallel do
  end subroutine

  subroutine triad()
    integer :: i
    !$omp parallel do schedule(static)
    do i = 1, size(a)
      a(i) = b(i) + 3*c(i)
    end do
    !$omp end parallel do
  end subroutine

  subroutine drop_triad()
    deallocate (a)
    deallocate (b)
    deallocate (c)
  end subroutine

  ! ---- diffusion: a 7-point stencil ----

  subroutine make_diffusion(n)
    integer, intent(in) :: n
    integer :: i, j, k
    allocate (f(0:n+1, 0:n+1, 0:n+1))
    allocate (g(0:n+1, 0:n+1, 0:n+1))
    cc = 0.4d0
    ce = 0.1d0
    !$omp parallel do schedule(static)
    do k = 0, n+1
      do j = 0, n+1
        do i = 0, n+1
          f(i,j,k) = i + 2*j + 3*k
          g(i,j,k) = 0
        end do
      end do
    end do
    !$omp end parallel do
  end subroutine

  subroutine diffuse()
    integer :: n
    integer :: i, j, k
    n = ubound(f, 1) - 1
    !$omp parallel do schedule(static)
    do k = 1, n
      do j = 1, n
        do i = 1, n
          g(i,j,k) = cc*f(i,j,k) + ce*(f(i-1,j,k) + f(i+1,j,k) + f(i,j-1,k) + f(i,j+1,k) + f(i,j,k-1) + f(i,j,k+1))
        end do
      end do
    end do
    !$omp end parallel do
  end subroutine

  subroutine scale()
    integer :: n
    integer :: i, j, k
    n = ubound(f, 1) - 1
    !$omp parallel do schedule(static)
    do k = 1, n
      do j = 1, n
        do i = 1, n
          g(i,j,k) = cc*f(i,j,k)
        end do
      end do
    end do
    !$omp end parallel do
  end subroutine

  subroutine drop_diffusion()
    deallocate (f)
    deallocate (g)
  end subroutine

  ! ---- openfpm's bandwidth test: a scalar, two vectors of 2 and a tensor of 2 x 2 for each element ----

  subroutine make_elements(n)
    integer, intent(in) :: n
    integer :: i
    allocate (s(n))
    allocate (v(n, 2))
    allocate (t(n, 4))
    allocate (in(n, 2))
    !$omp parallel do schedule(static)
    do i = 1, n
      s(i) = 0
      v(i,:) = 0
      t(i,:) = 0
      in(i,1) = mod(i, 7)
      in(i,2) = 0
    end do
    !$omp end parallel do
  end subroutine

  subroutine write_elements()
    real(real32) :: x
    integer :: i
    !$omp parallel do schedule(static) private(x)
    do i = 1, size(s)
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
    !$omp end parallel do
  end subroutine

  subroutine read_elements()
    integer :: i
    !$omp parallel do schedule(static)
    do i = 1, size(s)
      in(i,2) = s(i) + v(i,1) + v(i,2) + t(i,1) + t(i,2) + t(i,3) + t(i,4) + in(i,1)
    end do
    !$omp end parallel do
  end subroutine

  subroutine drop_elements()
    deallocate (s)
    deallocate (v)
    deallocate (t)
    deallocate (in)
  end subroutine

  ! So that no result is thrown away.
  function checksum() result(x)
    real(real64) :: x
    x = 0
    if (allocated(a)) x = x + a(1) + a(size(a))
    if (allocated(g)) x = x + g(1,1,1)
    if (allocated(in)) x = x + in(1,2)
  end function
end module
