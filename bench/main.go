// Command bench runs the benchmark programs of this folder against their peers, side by side in one
// run, and writes a page of limits, verdicts and tables of ratios. In this file: the order of a
// run. Not in this file: the measurements (start.go, and programs in the folders), the peers (peers.go), the limits
// (limits.go), the text of a page (page.go), the chart of all pages (chart.go), several runs (held.go).
//
// usage: bench [-suite pool|launch|loops] -build DIR [-rounds N] [-only PHASE,...] [-out FILE]
// or: bench -chart FILE [-pages DIR], or: bench -held DIR DIR...
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// suite is one page: measurements, their peers, and the limits for the first peer.
type suite struct {
	page   string // in docs/check
	peers  []peer
	phases []phase
	limits func() []limit
	others func(r *results, to io.Writer, wanted func(string) bool, build string, rounds int) error // what is no phase, with its tables; may be nil
}

var suites = map[string]suite{
	"pool":   {"benchmarks.md", peers, phases, limits, poolOthers},
	"launch": {"launch-benchmarks.md", launchPeers, launchPhases, launchLimits, nil},
	"loops":  {"loop-benchmarks.md", loopPeers, nil, loopLimits, loops},
}

// phase is one call of a program for each peer, and the heading of its table.
type phase struct {
	name, title string
	program     string   // %s in it stands for the peer's allocator or engine; a peer without such a program is left out
	args        []string // after the allocator
	ours        bool     // only for the pool: the peers have no such numbers
}

var phases = []phase{
	{"live", "Mixed sizes, a number of live blocks", "bench_pool", []string{"live"}, false},
	{"one", "One size again and again, nothing written", "bench_pool", []string{"one"}, false},
	{"arrays", "Three arrays a step, written", "bench_pool", []string{"arrays"}, false},
	{"threads", "Threads", "bench_pool", []string{"threads"}, false},
	{"work", "Work between the calls, on one core", "bench_pool", []string{"work"}, false},
	{"touch", "First touch", "bench_pool", []string{"touch"}, false},
	{"descriptors", "Arrays with descriptors", "bench_arrays", []string{"pairs"}, false},
	{"trace", "Traces", "bench_trace", []string{"time", "shallow_water"}, false},
	{"trace", "", "bench_trace", []string{"written", "shallow_water"}, false},
	{"trace", "", "bench_trace", []string{"state", "shallow_water"}, true},
	{"trace", "", "bench_trace", []string{"time", "mixed"}, false},
	{"trace", "", "bench_trace", []string{"written", "mixed"}, false},
	{"trace", "", "bench_trace", []string{"state", "mixed"}, true},
}

func main() {
	which := flag.String("suite", "pool", "the page to make: pool, launch or loops")
	build := flag.String("build", "build/release", "the build folder that holds the programs")
	rounds := flag.Int("rounds", 3, "how often each phase is run for each peer; the best counts")
	only := flag.String("only", "", "the phases to run, separated by commas; pool: live, one, arrays, threads, work, touch, descriptors, trace, idle, compile; launch: empty, work, loops, timers, memory, reductions, streams, sorts; loops: nests, races, orders, model, conversion")
	out := flag.String("out", "", "a file that gets the page too")
	drawn := flag.String("chart", "", "draw the pages of the folder -pages into this SVG file, and measure nothing")
	pages := flag.String("pages", filepath.Join("docs", "check"), "the folder with the pages that -chart draws")
	held := flag.Bool("held", false, "compare the pages of saved runs, whose folders are the arguments: list the limits that a run missed; measure nothing")
	flag.Parse()
	if *held {
		text, err := heldRuns(flag.Args())
		if err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		fmt.Print(text)
		return
	}
	if *drawn != "" {
		if err := writeChart(*pages, *drawn); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	chosen, ok := suites[*which]
	if !ok {
		fmt.Fprintf(os.Stderr, "bench: there is no suite %q; there are pool, launch and loops\n", *which)
		os.Exit(2)
	}
	text, err := run(chosen, *build, *rounds, *only)
	if err == nil {
		fmt.Print(text)
	}
	if err == nil && *out != "" {
		if err = os.MkdirAll(filepath.Dir(*out), 0o777); err == nil {
			err = os.WriteFile(*out, []byte(text), 0o666)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run measures and gives the page.
func run(s suite, build string, rounds int, only string) (string, error) {
	wanted := func(name string) bool { return only == "" || slices.Contains(strings.Split(only, ","), name) }
	r, begin := newResults(installed(s.peers)), time.Now()
	before, known := usageNow()
	if known {
		time.Sleep(time.Second)
		if now, ok := usageNow(); ok {
			warnUnlessQuiet(now.othersSince(before), "now")
		}
	}
	tables := &strings.Builder{}
	for i := 0; i < len(s.phases); {
		first, from := s.phases[i], len(r.rows)
		for ; i < len(s.phases) && s.phases[i].name == first.name; i++ {
			if !wanted(first.name) {
				continue
			}
			if err := r.phase(build, s.phases[i], rounds); err != nil {
				return "", err
			}
		}
		r.table(tables, first.title, r.rows[from:])
	}
	if s.others != nil {
		if err := s.others(r, tables, wanted, build, rounds); err != nil {
			return "", err
		}
	}
	where := machine(r.peers, rounds) + fmt.Sprintf("\n- the run took %.0f minutes", time.Since(begin).Minutes())
	if now, ok := usageNow(); ok && known {
		share := now.othersSince(before)
		warnUnlessQuiet(share, "during the run")
		where += "\n- " + others(share)
	}
	verdicts, missed := judge(r, s.limits())
	text, err := os.ReadFile(filepath.Join("docs", "check", s.page))
	if err != nil {
		return "", err
	}
	return fill(string(text), map[string]string{"machine": where, "limits": verdicts, "missed": missed,
		"tables": strings.TrimSpace(tables.String())})
}
