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

// TestStructures is a table of loops with a local structure. The first statement is line 14.
func TestStructures(t *testing.T) {
	ends := "do i=1,n\na(i,j)=a(i,j)+sc%v(n-i+1)\nend do\nend do"
	sets := "do i=1,n\nsc%v(i)=a(i,j)\nend do\n"
	inner := "parallel i | parallel i"
	for _, row := range []struct{ name, text, want string }{
		{"memory from before the loop", "do j=1,m\n" + sets + ends, inner},
		{"memory of the iteration", "do j=1,m\nsc%v=a(:,j)\n" + sets + ends, "parallel j; private i sc"},
		{"a scalar for all elements", "do j=1,m\nsc%v=0\n" + sets + ends, inner},
		{"a section", "do j=1,m\nsc%v(:)=a(:,j)\n" + ends, "parallel i"},
		{"memory of some iterations", "do j=1,m\nif (j>2) sc%v=a(:,j)\n" + sets + ends, inner},
		{"a scalar in memory from before the loop", "do j=1,m\no%p%t=a(1,j)\ndo i=1,n\na(i,j)=o%p%t\nend do\nend do", "parallel i"},
		{"a scalar with memory of the iteration", "do j=1,m\nsc%q=a(1,j)\ndo i=1,n\na(i,j)=sc%q\nend do\nend do", "parallel j; private i sc"},
		{"the size of memory from before", "do j=1,m\na(1,j)=size(sc%v)\nsc%v=a(:,j)\n" + ends, "parallel i"},
		{"the size of memory of the iteration", "do j=1,m\nsc%v=a(:,j)\na(1,j)=size(sc%v)\n" + ends, "parallel j; private i sc"},
		{"a scalar and a size", "do j=1,m\nsc%t=a(1,j)\na(1,j)=sc%t*size(sc%v)\nend do", "refused 15 not-converted: 'sc%t', set at line 15, is a component that all iterations share"},
		{"a scalar of a structure whose array stays", "do i=1,n\nsc%t=a(i,1)\nsc%f(i)=sc%t\nend do\na(1,1)=sc%f(3)", "refused 16 private-array: each iteration sets 'sc', which is used at line 18"},
		{"a scalar of a structure whose array is read", "do i=1,n\nsc%t=a(i,1)\na(i,1)=sc%f(i)*sc%t\nend do", "refused 16 private-array: 'sc' may be read before its iteration sets it: sc%f(i) at line 16"},
		{"private clause for elements of a component", "!$portable parallel private(sc)\ndo j=1,m\nsc%f(1)=a(1,j)\na(1,j)=a(1,j)*sc%f(1)\nend do", "parallel j; private sc"},
		{"private clause without need", "!$portable parallel private(sc)\ndo j=1,m\na(1,j)=sc%f(1)\nend do", "refused 14 directive: private(sc) is written, but the loop reads 'sc' and never sets it"},
		{"private clause for memory from before the loop", "!$portable parallel private(sc) independent\ndo j=1,m\n" + sets + ends,
			"refused 17 directive: 'sc' cannot be private, because an allocatable component has its memory from before the iteration: sc%v(i) at line 17"},
		{"private clause for memory of the iteration", "!$portable parallel private(sc)\ndo j=1,m\nsc%v=a(:,j)\n" + ends, "parallel j; private i sc"},
	} {
		require.Equal(t, row.want, verdicts("subroutine s(n,m,a)\ntype part\nreal :: t, f(100)\nreal, allocatable :: v(:), q\nend type\ntype outer\ntype(part), allocatable :: p\nend type\n"+
			"integer, intent(in) :: n, m\nreal :: a(n,m)\ninteger :: i, j\ntype(part) :: sc\ntype(outer) :: o\n"+row.text+"\nend subroutine\n"), row.name)
	}
}
