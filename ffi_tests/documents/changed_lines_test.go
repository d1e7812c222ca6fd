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
	for _, name := range []string{"docs/first-loop.md", "examples/shallow_water/README.md", "docs/why.md"} {
		text, err := os.ReadFile(filepath.Join(tree, filepath.FromSlash(name)))
		require.NoError(t, err)
		found := said.FindAllString(string(text), -1)
		require.NotEmpty(t, found, name)
		for _, f := range found {
			require.Contains(t, numbers, f, name)
		}
	}
}
