package findings

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/cmd/yaklcheck/internal/symbols"
	"libportable/cmd/yaklcheck/internal/trace"
)

func parsed(t *testing.T, text string) *Suppressions {
	s := &Suppressions{}
	require.NoError(t, s.parse("model.supp", strings.NewReader(text)))
	return s
}

func TestSuppressions(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		hits bool
	}{
		"kind":                       {"suppress\n kind out-of-bounds, leak", true},
		"other kind":                 {"suppress\n kind leak", false},
		"label":                      {"suppress\n label dt*", true},
		"label in another case":      {"suppress\n label DT2D", false},
		"program":                    {"suppress\n program mod??\n label *", true},
		"other program":              {"suppress\n program ocean\n label *", false},
		"procedure in any case":      {"suppress\n at MAX_stable_dt", true},
		"procedure and file":         {"suppress\n at max_stable_dt sw.f90", true},
		"file with a folder":         {"suppress\n at * src/sw.f90", true},
		"half of a folder's name":    {"suppress\n at * rc/sw.f90", false},
		"another file":               {"suppress\n at max_stable_dt dyn.f90", false},
		"frames in order":            {"suppress\n at max_stable_dt\n at model", true},
		"frames in another order":    {"suppress\n at model\n at max_stable_dt", false},
		"two stacks":                 {"suppress why not\n at step # a comment\n allocated init_model", true},
		"a stack that there is not":  {"suppress\n freed *", false},
		"all conditions must hold":   {"suppress\n kind out-of-bounds\n label q", false},
		"the second entry":           {"suppress\n label q\n\nsuppress\n label dt2d", true},
		"the library's frames count": {"suppress\n allocated portable_alloc", true},
	} {
		t.Run(name, func(t *testing.T) {
			s := parsed(t, c.text)
			r := collect(Options{Suppressions: s}, made(1, -1, overrun()))
			require.Equal(t, c.hits, r.Suppressed == 1)
			require.Len(t, r.Findings, 1-r.Suppressed)
			if !c.hits {
				require.Contains(t, s.Unused()[0], "unused suppression model.supp:1")
			}
		})
	}
}

func TestSuppressionsErrors(t *testing.T) {
	for text, want := range map[string]string{
		"kind leak":                        `model.supp:1: "kind" stands before the first line`,
		"suppress\n\nsuppress\n kind leak": `model.supp:1: this entry has no condition`,
		"suppress all\n program x":         `model.supp:1: this entry has no condition`,
		"suppress\n kind leek":             `model.supp:2: there is no kind "leek"; kinds are: out-of-bounds,`,
		"suppress\n colour red":            `model.supp:2: "colour" is not a condition`,
		"suppress\n label":                 `model.supp:2: "label" needs a value`,
		"suppress\n at a b c":              `model.supp:2: "at" takes a procedure and a file, not 3 words`,
	} {
		require.ErrorContains(t, (&Suppressions{}).parse("model.supp", strings.NewReader(text)), want)
	}
	require.ErrorContains(t, (&Suppressions{}).ReadSuppressions("/no/such.supp"), "cannot be read")
}

// TestGenerated: each generated entry hides its finding, and no other.
func TestGenerated(t *testing.T) {
	double := &trace.Finding{What: trace.DoubleFree, HereStack: 3, AllocStack: 2, FreeStack: 4, OtherStack: 1, Label: "h # 1"}
	file := made(1, -1, overrun(), leak(), double)
	r := collect(Options{}, file)
	var b bytes.Buffer
	require.NoError(t, r.WriteSuppressions(&b))
	require.Contains(t, b.String(), "suppress leak of 3 blocks, 240000 bytes, label 'tmp'\n  kind       leak\n  label      tmp\n  allocated  step  sw.f90\n\n")
	require.Equal(t, 3, collect(Options{Suppressions: parsed(t, b.String())}, file).Suppressed)
	for entry := range strings.SplitSeq(strings.TrimSpace(b.String()), "\n\n") {
		require.Equal(t, 1, collect(Options{Suppressions: parsed(t, entry)}, file).Suppressed, entry)
	}
}

func FuzzGlob(f *testing.F) {
	f.Add("a*b?c", "aXXbYc")
	f.Add("**", "")
	f.Add("0********0", "012345678901234567890123456789")
	f.Fuzz(func(t *testing.T, pattern, text string) {
		if len(pattern) > 12 || len(text) > 30 {
			return
		}
		require.Equal(t, plainGlob(pattern, text), glob(pattern, text), "%q %q", pattern, text)
	})
}

// plainGlob is a model without backtracking, which takes hours for many stars: all positions of the text where the
// pattern so far may end.
func plainGlob(pattern, text string) bool {
	ends := map[int]bool{0: true}
	for _, c := range []byte(pattern) {
		next := map[int]bool{}
		for end := range ends {
			switch {
			case c == '*':
				for i := end; i <= len(text); i++ {
					next[i] = true
				}
			case end < len(text) && (c == '?' || c == text[end]):
				next[end+1] = true
			}
		}
		ends = next
	}
	return ends[len(text)]
}

// Only the archive's own paths are ours: a user may work in a folder of the library's name.
func TestUsersFolderOfOurName(t *testing.T) {
	require.Equal(t, User, ownerOf(&symbols.Frame{Module: "model", File: "/home/model/libportable/src/loops.c", Procedure: "loop"}))
	require.Equal(t, Library, ownerOf(&symbols.Frame{Module: "model", File: "/_/libportable/gator/front/magazine.c", Procedure: "take"}))
	require.Regexp(t, watcher, "/_/libportable/gator/front/memcheck_parked.c")
	require.NotRegexp(t, watcher, "/_/libportable/gator/front/magazine.c")
}
