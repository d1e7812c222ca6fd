package nest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/fortran/parse"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/source"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest/truth"
)

// TestRefusals holds the verdicts of ffi_tests/loops/refused to their truth comments: rule, name, lines.
func TestRefusals(t *testing.T) { truths(t, "refused", true) }

// TestSemantics holds the verdicts of ffi_tests/loops/semantics to their truth comments.
func TestSemantics(t *testing.T) { truths(t, "semantics", false) }

func truths(t *testing.T, folder string, lines bool) {
	root := filepath.Join("..", "..", "ffi_tests", "loops", folder)
	entries, err := os.ReadDir(root)
	require.NoError(t, err)
	looked := 0
	for _, e := range entries {
		switch filepath.Ext(e.Name()) {
		case ".f90", ".F90", ".f":
		default:
			continue
		}
		name := filepath.Join(root, e.Name())
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		list, err := truth.Read(e.Name(), string(text))
		require.NoError(t, err)
		t.Run(e.Name(), func(t *testing.T) {
			all := nestsOf(name, string(text))
			for _, w := range list {
				looked++
				judge(t, name, all, w, lines)
			}
		})
	}
	require.Greater(t, looked, 50)
}

// TestCensus counts the nests of bench/loops/census that are converted, and holds refusals to their truth.
func TestCensus(t *testing.T) {
	root := filepath.Join("..", "..", "bench", "loops", "census")
	var names []string
	require.NoError(t, filepath.WalkDir(root, func(name string, e os.DirEntry, err error) error {
		switch filepath.Ext(name) {
		case ".f90", ".F90", ".f", ".F":
			if filepath.Base(name) == "outside.f90" {
				return err
			}
			names = append(names, name)
		}
		return err
	}))
	set := source.NewSet(nil)
	var files []*tree.File
	for _, name := range names {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		files = append(files, parse.File(source.Read(set, name, text, source.Options{})))
	}
	byFile := map[string][]*Nest{}
	for _, n := range Find(scope.Build(files, scope.Options{}), Options{Auto: true}) {
		byFile[n.File.Source.Name] = append(byFile[n.File.Source.Name], n)
	}
	total, converted, expected, missed := 0, 0, 0, 0
	for _, name := range names {
		list, err := truth.ReadFile(name)
		require.NoError(t, err)
		for _, w := range list {
			total++
			var found []*Nest
			for _, n := range byFile[name] {
				at := int(n.Outer.Where.From.Line)
				if at >= w.Do && at <= w.End {
					found = append(found, n)
				}
			}
			is := slices.ContainsFunc(found, func(n *Nest) bool { return n.Verdict == Parallel })
			outermost := slices.ContainsFunc(found, func(n *Nest) bool {
				return n.Verdict == Parallel && len(n.Around) == 0 && int(n.Outer.Where.From.Line) == w.Do
			})
			if is {
				converted++
			}
			if len(w.Parallel) > 0 {
				expected++
				if !is {
					missed++
					if len(found) > 0 && testing.Verbose() {
						t.Logf("%s:%d: %s", filepath.Base(name), w.Do, summaryOf(found[0]))
					} else if testing.Verbose() {
						t.Logf("%s:%d: no nest", filepath.Base(name), w.Do)
					}
				}
			}
			if w.Refused != "" && outermost && w.Refused != "overlap" {
				t.Errorf("%s:%d: %s %s is converted", name, w.Do, w.Refused, w.Name)
			}
		}
	}
	t.Logf("%d nests, %d converted (%.1f %%), %d of %d that can be are not", total, converted, 100*float64(converted)/float64(total), missed, expected)
}

// nestsOf are the nests that a file has.
func nestsOf(name, text string) []*Nest {
	set := source.NewSet(nil)
	options := source.Options{}
	if strings.Contains(text, "flags: -DSCALE") {
		options.Macros = []source.Macro{{Name: "SCALE", Value: "3"}, {Name: "USE_SECOND", Value: "1"}}
	}
	files := []*tree.File{parse.File(source.Read(set, name, []byte(text), options))}
	shared := filepath.Join(filepath.Dir(name), "bits.f90")
	if text, err := os.ReadFile(shared); err == nil && filepath.Base(name) != "bits.f90" {
		files = append(files, parse.File(source.Read(set, shared, text, source.Options{})))
	}
	return Find(scope.Build(files, scope.Options{}), Options{Auto: true})
}

