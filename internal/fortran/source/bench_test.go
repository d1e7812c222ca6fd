package source

import (
	"strings"
	"testing"
)

// BenchmarkRead reads a module of 100,000 lines with the preprocessor.
func BenchmarkRead(b *testing.B) {
	text := []byte(strings.Repeat(`
    !$portable parallel  ! a loop
#ifdef _OPENMP
    x = 1
#endif
    do j = 1, ny
      do i = 1, nx
        rate(i, j) = (abs(hu(i, j))/depth + c)/dx + (abs(hv(i, j))/depth + c)/dy &
          & + 0.5_wp*'text'
      end do
`, 10000))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if c := Read(NewSet(nil), "x.F90", text, Options{}); len(c.Lines) != 50000 || len(c.Problems) > 0 {
			b.Fatal(len(c.Lines), c.Problems)
		}
	}
}
