package show

import (
	"cmp"
	"slices"
)

// This file computes memory over time: how much, of which labels, and the peaks.

// columns is the number of columns of a picture.
const columns = 600

// bands is the number of labels with a colour of their own; one more stands for the others.
const bands = 19

// Use is the memory of the blocks of one label.
type Use struct {
	Label       int32
	Allocations int64
	Total       uint64 // of all allocations
	Most        uint64 // at once
	Peak        uint64 // at the peak of the run
	PeakBlocks  int64
	Left        uint64 // at the end
	LeftBlocks  int64
	Stack       uint32  // the place where most of its bytes were allocated; 0 if stacks were not recorded
	mean        float64 // bytes over time, times the length
}

// Peak is a time with much live memory.
type Peak struct {
	Time    uint64
	Bytes   uint64
	Blocks  int64
	ByLabel []Use // Label, Peak and PeakBlocks; the largest first
	event   int
}

// Memory is the memory of a run.
type Memory struct {
	Uses    []Use   // by Most, the largest first
	Peaks   []Peak  // by time
	Highest int     // index of the highest one; -1 if there were no blocks
	Bands   []int32 // labels with a colour of their own, those with most over time first; the last is -1 for the others, if there are any
	// Columns is the most live memory in each column, with the share of each band at that moment.
	Columns []Column
}

// Column is one column of the picture.
type Column struct {
	Bytes uint64
	Bands [bands + 1]uint64
	event int // the event that led to it
}

// column is the column of a time.
func (r *Run) column(time uint64) int {
	if r.Length == 0 {
		return 0
	}
	return int(min(float64(time)/float64(r.Length)*columns, columns-1))
}

// Memory reads all blocks.
func (r *Run) Memory() *Memory {
	m := &Memory{Highest: -1}
	m.uses(r)
	if len(r.Events) == 0 {
		return m
	}
	band := make([]int, len(r.Labels))
	large := slices.Clone(m.Uses[:min(len(m.Uses), bands)])
	slices.SortStableFunc(large, func(a, b Use) int { return cmp.Compare(b.mean, a.mean) })
	for i := range band {
		band[i] = bands
	}
	for i, u := range large {
		band[u.Label] = i
		m.Bands = append(m.Bands, u.Label)
	}
	if len(m.Uses) > bands {
		m.Bands = append(m.Bands, -1)
	}
	var now Column
	m.Columns = make([]Column, columns)
	at := 0
	for i, e := range r.Events {
		for c := r.column(e.Time); at < c; { // live when the column began
			at++
			m.Columns[at] = now
		}
		now.event = i
		b := band[e.Label]
		if e.Free {
			now.Bytes -= e.Bytes
			now.Bands[b] -= e.Bytes
			continue
		}
		now.Bytes += e.Bytes
		now.Bands[b] += e.Bytes
		if now.Bytes >= m.Columns[at].Bytes {
			m.Columns[at] = now
		}
	}
	for at++; at < columns; at++ {
		m.Columns[at] = now
	}
	m.peaks(r)
	return m
}

// uses sums up by label.
func (m *Memory) uses(r *Run) {
	uses, since := make([]Use, len(r.Labels)), make([]uint64, len(r.Labels))
	for i := range uses {
		uses[i].Label = int32(i)
	}
	for _, e := range r.Events {
		u := &uses[e.Label]
		u.mean += float64(u.Left) * float64(e.Time-since[e.Label])
		since[e.Label] = e.Time
		if e.Free {
			u.Left -= e.Bytes
			u.LeftBlocks--
			continue
		}
		u.Allocations++
		u.Total += e.Bytes
		u.Left += e.Bytes
		u.LeftBlocks++
		u.Most = max(u.Most, u.Left)
	}
	madeAt(r, uses)
	for i := range uses {
		uses[i].mean += float64(uses[i].Left) * float64(r.Length-since[i])
	}
	m.Uses = slices.DeleteFunc(uses, func(u Use) bool { return u.Allocations == 0 })
	slices.SortStableFunc(m.Uses, func(a, b Use) int { return cmp.Or(cmp.Compare(b.Most, a.Most), cmp.Compare(b.Total, a.Total)) })
}

