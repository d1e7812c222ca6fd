package exec

// This file reports timers in the layout that users of YAKL know. Main function: TimerReport. Not
// here: measuring (exec/timer/timer.c), JSON (timers_json.go).

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"libportable/internal/outside"
)

// Timer is a node of a thread's tree: a label below its parent. Times are in nanoseconds.
type Timer struct {
	Label                 string
	Thread                int
	Parent                int   // index among the timers, before this one; -1: none
	Active                int   // calls under way
	Lost                  bool  // timers of this thread were stopped by its end, or by the end of a kernel
	Count                 int64 // calls that have ended
	Total, Last, Min, Max int64
	Elapsed               int64 // of the outermost call under way
}

// seen is a timer with the calls under way counted as if they ended now.
func (t Timer) seen() (count, total, least, most int64) {
	count, total, least, most = t.Count, t.Total, t.Min, t.Max
	if t.Active > 0 {
		count += int64(t.Active)
		total += t.Elapsed
		most = max(most, t.Elapsed)
		if t.Count == 0 {
			least = t.Elapsed
		}
	}
	return count, total, least, most
}

// known tests for a measurement since the last reset.
func (t Timer) known() bool { return t.Count > 0 || t.Active > 0 }

// parent is the nearest known timer around timer i, or -1.
func parent(timers []Timer, i int) int {
	for i = timers[i].Parent; i >= 0 && !timers[i].known(); i = timers[i].Parent {
	}
	return i
}

// threads lists the threads with known timers, in their order.
func threads(timers []Timer) (list []int) {
	for _, t := range timers {
		if t.known() && (len(list) == 0 || list[len(list)-1] != t.Thread) {
			list = append(list, t.Thread)
		}
	}
	return list
}

// row is a label of a thread, below any timers.
type row struct {
	label                     string
	count, total, least, most int64
	parent                    *row
	several                   bool // it was below several timers
	below                     []*row
}

// rows gives the rows of one thread that are below no other row.
func rows(timers []Timer, thread int) (top []*row) {
	byLabel := map[string]*row{}
	for i, t := range timers {
		if t.Thread != thread || !t.known() {
			continue
		}
		var above *row
		if p := parent(timers, i); p >= 0 {
			above = byLabel[timers[p].Label]
		}
		count, total, least, most := t.seen()
		r, ok := byLabel[t.Label]
		if ok {
			r.several = r.several || r.parent != above
			r.count, r.total = r.count+count, r.total+total
			r.least, r.most = min(r.least, least), max(r.most, most)
			continue
		}
		r = &row{label: t.Label, count: count, total: total, least: least, most: most, parent: above}
		byLabel[t.Label] = r
		if above == nil {
			top = append(top, r)
		} else {
			above.below = append(above.below, r)
		}
	}
	return top
}

// The columns, as YAKL's Toney has them.
const (
	labelColumn = 50
	labelCut    = 48
	ruleLength  = 104
)

// TimerReport has a table for each thread, and ends with a line's end.
func TimerReport(timers []Timer) string {
	var b strings.Builder
	list := threads(timers)
	if len(list) == 0 {
		list = []int{0}
	}
	for i, thread := range list {
		heading := "******* Timers *******\n"
		if len(list) > 1 {
			heading = fmt.Sprintf("******* Timers for thread %d *******\n", thread)
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(heading)
		table(&b, timers, thread)
	}
	return b.String()
}

func table(b *strings.Builder, timers []Timer, thread int) {
	var running []string
	lost := false
	for _, t := range timers {
		if t.Thread == thread && t.Active > 0 {
			running = append(running, t.Label)
		}
		lost = lost || t.Thread == thread && t.Lost
	}
	if len(running) > 0 {
		b.WriteString("WARNING: printing timers while some are still active. Results will be inaccurate\n")
		b.WriteString("Still active: " + outside.Clean(strings.Join(running, ", ")) + "\n")
	}
	if lost {
		b.WriteString("WARNING: a thread or a kernel ended while timers ran; they count until its end\n")
	}
	rule := strings.Repeat("_", ruleLength) + "\n"
	b.WriteString(rule)
	fmt.Fprintf(b, "%-50s%-12s%-15s%-15s%-15s\n", "Timer label", "# calls", "Total time", "Min time", "Max time")
	b.WriteString(rule)
	for _, r := range rows(timers, thread) {
		r.print(b, 0)
	}
	b.WriteString(rule)
	b.WriteString("The ~ character beginning a timer label indicates it has multiple parent timers.\n" +
		"Thus, those timers will likely not accumulate like you expect them to.\n")
}

func (r *row) print(b *strings.Builder, level int) {
	label := outside.Clean(r.label)
	if r.several {
		label = "~" + label
	}
	label = cut(strings.Repeat("  ", level)+label, labelCut)
	b.WriteString(label + strings.Repeat(" ", labelColumn-utf8.RuneCountInString(label)))
	fmt.Fprintf(b, "%-12d%-15.6e%-15.6e%-15.6e\n", r.count, seconds(r.total), seconds(r.least), seconds(r.most))
	for _, s := range r.below {
		s.print(b, level+1)
	}
}

func seconds(ns int64) float64 { return float64(ns) / 1e9 }

func cut(text string, runes int) string {
	for i := range text {
		if runes == 0 {
			return text[:i]
		}
		runes--
	}
	return text
}
