! watched.f90 - a Fortran program with everything on that watches: log, checks, tuning. Its results are those of the plain loop, its
! labels are in the log, and its kernels see the tiles of the tuning file.
module field
  implicit none
  real(8), allocatable :: u(:,:), v(:,:)
  integer :: widest = 0, highest = 0
contains
  recursive subroutine smooth(t)
    use portable_mod, only: tile
    type(tile), intent(in) :: t
    integer :: i, j, n
    n = t%upper(1) - t%lower(1) + 1
    if (n > widest) widest = n ! all tiles are of one size but the last ones, so who is first does not matter
    n = t%upper(2) - t%lower(2) + 1
    if (n > highest) highest = n
    do j = t%lower(2), t%upper(2)
      do i = t%lower(1), t%upper(1)
        v(i,j) = 0.5d0*u(i,j) + 0.125d0*(u(i-1,j) + u(i+1,j) + u(i,j-1) + u(i,j+1))
      end do
    end do
  end subroutine
end module

program watched
  use portable_mod, only: portable_init, portable_finalize, parallel_for, bounds, fence
  use gator_mod, only: gator_allocate, gator_deallocate
  use field
  implicit none
  real(8), allocatable :: plain(:,:)
  real(8), pointer :: work(:) => null()
  character(len=300) :: line
  integer :: i, j, unit, stat, launches, allocations
  allocate (u(0:65,0:49), v(0:65,0:49), plain(0:65,0:49))
  do j = 0, 49
    do i = 0, 65
      u(i,j) = 1d0/(1 + i + 3*j)
    end do
  end do
  v = 0
  plain = 0
  do j = 1, 48
    do i = 1, 64
      plain(i,j) = 0.5d0*u(i,j) + 0.125d0*(u(i-1,j) + u(i+1,j) + u(i,j-1) + u(i,j+1))
    end do
  end do
  call portable_init()
  call gator_allocate(work, [100], [1], label='work')
  call parallel_for('smooth', bounds([1,1], [64,48]), smooth)
  call fence()
  call gator_deallocate(work)
  call portable_finalize()
  if (any(abs(v - plain) > 0)) error stop 'the results differ'
  if (widest /= 16 .or. highest /= 12) error stop 'the tiles are not those of PORTABLE_TUNING'
  call get_environment_variable('PORTABLE_VERBOSE', line)
  open (newunit=unit, file=line, status='old', action='read')
  launches = 0
  allocations = 0
  do
    read (unit, '(a)', iostat=stat) line
    if (stat /= 0) exit
    if (index(line, "'smooth' begins: parallel_for, 3072 iterations") > 0) launches = launches + 1
    if (index(line, "allocate 'work': 800 bytes") > 0) allocations = allocations + 1
  end do
  close (unit)
  if (launches /= 1 .or. allocations /= 1) error stop 'the log lacks a line'
  print '(a)', 'watched'
end program
