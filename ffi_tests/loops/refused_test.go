package loops

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"libportable/internal/nest/truth"

	"github.com/stretchr/testify/require"
)

// TestRefusedCounts: enough nests of both kinds; each rule has one at least; each refusal has a line to name.
func TestRefusedCounts(t *testing.T) {
	refused, near, rules := 0, 0, map[string]int{}
	for _, n := range nests(t, "refused") {
		where := n.File
		if n.Refused == "" {
			near++
			require.Empty(t, n.Marks, "%s:%d: a nest that is converted has no line to name", where, n.Line)
			continue
		}
		refused++
		require.NotEmpty(t, n.Marks, "%s:%d: no line is marked", where, n.Line)
		require.LessOrEqual(t, len(n.Marks), 3, "%s:%d", where, n.Line)
		rules[strings.Split(n.Refused, "|")[0]]++
	}
	t.Log(refused, near, rules)
	require.GreaterOrEqual(t, refused, 60)
	require.GreaterOrEqual(t, near, 40)
	for _, rule := range truth.Rules {
		require.NotZero(t, rules[rule], "no nest is refused by the rule '%s' alone or first", rule)
	}
}

// TestRefusedCompiles: gfortran takes the sources without a warning; in the long part flang takes them too.
func TestRefusedCompiles(t *testing.T) {
	legal := slices.DeleteFunc(sources(t, "refused"), func(name string) bool { return strings.HasSuffix(name, "not_read.F90") })
	hidden := filepath.Join("refused", "hidden", "hidden.f90")
	free := slices.DeleteFunc(slices.Clone(legal), func(name string) bool { return truth.Fixed(name) })
	compiles(t, "gfortran", append([]string{"-std=gnu", "-fsyntax-only", "-Wall", "-Werror", "-Wno-unused-dummy-argument", "-fcoarray=single", "-J", t.TempDir(), hidden}, free...)...)
	compiles(t, "gfortran", "-std=legacy", "-fsyntax-only", filepath.Join("refused", "fixed_form.f"))
	if !long() {
		return
	}
	folder := t.TempDir()
	for _, name := range append([]string{hidden}, legal...) {
		if !strings.HasSuffix(name, "coarrays.f90") { // flang-16 takes no coarrays
			compiles(t, "flang-new-16", "-fsyntax-only", "-module-dir", folder, "-I", folder, name)
		}
	}
}

// TestOverlapRuns: the original of the overlap program ends well in each case; the converted one must not, with cases 1 and 2.
func TestOverlapRuns(t *testing.T) {
	folder := t.TempDir()
	program := filepath.Join(folder, "overlap")
	compiles(t, "gfortran", "-O0", "-J", folder, "-o", program, filepath.Join("refused", "overlap.f90"))
	for _, number := range []string{"0", "1", "2"} {
		out, err := exec.Command(program, number).CombinedOutput()
		require.NoError(t, err, string(out))
	}
}
