! Data of the physics of one column: scratch of several procedures, tables that it reads, results of all columns.
module column_state
  implicit none
  integer, parameter :: wp = kind(1d0), most = 30
  type :: constants
    real(wp) :: gravity = 9.81_wp, heat = 1004
    integer :: steps = 3
  end type constants
  real(wp) :: work(most), lifted(0:600, 2) ! which a GPU keeps in memory of the pool
  real(wp) :: total
  integer :: cloud_top
  logical :: moist(most)
  real(wp), parameter :: weights(3) = [0.5_wp, 0.25_wp, 0.125_wp]
  real(wp) :: table(0:9) = 0
  real(wp), allocatable :: flux(:), heating(:, :, :)
  type(constants) :: fixed
contains
  subroutine begin(nx, ny, nz)
    integer, intent(in) :: nx, ny, nz
    integer :: k
    allocate(flux(0:nz), heating(nz, nx, ny))
    heating = 0
    do k = 0, 9
      table(k) = sqrt(real(k, wp))
    end do
  end subroutine begin

  subroutine finish()
    deallocate(flux, heating)
  end subroutine finish
end module column_state
