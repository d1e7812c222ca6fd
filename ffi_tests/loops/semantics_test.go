package loops

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// rows are the sources of the table of semantics.
func rows(t *testing.T) []string {
	return slices.DeleteFunc(sources(t, "semantics"), func(name string) bool { return strings.HasSuffix(name, "bits.f90") })
}

var flagsLine = regexp.MustCompile(`(?m)^! flags: (.*)$`)

// flags are those that the head of a source asks for.
func flags(t *testing.T, name string) []string {
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	if found := flagsLine.FindSubmatch(text); found != nil {
		return strings.Fields(string(found[1]))
	}
	return nil
}

// TestSemanticsCounts: rows have names that differ, and each is a nest that is converted.
func TestSemanticsCounts(t *testing.T) {
	names := map[string]bool{}
	for _, name := range rows(t) {
		for _, n := range nestsOf(t, name) {
			require.NotEmpty(t, n.Run, "%s:%d", n.File, n.Line)
			require.False(t, names[n.Run], "%s:%d: there are two rows '%s'", n.File, n.Line, n.Run)
			require.Empty(t, n.Refused, "%s:%d", n.File, n.Line)
			names[n.Run] = true
		}
	}
	t.Log(len(names))
	require.GreaterOrEqual(t, len(names), 150)
}

// TestSemanticsOriginals: the originals print a line for each row, the same at -O0 and -O2.
func TestSemanticsOriginals(t *testing.T) {
	levels := []string{"-O0", "-O2"}
	if !long() {
		levels = []string{"-O0"}
	}
	for _, name := range rows(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			outputs := []string{}
			for _, level := range levels {
				folder := t.TempDir()
				args := append([]string{"-std=gnu", "-cpp", level, "-w", "-J", folder, "-o", filepath.Join(folder, "row"), "semantics/bits.f90", name}, flags(t, name)...)
				compiles(t, "gfortran", args...)
				out, err := exec.Command(filepath.Join(folder, "row")).CombinedOutput()
				require.NoError(t, err, string(out))
				outputs = append(outputs, string(out))
			}
			for _, n := range nestsOf(t, name) {
				require.Regexp(t, `(?m)^`+n.Run+` [0-9A-F]`, outputs[0], "the row has no line")
			}
			for _, other := range outputs[1:] {
				require.Equal(t, outputs[0], other)
			}
		})
	}
}
