!> The field file: a header of text lines, then the raw fields. Example of a header:
!>
!>     swefield 1
!>     title Circular dam break over a bump
!>     size 400 400
!>     length 50 50
!>     time 1.5
!>     order little
!>     fields h hu hv b
!>     end
!>
!> After the line `end` each field follows as 64-bit reals, x fastest, in the named byte order. It holds
!> nothing that differs from run to run, so two files can be compared with cmp.
module swe_output_mod
  use, intrinsic :: iso_fortran_env, only: int8, int32
  use swe_kinds_mod, only: wp, ng
  implicit none
  private
  public :: open_field_file, write_header, write_field, write_profile, close_field_file

contains

  !> Opened before the first step, so that a missing directory is known at once. error_text is empty on
  !> success.
  subroutine open_field_file(file, unit, error_text)
    character(len=*), intent(in) :: file
    integer, intent(out) :: unit
    character(len=:), allocatable, intent(out) :: error_text
    character(len=256) :: message
    integer :: status

    error_text = ''
    message = ''
    open (newunit=unit, file=file, access='stream', form='unformatted', status='replace', &
      action='write', iostat=status, iomsg=message)
    if (status /= 0) then
      error_text = 'cannot write '//file//' (the directory must exist): '//trim(message)
    end if
  end subroutine open_field_file

  !> `fields` names the fields in the order in which they are then written.
  subroutine write_header(unit, title, problem, nx, ny, length_x, length_y, time, fields)
    integer, intent(in) :: unit, nx, ny
    character(len=*), intent(in) :: title, problem, fields
    real(wp), intent(in) :: length_x, length_y, time
    character(len=120) :: line

    call put('swefield 1')
    call put('title '//trim(title))
    call put('problem '//trim(problem))
    write (line, '(a, 2(1x, i0))') 'size', nx, ny
    call put(trim(line))
    write (line, '(a, 2(1x, es23.16))') 'length', length_x, length_y
    call put(trim(line))
    write (line, '(a, 1x, es23.16)') 'time', time
    call put(trim(line))
    if (transfer(1_int32, 0_int8) == 1_int8) then
      call put('order little')
    else
      call put('order big')
    end if
    call put('fields '//trim(fields))
    call put('end')
  contains
    subroutine put(text)
      character(len=*), intent(in) :: text
      write (unit) text, new_line('a')
    end subroutine put
  end subroutine write_header

  subroutine write_field(unit, nx, ny, q)
    integer, intent(in) :: unit, nx, ny
    real(wp), intent(in) :: q(1-ng:nx+ng, 1-ng:ny+ng)
    integer :: j

    do j = 1, ny
      write (unit) q(1:nx, j)
    end do
  end subroutine write_field

  !> A field that depends on x only, written in the shape of the others.
  subroutine write_profile(unit, nx, ny, q)
    integer, intent(in) :: unit, nx, ny
    real(wp), intent(in) :: q(nx)
    integer :: j

    do j = 1, ny
      write (unit) q
    end do
  end subroutine write_profile

  subroutine close_field_file(unit)
    integer, intent(in) :: unit
    close (unit)
  end subroutine close_field_file
end module swe_output_mod
