package show

import (
	"cmp"
	"fmt"
	"slices"

	"libportable/cmd/yaklcheck/internal/trace"
)

// This file computes launches, fences and timers: sums by label, and the times of each thread.

// Sum is all work of one kind and label.
type Sum struct {
	Kind         uint32
	Label        int32
	Count        int64
	Failed       int64
	Time, Most   uint64
	Iterations   int64
	Less20Micros int64 // took less than 20 us: too small for a launch on threads
}

// Lane is one row of the picture: work of one label on one thread.
type Lane struct {
	Thread int32
	Kind   uint32
	Label  int32 // -1: all others of the thread
	Count  int64
	Time   uint64
	Busy   [columns]uint64 // nanoseconds in each column
}

// Most lanes of a thread: at first, and in the part with all labels. Most threads. One lane of a thread stands for the
// rest.
const (
	lanesOfThread = 10
	allLanes      = 200
	mostThreads   = 8
)

// kinds are the kinds of work, each with the number of its colour.
var kinds = map[uint32]struct {
	name   string
	colour int
}{trace.WorkFence: {"fence", 5}, 1: {"loop", 0}, 2: {"reduction", 2}, 3: {"scan", 3}, trace.WorkRegion: {"timer", bands}}

// KindName is a word for a kind of work.
func KindName(kind uint32) string {
	if k, known := kinds[kind]; known {
		return k.name
	}
	return fmt.Sprintf("kind %d", kind)
}

// Sums adds up by kind and label, the longest time first.
func (r *Run) Sums() []Sum {
	type key struct {
		kind  uint32
		label int32
	}
	at := map[key]int{}
	var sums []Sum
	for _, w := range r.Work {
		k := key{w.Kind, w.Label}
		i, ok := at[k]
		if !ok {
			i = len(sums)
			at[k] = i
			sums = append(sums, Sum{Kind: w.Kind, Label: w.Label})
		}
		s := &sums[i]
		took := w.End - w.Begin
		s.Count++
		s.Time += took
		s.Most = max(s.Most, took)
		s.Iterations += w.Count
		if w.Failed {
			s.Failed++
		}
		if took < 20_000 {
			s.Less20Micros++
		}
	}
	slices.SortStableFunc(sums, func(a, b Sum) int { return cmp.Compare(b.Time, a.Time) })
	return sums
}

// Lanes returns the rows of the picture: thread by thread in the order of their first work, each with the longest time
// first, at most `most` of a thread and one for its others. It leaves out further threads and returns their number.
func (r *Run) Lanes(most int) (lanes []Lane, left int) {
	type key struct {
		thread int32
		kind   uint32
		label  int32
	}
	at := map[key]*Lane{}
	var all []*Lane
	for _, w := range r.Work {
		k := key{w.Thread, w.Kind, w.Label}
		l := at[k]
		if l == nil {
			l = &Lane{Thread: w.Thread, Kind: w.Kind, Label: w.Label}
			at[k] = l
			all = append(all, l)
		}
		l.Count++
		l.Time += w.End - w.Begin
	}
	slices.SortStableFunc(all, func(a, b *Lane) int { return cmp.Or(cmp.Compare(a.Thread, b.Thread), cmp.Compare(b.Time, a.Time)) })
	into := map[*Lane]int{}
	n := 0
	for i, l := range all {
		if i == 0 || all[i-1].Thread != l.Thread {
			n = 0
		}
		n++
		switch {
		case l.Thread >= mostThreads:
			into[l] = -1
		case n <= most:
			into[l] = len(lanes)
			lanes = append(lanes, *l)
		case n == most+1:
			into[l] = len(lanes)
			others := *l
			others.Label = -1
			lanes = append(lanes, others)
		default:
			into[l] = len(lanes) - 1
			lanes[len(lanes)-1].Count += l.Count
			lanes[len(lanes)-1].Time += l.Time
		}
	}
	width := max(float64(r.Length)/columns, 1)
	for _, w := range r.Work {
		i := into[at[key{w.Thread, w.Kind, w.Label}]]
		if i < 0 {
			continue
		}
		busy := &lanes[i].Busy
		for c := r.column(w.Begin); c < columns; c++ {
			from, to := float64(c)*width, float64(c+1)*width
			if c == columns-1 {
				to = max(to, float64(w.End))
			}
			if float64(w.End) < from {
				break
			}
			busy[c] += uint64(max(min(to, float64(w.End))-max(from, float64(w.Begin)), 0)) + 1
		}
	}
	return lanes, max(len(r.Threads)-mostThreads, 0)
}
