! order_loops.f90 - columns and a stencil over fields t(i,j,k): pointers to arrays of any order of
! elements. The same over t(k,i,j), as one writes it for processors. orders.f90 times both.
module order_loops
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  integer, parameter :: ni = 144, nj = 120, nk = 60
contains
  subroutine step(t, q, u)
    real(real64), pointer, intent(in) :: t(:,:,:), q(:,:,:), u(:,:,:)
    integer :: i, j, k
    do j = 1, nj
      do i = 1, ni
        do k = 2, nk
          t(i,j,k) = t(i,j,k) - 0.4_real64*t(i,j,k-1) + q(i,j,k)
        end do
        do k = nk - 1, 1, -1
          t(i,j,k) = t(i,j,k) - 0.3_real64*t(i,j,k+1)
        end do
      end do
    end do
    do j = 2, nj - 1
      do i = 2, ni - 1
        do k = 1, nk
          u(i,j,k) = 0.2_real64*(t(i,j,k) + t(i-1,j,k) + t(i+1,j,k) + t(i,j-1,k) + t(i,j+1,k))
        end do
      end do
    end do
  end subroutine

  subroutine step_kij(t, q, u)
    real(real64), intent(inout) :: t(nk,ni,nj), u(nk,ni,nj)
    real(real64), intent(in) :: q(nk,ni,nj)
    integer :: i, j, k
    do j = 1, nj
      do i = 1, ni
        do k = 2, nk
          t(k,i,j) = t(k,i,j) - 0.4_real64*t(k-1,i,j) + q(k,i,j)
        end do
        do k = nk - 1, 1, -1
          t(k,i,j) = t(k,i,j) - 0.3_real64*t(k+1,i,j)
        end do
      end do
    end do
    do j = 2, nj - 1
      do i = 2, ni - 1
        do k = 1, nk
          u(k,i,j) = 0.2_real64*(t(k,i,j) + t(k,i-1,j) + t(k,i+1,j) + t(k,i,j-1) + t(k,i,j+1))
        end do
      end do
    end do
  end subroutine
end module
