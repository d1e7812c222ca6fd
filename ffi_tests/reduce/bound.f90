! bound.f90 - exact sums and live-outs by procedures that are bound to their types, which flang 16 and the stub do not have.
program bound
  use portable_mod, only: portable_init, portable_finalize, exact_sum, scalar_live_out, parallel_for, bounds, tile
  implicit none
  type(exact_sum) :: s, other
  type(scalar_live_out) :: dt
  real(8) :: value
  real(8), pointer :: p => null()
  call portable_init()
  call s%add(1d100)
  call s%add([0.5d0, -1d100])
  call other%set_words(s%words())
  call other%add(s)
  if (abs(other%value() - 1) > 0) error stop 'bound: the sum is wrong'
  if (abs(other%value32() - 1) > 0) error stop 'bound: the sum in real32 is wrong'
  call s%clear()
  if (abs(s%value()) > 0) error stop 'bound: the sum is not empty'
  call dt%create(3d0, label='dt')
  call dt%get(p)
  call parallel_for('half', bounds(1), half)
  call dt%host_read(value)
  if (abs(value - 1.5d0) > 0) error stop 'bound: the live-out is wrong'
  call dt%host_write(7d0)
  if (abs(p - 7) > 0) error stop 'bound: host_write'
  call dt%destroy()
  call portable_finalize()
contains
  recursive subroutine half(t)
    type(tile), intent(in) :: t
    if (t%lower(1) == 1) p = p/2
  end subroutine
end program
