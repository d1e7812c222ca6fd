package census

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"libportable/internal/nest/truth"

	"github.com/stretchr/testify/require"
)

// long says that the wide part runs too.
func long() bool { return os.Getenv("PORTABLE_TEST_LONG") != "" }

// inOrder are all sources in an order in which they compile.
func inOrder(t *testing.T) []string {
	first := []string{"support/support.f90", "support/interfaces.f90", "support/outside.f90", "atmosphere/grid.f90"}
	rest := slices.DeleteFunc(sources(t), func(name string) bool { return slices.Contains(first, name) })
	return append(append(first, rest...), "support/main.f90")
}

// TestEachFileRuns: the main program calls the entry of each source.
func TestEachFileRuns(t *testing.T) {
	text, err := os.ReadFile("support/main.f90")
	require.NoError(t, err)
	for _, name := range inOrder(t)[4 : len(inOrder(t))-1] {
		require.Contains(t, string(text), "print_bits('"+strings.TrimSuffix(name, filepath.Ext(name))+"'", "no call for %s", name)
	}
}

// TestCompiles: gfortran takes all sources, without a warning but for the age of fixed form; in the long part flang takes them too.
func TestCompiles(t *testing.T) {
	if _, err := exec.LookPath("gfortran"); err != nil {
		t.Skip("no gfortran")
	}
	var free []string
	folder := t.TempDir()
	for _, name := range inOrder(t) {
		if !truth.Fixed(name) {
			free = append(free, name)
		}
	}
	out, err := exec.Command("gfortran", append([]string{"-std=gnu", "-fsyntax-only", "-Wall", "-Wno-integer-division", "-Werror", "-J", folder}, free...)...).CombinedOutput()
	require.NoError(t, err, string(out))
	if !long() {
		return
	}
	if _, err := exec.LookPath("flang-new-16"); err != nil {
		t.Skip("no flang-new-16")
	}
	folder = t.TempDir()
	for _, name := range inOrder(t) {
		out, err := exec.Command("flang-new-16", "-fsyntax-only", "-module-dir", folder, "-I", folder, name).CombinedOutput()
		require.NoError(t, err, string(out))
	}
}

// TestBackwards: every nest whose truth is `parallel`, without reductions, sums and last values, gives the same bits when its parallel loops run
// backwards: a wrong truth would show.
func TestBackwards(t *testing.T) {
	if _, err := exec.LookPath("gfortran"); err != nil || !long() {
		t.Skip("no gfortran, or not the long part")
	}
	folder, reversed := t.TempDir(), 0
	for _, name := range inOrder(t) {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		lines := strings.Split(string(text), "\n")
		nests, err := truth.ReadFile(name)
		require.NoError(t, err)
		for _, n := range nests {
			if n.Refused == "" && len(n.Reductions)+len(n.Sums)+len(n.Last) == 0 && backwards(lines, n) {
				reversed++
			}
		}
		require.NoError(t, os.MkdirAll(filepath.Join(folder, filepath.Dir(name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(strings.Join(lines, "\n")), 0o644))
	}
	t.Log(reversed)
	require.Greater(t, reversed, 280)
	require.Equal(t, run(t, "."), run(t, folder))
}

var counted = regexp.MustCompile(`(?i)^(\s*(?:\w+ *: *)?do +(?:\d+ +)?)(\w+) *= *(.*)$`)

// backwards turns the parallel loops of a nest round, in the lines.
func backwards(lines []string, n truth.Nest) bool {
	turned := 0
	for i := n.Do - 1; i < n.End && turned < len(n.Parallel); i++ {
		found := counted.FindStringSubmatch(lines[i])
		if found == nil || !strings.EqualFold(found[2], n.Parallel[turned]) {
			continue
		}
		bounds := parts(found[3])
		lo, hi, step := bounds[0], bounds[1], "1"
		if len(bounds) == 3 {
			step = bounds[2]
		}
		switch step {
		case "1":
			lines[i] = found[1] + found[2] + " = " + hi + ", " + lo + ", -1"
		case "-1":
			lines[i] = found[1] + found[2] + " = " + hi + ", " + lo
		default:
			lines[i] = found[1] + found[2] + " = " + lo + " + ((" + hi + " - (" + lo + "))/(" + step + "))*(" + step + "), " + lo + ", -(" + step + ")"
		}
		turned++
	}
	return turned == len(n.Parallel)
}

// parts splits at commas that are in no parentheses.
func parts(text string) (list []string) {
	depth, from := 0, 0
	for i, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				list = append(list, strings.TrimSpace(text[from:i]))
				from = i + 1
			}
		}
	}
	return append(list, strings.TrimSpace(text[from:]))
}

// run builds the sources of a folder and gives the lines that the program prints.
func run(t *testing.T, folder string) []string {
	out := t.TempDir()
	args := []string{"-std=legacy", "-O0", "-w", "-ffree-line-length-none", "-ffixed-line-length-none", "-J", out, "-o", filepath.Join(out, "census")}
	for _, name := range inOrder(t) {
		args = append(args, filepath.Join(folder, name))
	}
	text, err := exec.Command("gfortran", args...).CombinedOutput()
	require.NoError(t, err, string(text))
	text, err = exec.Command(filepath.Join(out, "census")).CombinedOutput()
	require.NoError(t, err, string(text))
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	require.Len(t, lines, len(inOrder(t))-5)
	return lines
}
