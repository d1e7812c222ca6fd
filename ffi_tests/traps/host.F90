! A loop over dummies of the procedure that a kernel is in, in the ways that the guide names. Only compiled.
module host_mod
  use portable_mod, only: parallel_for, bounds, tile
  implicit none
contains
  subroutine fluxes(nx, ny, a, b, c, d, e, f, p, q)
    integer, intent(in) :: nx, ny
    real(8), intent(in), dimension(nx, ny) :: a, b, c, d, e, f
    real(8), intent(out), dimension(nx, ny) :: p, q
    call parallel_for('fluxes', bounds([1, 1], [nx, ny]), kernel)
  contains
    recursive subroutine kernel(t)
      type(tile), intent(in) :: t
      integer :: i, j
#if defined(ASSOCIATE)
      associate (a => a, b => b, c => c, d => d, e => e, f => f, p => p, q => q)
#endif
      do j = t%lower(2), t%upper(2)
#if defined(CONCURRENT)
        do concurrent (i = t%lower(1):t%upper(1))
#else
        do i = t%lower(1), t%upper(1)
#endif
          p(i,j) = a(i,j)*b(i,j) + c(i,j)*d(i,j)
          q(i,j) = e(i,j)*f(i,j) - p(i,j)
        end do
      end do
#if defined(ASSOCIATE)
      end associate
#endif
    end subroutine
  end subroutine
end module
