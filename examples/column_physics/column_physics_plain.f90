!> column_physics.f90 as a plain program: physics of one column with its scratch in the module, and a loop over the columns; no kernel.
!> The arrays are those of the pool, which a GPU can access. The source is built as it stands and converted (CMakeLists.txt);
!> both programs print the bits that column_physics prints.
!> column_physics_plain [COLUMNS STEPS].
module column_physics_plain_mod
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  integer, parameter :: levels = 60 ! constant: a GPU keeps a column's work array in the thread that works on it
  real(real64) :: pivot(levels) ! of one column: the clause columns makes it private to each
contains

  subroutine physics(columns, k, t)
    integer, intent(in) :: columns
    real(real64), intent(in) :: k(levels, columns)
    real(real64), intent(inout) :: t(levels, columns)
    integer :: column
    !$portable parallel columns(column=1:columns)
    do column = 1, columns
      call diffuse(k(:, column), t(:, column))
    end do
  end subroutine

  subroutine diffuse(k, t)
    real(real64), intent(in) :: k(levels)
    real(real64), intent(inout) :: t(levels)
    real(real64) :: factor
    integer :: l
    ! no flux through bottom and top
    pivot(1) = 1 + k(1)
    do l = 2, levels
      factor = k(l-1)/pivot(l-1)
      pivot(l) = 1 + k(l-1) + merge(k(l), 0.0_real64, l < levels) - (factor*k(l-1))
      t(l) = t(l) + (factor*t(l-1))
    end do
    t(levels) = t(levels)/pivot(levels)
    do l = levels - 1, 1, -1
      t(l) = (t(l) + (k(l)*t(l+1)))/pivot(l)
    end do
  end subroutine
end module

program main
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use gator_mod, only: gator_init, gator_allocate, gator_deallocate, gator_finalize
  use column_physics_plain_mod
  implicit none
  real(real64), pointer, contiguous :: temperature(:, :), diffusivity(:, :)
  integer :: columns, steps, column, l, n
  integer(int64) :: bits
  character(len=32) :: argument(2)
  columns = 3000
  steps = 20
  call get_command_argument(1, argument(1))
  call get_command_argument(2, argument(2))
  if (argument(2) /= '') read (argument, *) columns, steps
  call gator_init()
  call gator_allocate(temperature, [levels, columns], label='temperature')
  call gator_allocate(diffusivity, [levels, columns], label='diffusivity')
  !$portable off
  do column = 1, columns ! start values, set on the host
    do l = 1, levels
      temperature(l, column) = 300 - l + mod(7*l + 13*column, 997)/997.0_real64
      diffusivity(l, column) = 0.5_real64 + mod(31*l + 17*column, 499)/1250.0_real64
    end do
  end do
  !$portable on
  do n = 1, steps
    call physics(columns, diffusivity, temperature)
  end do
  bits = 0
  do column = 1, columns
    do l = 1, levels
      bits = ieor(ishftc(bits, 1), transfer(temperature(l, column), bits))
    end do
  end do
  print '(a,z16.16)', '  bits of the result: ', bits
  call gator_deallocate(diffusivity)
  call gator_deallocate(temperature)
  call gator_finalize()
end program
