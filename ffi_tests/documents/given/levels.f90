module column
contains
  subroutine mix(n, m, q)
    integer, intent(in) :: n, m
    real(8), intent(inout) :: q(n, m)
    integer :: i, k
    !$portable parallel on(gpu)
    do k = 1, m
      do i = 1, n
        q(i, k) = 0.5d0*(q(i, k) + i)
      end do
    end do
  end subroutine
end module

program model
  use column
  real(8) :: q(400, 60, 20)
  integer :: j
  q = 1
  !$portable parallel on(cpu)
  do j = 1, 20
    call mix(400, 60, q(:, :, j))
  end do
  print '(f0.1)', sum(q)
end program
