!> Errors as a program expects them: a call gets stat=stat and errmsg=text, and then expect compares both.
module expect_mod
  use check_mod, only: check
  implicit none
  private
  public :: expect

  integer, public :: stat = 0
  character(600), public :: text = ''

contains

  subroutine expect(number, begins)
    integer, intent(in) :: number
    character(*), intent(in) :: begins
    character(len=40) :: numbers
    write (numbers, '(2(a,i0))') 'status ', number, ', found ', stat
    call check(stat == number .and. index(text, begins) == 1, 'expected "'//begins//'", '//trim(numbers)//': '//trim(text))
  end subroutine

end module expect_mod
