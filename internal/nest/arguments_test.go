package nest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/nest/parts"
)

// TestArguments lists the data that kernels get from outside.
func TestArguments(t *testing.T) {
	text := `module types
type point
real :: x(3), v
real, allocatable :: f(:)
end type
type grid
integer :: n
real, allocatable :: u(:,:)
real, pointer :: p(:)
end type
real :: shared(100)
end module
subroutine s(n, g, blocks, b, points, a, k, q)
use types
integer, intent(in) :: n, b, k
type(grid), intent(inout) :: g, blocks(4)
type(point), intent(inout) :: points(n)
real, intent(inout) :: a(n, n)
real, pointer :: q(:)
real :: t
integer :: i, j
do j = 1, g%n
do i = 1, n
t = g%u(i, j)*shared(k)
blocks(b)%u(i, j) = t
points(i)%x(2) = points(i)%v
end do
end do
do i = 1, n
q(i) = g%p(i) + a(i, k)
end do
do j = 1, n
associate (c => a(:, j))
c(1) = shared(j)
end associate
end do
end subroutine
`
	var got []string
	for _, n := range Find(program("s.f90", text), Options{Auto: true}) {
		var b strings.Builder
		for i, a := range n.Arguments {
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "%s%s %s", a.Symbol.Name, strings.Join(append([]string{""}, a.Path...), "%"), [...]string{"read", "write", "readwrite"}[a.Access])
			if a.Strided {
				b.WriteString(" strided")
			}
			if a.Object != nil {
				b.WriteString(" " + parts.Show(a.Object))
			}
		}
		got = append(got, summaryOf(n)+": "+b.String())
	}
	require.Equal(t, []string{
		"parallel i; private t: j read, g%u read g%u, k read, shared read, b read, blocks%u write blocks(b)%u, points%v read strided, points%x write strided",
		"parallel i; pair g q: g%p read g%p, k read, a read, q write",
		"parallel j: a readwrite, shared read",
	}, got)
}

// TestPrivateOfOuter: what is private to an iteration of the outer loop is dead behind the inner loop, which is all of it; and behind its BLOCK.
func TestPrivateOfOuter(t *testing.T) {
	const use = "do j=1,m\ndo i=1,n\nif (x(i) > 0) then\nw(1:3) = x(i)\na(i,j) = w(1)+w(3)\nend if\nend do\nend do"
	for _, c := range [][2]string{
		{use, "parallel j i; private w"},
		{"do k=1,3\nblock\nreal :: w(3)\n" + use + "\nend block\nend do", "parallel j i; private w"},
		{"do k=1,3\n" + use + "\nx(k) = w(2)\nend do", "refused"},
		{"do j=1,m\ndo i=1,n\nif (x(i) > 0) w(1:3) = x(i)\na(i,j) = w(1)\nend do\nend do", "refused"},
		{"do j=1,m\nw(1:3) = x(j)\ndo i=1,n\na(i,j) = w(1)\nw(1) = x(i)\nend do\nend do", "parallel j; private i w"},
	} {
		text := "subroutine s(n, m, x, a)\ninteger, intent(in) :: n, m\nreal, intent(inout) :: x(n), a(n,m)\nreal :: w(3)\ninteger :: i, j, k\n" + c[0] + "\nend subroutine\n"
		require.Contains(t, verdicts(text), c[1], c[0])
	}
}
