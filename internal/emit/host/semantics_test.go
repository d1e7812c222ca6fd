package host

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/fortran/flags"
	"libportable/internal/fortran/parse"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/source"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
	"libportable/internal/nest/truth"
)

var flagsLine = regexp.MustCompile(`(?m)^! flags: (.*)$`)

// TestSemantics: each row of the table of semantics is converted; with PORTABLE_TEST_LONG the converted programs print the bits of the
// originals, for three shapes of tiles.
func TestSemantics(t *testing.T) {
	const folder = "../../../ffi_tests/loops/semantics/"
	var names []string
	for _, pattern := range []string{"*.f90", "*.F90", "*.f"} {
		found, err := filepath.Glob(folder + pattern)
		require.NoError(t, err)
		names = append(names, found...)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return strings.HasSuffix(name, "bits.f90") })
	require.Greater(t, len(names), 10)
	_, err := exec.LookPath("gfortran")
	long := os.Getenv("PORTABLE_TEST_LONG") != "" && err == nil
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			words := []string{"-cpp"}
			if m := flagsLine.FindSubmatch(text); m != nil {
				words = append(words, strings.Fields(string(m[1]))...)
			}
			f, err := flags.Read("gfortran", words)
			require.NoError(t, err)
			converted := semantic(t, f, name, folder+"bits.f90")
			if long {
				compare(t, words, name, folder+"bits.f90", converted)
			}
		})
	}
}

// semantic converts a file of the table.
func semantic(t *testing.T, f flags.Flags, name, bits string) string {
	set := source.NewSet(os.ReadFile)
	var files []*tree.File
	for _, n := range []string{name, bits} {
		c, err := source.ReadFile(set, n, f.Source)
		require.NoError(t, err)
		files = append(files, parse.File(c))
		require.Empty(t, files[len(files)-1].Problems)
	}
	p := scope.Build(files, scope.Options{Integer: f.Integer, Real: f.Real, Double: f.Double, Logical: f.Logical, ImplicitNone: f.ImplicitNone,
		Recursive: f.Recursive})
	nests := nest.Find(p, nest.Options{Auto: true})
	o := Options{Program: p, Output: "generated", Preprocessed: true, Always: true}
	written := map[int]bool{}
	for _, n := range nests {
		if n.Verdict == nest.Parallel {
			require.Empty(t, Check(n, o), "%s:%d", name, n.Loops[0].Do.Where.From.Line)
			written[int(n.Outer.Where.From.Line)] = true
		}
	}
	rows, err := truth.ReadFile(name)
	require.NoError(t, err)
	missing := 0
	for _, r := range rows {
		if len(r.Parallel) > 0 && !written[r.Do] {
			t.Logf("%s:%d: stays serial", name, r.Do)
			missing++
		}
	}
	require.LessOrEqual(t, missing*10, len(rows), "more than a tenth of the rows stays serial")
	out, err := Write(files[0], nests, o)
	require.NoError(t, err)
	return string(out)
}

// compare runs the original and the converted program.
func compare(t *testing.T, words []string, name, bits, converted string) {
	folder := t.TempDir()
	absolute := func(path string) string {
		full, err := filepath.Abs(path)
		require.NoError(t, err)
		return full
	}
	suffix := ".F90"
	if strings.HasSuffix(name, ".f") {
		suffix = ".F"
	}
	require.NoError(t, os.WriteFile(filepath.Join(folder, "converted"+suffix), []byte(converted), 0o644))
	gfortran(t, folder, "-O1", "-w", "-c", absolute("testdata/portable_list_mod.f90"))
	gfortran(t, folder, append([]string{"-O2", "-w", "-o", "original", absolute(bits), absolute(name)}, words...)...)
	gfortran(t, folder, append([]string{"-O2", "-w", "-o", "converted", absolute(bits), "converted" + suffix, "portable_list_mod.o"}, words...)...)
	want, err := exec.Command(filepath.Join(folder, "original")).CombinedOutput()
	require.NoError(t, err, string(want))
	for _, tile := range []string{"1", "7", "1000"} {
		run := exec.Command(filepath.Join(folder, "converted"))
		run.Env = append(os.Environ(), "TILE="+tile)
		got, err := run.CombinedOutput()
		require.NoError(t, err, string(got))
		require.Equal(t, string(want), string(got), "tiles of %s", tile)
	}
}

