package halo

// This file has structured halos: a block of cells in a grid of ranks.

// Box is a domain of cells that a grid of ranks shares.
type Box struct {
	Global, Width []int64
	Grid          []int64 // ranks along each dimension
	Periodic      []bool
	Faces         bool // only neighbours along one dimension
}

// check refuses a box that does not fit the number of ranks.
func (b *Box) check(all int) Fault {
	ranks := int64(1)
	for d := range b.Global {
		switch {
		case b.Global[d] < 0:
			return fault("dimension %d has %d cells; give 0 or more", d+1, b.Global[d])
		case b.Width[d] < 0:
			return fault("width of dimension %d is %d; give 0 or more", d+1, b.Width[d])
		case b.Grid[d] < 1:
			return fault("the grid has %d ranks along dimension %d; give 1 or more", b.Grid[d], d+1)
		}
		if ranks *= b.Grid[d]; ranks > int64(all) {
			break
		}
	}
	if ranks != int64(all) {
		return fault("the grid of ranks has %d places for %d ranks; give a grid of all ranks", ranks, all)
	}
	for d := range b.Global {
		if least := b.Global[d] / b.Grid[d]; b.joins(d) && least < b.Width[d] {
			return fault("width %d of dimension %d is above the %d cells of a rank there (%d cells, %d ranks); use fewer ranks or a smaller width",
				b.Width[d], d+1, least, b.Global[d], b.Grid[d])
		}
	}
	return ""
}

// joins says whether a rank has a neighbour along the dimension, which may be itself.
func (b *Box) joins(d int) bool { return b.Width[d] > 0 && (b.Grid[d] > 1 || b.Periodic[d]) }

// place is the place of a rank in the grid: the last dimension counts first, as in MPI.
func (b *Box) place(rank int) []int64 {
	at := make([]int64, len(b.Grid))
	for d := len(b.Grid) - 1; d >= 0; d-- {
		at[d] = int64(rank) % b.Grid[d]
		rank /= int(b.Grid[d])
	}
	return at
}

// Own is the first own cell of a rank, counted from 0, and the number of own cells along each dimension.
func (b *Box) Own(rank int) (first, count []int64) {
	for d, at := range b.place(rank) {
		each, more := b.Global[d]/b.Grid[d], b.Global[d]%b.Grid[d]
		n := each
		if at < more {
			n++
		}
		first, count = append(first, at*each+min(at, more)), append(count, n)
	}
	return first, count
}

// neighbour is the rank at a distance in the grid; ok false: that is outside of the domain.
func (b *Box) neighbour(at, distance []int64) (rank int, ok bool) {
	for d := range at {
		to := at[d] + distance[d]
		if to < 0 || to >= b.Grid[d] {
			if !b.Periodic[d] {
				return 0, false
			}
			to = (to + b.Grid[d]) % b.Grid[d]
		}
		rank = rank*int(b.Grid[d]) + int(to)
	}
	return rank, true
}

// directions lists where cells go to: -1, 0 or 1 along each dimension, in a fixed order.
func (b *Box) directions() (list [][]int64) {
	all := 1
	for range b.Global {
		all *= 3
	}
	for n := range all {
		direction, moves, possible := make([]int64, len(b.Global)), 0, true
		for d, rest := len(direction)-1, n; d >= 0; d, rest = d-1, rest/3 {
			direction[d] = int64(rest%3) - 1
			if direction[d] != 0 {
				moves++
				possible = possible && b.joins(d)
			}
		}
		if possible && moves > 0 && (moves == 1 || !b.Faces) {
			list = append(list, direction)
		}
	}
	return list
}

// segments: a group is a direction. Cells that go in a direction arrive from the neighbour in the opposite one.
func (b *Box) segments(rank int) (own, ghost []Segment) {
	at := b.place(rank)
	_, count := b.Own(rank)
	for group, direction := range b.directions() {
		opposite := make([]int64, len(direction))
		from, to := Segment{Group: group}, Segment{Group: group}
		for d, n := range count {
			w := b.Width[d]
			opposite[d] = -direction[d]
			extent, sent, received := w, w, int64(0)
			switch direction[d] {
			case 0:
				extent, received = n, w
			case 1:
				sent = n
			case -1:
				received = w + n
			}
			from.Lower, from.Extent = append(from.Lower, sent), append(from.Extent, extent)
			to.Lower, to.Extent = append(to.Lower, received), append(to.Extent, extent)
		}
		if peer, ok := b.neighbour(at, direction); ok {
			from.Peer = peer
			own = append(own, from)
		}
		if peer, ok := b.neighbour(at, opposite); ok {
			to.Peer = peer
			ghost = append(ghost, to)
		}
	}
	return own, ghost
}

// Part is a box of own cells: the first one and the last one along each dimension, counted from the first own cell.
type Part struct{ First, Last []int64 }

// Split gives the own cells that read no ghost cell within the width, and boxes of the others.
func (b *Box) Split(rank int) (inner Part, rim []Part) {
	_, count := b.Own(rank)
	first, last := make([]int64, len(count)), make([]int64, len(count))
	for d, n := range count {
		last[d] = n - 1
	}
	cut := func(d int, from, to int64) {
		p := Part{append([]int64(nil), first...), append([]int64(nil), last...)}
		p.First[d], p.Last[d] = from, to
		for k := range p.First {
			if p.First[k] > p.Last[k] {
				return
			}
		}
		rim = append(rim, p)
	}
	for d := len(count) - 1; d >= 0; d-- { // the slowest dimension of Fortran first: its boxes have whole rows
		w, n := b.Width[d], count[d]
		lower := min(w, n)
		upper := max(n-w, lower)
		cut(d, 0, lower-1)
		cut(d, upper, n-1)
		first[d], last[d] = lower, upper-1
	}
	return Part{first, last}, rim
}
