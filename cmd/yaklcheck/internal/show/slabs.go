package show

import (
	"cmp"
	"slices"
	"sort"
)

// This file follows blocks in the slabs, and the gaps between them.

// rows and mapColumns are the rows and columns of the picture of one slab.
const (
	rows       = 48
	mapColumns = 200
)

// Layout is the history of one slab.
type Layout struct {
	Slab
	Used uint64 // bytes from its start to the end of the highest block in its life
	// At the peak of the run, if the slab existed:
	Live, LargestGap, Gaps uint64 // bytes; the largest gap below Used, and their number
	Cells                  [rows][mapColumns]Cell
}

// Cell is a part of a slab for a while: its highest level of filling, from 0 to 4, and the band with the most bytes at
// that moment.
type Cell struct {
	Band uint8
	Fill uint8
}

// Layouts follows all blocks in the slabs. bands are those of Memory.
func (r *Run) Layouts(m *Memory) []Layout {
	layouts := make([]Layout, len(r.Slabs))
	band := make([]uint8, len(r.Labels))
	for i := range band {
		band[i] = uint8(len(m.Bands) - 1)
		if k := slices.Index(m.Bands, int32(i)); k >= 0 {
			band[i] = uint8(k)
		}
	}
	byAddress := make([]int, len(layouts))
	for i, s := range r.Slabs {
		layouts[i].Slab = s
		byAddress[i] = i
	}
	slices.SortStableFunc(byAddress, func(a, b int) int { return cmp.Compare(r.Slabs[a].Address, r.Slabs[b].Address) })
	// in is the slab of an event, -1 for none. Slabs of different times may have one address.
	in := func(e *Event) int {
		i := sort.Search(len(byAddress), func(i int) bool { return r.Slabs[byAddress[i]].Address > e.Address })
		for i--; i >= 0; i-- {
			if s := &r.Slabs[byAddress[i]]; e.Address-s.Address < s.Bytes && s.Begin <= e.Time && e.Time <= s.End {
				return byAddress[i]
			}
		}
		return -1
	}
	for i := range r.Events {
		if s := in(&r.Events[i]); s >= 0 {
			l := &layouts[s]
			l.Used = max(l.Used, min(r.Events[i].Address-l.Address+r.Events[i].Bytes, l.Bytes))
		}
	}
	now := make([]held, len(layouts))
	for s := range now {
		now[s].step = max((layouts[s].Used+rows-1)/rows, 1)
	}
	at := 0
	turnTo := func(column int) {
		for ; at < column; at++ {
			for s := range now {
				now[s].turn(&layouts[s], at)
			}
		}
	}
	for i := range r.Events {
		e := &r.Events[i]
		turnTo(int(min(float64(e.Time)/float64(max(r.Length, 1))*mapColumns, mapColumns-1)))
		if s := in(e); s >= 0 {
			now[s].change(&layouts[s], e, band[e.Label])
		}
	}
	turnTo(mapColumns)
	if m.Highest >= 0 {
		gaps(r, layouts, m.Peaks[m.Highest].event, in)
	}
	return layouts
}

// held is the present filling of a slab, row by row, and that of the moment when each row was fullest in this column.
type held struct {
	step  uint64 // bytes of a row
	bands [rows][bands + 1]uint64
	sum   [rows]uint64
	most  [rows]uint64
	of    [rows]uint8
}

// change adds a block to its rows, or removes it.
func (h *held) change(l *Layout, e *Event, band uint8) {
	from := e.Address - l.Address
	to := min(from+e.Bytes, l.Used)
	for row := from / h.step; row < rows && row*h.step < to; row++ {
		part := min(to, (row+1)*h.step) - max(from, row*h.step)
		if e.Free {
			h.bands[row][band] -= part
			h.sum[row] -= part
			continue
		}
		h.bands[row][band] += part
		h.sum[row] += part
		if h.sum[row] > h.most[row] {
			h.most[row], h.of[row] = h.sum[row], h.largest(row)
		}
	}
}

// largest is the band with the most bytes in a row.
func (h *held) largest(row uint64) (band uint8) {
	for b, bytes := range h.bands[row] {
		if bytes > h.bands[row][band] {
			band = uint8(b)
		}
	}
	return band
}

// turn writes a column, and begins the next one with the present filling.
func (h *held) turn(l *Layout, column int) {
	for row := range uint64(rows) {
		if h.most[row] > 0 {
			l.Cells[row][column] = Cell{Band: h.of[row], Fill: uint8(1 + min(h.most[row]*4/h.step, 3))}
		}
		h.most[row], h.of[row] = h.sum[row], h.largest(row)
	}
}

// gaps examines the blocks after an event.
func gaps(r *Run, layouts []Layout, event int, in func(*Event) int) {
	page := r.Meta.PageSize()
	live := map[uint64]*Event{}
	for i := range r.Events[:event+1] {
		if e := &r.Events[i]; e.Free {
			delete(live, e.Address)
		} else {
			live[e.Address] = e
		}
	}
	bySlab := make([][]*Event, len(layouts))
	for _, e := range live {
		if s := in(e); s >= 0 {
			bySlab[s] = append(bySlab[s], e)
		}
	}
	for s, blocks := range bySlab {
		l := &layouts[s]
		slices.SortFunc(blocks, func(a, b *Event) int { return cmp.Compare(a.Address, b.Address) })
		end := l.Address
		for _, e := range blocks {
			// Gaps of less than a page come from the granule.
			if gap := e.Address - min(end, e.Address); gap >= page {
				l.Gaps++
				l.LargestGap = max(l.LargestGap, gap)
			}
			l.Live += e.Bytes
			end = max(end, e.Address+e.Bytes)
		}
	}
}
