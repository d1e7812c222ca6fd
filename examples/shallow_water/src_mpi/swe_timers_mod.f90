!> The timers of all ranks side by side: for each label the least, the mean and the largest of the ranks' totals. A largest
!> far above the mean is a rank that the others wait for. The library's own report is one rank's (PORTABLE_PROFILE).
module swe_timers_mod
  use mpi_f08
  use portable_mod, only: timer_total
  use swe_kinds_mod, only: wp
  use swe_report_mod, only: print_text, number
  use swe_domain_mod, only: grid, rank, ranks
  implicit none
  private
  public :: print_timers_of_ranks

contains

  !> Called by all ranks, with the same labels. Prints on rank 0, and nothing where timers are off.
  subroutine print_timers_of_ranks(labels)
    character(len=*), intent(in) :: labels(:)
    real(wp), dimension(size(labels)) :: mine, least, total, largest
    integer :: i

    do i = 1, size(labels)
      mine(i) = timer_total(labels(i)) ! blanks at the end do not count; 0 for what no timer has measured
    end do
    call MPI_Reduce(mine, least, size(mine), MPI_DOUBLE_PRECISION, MPI_MIN, 0, grid)
    call MPI_Reduce(mine, total, size(mine), MPI_DOUBLE_PRECISION, MPI_SUM, 0, grid)
    call MPI_Reduce(mine, largest, size(mine), MPI_DOUBLE_PRECISION, MPI_MAX, 0, grid)
    if (rank /= 0) return
    do i = 1, size(labels)
      if (largest(i) > 0) call print_text('  timer '//labels(i), 'least '//number(least(i), 6)//', mean '// &
        number(total(i)/ranks, 6)//', most '//number(largest(i), 6)//' s')
    end do
  end subroutine print_timers_of_ranks
end module swe_timers_mod