// madeAt finds the place where most bytes of each label were allocated.
func madeAt(r *Run, uses []Use) {
	type key struct {
		label int32
		stack uint32
	}
	sums, most := map[key]uint64{}, make([]uint64, len(uses))
	for i := range r.Events {
		e := &r.Events[i]
		if e.Free || e.Stack == 0 {
			continue
		}
		k := key{e.Label, e.Stack}
		sums[k] += e.Bytes
		if sums[k] > most[e.Label] {
			most[e.Label], uses[e.Label].Stack = sums[k], e.Stack
		}
	}
}

// mostPeaks is the number of peaks in the output.
const mostPeaks = 4

// peaks chooses the highest column, and others that are more than half as high, behind a valley, and of other labels.
func (m *Memory) peaks(r *Run) {
	order := make([]int, columns)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(m.Columns[b].Bytes, m.Columns[a].Bytes) })
	var chosen []int
	for _, c := range order {
		if len(chosen) == mostPeaks || m.Columns[c].Bytes < m.Columns[order[0]].Bytes/2 || m.Columns[c].Bytes == 0 && len(chosen) > 0 {
			break
		}
		if c > 0 && m.Columns[c-1].Bytes > m.Columns[c].Bytes || c+1 < columns && m.Columns[c+1].Bytes > m.Columns[c].Bytes {
			continue // a slope
		}
		if slices.ContainsFunc(chosen, func(o int) bool { return !m.valley(c, o) || m.alike(c, o) }) {
			continue
		}
		chosen = append(chosen, c)
	}
	highest := chosen[0]
	slices.Sort(chosen)
	for i, c := range chosen {
		if c == highest {
			m.Highest = i
		}
		m.Peaks = append(m.Peaks, Peak{Bytes: m.Columns[c].Bytes, event: m.Columns[c].event})
	}
	m.snapshots(r)
}

// valley reports whether the live memory between two columns falls below nine tenths of the lower one.
func (m *Memory) valley(a, b int) bool {
	a, b = min(a, b), max(a, b)
	low := min(m.Columns[a].Bytes, m.Columns[b].Bytes)
	for c := a; c <= b; c++ {
		if m.Columns[c].Bytes < low/10*9 {
			return b-a > columns/50
		}
	}
	return false
}

// alike reports whether the same labels have about the same memory in two columns.
func (m *Memory) alike(a, b int) bool {
	x, y := &m.Columns[a], &m.Columns[b]
	for i := range x.Bands {
		if max(x.Bands[i], y.Bands[i])-min(x.Bands[i], y.Bands[i]) > max(x.Bytes, y.Bytes)/20 {
			return false
		}
	}
	return true
}

// snapshots records the labels of the live memory at each peak.
func (m *Memory) snapshots(r *Run) {
	live, blocks := make([]uint64, len(r.Labels)), make([]int64, len(r.Labels))
	next := 0
	for i, e := range r.Events {
		if e.Free {
			live[e.Label] -= e.Bytes
			blocks[e.Label]--
		} else {
			live[e.Label] += e.Bytes
			blocks[e.Label]++
		}
		for next < len(m.Peaks) && m.Peaks[next].event == i {
			p := &m.Peaks[next]
			p.Time = e.Time
			for label, bytes := range live {
				if blocks[label] > 0 {
					p.Blocks += blocks[label]
					p.ByLabel = append(p.ByLabel, Use{Label: int32(label), Peak: bytes, PeakBlocks: blocks[label]})
				}
			}
			slices.SortStableFunc(p.ByLabel, func(a, b Use) int { return cmp.Compare(b.Peak, a.Peak) })
			next++
		}
	}
	for _, at := range m.Peaks[m.Highest].ByLabel {
		u := &m.Uses[slices.IndexFunc(m.Uses, func(u Use) bool { return u.Label == at.Label })]
		u.Peak, u.PeakBlocks = at.Peak, at.PeakBlocks
	}
}
