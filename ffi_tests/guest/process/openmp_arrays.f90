! openmp_arrays.f90: gator_allocate inside an OpenMP region, an array for each thread, and arrays that one
! thread allocates and another deallocates. Not in this file: C (openmp.c).
program openmp_arrays
  use gator_mod
  implicit none
  type box
    real(8), pointer :: a(:) => null()
  end type
  type(box) :: boxes(400)
  real(8), pointer :: work(:)
  real(8) :: total
  integer :: i, round
  call gator_init()
  do round = 1, 10
    total = 0
    !$omp parallel do private(work) reduction(+:total)
    do i = 1, 400
      call gator_allocate(work, [1000 + i], label='work')
      work = i
      total = total + sum(work)/size(work)
      call gator_deallocate(work)
      call gator_allocate(boxes(i)%a, [500 + i], label='box')
      boxes(i)%a = i
    end do
    if (abs(total - 400*401/2) > 1d-6) error stop 1
    !$omp parallel do schedule(dynamic)
    do i = 400, 1, -1
      if (any(boxes(i)%a /= i)) error stop 2
      call gator_deallocate(boxes(i)%a)
    end do
  end do
  call gator_finalize()
  print '(a)', 'done'
end program
