package host

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/fortran/parse"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/source"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
)

// automatic converts a file with the verdicts that the tool finds without directives. Nests that cannot be written stay.
func automatic(t *testing.T, name, text string, o Options) (string, []*nest.Nest) {
	t.Helper()
	c := source.Read(source.NewSet(nil), name, []byte(text), source.Options{})
	file := parse.File(c)
	require.Empty(t, file.Problems)
	o.Program = scope.Build([]*tree.File{file}, scope.Options{})
	so := source.Options{}
	o.Preprocessed = so.IsPreprocessed(name)
	nests := nest.Find(o.Program, nest.Options{Auto: true})
	var written []*nest.Nest
	for _, n := range nests {
		if n.Verdict != nest.Parallel {
			continue
		}
		if reasons := Check(n, o); len(reasons) > 0 {
			t.Logf("%s:%d: %s", name, n.Loops[0].Do.Where.From.Line, reasons[0].Text)
			n.Verdict = nest.Refused
			continue
		}
		written = append(written, n)
	}
	o.Output = "generated"
	out, err := Write(file, nests, o)
	require.NoError(t, err)
	return string(out), written
}

var marker = regexp.MustCompile(`^#line (\d+) "(.*)"$`)

// TestKept: all lines of the user's file are there in their order, and the markers give them their numbers.
func TestKept(t *testing.T) {
	for _, r := range rows {
		text, _ := automatic(t, r.name, r.text, Options{})
		want := strings.Split(strings.TrimSuffix(r.text, "\n"), "\n")
		next, line, user := 1, 0, false
		for _, l := range strings.Split(text, "\n") {
			if m := marker.FindStringSubmatch(l); m != nil {
				line, _ = strconv.Atoi(m[1])
				user = m[2] == r.name
				continue
			}
			if user && line == next && next <= len(want) && like(l, want[next-1]) {
				next++
			}
			line++
		}
		require.Equal(t, len(want)+1, next, "%s: line %d of the file is missing in\n%s", r.name, next, text)
	}
}

// like compares lines but for what the generator changes: RECURSIVE, labels of shared ends, statements on lines of others, comments
// that a preprocessor would misread.
func like(a, b string) bool {
	plain := func(s string) string {
		s = strings.NewReplacer("recursive ", "", " ", "", "\t", "", ";", "", "/*", "", "!.", "", ".", "", "/", "", "*", "").Replace(s)
		return strings.TrimLeft(s, "0123456789")
	}
	a, b = plain(a), plain(b)
	return a == b || a != "" && (strings.HasPrefix(b, a) || strings.HasSuffix(b, a)) || strings.HasPrefix(b, "do") && strings.HasPrefix(a, "do")
}

func gfortran(t *testing.T, folder string, args ...string) {
	t.Helper()
	cmd := exec.Command("gfortran", args...)
	cmd.Dir = folder
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
}

// TestRows: the converted programs print the bits of the originals, with each shape of tiles, run from the last tile to the first.
func TestRows(t *testing.T) {
	if _, err := exec.LookPath("gfortran"); err != nil {
		t.Skip("no gfortran")
	}
	folder := t.TempDir()
	stub, err := filepath.Abs("testdata/portable_list_mod.f90")
	require.NoError(t, err)
	gfortran(t, folder, "-O1", "-w", "-c", stub)
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			text, written := automatic(t, r.name, r.text, Options{Always: true})
			require.GreaterOrEqual(t, len(written), r.launches, text)
			suffix, std := ".F90", "-std=f2008"
			if strings.HasSuffix(r.name, ".f") {
				suffix, std = ".F", "-std=gnu"
			}
			original, converted := filepath.Join(folder, r.name), filepath.Join(folder, r.name+".pf"+suffix)
			require.NoError(t, os.WriteFile(original, []byte(r.text), 0o644))
			require.NoError(t, os.WriteFile(converted, []byte(text), 0o644))
			gfortran(t, folder, "-w", "-o", "original", original)
			cmd := exec.Command("gfortran", std, "-O1", "-fcheck=all,no-array-temps", "-Wall", "-Wextra", "-o", "converted", converted, "portable_list_mod.o")
			cmd.Dir = folder
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, string(out)+"\n"+text)
			for _, w := range regexp.MustCompile(`(?s)generated:.*?Warning: [^\n]*`).FindAllString(string(out), -1) {
				require.Contains(t, w, "Obsolescent", "a warning about generated lines")
			}
			want, err := exec.Command(filepath.Join(folder, "original")).CombinedOutput()
			require.NoError(t, err, string(want))
			for _, tile := range []string{"1", "7", "1000"} {
				run := exec.Command(filepath.Join(folder, "converted"))
				run.Env = append(os.Environ(), "TILE="+tile)
				got, err := run.CombinedOutput()
				require.NoError(t, err, string(got)+"\n"+text)
				require.Equal(t, string(want), string(got), "tiles of %s\n%s", tile, text)
			}
		})
	}
}
