!> Constants that the whole solver shares: the real kind, the ghost cells, the depth that counts as dry.
module swe_kinds_mod
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  private

  integer, parameter, public :: wp = real64

  !> Ghost layers around the grid. A face next to the wall needs the slope of the first ghost cell,
  !> and that slope needs its neighbour, so two.
  integer, parameter, public :: ng = 2

  !> Depth [m] under which a cell is dry: its velocity is set to zero rather than found by a division.
  real(wp), parameter, public :: dry_depth = 1.0e-8_wp
end module swe_kinds_mod
