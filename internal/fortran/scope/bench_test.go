package scope

import (
	"fmt"
	"strings"
	"testing"

	"libportable/internal/fortran/parse"
	"libportable/internal/fortran/source"
	"libportable/internal/fortran/tree"
)

// BenchmarkProgram builds a program of 81,000 lines and asks about every expression: ns/op is the time of both.
func BenchmarkProgram(b *testing.B) {
	set := source.NewSet(nil)
	var files []*tree.File
	lines := 0
	for i := range 60 {
		t := &strings.Builder{}
		fmt.Fprintf(t, "module m%d\n", i)
		if i > 0 {
			fmt.Fprintf(t, "use m%d, only: wp, q => x1\nuse m%d\n", i-1, i/2)
		}
		t.WriteString("implicit none\n")
		if i == 0 {
			t.WriteString("integer, parameter :: wp = kind(1d0)\n")
		}
		for k := range 20 {
			fmt.Fprintf(t, "real(wp), allocatable :: x%d(:,:), y%d_%d(:)\n", k+i*20, k, i)
		}
		t.WriteString("contains\n")
		for k := range 20 {
			fmt.Fprintf(t, "subroutine s%d_%d(a, b, n)\ninteger, intent(in) :: n\nreal(wp), intent(inout) :: a(n,n), b(n)\ninteger :: i, j\nreal(wp) :: s\n", i, k)
			for range 10 {
				fmt.Fprintf(t, "do j = 1, n\ndo i = 1, n\na(i,j) = a(i,j)*0.5_wp + b(i)*y%d_%d(j) - sqrt(abs(x%d(i,j)))\ns = max(s, a(i,j))\nend do\nend do\n", k, i, k+i*20)
			}
			t.WriteString("end subroutine\n")
		}
		t.WriteString("end module\n")
		lines += strings.Count(t.String(), "\n")
		files = append(files, parse.File(source.Read(set, "x.f90", []byte(t.String()), source.Options{})))
	}
	b.ResetTimer()
	for range b.N {
		b.ReportMetric(float64(ask(Build(files, Options{}))), "questions")
	}
	b.ReportMetric(float64(lines), "lines")
}
