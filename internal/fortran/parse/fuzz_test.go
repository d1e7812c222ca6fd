package parse

import (
	"testing"
	"time"

	"libportable/internal/fortran/source"
)

// FuzzFile feeds any bytes: the parser ends in time, its spans are inside of each other, and its tree can be printed and parsed again.
func FuzzFile(f *testing.F) {
	for _, x := range statementTests {
		f.Add([]byte(x.text), false)
	}
	for _, x := range unitTests {
		f.Add([]byte(x.text), false)
	}
	for _, x := range fixedTests {
		f.Add([]byte(x.text), true)
	}
	f.Add([]byte("C$omp \nC$omp \n0\nC$acc &0000000000000000"), true)
	f.Add([]byte("!$omp && 0 & &\n"), false)
	f.Add([]byte("c$acc & & a & &\n"), true)
	f.Fuzz(func(t *testing.T, text []byte, fixed bool) {
		o := source.Options{Form: source.Free}
		if fixed {
			o.Form = source.Fixed
		}
		c := source.Read(source.NewSet(nil), "x.f90", text, o)
		begin := time.Now()
		tree := File(c)
		if took := time.Since(begin); took > 5*time.Second {
			t.Fatalf("%d bytes took %v", len(text), took)
		}
		if wrong := wrongSpan(tree); wrong != "" {
			t.Fatal(wrong)
		}
		if len(tree.Problems) == 0 && len(unreads(tree)) == 0 {
			roundTrip(t, tree)
		}
	})
}
