// Command bench runs the benchmark programs of this folder against their peers, side by side in one run,
// and writes a page of limits, verdicts and tables of ratios. In this file: the order of a run. Not in this file:
// what is measured (the programs in the folders beside it, start.go), the peers (peers.go), the limits (limits.go).
//
// usage: bench -build DIR [-rounds N] [-only PHASE,...] [-out FILE]
package main

import (
	_ "embed"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed page.md
var page string

// phase is one call of a program for each peer, and the heading of its table.
type phase struct {
	name, title string
	program     string
	args        []string // after the allocator
	ours        bool     // only for the pool: the peers have no such numbers
}

const recorded = "bench/trace/shallow_water.csv"

var phases = []phase{
	{"live", "Mixed sizes, a number of live blocks", "bench_pool", []string{"live"}, false},
	{"one", "One size again and again, nothing written", "bench_pool", []string{"one"}, false},
	{"arrays", "Three arrays a step, written", "bench_pool", []string{"arrays"}, false},
	{"threads", "Threads", "bench_pool", []string{"threads"}, false},
	{"work", "Work between the calls, on one core", "bench_pool", []string{"work"}, false},
	{"trace", "Traces", "bench_trace", []string{"time", recorded}, false},
	{"trace", "", "bench_trace", []string{"written", recorded}, false},
	{"trace", "", "bench_trace", []string{"state", recorded}, true},
	{"trace", "", "bench_trace", []string{"time", "mixed"}, false},
	{"trace", "", "bench_trace", []string{"written", "mixed"}, false},
	{"trace", "", "bench_trace", []string{"state", "mixed"}, true},
}

func main() {
	build := flag.String("build", "build/release", "the build folder that holds the programs")
	rounds := flag.Int("rounds", 3, "how often each phase is run for each peer; the best counts")
	only := flag.String("only", "", "the phases to run, separated by commas: live, one, arrays, threads, work, trace, idle, compile")
	out := flag.String("out", "", "a file that gets the page too")
	flag.Parse()
	text, err := run(*build, *rounds, *only)
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
func run(build string, rounds int, only string) (string, error) {
	wanted := func(name string) bool { return only == "" || slices.Contains(strings.Split(only, ","), name) }
	r := newResults(installed())
	tables := &strings.Builder{}
	for i := 0; i < len(phases); {
		first, from := phases[i], len(r.rows)
		for ; i < len(phases) && phases[i].name == first.name; i++ {
			if !wanted(first.name) {
				continue
			}
			if err := r.phase(build, phases[i], rounds); err != nil {
				return "", err
			}
		}
		r.table(tables, first.title, r.rows[from:])
	}
	from := len(r.rows)
	if wanted("idle") {
		if err := r.idle(build, rounds); err != nil {
			return "", err
		}
	}
	if wanted("compile") {
		if err := r.compile(rounds); err != nil {
			return "", err
		}
	}
	r.list(tables, "Idle library, start-up, compile time", r.rows[from:])
	verdicts, missed := judge(r)
	return strings.NewReplacer("{{machine}}", machine(r.peers), "{{limits}}", verdicts, "{{missed}}", missed,
		"{{tables}}", strings.TrimSpace(tables.String())).Replace(page), nil
}
