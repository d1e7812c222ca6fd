package programs

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"libportable/internal/nest/truth"

	"github.com/stretchr/testify/require"
)

// This file compiles whole programs, original and converted, with all warnings: no new ones, the bits of the original, no executable stack.
// Not in this file: warnings about single nests (the tables of semantics_test.go compile without a word, too).

// strict are the warnings of the two programs.
func strict(compiler string) []string {
	if isFlang(compiler) {
		return []string{"-O1"} // it has no other warnings than those that it gives without being asked
	}
	return []string{"-O1", "-std=f2018", "-Wall", "-Wextra", "-pedantic"}
}

var (
	placeLine   = regexp.MustCompile(`(?m)^([^\s:][^:\n]*):(\d+):\d+:$`)
	warningLine = regexp.MustCompile(`(?m)^Warning: .*$`)
)

// complaints are gfortran's warnings of a compilation, without lines, because those of the original are at other places of the same line.
func complaints(text string) (list []string) {
	places := placeLine.FindAllStringSubmatchIndex(text, -1)
	for _, m := range warningLine.FindAllStringIndex(text, -1) {
		place := "?"
		for _, p := range places {
			if p[0] < m[0] {
				place = text[p[2]:p[3]] + ":" + text[p[4]:p[5]]
			}
		}
		list = append(list, place+": "+text[m[0]:m[1]])
	}
	return list
}

// clean compiles all sources, original and converted, and says what is new in the converted ones.
func clean(t *testing.T, w *work, flags []string, sources, converted []string) (before, after []string) {
	for i, s := range sources {
		flags := slices.Clone(flags)
		if at := slices.Index(flags, "-std=f2018"); at >= 0 && filepath.Ext(s) == ".f" {
			flags[at] = "-std=gnu" // of the time of fixed form
		}
		object, text := w.compile(s, flags...)
		known := complaints(text)
		before = append(before, object)
		require.Equal(t, isFlang(w.compiler) || strings.TrimSpace(text) == "" || len(known) > 0, true, text)
		object, text = w.compile(converted[i], flags...)
		if isFlang(w.compiler) {
			require.Empty(t, text, s)
		}
		for _, c := range complaints(text) {
			require.Contains(t, known, c, "%s: a new warning", s)
		}
		after = append(after, object)
	}
	return before, after
}

// stackMark is the linker's mark.
var stackMark = regexp.MustCompile(`GNU_STACK .* (R[W ]?[E ]?) +0x`)

// noExecutableStack looks at the program and at each object.
func noExecutableStack(t *testing.T, w *work, program string, objects []string) {
	out, text, err := w.try(nil, "readelf", "-lW", program)
	require.NoError(t, err, text)
	found := stackMark.FindStringSubmatch(out)
	require.NotNil(t, found, out)
	require.NotContains(t, found[1], "E", "the program needs an executable stack")
	for _, o := range objects {
		out, text, err := w.try(nil, "readelf", "-SW", o)
		require.NoError(t, err, text)
		require.NotRegexp(t, `\.note\.GNU-stack.* X `, out, o)
	}
}

// program are the sources of a program in the order of their modules, copied into the folder of a test; two folders may have files of one name.
func (w *work) program(paths []string) (names []string) {
	for _, path := range inOrder(w.t, paths) {
		names = append(names, w.source(filepath.Base(filepath.Dir(path))+"_"+filepath.Base(path), read(w.t, path)))
	}
	return names
}

