package exec

// This file merges timers of several processes: least, mean and largest time of each node. Main
// functions: MergedReport, MergedJSON. Not here: the packed form in which timers come
// (timers_pack.go).

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"libportable/internal/outside"
)

// place is a node of the merged tree. The threads of a process count together.
type place struct {
	label                string
	below                []*place
	ranks                int   // processes with this node
	calls                int64 // of all processes
	least, most, sum     int64
	leastRank, mostRank  int
	current, currentCall int64 // of the process that is being added
	touched              bool
}

func (p *place) child(label string) *place {
	for _, c := range p.below {
		if c.label == label {
			return c
		}
	}
	c := &place{label: label}
	p.below = append(p.below, c)
	return c
}

type merged struct {
	top           place
	ranks         []int
	running, lost []int // ranks
}

func merge(list []Packed) *merged {
	m := &merged{}
	for i, p := range list {
		rank := p.Rank
		if rank < 0 {
			rank = i
		}
		m.add(rank, p.Timers)
	}
	return m
}

func (m *merged) add(rank int, timers []Timer) {
	places := make([]*place, len(timers))
	var touched []*place
	running, lost := false, false
	for i, t := range timers {
		lost = lost || t.Lost
		if !t.known() {
			continue
		}
		around := &m.top
		if above := parent(timers, i); above >= 0 {
			around = places[above]
		}
		p := around.child(t.Label)
		places[i] = p
		if !p.touched {
			p.touched, p.current, p.currentCall = true, 0, 0
			touched = append(touched, p)
		}
		count, total, _, _ := t.seen()
		p.current, p.currentCall = plus(p.current, total), plus(p.currentCall, count)
		running = running || t.Active > 0
	}
	for _, p := range touched {
		if p.ranks == 0 || p.current < p.least {
			p.least, p.leastRank = p.current, rank
		}
		if p.ranks == 0 || p.current > p.most {
			p.most, p.mostRank = p.current, rank
		}
		p.touched, p.ranks, p.calls, p.sum = false, p.ranks+1, plus(p.calls, p.currentCall), plus(p.sum, p.current)
	}
	m.ranks = append(m.ranks, rank)
	if running {
		m.running = append(m.running, rank)
	}
	if lost {
		m.lost = append(m.lost, rank)
	}
}

// plus adds two numbers from outside, which are 0 or more; a sum that overflows is the largest int64.
func plus(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

func (p *place) mean() int64 { return p.sum / int64(p.ranks) }

// MergedReport is a table of the timers of several processes. It ends with a line's end.
func MergedReport(list []Packed) string {
	const mergedRule = labelColumn + 10 + 12 + 3*15 + 7
	m := merge(list)
	var b strings.Builder
	fmt.Fprintf(&b, "******* Timers of %s *******\n", plural(len(m.ranks), "rank"))
	if len(m.running) > 0 {
		fmt.Fprintf(&b, "WARNING: timers were still active on %s (rank %d first). Results will be inaccurate\n", plural(len(m.running), "rank"), m.running[0])
	}
	if len(m.lost) > 0 {
		fmt.Fprintf(&b, "WARNING: a thread or a kernel ended while timers ran, on %s (rank %d first); they count until its end\n", plural(len(m.lost), "rank"), m.lost[0])
	}
	rule := strings.Repeat("_", mergedRule) + "\n"
	b.WriteString(rule)
	fmt.Fprintf(&b, "%-50s%-10s%-12s%-15s%-15s%-15s%s\n", "Timer label", "# ranks", "# calls", "Min time", "Mean time", "Max time", "On rank")
	b.WriteString(rule)
	for _, p := range m.top.below {
		p.print(&b, 0)
	}
	b.WriteString(rule)
	b.WriteString("Times are what a rank spent in all its calls: the least, the mean and the largest of the ranks that have the timer.\n" +
		"The last column is the rank of the largest one.\n")
	return b.String()
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func (p *place) print(b *strings.Builder, level int) {
	label := cut(strings.Repeat("  ", level)+outside.Clean(p.label), labelCut)
	b.WriteString(label + strings.Repeat(" ", labelColumn-utf8.RuneCountInString(label)))
	fmt.Fprintf(b, "%-10d%-12d%-15.6e%-15.6e%-15.6e%d\n", p.ranks, p.calls, seconds(p.least), float64(p.sum)/1e9/float64(p.ranks), seconds(p.most), p.mostRank)
	for _, c := range p.below {
		c.print(b, level+1)
	}
}

// MergedJSON is the same as JSON.
func MergedJSON(list []Packed) string {
	m := merge(list)
	var b strings.Builder
	fmt.Fprintf(&b, "{\n  \"ranks\": %s,\n  \"running\": %s,\n  \"timers\": ", numbers(m.ranks), numbers(m.running))
	mergedList(&b, m.top.below, "  ")
	b.WriteString("\n}\n")
	return b.String()
}

func numbers(list []int) string {
	list = slices.Sorted(slices.Values(list))
	return strings.ReplaceAll(fmt.Sprint(list), " ", ", ")
}

func mergedList(b *strings.Builder, list []*place, indent string) {
	if len(list) == 0 {
		b.WriteString("[]")
		return
	}
	b.WriteByte('[')
	for i, p := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(b, "\n%s  {\"label\": %s, \"ranks\": %d, \"calls\": %d, \"min\": %s, \"min_rank\": %d, \"mean\": %s, \"max\": %s, \"max_rank\": %d, \"timers\": ",
			indent, quote(p.label), p.ranks, p.calls, decimal(p.least), p.leastRank, decimal(p.mean()), decimal(p.most), p.mostRank)
		mergedList(b, p.below, indent+"  ")
		b.WriteByte('}')
	}
	b.WriteString("\n" + indent + "]")
}
