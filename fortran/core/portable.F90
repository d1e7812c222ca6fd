!> All of libportable for Fortran in one module: `use portable`.
!>
!> In this module: names only, those of portable_mod (parallel_for, reduce_sum, ...) and of all other modules. The reductions have dim=, and
!> masks that are one logical; arg takes array handles. Not in this module: C descriptors (portable_cfi_mod), OpenMP and
!> MPI, which are compiled with a program that asks for them. It costs compile time in every file that uses it: docs/fortran/README.md has
!> the figure. A program that has names like these takes the ones that it wants by `only`. Since 0.1.
module portable
  use portable_mod
  use gator_mod
  use gator_more_mod
  use portable_pool_mod
  use portable_system_mod
  use portable_observe_mod
  use portable_reduce_more_mod
  use portable_componentwise_mod
  use portable_array_mod, arg => portable_arg
  use portable_twin_mod
  use portable_record_mod
  implicit none
  public
end module portable