// TestDemo: the shallow-water model, no line of which is changed.
func TestDemo(t *testing.T) {
	w := with(t)
	folder := filepath.Join(tree, "examples", "shallow_water")
	own, err := filepath.Glob(filepath.Join(folder, "src_plain", "*.f90"))
	require.NoError(t, err)
	shared, err := filepath.Glob(filepath.Join(folder, "src", "*.f90"))
	require.NoError(t, err)
	// The folder of the plain program goes before the shared one.
	paths := own
	for _, s := range shared {
		if !slices.ContainsFunc(own, func(o string) bool { return filepath.Base(o) == filepath.Base(s) }) {
			paths = append(paths, s)
		}
	}
	sources := w.program(paths)
	converted := w.convert([]string{"--auto"}, sources...)
	before, after := clean(t, w, strict(w.compiler), sources, converted)
	w.linked("original", nil, before...)
	w.linked("converted.x", nil, after...)
	noExecutableStack(t, w, "converted.x", after)
	state := func(program string, env ...string) string {
		out := filepath.Join(w.folder, "out")
		require.NoError(t, os.RemoveAll(out))
		require.NoError(t, os.MkdirAll(out, 0o755))
		here, err := filepath.Abs(filepath.Join(folder, "cases", "small_dam_break.nml"))
		require.NoError(t, err)
		_, text, err := w.try(env, w.path(program), here, out)
		require.NoError(t, err, text)
		require.Empty(t, text)
		return w.text("out/small_dam_break.swe")
	}
	want := state("original")
	for _, s := range shapes {
		require.True(t, want == state("converted.x", s.env()...), "%v: other bits", s)
	}
}

// TestCensus: all nests of the census, but for the procedures that the tool must not see.
func TestCensus(t *testing.T) {
	w := with(t)
	var paths []string
	for _, pattern := range []string{"*.f90", "*.F90", "*.f"} {
		found, err := filepath.Glob(filepath.Join(tree, "bench", "loops", "census", "*", pattern))
		require.NoError(t, err)
		paths = append(paths, found...)
	}
	sources := w.program(paths)
	hidden := slices.Index(sources, "support_outside.f90")
	require.GreaterOrEqual(t, hidden, 0)
	seen := slices.Delete(slices.Clone(sources), hidden, hidden+1)
	converted := slices.Insert(w.convert([]string{"--auto"}, seen...), hidden, sources[hidden])
	if isFlang(w.compiler) {
		w.compilable(sources, converted)
		return
	}
	before, after := clean(t, w, strict(w.compiler), sources, converted)
	w.linked("original", nil, before...)
	w.linked("converted.x", nil, after...)
	noExecutableStack(t, w, "converted.x", after)
	// A launch combines sums and products of reals tile by tile: the same bits for each shape, not those of the plain loop.
	combined := map[string]bool{}
	for _, path := range paths {
		nests, err := truth.ReadFile(path)
		require.NoError(t, err)
		for _, n := range nests {
			for _, operator := range n.Reductions {
				combined[entry(path)] = combined[entry(path)] || operator == "+" || operator == "*"
			}
			combined[entry(path)] = combined[entry(path)] || len(n.Sums) > 0
		}
	}
	original := strings.Split(w.run(nil, "original"), "\n")
	want := strings.Split(w.run([]string{"PORTABLE_DEVICE=serial"}, "converted.x"), "\n")
	require.Len(t, want, len(original))
	for i, line := range original {
		name, _, _ := strings.Cut(line, " ")
		require.True(t, combined[name] || line == want[i], "%s: %s, the original prints %s", name, want[i], line)
	}
	for _, s := range shapes {
		require.Equal(t, want, strings.Split(w.run(s.env(), "converted.x"), "\n"), s)
	}
}

// compilable: what flang 16 compiles of the originals, which is not all of them, it compiles of the converted sources, too.
func (w *work) compilable(sources, converted []string) {
	taken := 0
	for i, s := range sources {
		args := append([]string{"-c", s, "-o", s + ".o"}, w.include...)
		if _, text, err := w.try(nil, w.compiler, args...); err != nil {
			require.Contains(w.t, text, "not yet implemented", s)
			continue
		}
		taken++
		_, text := w.compile(converted[i])
		require.Empty(w.t, text, s)
	}
	w.t.Log(taken, "of", len(sources), "sources")
	require.Greater(w.t, 3*taken, 2*len(sources))
}

// entry is the name that the census prints for a source.
func entry(path string) string {
	return filepath.Base(filepath.Dir(path)) + "/" + strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
}