// related reports whether the loops of a verdict are those of the truth, or some of them: triangular loops are not collapsed, and more
// loops may be proved than the truth asks for.
func related(found, want []string) bool {
	contains := func(long, short []string) bool {
		for i := 0; i+len(short) <= len(long); i++ {
			if slices.Equal(long[i:i+len(short)], short) {
				return true
			}
		}
		return false
	}
	return contains(found, want) || contains(want, found)
}

// judge compares the verdict of one nest with its truth.
func judge(t *testing.T, name string, all []*Nest, w truth.Nest, lines bool) {
	here := func(n *Nest) bool {
		first := int(n.Outer.Where.From.Line)
		if len(n.Loops) > 0 {
			return first >= w.Do && first <= w.End || int(n.Loops[0].Do.Where.From.Line) >= w.Do && int(n.Loops[0].Do.Where.From.Line) <= w.End
		}
		return first >= w.Do && first <= w.End
	}
	var found []*Nest
	for _, n := range all {
		if here(n) && n.File.Source.Name == name && n.Verdict != Serial {
			found = append(found, n)
		}
	}
	fail := func(format string, args ...any) {
		t.Helper()
		var got []string
		for _, n := range found {
			got = append(got, summaryOf(n))
		}
		t.Errorf("%s:%d: truth %v %v refused %s %s, found %s: "+format, append([]any{filepath.Base(name), w.Do, w.Parallel, w.Private, w.Refused, w.Name, strings.Join(got, " | ")}, args...)...)
	}
	if len(w.Parallel) > 0 {
		at := slices.IndexFunc(found, func(n *Nest) bool { return n.Verdict == Parallel })
		if at < 0 {
			fail("not converted")
			return
		}
		var loops []string
		for _, l := range found[at].Loops {
			loops = append(loops, l.Variable.Name)
		}
		if !related(loops, w.Parallel) {
			fail("other loops: %v", loops)
		}
		c := claimOf(found[at])
		for _, y := range w.Private {
			isLoop := slices.ContainsFunc(found[at].Loops, func(l Loop) bool { return l.Variable.Name == y })
			used := slices.ContainsFunc(found[at].Arguments, func(a Argument) bool { return a.Symbol.Name == y })
			if !slices.Contains(c.Private, y) && !slices.Contains(c.Last, y) && (used || !isLoop && len(found[at].Around) > 0) {
				fail("%s is not private", y)
			}
		}
		for _, y := range w.Last {
			if !slices.Contains(c.Last, y) && c.Reduction[y] != string(LastSet) && !slices.ContainsFunc(found[at].Loops, func(l Loop) bool { return l.Variable.Name == y && l.UsedAfter }) {
				fail("%s has no last value", y)
			}
		}
		for y, op := range w.Reductions {
			if strings.Contains(y, "%") {
				y = y[:strings.Index(y, "%")]
			}
			if c.Reduction[y] != op {
				fail("no reduction %s:%s, but %v", op, y, c.Reduction)
			}
		}
		for _, y := range w.Sums {
			if c.Sums[y] == "" && len(found[at].Around) == 0 { // loops inside that need no atomic sums are better
				fail("no sum into %s", y)
			}
		}
		return
	}
	if w.Refused == "" {
		return
	}
	if len(found) == 0 {
		fail("no nest is found")
		return
	}
	if w.Refused == "overlap" && found[0].Verdict == Parallel && len(found[0].Pairs) > 0 {
		return // the launch compares
	}
	if slices.ContainsFunc(found, func(n *Nest) bool { return n.Verdict == Parallel && (len(n.Around) == 0 || len(n.Refusals) == 0) }) {
		fail("converted")
		return
	}
	r := found[0].Refusals[0]
	if !slices.Contains(strings.Split(w.Refused, "|"), string(r.Rule)) {
		fail("another rule: %s", r.Rule)
		return
	}
	if w.Name != "" && !strings.Contains(r.Text, w.Name) {
		fail("the text does not name %s", w.Name)
	}
	if !lines {
		return
	}
	named := []int{int(r.At.Line)}
	for _, p := range r.Also {
		named = append(named, int(p.Line))
	}
	for _, mark := range w.Marks {
		if !slices.Contains(named, mark) {
			fail("line %d is not named: %v", mark, named)
		}
	}
}
