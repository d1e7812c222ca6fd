package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// This file measures how much processor time other programs, and other guests of the host, take during a run. The load average does not
// show it: the build before a run raises it for minutes.

// quietShare is the share of all processors that others may use on a quiet machine.
const quietShare = 0.03

// usage is processor time at a moment, in seconds.
type usage struct {
	all, busy float64 // of all processors since the start of the machine
	own       float64 // of this process and of those that it has waited for
}

// userHz is the unit of /proc/stat, which Linux fixes for programs.
const userHz = 100

// usageOf reads the first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq and steal. Times of guests are in the first two.
func usageOf(line string) (all, busy float64, ok bool) {
	fields := strings.Fields(line)
	if len(fields) < 9 || fields[0] != "cpu" {
		return 0, 0, false
	}
	for i, field := range fields[1:9] {
		ticks, err := strconv.ParseFloat(field, 64)
		if err != nil {
			return 0, 0, false
		}
		all += ticks / userHz
		if i != 3 && i != 4 {
			busy += ticks / userHz
		}
	}
	return all, busy, true
}

// usageNow is false where the system has no such figures.
func usageNow() (now usage, ok bool) {
	if now.all, now.busy, ok = usageOf(lines("/proc/stat")[0]); !ok {
		return now, false
	}
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var spent syscall.Rusage
		if syscall.Getrusage(who, &spent) != nil {
			return now, false
		}
		now.own += time.Duration(spent.Utime.Nano() + spent.Stime.Nano()).Seconds()
	}
	return now, true
}

// othersSince is the share of the processors that others have used since then.
func (now usage) othersSince(then usage) float64 {
	if now.all <= then.all {
		return 0
	}
	return max(0, (now.busy-then.busy)-(now.own-then.own)) / (now.all - then.all)
}

// others says in words how much it was.
func others(share float64) string {
	text := fmt.Sprintf("other programs used %.1f %% of the processors during the run", 100*share)
	if share > quietShare {
		text += ": **the machine was not quiet**, so figures may be wrong"
	}
	return text
}

// warnUnlessQuiet tells the person who runs the benchmarks, before and after them.
func warnUnlessQuiet(share float64, when string) {
	if share > quietShare {
		fmt.Fprintf(os.Stderr, "bench: warning: other programs use %.1f %% of the processors %s; the machine is not quiet, so figures may be wrong\n", 100*share, when)
	}
}
