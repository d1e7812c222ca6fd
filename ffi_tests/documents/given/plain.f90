! The model of a reader who changes no line: ALLOCATE and an automatic array, no module of ours.
program model
  implicit none
  real(8), allocatable :: h(:)
  allocate(h(100000))
  call step(size(h), h)
  if (any(abs(h - 2) > 0)) error stop 'wrong values'
contains
  subroutine step(n, h)
    integer, intent(in) :: n
    real(8), intent(out) :: h(n)
    real(8) :: work(n)
    work = 1
    h = work + 1
  end subroutine
end program
