package within

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/fortran/parse"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/source"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
)

// around is a procedure with a loop over j; i counts the loops inside, which alone have a version for devices.
const around = `subroutine work(n, m, g, far, may, a, b)
  type box
    integer :: n
    integer, pointer :: p
    integer :: list(3)
  end type box
  integer, intent(in) :: n, m
  type(box), intent(inout) :: g
  integer, pointer, intent(in) :: far
  integer, optional, intent(in) :: may
  real(8), intent(in) :: a(n, m)
  real(8), intent(inout) :: b(n, m)
  integer, parameter :: most = 1000
  integer :: i, j, k, twin, other, aim
  target :: aim
  equivalence (twin, other)
  real(8) :: t, s
  integer :: count, sums(7)
  do j = 1, m
    t = j
TEXT
  end do
end subroutine work
`

// loop is a loop inside up to a bound.
func loop(last string) string {
	return "do i = 2, " + last + "\n b(i, j) = a(i, j) + t\n end do\n"
}

// TestNests: bounds that are not sure to exist before the nest, or that it changes, keep the nest whole. So does work of the rest of an iteration.
func TestNests(t *testing.T) {
	for text, count := range map[string]int{
		loop("n"):                 1,
		loop("2*(n - 1) + most"):  1,
		loop("g%n"):               1,
		loop("-n"):                1,
		loop("n") + loop("n - 1"): 2,
		"if (j > 3) then\n" + loop("n") + "else if (j > 2) then\n t = 0\n end if\n":                 1,
		"select case (j)\n case (1)\n" + loop("n") + " case default\n" + loop("n") + "end select\n": 2,
		"do k = 1, 4\n t = t + k\n end do\n t = 0\n" + loop("n"):                                    1,
		"t = 0\n do k = 1, 4\n t = t + k\n end do\n" + loop("n"):                                    1,
		"t = 0\n do k = 1, n\n t = t + k\n end do\n" + loop("n"):                                    0,
		"do i = 2, n\n count = count + i\n end do\n":                                                1,
		"count = 0\n do i = 2, n\n count = count + i\n end do\n b(1, j) = count\n":                  1,
		"s = 0\n do i = 2, n\n s = s + a(i, j)\n end do\n b(1, j) = s\n":                            0,
		"s = max(s, t)\n" + loop("n"):                                                               0,
		"s = -1\n do i = 2, n\n s = max(s, a(i, j))\n end do\n b(1, j) = s\n":                       0,
		loop("j"):             0,
		"k = j\n" + loop("k"): 0,
		loop("far"):           0,
		loop("may"):           0,
		loop("g%p"):           0,
		loop("g%list(2)"):     0,
		loop("n/m"):           0,
		loop("size(a, 1)"):    0,
		loop("twin"):          0,
		loop("aim"):           0,
		"do i = 2, n, 2\n b(i, j) = t\n end do\n":                    0,
		"b(:, j) = 0\n" + loop("n"):                                  0,
		"call random(t)\n" + loop("n"):                               0,
		"do k = 1, m\n" + loop("n") + "end do\n":                     0,
		"do k = 2, n\n b(k, j) = b(k - 1, j)\n end do\n" + loop("n"): 0,
		strings.Repeat("t = t + 1\n", 600) + loop("n"):               0,
	} {
		f := parse.File(source.Read(source.NewSet(nil), "a.f90", []byte(strings.Replace(around, "TEXT\n", text, 1)), source.Options{}))
		require.Empty(t, f.Problems, text)
		p := scope.Build([]*tree.File{f}, scope.Options{})
		nests := nest.Find(p, nest.Options{Auto: true, Devices: func(n *nest.Nest) bool { return n.Loops[0].Variable.Name == "i" }})
		found := 0
		for _, n := range nests {
			if n.Verdict == nest.Parallel && n.Loops[0].Variable.Name == "j" {
				found += len(Nests(p, n, n.Loops[len(n.Loops)-1].Do))
			}
		}
		require.Equal(t, count, found, text)
	}
}