// numbered is a program in fixed form with text in columns 73 to 80 of every line, as on cards: numbers, or what a statement or a preprocessor would misread.
func numbered(text string) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	marks := []string{"", "! X", "'", "/*", "; A", "&", `\`, `"(,`}
	for i, l := range lines {
		if len(l) <= 72 && !strings.HasPrefix(l, "#") {
			lines[i] = fmt.Sprintf("%-72s%-8s", l, fmt.Sprintf("%s%05d", marks[i%len(marks)], 10*i))
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

const cards = `
      module cards
      implicit none
      type cell
        real(8) x, y(3)
      end type
      contains
      subroutine work(n, m, a, c, s, k, text, last)
      integer n, m, i, j, k(n), last
      real(8) a(n, m), s, t, b(3), q
      external q
      type(cell) c(n)
      character(len=9) text
      ! a comment up to its end
      do 10 j = 1, m
      do 10 i = 1, n
   10 a(i, j) = a(i, j) + 0.5d0*
     +          c(i)%x - c(i)%y(2)*
c a comment inside of a statement

     &          2
      do 20 i = 1, n; t = a(i, 1); a(i, 2) = t*t
   20 continue
      do i = 1, n
        if (c(i)%x .gt. 3.0d0) k(mod(i, n) + 1) = k(mod(i, n) + 1) + 1
        if (a(i, 1) .gt. 12.5d0) last = i
        s = s + c(i)%x*a(i, 1)*4 + c(i)%y(1) + c(i)%y(2) + c(i)%y(3)
      end do
      do i = 1, n
        do 30 j = 1, 3
          b(j) = c(i)%y(j) + 1
          if (b(j) .gt. 5) goto 30
          b(j) = b(j)*2
   30   continue
        a(i, 1) = help(b) + q(b(1))
        if (text .eq. 'a text that goes on in the next line, with an '' and an
     & end') a(i, 1) = 0
      end do; do i = 1, m; a(1, i) = a(1, i)/2; end do
      end subroutine
      real(8) function help(b)
      real(8) b(3)
      help = b(1) +
     1  b(2)*b(3)
      end function
      end module
      real(8) function q(x)
      real(8) x
      q = 2*x
      end
      program p
      use cards
      real(8) a(40, 3), s
      integer i, k(40), last
      type(cell) c(40)
      do i = 1, 40
        c(i)%x = i/4
        c(i)%y = i*0.25d0
      end do
      a = 1
      s = 0
      k = 0
      last = 0
      call work(40, 3, a, c, s, k, 'some text', last)
      print *, a, s, k, last
      end
`

// TestNumbered: text behind the last column of fixed form is no code: lines that the tool changes lose it, others keep it.
func TestNumbered(t *testing.T) {
	if _, err := exec.LookPath("gfortran"); err != nil {
		t.Skip("no gfortran")
	}
	folder := t.TempDir()
	stub, err := filepath.Abs("testdata/portable_list_mod.f90")
	require.NoError(t, err)
	gfortran(t, folder, "-O1", "-w", "-c", stub)
	list := append([]row{{"cards.f", cards, 5}}, rows...)
	run := func(env []string, program string) string {
		cmd := exec.Command(filepath.Join(folder, program))
		cmd.Env = append(os.Environ(), env...)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		return string(out)
	}
	for _, r := range list {
		if !strings.HasSuffix(r.name, ".f") {
			continue
		}
		t.Run(r.name, func(t *testing.T) {
			user := numbered(r.text)
			text, written := automatic(t, r.name, user, Options{Always: true})
			require.GreaterOrEqual(t, len(written), r.launches, text)
			require.NoError(t, os.WriteFile(filepath.Join(folder, "original.f"), []byte(user), 0o644))
			require.NoError(t, os.WriteFile(filepath.Join(folder, "converted.F"), []byte(text), 0o644))
			gfortran(t, folder, "-O1", "-w", "-o", "original", "original.f")
			gfortran(t, folder, "-O1", "-ffixed-form", "-fcheck=all,no-array-temps", "-Wall", "-Wno-maybe-uninitialized", "-o", "converted", "converted.F",
				"portable_list_mod.o")
			for _, tile := range []string{"1", "7", "1000"} {
				require.Equal(t, run(nil, "original"), run([]string{"TILE=" + tile}, "converted"), "tiles of %s\n%s", tile, text)
			}
			require.Contains(t, text, "! X00010\n", "a line without an edit keeps its end")
		})
	}
	name := filepath.Join(folder, "fixed_form.f")
	table, err := os.ReadFile("../../../ffi_tests/loops/semantics/fixed_form.f")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(name, []byte(numbered(string(table))), 0o644))
	bits := "../../../ffi_tests/loops/semantics/bits.f90"
	f, err := flags.Read("gfortran", nil)
	require.NoError(t, err)
	compare(t, nil, name, bits, semantic(t, f, name, bits))
}
