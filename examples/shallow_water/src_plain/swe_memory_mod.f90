!> Where the arrays come from: here ALLOCATE, so there is nothing to start, to report or to stop.
!> The twin with the same face is src_pool/swe_memory_mod.f90.
module swe_memory_mod
  use, intrinsic :: iso_fortran_env, only: int64
  implicit none
  private
  public :: memory_start, memory_allocations, memory_live_blocks, memory_report, memory_finish

  character(len=*), parameter, public :: memory_name = 'ALLOCATE'

contains

  subroutine memory_start()
  end subroutine memory_start

  !> Not counted.
  function memory_allocations() result(allocations)
    integer(int64) :: allocations
    allocations = 0
  end function memory_allocations

  !> Not counted.
  function memory_live_blocks() result(blocks)
    integer(int64) :: blocks
    blocks = 0
  end function memory_live_blocks

  subroutine memory_report()
  end subroutine memory_report

  subroutine memory_finish()
  end subroutine memory_finish
end module swe_memory_mod
