package main

import (
	"fmt"
	"math"
	"strings"
)

// limit is a number to hold: a row of the design, in words, and how a run is judged by it. In this file: the limits
// and the verdicts. Not in this file: measuring.
type limit struct {
	what, need string
	judge      func(*results) (got string, holds bool)
	tried      string // why it is missed where it is, and what was tried
}

// noise is how much two runs of the same thing differ on a quiet machine; ratios between peers may miss by it.
const noise = 0.02

// most: the worst of the rows of a peer is at most so much.
func most(limit float64, peer string, names ...string) func(*results) (string, bool) {
	return func(r *results) (string, bool) {
		worst, unit := math.Inf(-1), ""
		for _, name := range names {
			v := r.value(name, peer)
			if math.IsNaN(v) {
				return "", false
			}
			worst, unit = max(worst, v), r.find(name).unit
		}
		return figure(worst, unit), worst <= limit
	}
}

// times: in this row the pool is at least so many times better than the peer.
func times(least float64, peer, name string) func(*results) (string, bool) {
	return func(r *results) (string, bool) { return times2(r, least, name, pool, name, peer) }
}

// times2 compares any two figures.
func times2(r *results, least float64, name, peer, otherName, otherPeer string) (string, bool) {
	a, b := r.value(name, peer), r.value(otherName, otherPeer)
	if math.IsNaN(a) || math.IsNaN(b) {
		return "", false
	}
	if isRate(r.find(name).unit) {
		a, b = b, a
	}
	return fmt.Sprintf("%.2fx", b/a), b/a >= least*(1-noise)
}

func live(count int) []string {
	return []string{fmt.Sprintf("lifo %d live", count), fmt.Sprintf("random %d live", count)}
}

func limits() (list []limit) {
	var few []string
	for count := 1; count <= 10000; count *= 10 {
		few = append(few, live(count)...)
	}
	list = append(list,
		limit{"mixed sizes, 1 to 10 000 live, the slowest", "250 ns", most(250, pool, few...), triedRecords},
		limit{"mixed sizes, 100 000 live, the slower", "400 ns", most(400, pool, live(100000)...), triedRecords},
		limit{"the same without magazines (PORTABLE_FASTPATH=0), 1 to 10 000 live", "250 ns", most(250, goPath, few...), triedGo},
		limit{"the same without magazines, 100 000 live", "400 ns", most(400, goPath, live(100000)...), triedGo + " " + triedRecords},
		limit{"magazines hitting: one size, the slowest", "20 ns", most(20, pool, one(1000), one(80000), one(1<<20)), triedPair})
	for _, bytes := range []int{1000, 80000, 1 << 20} {
		list = append(list, limit{fmt.Sprintf("one size of %d bytes: against glibc", bytes), "1x", times(1, glibc, one(bytes)), triedPair})
	}
	list = append(list, limit{"one size of 1000 bytes: the goal", "12 ns", most(12, pool, one(1000)), triedPair})
	for _, kib := range []int{80, 1024, 4096, 16384} {
		name := fmt.Sprintf("3 arrays of %d KiB, written", kib)
		list = append(list,
			limit{name + ": against default glibc", "4x", times(4, glibc, name), triedArrays},
			limit{name + ": against mimalloc", "1x", times(1, mimalloc, name), triedArrays},
			limit{name + ": time, of reused memory's", "1.05x", func(r *results) (string, bool) {
				ratio := r.value(name, pool) / r.value(name+", reused memory", pool)
				if math.IsNaN(ratio) {
					return "", false
				}
				return fmt.Sprintf("%.2fx", ratio), ratio <= 1.05*(1+noise)
			}, triedArrays})
	}
	list = append(list, limit{"two threads: throughput of one", "1.9x", func(r *results) (string, bool) {
		return times2(r, 1.9, "throughput of 2 threads", pool, "throughput of 1 thread", pool)
	}, triedThreads})
	for _, p := range []string{pool, goPath} {
		for _, us := range []int{20, 1000} {
			list = append(list,
				limit{fmt.Sprintf("%s: a pair after %d us of work, one core", p, us), "1000 ns",
					most(1000, p, fmt.Sprintf("pair after %d us of work, one core", us)), triedWork},
				limit{fmt.Sprintf("%s: switches after %d us of work, one core", p, us), "0.01 per pair",
					most(0.01, p, fmt.Sprintf("voluntary switches after %d us, one core", us)), triedWork})
		}
	}
	return append(list,
		limit{"first touch of 512 MB: against default glibc", "1x", times(1, glibc, "first touch of 512 MB"), triedTouch},
		limit{"an array with a descriptor: create and release", "250 ns", most(250, pool, "array of 80000 bytes: create and release"), ""},
		limit{"idle library: memory", "4 MB", most(4, pool, "idle: resident memory, more than without"), triedIdle},
		limit{"idle library: wake-ups", "0 per s", most(0, pool, "idle: wake-ups of its threads in 2 s"), ""},
		limit{"idle library: start-up", "3 ms", most(3, pool, "start-up: more than without the library"), triedStart},
		limit{"portable::allocate without a block of the pool: start to end", "2 ms", most(2, pool, servedRow), triedStart},
		limit{"compile time of gator_mod", "5 s", most(5, pool, "compile time: gator_mod, gfortran -O2"), ""},
		limit{"compile time of the modules that gator_mod and portable_mod need", "10 s",
			most(10, pool, "compile time: the modules that gator_mod and portable_mod need, gfortran -O2 -g"), ""},
		limit{"compile time of a file that uses it, more than without", "20 ms", most(20, pool, "compile time: a file that uses it, more than without"), triedCompile})
}

func one(bytes int) string { return fmt.Sprintf("one size, %d bytes", bytes) }

// The verdicts of a page.
const holdsVerdict, missesVerdict, notMeasured = "holds", "**MISSES**", "not measured"

// judge prints the limits with figure and verdict, and those that are missed, together where the same was tried.
func judge(r *results, asked []limit) (verdicts, missed string) {
	var table, list strings.Builder
	var order []string
	named := map[string][]string{}
	table.WriteString("| what | limit | figure | verdict |\n|---|---|---|---|\n")
	for _, l := range asked {
		got, holds := l.judge(r)
		verdict := holdsVerdict
		switch {
		case got == "":
			verdict = notMeasured
		case !holds:
			verdict = missesVerdict
			if named[l.tried] == nil {
				order = append(order, l.tried)
			}
			named[l.tried] = append(named[l.tried], fmt.Sprintf("**%s** (limit %s, figure %s)", l.what, l.need, got))
		}
		fmt.Fprintf(&table, "| %s | %s | %s | %s |\n", l.what, l.need, got, verdict)
	}
	for _, tried := range order {
		fmt.Fprintf(&list, "- %s. %s\n", strings.Join(named[tried], ", "), tried)
	}
	if len(order) == 0 {
		list.WriteString("None in this run.\n")
	}
	return strings.TrimSpace(table.String()), strings.TrimSpace(list.String())
}
