! Bits of results for the table of semantics: one line for each row, its name and the values in
! hexadecimal.
! Not in this file: rows. `sample` makes data of both signs; -0.0 and halves are among them.
module bits_of_results
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  implicit none
  private
  public :: bits, show, sample, int8, int16, int32, int64, real32, real64
  interface bits
    module procedure of_int8, of_int16, of_int32, of_int64, of_real32, of_real64, of_logical, of_logical1, of_logical8
  end interface bits
contains
  elemental integer(int64) function of_int8(x)
    integer(int8), intent(in) :: x
    of_int8 = x
  end function of_int8
  elemental integer(int64) function of_int16(x)
    integer(int16), intent(in) :: x
    of_int16 = x
  end function of_int16
  elemental integer(int64) function of_int32(x)
    integer(int32), intent(in) :: x
    of_int32 = x
  end function of_int32
  elemental integer(int64) function of_int64(x)
    integer(int64), intent(in) :: x
    of_int64 = x
  end function of_int64
  elemental integer(int64) function of_real32(x)
    real(real32), intent(in) :: x
    of_real32 = transfer(x, 0_int32)
  end function of_real32
  elemental integer(int64) function of_real64(x)
    real(real64), intent(in) :: x
    of_real64 = transfer(x, 0_int64)
  end function of_real64
  elemental integer(int64) function of_logical(x)
    logical(4), intent(in) :: x
    of_logical = merge(1, 0, x)
  end function of_logical
  elemental integer(int64) function of_logical1(x)
    logical(1), intent(in) :: x
    of_logical1 = merge(1, 0, x)
  end function of_logical1
  elemental integer(int64) function of_logical8(x)
    logical(8), intent(in) :: x
    of_logical8 = merge(1, 0, x)
  end function of_logical8

  subroutine show(name, values)
    character(len=*), intent(in) :: name
    integer(int64), intent(in) :: values(:)
    write (*, '(a,*(1x,z0))') name, values
  end subroutine show

  elemental real(real64) function sample(i)
    integer(int32), intent(in) :: i
    sample = (mod(int(i)*37, 41) - 20)*0.25d0
    if (sample == 0) sample = -sample
  end function sample
end module bits_of_results
