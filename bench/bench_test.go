package main

import (
	"encoding/xml"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func sample() *results {
	r := newResults([]peer{{name: pool}, {name: glibc}})
	r.keep("one size, 1000 bytes", "ns/pair", 0, 11)
	r.keep("one size, 1000 bytes", "ns/pair", 1, 5.5)
	r.keep("throughput of 1 thread", "Mpair/s", 0, 100)
	r.keep("throughput of 2 threads", "Mpair/s", 0, 195)
	return r
}

func TestTheBestRoundCounts(t *testing.T) {
	r := sample()
	r.keep("one size, 1000 bytes", "ns/pair", 0, 12)
	require.Equal(t, 11.0, r.value("one size, 1000 bytes", pool), "a time: the smaller")
	r.keep("throughput of 1 thread", "Mpair/s", 0, 120)
	require.Equal(t, 120.0, r.value("throughput of 1 thread", pool), "a rate: the larger")
	require.True(t, math.IsNaN(r.value("throughput of 1 thread", glibc)))
	require.True(t, math.IsNaN(r.value("no such row", pool)))
}

func TestCells(t *testing.T) {
	cell := func(unit string, pool, other float64) string { return (&row{"", unit, []float64{pool, other}}).cell(1) }
	require.Equal(t, "0.50x", cell("ns/pair", 10, 5), "the peer is twice as fast")
	require.Equal(t, "2.00x", cell("Mpair/s", 10, 5), "the pool is twice as fast")
	require.Equal(t, "1.5", cell("x", 1, 1.5), "a ratio already")
	require.Equal(t, "60", cell("MiB", 10, 60))
	require.Equal(t, "0.5", cell("per pair", 0.1, 0.5))
	require.Equal(t, "0.3", cell("of 1", 0.1, 0.3))
	require.Equal(t, "", cell("ns", 1, math.NaN()))
	require.Equal(t, "2.5 us", cell("us", math.NaN(), 2.5), "a row of the peers alone")
}

func TestOfTheBest(t *testing.T) {
	r := newResults([]peer{{name: pool}, {name: gomp}, {name: gompActive}})
	for unit, want := range map[string]string{"ns": "0.50x", "GB/s": "1.25x"} {
		r.keep("loop in "+unit, unit, 0, 10)
		r.keep("loop in "+unit, unit, 1, 5)
		r.keep("loop in "+unit, unit, 2, 8)
		got, _ := ofTheBest(0.98, "loop in "+unit, r.peers[1].name, r.peers[2].name, "unknown peer")(r)
		require.Equal(t, want, got, unit)
	}
	_, holds := ofTheBest(0.98, "no such row", r.peers[1].name)(r)
	require.False(t, holds)
}

func TestVerdicts(t *testing.T) {
	verdicts, missed := judge(sample(), limits())
	require.Contains(t, verdicts, "| one size of 1000 bytes: against glibc | 1x | 0.50x | **MISSES** |")
	require.Contains(t, verdicts, "| one size of 1000 bytes: the goal | 12 ns | 11 ns/pair | holds |")
	require.Contains(t, verdicts, "| two threads: throughput of one | 1.9x | 1.95x | holds |")
	require.Contains(t, verdicts, "| idle library: memory | 4 MB |  | not measured |")
	require.Equal(t, 1, strings.Count(missed, "\n- ")+1, "what was not measured is not missed")
	require.Contains(t, missed, triedPair)
}

// A limit that names a row wrongly would never be measured: every row that a limit asks for must be one that a program
// prints.
func TestLimitsNameRowsThatExist(t *testing.T) {
	r := newResults(peers)
	for _, name := range append(append(live(1), live(100000)...), live(10)...) {
		keepAll(r, name, "ns/pair")
	}
	for _, name := range append(append(live(100), live(1000)...), live(10000)...) {
		keepAll(r, name, "ns/pair")
	}
	for _, name := range []string{"one size, 1000 bytes", "one size, 80000 bytes", "one size, 1048576 bytes"} {
		keepAll(r, name, "ns/pair")
	}
	for _, kib := range []string{"80", "1024", "4096", "16384"} {
		keepAll(r, "3 arrays of "+kib+" KiB, written", "us/step")
		keepAll(r, "3 arrays of "+kib+" KiB, written, reused memory", "us/step")
	}
	keepAll(r, "first touch of 512 MB", "ms")
	keepAll(r, "throughput of 1 thread", "Mpair/s")
	keepAll(r, "throughput of 2 threads", "Mpair/s")
	for _, us := range []string{"20", "1000"} {
		keepAll(r, "pair after "+us+" us of work, one core", "ns")
		keepAll(r, "voluntary switches after "+us+" us, one core", "per pair")
	}
	for _, name := range []string{"array of 80000 bytes: create and release", "idle: resident memory, more than without", "idle: wake-ups of its threads in 2 s",
		"start-up: more than without the library", servedRow, "compile time: gator_mod, gfortran -O2",
		"compile time: the modules that gator_mod and portable_mod need, gfortran -O2 -g",
		"compile time: a file that uses it, more than without"} {
		keepAll(r, name, "s")
	}
	verdicts, _ := judge(r, limits())
	require.NotContains(t, verdicts, "not measured")
}

func keepAll(r *results, name, unit string) {
	for i := range r.peers {
		r.keep(name, unit, i, 1)
	}
}

func TestLinesOfAProgram(t *testing.T) {
	r := newResults([]peer{{name: pool}})
	require.NoError(t, r.read(exec.Command("printf", `a\t1.5\tns\nb\t2\tMiB\n`), 0))
	require.Equal(t, 1.5, r.value("a", pool))
	require.ErrorContains(t, r.read(exec.Command("printf", "no value\n"), 0), "no name, value and unit")
	require.Error(t, r.read(exec.Command("false"), 0))
}

func TestMachine(t *testing.T) {
	require.Regexp(t, `(?m)^- .+, [0-9]+ cores, .+ of memory$`, machine(nil, 3))
}

func TestLaunchLimits(t *testing.T) {
	r := newResults([]peer{{name: pool}, {name: gomp}, {name: gompActive}})
	r.keep("empty launch, 2 threads", "ns", 0, 100)
	r.keep("empty launch, 2 threads", "ns", 1, 450)
	r.keep("triad, 16 M elements", "GB/s", 0, 50)
	r.keep("triad, 16 M elements", "GB/s", 1, 40)
	r.keep("triad, 16 M elements", "GB/s", 2, 52)
	verdicts, missed := judge(r, launchLimits())
	require.Contains(t, verdicts, "| empty launch, 2 threads: against libgomp's default waiting | 2x | 4.50x | holds |")
	require.Contains(t, verdicts, "| empty launch, 2 threads: the goal | 5x | 4.50x | **MISSES** |")
	require.Contains(t, verdicts, "| triad, 16 M elements: of the best OpenMP version | 0.98x | 0.96x | holds |", "the best of all, and the noise allowed")
	require.Contains(t, missed, triedLaunch)
}

func TestMeshLimits(t *testing.T) {
	r := newResults([]peer{{name: pool}})
	r.keep("cells of particles", "ns", 0, 6)
	r.keep("cells of particles, sort_by_key of the keys", "ns", 0, 4)
	r.keep("rows of 50, 8 M elements", "ns", 0, 0.13)
	r.keep("rows of 50, 8 M elements, OpenMP", "ns", 0, 0.13)
	verdicts, missed := judge(r, launchLimits())
	require.Contains(t, verdicts, "| cells of particles: of sort_by_key of the keys | 1.2 times as long | 0.67x | **MISSES** |")
	require.Contains(t, verdicts, "| rows of 50, 8 M elements: of the best OpenMP version | 0.95x | 1.00x | holds |")
	require.Contains(t, missed, triedParticles)
}

func TestHeavyRowLimits(t *testing.T) {
	const row, stream = "one row of half of 8 M elements", ", a stream that reads them"
	r := newResults([]peer{{name: pool}})
	r.keep(row, "ns", 0, 0.15)
	r.keep(row+", one thread", "ns", 0, 0.24)
	verdicts, _ := judge(r, meshLimits())
	require.Contains(t, verdicts, "gains |  | not measured |", "nothing is judged without the stream")
	r.keep(row+stream, "ns", 0, 0.1)
	r.keep(row+stream+", one thread", "ns", 0, 0.16)
	verdicts, _ = judge(r, meshLimits())
	require.Contains(t, verdicts, "| 1.60x; the stream 1.60x | holds |", "memory gives no more")
	r.keep(row+stream, "ns", 0, 0.08)
	verdicts, missed := judge(r, meshLimits())
	require.Contains(t, verdicts, "| 1.60x; the stream 2.00x | **MISSES** |")
	require.Contains(t, missed, triedHeavy)
}

func TestPages(t *testing.T) {
	parts := map[string]string{"machine": "m", "limits": "l", "missed": "s", "tables": "t"}
	for name, s := range suites {
		text, err := os.ReadFile(filepath.Join("..", "docs", "check", s.page))
		require.NoError(t, err)
		filled, err := fill(string(text), parts)
		require.NoError(t, err, name)
		again, err := fill(filled, parts)
		require.NoError(t, err, name)
		require.Equal(t, filled, again, "%s: a page that was filled can be filled again", name)
	}
	_, err := fill("<!-- machine -->\nold\n<!-- end -->\n", parts)
	require.ErrorContains(t, err, "the page has no part")
	_, err = fill("<!-- weather -->\nold\n<!-- end -->\n", parts)
	require.ErrorContains(t, err, `the part "weather", which is unknown`)
	got, err := fill("before\n<!-- machine -->\nold\n<!-- end -->\nafter\n", map[string]string{"machine": "new"})
	require.NoError(t, err)
	require.Equal(t, "before\n<!-- machine -->\n\nnew\n\n<!-- end -->\nafter\n", got)
}

func TestLoopLimits(t *testing.T) {
	r := newResults(loopPeers)
	print := exec.Command("printf", `portable\tsaxpy, 100 000 elements\t107\tns\nserial\tsaxpy, 100 000 elements\t100\tns\nopenmp\tsaxpy, 100 000 elements\t90\tns\n`)
	require.NoError(t, r.readAll(print, ", 1 thread"))
	verdicts, _ := judge(r, loopLimits())
	require.Contains(t, verdicts, "| saxpy, 100 000 elements, 1 thread: time, of the serial loop's | 1.05x | 1.07x | holds |", "the noise allowed")
	r.keep("saxpy, 100 000 elements, 2 threads", "ns", 0, 55)
	r.keep("saxpy, 100 000 elements, 2 threads", "ns", 2, 50)
	verdicts, missed := judge(r, loopLimits())
	require.Contains(t, verdicts, "| saxpy, 100 000 elements, 2 threads: time, of OpenMP's | 1x | 1.10x | **MISSES** |")
	require.Contains(t, verdicts, "checked: time, of the serial loops' | 8x |  | not measured |")
	require.Contains(t, missed, triedOpenMP)
	require.NoError(t, r.readAll(exec.Command("printf", `portable\tcolumns and stencil, the rule layout@cpu=kij\t30\tns\nportable\tcolumns and stencil, t(k,i,j) in the source\t25\tns\n`), ""))
	verdicts, _ = judge(r, loopLimits())
	require.Contains(t, verdicts, "the rule layout@cpu=kij: time, of the order in the source's | 1.05x | 1.20x | **MISSES** |")
	require.Contains(t, verdicts, "the rule layout@cpu=kij: time, of the wrong order's | 1x |  | not measured |")
	table := &strings.Builder{}
	r.shares(table, "Nests", r.rows[:1], serialLoop, openMP)
	require.Equal(t, "### Nests\n\n| | portable | of serial | of openmp |\n|---|---|---|---|\n"+
		"| saxpy, 100 000 elements, 1 thread | 107 ns | 1.07x | 1.19x |\n\n", table.String())
	require.Error(t, r.readAll(exec.Command("printf", `unknown\ta\t1\tns\n`), ""))
}

// Every file of a set must be there, and no set may name a file twice.
func TestSourceSets(t *testing.T) {
	t.Chdir("..")
	for _, set := range sourceSets {
		files, err := set.files()
		require.NoError(t, err)
		require.Greater(t, len(files), 3, set.name)
	}
	_, err := sourceSet{"none", "bench", []string{"*.f77"}}.files()
	require.ErrorContains(t, err, "no file of bench matches *.f77")
}

func TestTheChartIsOfThePages(t *testing.T) {
	drawn := filepath.Join(t.TempDir(), "chart.svg")
	require.NoError(t, writeChart(filepath.Join("..", "docs", "check"), drawn))
	want, err := os.ReadFile(drawn)
	require.NoError(t, err)
	have, err := os.ReadFile(filepath.Join("..", "docs", "check", "benchmarks.svg"))
	require.NoError(t, err)
	require.Equal(t, string(want), string(have), "draw it again: go run ./bench -chart docs/check/benchmarks.svg")
}

func TestChartOfAPage(t *testing.T) {
	page := func(rows string) string {
		return "<!-- machine -->\n\n- A <processor>, 2 cores, 4 GiB\n- measured on 2026-01-02\n- 1 round\n\n<!-- end -->\n" + rows
	}
	p, err := plateOf("Title", page(`| fast: of plain loops | 1x | 4.00x | holds |
| slow: against plain loops | 1x | 0.50x | **MISSES** |
| nest: time, of OpenMP's | 1x | 0.25x | holds |
| nest, checked: time, of OpenMP's | 8x | 2.00x | holds |
| the goal | 12 ns | 11 ns | holds |
`))
	require.NoError(t, err)
	require.Equal(t, plate{"Title", "A <processor>, 2 cores, measured on 2026-01-02", []strip{
		{"plain loops", []dot{{"fast", 4, false}, {"slow", 0.5, true}}}, {"OpenMP", []dot{{"nest", 4, false}}},
		{"OpenMP, races checked", []dot{{"nest, checked", 0.5, false}}}}}, p)
	svg := chart([]plate{p})
	require.NoError(t, xml.Unmarshal([]byte(svg), new(struct{})))
	require.Equal(t, 4, strings.Count(svg, "<circle"))
	require.Equal(t, 1, strings.Count(svg, "#c62828"), "one row misses")
	require.InDelta(t, axisFrom, along(0.01), 0, "what is beyond the axis lies on its end")
	require.InDelta(t, axisTo, along(1000), 0)

	_, err = plateOf("Title", "| fast: of plain loops | 1x | 4.00x | holds |")
	require.ErrorContains(t, err, "machine and its day")
	_, err = plateOf("Title", page(""))
	require.ErrorContains(t, err, "no row with a ratio")
}
