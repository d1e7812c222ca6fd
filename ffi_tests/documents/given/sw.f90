! A model with two faults that no compiler tells: a loop that is one cell too long, and work arrays that are lost.
module sw
  use gator_mod, only: gator_allocate, gator_deallocate
  implicit none
  real(8), pointer :: dt2d(:,:) => null()
contains

  subroutine init_model(nx, ny)
    integer, intent(in) :: nx, ny
    call gator_allocate(dt2d, [nx, ny], label='dt2d')
  end subroutine

  subroutine max_stable_dt(n)
    integer, intent(in) :: n
    call limit(dt2d, n + 1)
  end subroutine

  subroutine limit(dt, n)                 ! told a length that is not the array's
    integer, intent(in) :: n
    real(8), intent(out) :: dt(n)
    integer :: i
    do i = 1, n
      dt(i) = 1d0/i
    end do
  end subroutine

  subroutine step(n)
    integer, intent(in) :: n
    real(8), pointer :: tmp(:)
    nullify (tmp)
    call gator_allocate(tmp, [n], label='tmp')
    tmp = n
  end subroutine
end module

program model
  use gator_mod, only: gator_init, gator_finalize
  use sw
  implicit none
  integer :: i
  call gator_init()
  call init_model(100, 100)
  call max_stable_dt(10000)
  do i = 1, 3
    call step(10000)
  end do
  call gator_deallocate(dt2d)
  call gator_finalize()
end program
