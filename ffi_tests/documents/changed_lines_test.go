package main

// The numbers that the guides give for the lines of the shallow-water model that changed. In this file: that they are
// what its script counts. Not in this file: the script (examples/shallow_water), that they are below 5 % (it says so).

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestChangedLinesAreThoseOfTheGuides(t *testing.T) {
	tree, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	output, err := exec.Command(filepath.Join(tree, "examples", "shallow_water", "count_changes.sh")).CombinedOutput()
	require.NoError(t, err, string(output))
	counted := regexp.MustCompile(`for (threads|GPUs): (\d+ lines of \d+)`).FindAllSubmatch(output, -1)
	require.Len(t, counted, 2, string(output))
	numbers := []string{string(counted[0][2]), string(counted[1][2])}
	said := regexp.MustCompile(`\b\d+ lines of 1\d\d\d\b`)
	for _, name := range []string{"docs/start/first-loop.md", "examples/shallow_water/README.md", "docs/start/why.md"} {
		text, err := os.ReadFile(filepath.Join(tree, filepath.FromSlash(name)))
		require.NoError(t, err)
		found := said.FindAllString(string(text), -1)
		require.NotEmpty(t, found, name)
		for _, f := range found {
			require.Contains(t, numbers, f, name)
		}
	}
}

// TestTheDemoCountsLinesForThreads says that the table of the demo has the row of the script that it names, and says what a ratio below 1 means.
func TestTheDemoCountsLinesForThreads(t *testing.T) {
	folder, err := filepath.Abs(filepath.Join("..", "..", "examples", "shallow_water"))
	require.NoError(t, err)
	counted, err := exec.Command(filepath.Join(folder, "count_changes.sh")).CombinedOutput()
	require.NoError(t, err, string(counted))
	row := regexp.MustCompile(`(?m)^for threads: (.*)$`).FindSubmatch(counted)
	require.NotNil(t, row, string(counted))

	for _, c := range []struct {
		threads string
		slower  bool
	}{{"1.0", false}, {"4.0", true}} {
		out := t.TempDir()
		for kind, ms := range map[string]string{"plain": "3.0", "pool": "2.0", "parallel": c.threads} {
			require.NoError(t, os.Mkdir(filepath.Join(out, kind), 0o755))
			log := "case\n  steps                  10\n  time per step          " + ms + " ms\n"
			require.NoError(t, os.WriteFile(filepath.Join(out, kind, "lake.log"), []byte(log), 0o644))
			require.NoError(t, os.WriteFile(filepath.Join(out, kind+".lake.time"), []byte("3.0 1.0\n"), 0o644))
		}
		table, err := exec.Command(filepath.Join(folder, "demo_table.sh"), out, out, "lake").CombinedOutput()
		require.NoError(t, err, string(table))
		require.Contains(t, string(table), "lines changed for threads: "+string(row[1])+")")
		require.Contains(t, string(table), "1.50x")
		if c.slower {
			require.Contains(t, string(table), "0.50x")
			require.Contains(t, string(table), "below 1.00x it is slower")
		} else {
			require.NotContains(t, string(table), "below")
		}
	}
}
