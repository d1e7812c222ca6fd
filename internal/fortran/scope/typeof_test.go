package scope

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTypes asks for the type and rank of the right side of the last assignment, and for its value if it is constant.
func TestTypes(t *testing.T) {
	modules := `
module kinds
  integer, parameter :: wp = kind(1d0), sp = selected_real_kind(6), i8 = selected_int_kind(18)
end module
module types
  use kinds, only: dp => wp, wp
  implicit none
  private :: dp
  type base
    real(wp) :: a(3)
    integer(1) :: k
  end type
  type, extends(base) :: t
    real, allocatable :: x(:, :)
    type(base) :: list(4)
    character(len=5) :: c
  contains
    procedure :: size => t_size
    generic :: operator(+) => plus
    procedure :: plus
  end type
  interface area
    module procedure area_real, area_double
  end interface
  real, parameter :: table(0:2) = [1., 2., 3.]
contains
  function t_size(self) result(n)
    class(t), intent(in) :: self
    integer(8) :: n
    n = size(self%x)
  end function
  function plus(a, b) result(c)
    class(t), intent(in) :: a
    type(t), intent(in) :: b
    type(t) :: c
    c = b
  end function
  elemental real function area_real(x)
    real, intent(in) :: x
    area_real = x
  end function
  elemental real(wp) function area_double(x)
    real(wp), intent(in) :: x
    area_double = x
  end function
end module
`
	rows := []struct{ name, body, want, value string }{
		{"literal", "x = 1", "i4", "1"},
		{"double", "x = 0.1 + 1d0", "r8", "1.1000000014901161"},
		{"single", "y = 0.1", "r4", "0.10000000149011612"},
		{"module constant", "x = 1.0_wp", "r8", "1"},
		{"integer division", "x = 7/2 + 2**(-1)", "i4", "3"},
		{"overflow", "x = 2147483647 + 1", "i4", ""},
		{"power keeps the base", "x = y**2", "r4", ""},
		{"mixed kinds", "x = 1_8*2", "i8", "2"},
		{"component", "x = v%a", "r8/1", ""},
		{"component element", "x = v%a(2)", "r8", ""},
		{"parent as component", "x = v%base%k", "i1", ""},
		{"array of components", "x = v%list%k", "i1/1", ""},
		{"array of components with a section", "x = v%list(1:2)%a(3)", "r8/1", ""},
		{"section", "x = v%x(:, 3)", "r4/1", ""},
		{"substring", "x = v%c(2:3)", "s1", ""},
		{"bound function", "x = v%size()", "i8", ""},
		{"bound operator", "v = v + v", "t:t", ""},
		{"generic single", "x = area(1.0)", "r4", ""},
		{"generic elemental", "x = area(v%a)", "r8/1", ""},
		{"table", "x = table(1)", "r4", "2"},
		{"relation", "l = y > 1", "l4", ""},
		{"concatenation", "s = 'ab' // v%c", "s1", ""},
		{"constructor", "x = [1, 2, 3]", "i4/1", "[1,2,3]"},
		{"implied do", "x = [(i*i, i = 1, 4)]", "i4/1", "[1,4,9,16]"},
		{"sum", "x = sum(v%x, dim=1)", "r4/1", ""},
		{"sum of all", "x = sum(v%x, v%x > 0)", "r4", ""},
		{"size of components", "x = size(v%list)", "i4", "4"},
		{"huge", "x = huge(1_2)", "i2", "32767"},
		{"real of kind", "x = real(3, wp)", "r8", "3"},
		{"max", "x = max(1, 5, 3)", "i4", "5"},
		{"dble", "x = dble(0.1)", "r8", "0.10000000149011612"},
		{"matmul", "x = matmul(v%x, v%x)", "r4/2", ""},
		{"maxloc", "x = maxloc(v%x)", "i4/1", ""},
		{"implicit name", "x = q", "?/-1", ""},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			p := program(t, Options{}, `
subroutine s(v)
  use types
  implicit none
  type(t) :: v
  real(wp) :: x
  real :: y
  logical :: l
  integer :: i
  character(9) :: s
  `+row.body+`
end subroutine`, modules)
			s := p.Of(p.Files[0].Units[0])
			at, _, right := s.right()
			require.Equal(t, row.want, text(at.TypeOf(right)))
			v, ok := at.Constant(right)
			require.Equal(t, row.value != "", ok)
			if ok {
				require.Equal(t, row.value, v.write())
			}
		})
	}
}
