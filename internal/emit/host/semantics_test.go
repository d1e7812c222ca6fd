package host

import (
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
