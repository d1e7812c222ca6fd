package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// savedRun writes a page of one suite with these rows into a folder.
func savedRun(t *testing.T, page, day, rows string) string {
	t.Helper()
	folder := t.TempDir()
	text := "<!-- machine -->\n\n- A processor, 2 cores, 4 GiB\n- measured on " + day + "\n- commit 0123456789\n- gcc 12\n\n<!-- end -->\n\n" +
		"<!-- limits -->\n\n| what | limit | figure | verdict |\n|---|---|---|---|\n" + rows + "\n<!-- end -->\n\n" +
		"<!-- tables -->\n\n| other | 1x | 0.10x | holds |\n\n<!-- end -->\n"
	require.NoError(t, os.WriteFile(filepath.Join(folder, page), []byte(text), 0o666))
	return folder
}

func TestHeldRuns(t *testing.T) {
	first := savedRun(t, "launch-benchmarks.md", "2026-01-02", "| fill: of OpenMP | 0.98x | 1.00x | holds |\n| sort | 1x | 0.99x | holds |\n| scan | 1x |  | not measured |\n")
	second := savedRun(t, "launch-benchmarks.md", "2026-01-03", "| fill: of OpenMP | 0.98x | 0.60x | **MISSES** |\n| sort | 1x | 1.20x | holds |\n| fft | 1x | 2x | holds |\n")
	text, err := heldRuns([]string{first, second})
	require.NoError(t, err)
	require.Contains(t, text, "1 of 4 limits held in each of 2 runs; 1 were missed in at least one; 2 were not measured in each.")
	require.Contains(t, text, "| fill: of OpenMP | 0.98x | 1.00x | **0.60x** | 1 of 2 |\n")
	require.Contains(t, text, "| scan | 1x | not measured | not measured | 0 of 2 |\n")
	require.Contains(t, text, "| fft | 1x | not measured | 2x | 0 of 2 |\n")
	require.NotContains(t, text, "| sort |")
	require.NotContains(t, text, "| other |", "a row of a table is no limit")
	require.Contains(t, text, "- "+second+": A processor, 2 cores, 4 GiB; measured on 2026-01-03; commit 0123456789\n")
}

func TestHeldRunsThatCannotBeCompared(t *testing.T) {
	run := savedRun(t, "launch-benchmarks.md", "2026-01-02", "| sort | 1x | 1.00x | holds |\n")
	_, err := heldRuns([]string{run})
	require.ErrorContains(t, err, "two or more runs")
	_, err = heldRuns([]string{run, t.TempDir()})
	require.ErrorContains(t, err, "has no page launch-benchmarks.md")
	_, err = heldRuns([]string{t.TempDir(), t.TempDir()})
	require.ErrorContains(t, err, "has a page of benchmarks")
	_, err = heldRuns([]string{run, savedRun(t, "launch-benchmarks.md", "2026-01-02", "")})
	require.ErrorContains(t, err, "has no limits")
}

// The pages of docs/check are read as any run.
func TestHeldRunsOfThePages(t *testing.T) {
	pages := filepath.Join("..", "docs", "check")
	text, err := heldRuns([]string{pages, pages})
	require.NoError(t, err)
	for _, c := range chartTitles {
		require.Contains(t, text, "## "+c.title+"\n")
	}
}

func TestOtherProgramsAreMeasured(t *testing.T) {
	all, busy, ok := usageOf("cpu  100 200 300 4000 50 6 7 8 90 10")
	require.True(t, ok)
	require.InDelta(t, 46.71, all, 1e-9)
	require.InDelta(t, 6.21, busy, 1e-9, "neither idle nor waiting for disks; guests are in user time already")
	for _, line := range []string{"", "cpu0 1 2 3 4 5 6 7 8", "cpu 1 2 3", "cpu 1 2 3 4 5 6 7 x"} {
		_, _, ok = usageOf(line)
		require.False(t, ok, line)
	}
	then := usage{all: 100, busy: 10, own: 5}
	require.InDelta(t, 0.25, usage{all: 120, busy: 22, own: 12}.othersSince(then), 1e-9)
	require.Zero(t, usage{all: 120, busy: 15, own: 12}.othersSince(then), "ticks are coarser than the own time")
	require.Zero(t, then.othersSince(then))
}

func TestPagesSayWhetherTheMachineWasQuiet(t *testing.T) {
	require.Equal(t, "other programs used 1.2 % of the processors during the run", others(0.012))
	require.Contains(t, others(0.31), "used 31.0 % of the processors during the run: **the machine was not quiet**")
}
