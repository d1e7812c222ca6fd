package cost

import (
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/fortran/parse"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/source"
	"libportable/internal/fortran/tree"
)

// TestOf: operators and elements count one, divisions 4, powers 8, functions 16; what depends on the run is not known.
func TestOf(t *testing.T) {
	for _, c := range []struct {
		text string
		want int64
	}{
		{"a(i) = a(i)*0.5 + 1", 6},
		{"a(i) = sqrt(a(i))", 20},
		{"a(i) = max(a(i), 2.0)", 5},
		{"a(i) = a(i)/3", 8},
		{"a(i) = a(i)**3", 12},
		{"a(i) = size(a)", 4},
		{"a(i) = a(k(i))", 5},
		{"if (i > 2) a(i) = 1", 5},
		{"do j = 1, 3; b(j) = 1; end do", 8},
		{"do j = 1, 0; b(j) = 1; end do", 2},
		{"do j = 1, n; b(j) = 1; end do", -1},
		{"do j = 1, 100000000; b(j) = 1; end do", -1},
		{"do while (a(i) > 1); a(i) = a(i)/2; end do", -1},
		{"a(i) = b(1); if (i > 3) then; call f(a(i)); end if", -1},
		{"b = a(i)", -1},
		{"a(i) = sum(b)", -1},
		{"a(i) = g(a(i))", -1},
		{"where (b > 1) b = 0", -1},
	} {
		text := "subroutine s(a, k, n)\n integer, intent(in) :: n, k(n)\n real :: a(n), b(3)\n real, external :: g\n integer :: i, j\n do i = 1, n\n " +
			c.text + "\n end do\nend subroutine\n"
		file := parse.File(source.Read(source.NewSet(nil), "a.f90", []byte(text), source.Options{}))
		require.Empty(t, file.Problems)
		p := scope.Build([]*tree.File{file}, scope.Options{})
		unit := file.Units[0]
		require.Equal(t, c.want, Of(p, p.Of(unit), unit.Body[0].(*tree.Do).Body), c.text)
	}
}
