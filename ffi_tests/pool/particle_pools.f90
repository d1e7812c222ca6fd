! Three derived types and the modules that give each its gator_allocate and gator_deallocate.
module particle_mod
  use, intrinsic :: iso_fortran_env, only: int32, real64
  implicit none
  private
  public :: particle, cell, plain_pair

  ! allocatable and pointer components and default values
  type :: particle
    real(real64) :: x(3) = [1.0_real64, 2.0_real64, 3.0_real64]
    integer(int32) :: id = -7
    real(real64), allocatable :: history(:)
    real(real64), pointer :: field(:) => null()
    character(:), allocatable :: name
  end type

  ! a type that holds the other
  type :: cell
    integer(int32) :: level = 4
    type(particle) :: center
    type(particle), allocatable :: members(:)
  end type

  ! nothing to initialise, nothing to free
  type :: plain_pair
    real(real64) :: first, second
  end type
end module

module particle_pool_mod
  use particle_mod, only: gator_type => particle
  include 'gator_derived.inc'
end module

module cell_pool_mod
  use particle_mod, only: gator_type => cell
  include 'gator_derived.inc'
end module

module pair_pool_mod
  use particle_mod, only: gator_type => plain_pair
  include 'gator_derived.inc'
end module
