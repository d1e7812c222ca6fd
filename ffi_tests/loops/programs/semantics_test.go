package programs

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"libportable/internal/nest/truth"

	"github.com/stretchr/testify/require"
)

// This file runs the table of semantics (../semantics) with the library: each row has the bits of the original, for each shape of tiles.
// Not in this file: rows that flang 16 cannot compile (flang_test.go).

// shape is how a launch is cut, by variables of the environment.
type shape struct{ threads, tuning string }

// shapes: the smallest tiles, tiles that divide nothing, whole loops that threads share. A launch cuts the fastest index at multiples of 16.
var shapes = []shape{{"2", "*: tile=1x1x1"}, {"3", "*: tile=32x3x2, schedule=dynamic"}, {"5", ""}}

func (s shape) env() []string {
	env := []string{"PORTABLE_DEVICE=threads", "PORTABLE_NUM_THREADS=" + s.threads}
	if s.tuning != "" {
		env = append(env, "PORTABLE_TUNING="+s.tuning)
	}
	return env
}

// quickTables are the files that `make test` runs: each kind of result, fixed form, other default kinds.
var quickTables = []string{"last_values.f90", "default_real.f90", "fixed_form.f", "sentinel.f90"}

// table is a file of rows.
type table struct {
	name  string // its path
	text  string // without the rows that the compiler does not take
	flags []string
	rows  []string
}

// tables reads the files, or the quick ones.
func tables(t *testing.T, quick bool) (list []table) {
	for _, pattern := range []string{"*.f90", "*.F90", "*.f"} {
		found, err := filepath.Glob(filepath.Join("..", "semantics", pattern))
		require.NoError(t, err)
		for _, name := range found {
			base := filepath.Base(name)
			if base == "bits.f90" || quick && !slices.Contains(quickTables, base) {
				continue
			}
			list = append(list, readTable(t, name))
		}
	}
	return list
}

var flagsLine = regexp.MustCompile(`(?m)^! flags: (.*)$`)

func readTable(t *testing.T, name string) table {
	b := table{name: name, text: read(t, name), flags: []string{"-cpp"}}
	if found := flagsLine.FindStringSubmatch(b.text); found != nil {
		b.flags = append(b.flags, strings.Fields(found[1])...)
	}
	nests, err := truth.Read(name, b.text)
	require.NoError(t, err)
	for _, n := range nests {
		b.rows = append(b.rows, n.Run)
	}
	return b
}

// original builds the table as it stands, and gives what it prints.
func (b table) original(t *testing.T, w *work, level string) string {
	t.Helper()
	w.copy("../semantics/bits.f90")
	name := w.source(filepath.Base(b.name), b.text)
	w.build("original", append([]string{level}, b.flags...), "bits.f90", name)
	return w.run(nil, "original")
}

// converted builds what the tool writes, over the objects that the original uses.
func (b table) converted(t *testing.T, w *work, level string, more ...string) {
	t.Helper()
	b.convertedWith(t, w, level, nil, more...)
}

// convertedWith does so with further options of the tool.
func (b table) convertedWith(t *testing.T, w *work, level string, options []string, more ...string) {
	t.Helper()
	made := w.convert(append([]string{"--auto", "--with", "bits.f90", "--fc-flags", strings.Join(b.flags, " ")}, options...), filepath.Base(b.name))
	object, text := w.compile(made[0], append(append([]string{level}, b.flags...), more...)...)
	require.Empty(t, text, "the compiler warns about the converted table")
	w.linked("converted.x", b.flags, "bits.f90.o", object)
	noExecutableStack(t, w, "converted.x", []string{object})
}

// check compares row by row, and whole.
func (b table) check(t *testing.T, want, got string, what any) {
	t.Helper()
	for _, row := range b.rows {
		line := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(row) + ` [0-9A-F].*$`)
		require.Regexp(t, line, want, "the row '%s' has no line", row)
		require.Equal(t, line.FindAllString(want, -1), line.FindAllString(got, -1), "row '%s', %v", row, what)
	}
	require.Equal(t, want, got, "%v", what)
}

// same runs the original and what the tool writes, with each shape.
func (b table) same(t *testing.T, w *work, level string) {
	t.Helper()
	want := b.original(t, w, level)
	b.converted(t, w, level, quiet(w.compiler)...)
	for i, s := range shapes {
		env := s.env()
		if i == 0 {
			env = append(env, "PORTABLE_VERBOSE="+w.path("log"))
		}
		b.check(t, want, w.run(env, "converted.x"), s)
	}
	labels := map[string]bool{}
	for _, m := range launchLine.FindAllStringSubmatch(w.text("log"), -1) {
		labels[m[1]] = true
	}
	// Loops of zero trips are not launched, and a few nests stay serial.
	require.GreaterOrEqual(t, 4*len(labels), 3*len(b.rows), "more than a quarter of the rows is not launched")
}

// TestSemantics: the whole table at -O0 and -O2, each shape of tiles, the library's threads.
func TestSemantics(t *testing.T) {
	levels := []string{"-O0", "-O2"}
	if !*all {
		levels = levels[:1]
	}
	counted := 0
	for _, b := range tables(t, !*all) {
		t.Run(filepath.Base(b.name), func(t *testing.T) {
			b := b.taken(t, *fc)
			counted += len(b.rows)
			for _, level := range levels {
				b.same(t, with(t), level)
			}
		})
	}
	t.Log(counted, "rows")
}

// quiet are flags by which gfortran says nothing of what the tables' own statements may make it say.
func quiet(compiler string) []string {
	if isFlang(compiler) {
		return nil
	}
	return []string{"-w"}
}
