! histogram.f90 - particles are counted by the cell they are in, with the fastest one of each cell
! and its mean speed: which cell is written depends on the data, so threads meet there, and each
! update is an atomic one. Compared with the serial loop. histogram [PARTICLES [CELLS]]
module histogram_mod
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use portable_mod, only: parallel_for, bounds, tile, arg, add_atomically, max_atomically
  implicit none
  integer :: particles = 300000, cells = 500
  real(real64), pointer :: position(:) => null(), speed(:) => null()
  integer, pointer :: number(:) => null()             ! of particles in each cell
  real(real64), pointer :: fastest(:) => null(), total(:) => null()
contains

  subroutine count_serial(number, fastest, total)
    integer, intent(out) :: number(:)
    real(real64), intent(out) :: fastest(:), total(:)
    integer :: p, cell
    number = 0
    fastest = 0
    total = 0
    do p = 1, particles
      cell = 1 + int(position(p)*cells)
      number(cell) = number(cell) + 1
      fastest(cell) = max(fastest(cell), speed(p))
      total(cell) = total(cell) + speed(p)
    end do
  end subroutine

  subroutine count_particles()
    number = 0
    fastest = 0
    total = 0
    call parallel_for('histogram', bounds(particles), count_kernel, &
                      [arg(position, 'read'), arg(speed, 'read'), arg(number), arg(fastest), arg(total), arg(cells)])
  end subroutine

  recursive subroutine count_kernel(t)
    type(tile), intent(in) :: t
    integer :: p, cell
    do p = t%lower(1), t%upper(1)
      cell = 1 + int(position(p)*cells)
      call add_atomically(number(cell), 1)
      call max_atomically(fastest(cell), speed(p))
      call add_atomically(total(cell), speed(p))
    end do
  end subroutine
end module

program main
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use gator_mod, only: gator_init, gator_allocate, gator_deallocate, gator_finalize
  use portable_mod, only: num_threads, cuda_code, fence
  use histogram_mod
  implicit none
  integer, allocatable :: expected_number(:)
  real(real64), allocatable :: expected_fastest(:), expected_total(:)
  integer(int64) :: start, middle, finish, rate
  character(len=32) :: argument(2)
  integer :: n
  do n = 1, 2
    call get_command_argument(n, argument(n))
  end do
  if (argument(1) /= '') read (argument(1), *) particles
  if (argument(2) /= '') read (argument(2), *) cells
  call gator_init()
  call cuda_code('histogram', file='histogram.cu') ! for launches on a GPU
  call gator_allocate(position, [particles], label='position')
  call gator_allocate(speed, [particles], label='speed')
  call gator_allocate(number, [cells], label='number')
  call gator_allocate(fastest, [cells], label='fastest')
  call gator_allocate(total, [cells], label='total')
  allocate (expected_number(cells), expected_fastest(cells), expected_total(cells))
  call random_number(position)
  call random_number(speed)
  call system_clock(start, rate)
  call count_serial(expected_number, expected_fastest, expected_total)
  call system_clock(middle)
  call count_particles()
  call fence()
  call system_clock(finish)
  print '(2(a,i0),a,f0.3,a,i0,a,f0.3,a)', 'histogram of ', particles, ' particles in ', cells, ' cells: serial ', &
    1000.0_real64*(middle - start)/rate, ' ms, parallel_for on ', num_threads(), ' threads ', &
    1000.0_real64*(finish - middle)/rate, ' ms'
  ! Counts and maxima do not depend on the order, so they are the same; sums of reals are, but for their last bits.
  if (any(number /= expected_number)) error stop 'histogram: the counts differ'
  if (any(fastest < expected_fastest .or. fastest > expected_fastest)) error stop 'histogram: the maxima differ'
  if (any(abs(total - expected_total) > 1e-10_real64*expected_total)) error stop 'histogram: the sums differ'
  call gator_deallocate(position)
  call gator_deallocate(speed)
  call gator_deallocate(number)
  call gator_deallocate(fastest)
  call gator_deallocate(total)
  call gator_finalize()
end program
