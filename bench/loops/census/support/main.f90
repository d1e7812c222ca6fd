! Runs all files of the census, and prints the checksum of each.
program census
  use census_support, only: int64
  use microphysics, only: run_microphysics
  use dynamics, only: run_dynamics
  use small_physics, only: run_small_physics
  use advection, only: run_advection
  use ocean_columns, only: run_ocean_columns
  use ocean_tracers, only: run_ocean_tracers
  use euler, only: run_euler
  use turbulence, only: run_turbulence
  use flame, only: run_flame
  use chemistry_solver, only: run_chemistry_solver
  use chemistry_rates, only: run_chemistry_rates
  use radiation_columns, only: run_radiation_columns
  use radiation_bands, only: run_radiation_bands
  use fem_elements, only: run_fem_elements
  use fem_assembly, only: run_fem_assembly
  use particle_forces, only: run_particle_forces
  use particle_tracks, only: run_particle_tracks
  use vectors, only: run_vectors
  use matrices, only: run_matrices
  use image_filters, only: run_image_filters
  use signals, only: run_signals
  implicit none
  interface
    subroutine run_old(bits)
      import :: int64
      integer(int64), intent(inout) :: bits
    end subroutine run_old
    subroutine run_barotropic(bits)
      import :: int64
      integer(int64), intent(inout) :: bits
    end subroutine run_barotropic
    subroutine run_kinetics(bits)
      import :: int64
      integer(int64), intent(inout) :: bits
    end subroutine run_kinetics
    subroutine one_file(bits)
      import :: int64
      integer(int64), intent(inout) :: bits
    end subroutine one_file
  end interface
  call print_bits('atmosphere/microphysics', run_microphysics)
  call print_bits('atmosphere/dynamics', run_dynamics)
  call print_bits('atmosphere/physics', run_small_physics)
  call print_bits('atmosphere/advection', run_advection)
  call print_bits('ocean/columns', run_ocean_columns)
  call print_bits('ocean/tracers', run_ocean_tracers)
  call print_bits('ocean/barotropic', run_barotropic)
  call print_bits('cfd/euler', run_euler)
  call print_bits('cfd/turbulence', run_turbulence)
  call print_bits('cfd/flame', run_flame)
  call print_bits('chemistry/solver', run_chemistry_solver)
  call print_bits('chemistry/rates', run_chemistry_rates)
  call print_bits('chemistry/kinetics', run_kinetics)
  call print_bits('radiation/columns', run_radiation_columns)
  call print_bits('radiation/bands', run_radiation_bands)
  call print_bits('fem/elements', run_fem_elements)
  call print_bits('fem/assembly', run_fem_assembly)
  call print_bits('particles/forces', run_particle_forces)
  call print_bits('particles/tracks', run_particle_tracks)
  call print_bits('linear/vectors', run_vectors)
  call print_bits('linear/matrices', run_matrices)
  call print_bits('linear/old', run_old)
  call print_bits('image/filters', run_image_filters)
  call print_bits('image/signal', run_signals)
contains
  subroutine print_bits(name, run)
    character(len=*), intent(in) :: name
    procedure(one_file) :: run
    integer(int64) :: bits
    bits = 0
    call run(bits)
    print '(a,1x,z16.16)', name, bits
  end subroutine print_bits
end program census
