package halo

import (
	"fmt"
	"hash/fnv"
	"slices"
)

// This file has unstructured halos: for each neighbour a list of own cells that it needs and one of ghost cells that it owns.

// Lists are in the order of neighbours; those of neighbour i are Send[SendRow[i]:SendRow[i+1]] and Recv[RecvRow[i]:RecvRow[i+1]].
// Cells are counted from 0; Base is what the caller counts from, for texts.
type Lists struct {
	Neighbours    []int
	SendRow, Send []int64
	RecvRow, Recv []int64
	Base          int64
}

// CheckRows refuses rows that are no parts of a list. It needs no list, so that its length is known afterwards.
func CheckRows(name string, row []int64) Fault {
	for i, at := range row {
		if i == 0 && at != 0 || i > 0 && at < row[i-1] {
			return fault("%s of neighbour %d begins at %d entries; rows begin with the first entry and never fall", name, i+1, at)
		}
	}
	return ""
}

func (l *Lists) check(s *Spec) Fault {
	for i, n := range l.Neighbours {
		if n < 0 || n >= s.Ranks {
			return fault("neighbour %d is rank %d; the ranks are 0 to %d", i+1, n, s.Ranks-1)
		}
		if slices.Index(l.Neighbours, n) != i {
			return fault("neighbour %d is rank %d again; give each neighbour once, with all of its cells", i+1, n)
		}
		sent, received := l.SendRow[i+1]-l.SendRow[i], l.RecvRow[i+1]-l.RecvRow[i]
		if n == s.Rank && sent != received { // its cells stay in one place of the buffer
			return fault("neighbour %d is this rank: %d cells are sent and %d received; make both lists of one order of cells", i+1, sent, received)
		}
	}
	ghost := map[int64]bool{}
	for _, cell := range l.Recv {
		if cell < 0 || ghost[cell] {
			return fault("cell %d is received twice, or is before the first cell (%d); a ghost cell has one owner", cell+l.Base, l.Base)
		}
		ghost[cell] = true
	}
	for _, cell := range l.Send {
		if cell < 0 || ghost[cell] {
			return fault("cell %d is sent and received, or is before the first cell (%d); own cells are sent, ghost cells received", cell+l.Base, l.Base)
		}
	}
	return ""
}

// fits refuses a field that does not have all cells.
func (l *Lists) fits(f *Field, extent int64, number int) Fault {
	for _, list := range [][]int64{l.Send, l.Recv} {
		if len(list) > 0 && slices.Max(list) >= extent {
			return fault("field %d '%s' has %d cells; the lists name cell %d", number, f.Name, extent, slices.Max(list)+l.Base)
		}
	}
	return ""
}

// segments: groups are runs of a neighbour's own cells without a cell twice, in the order of ranks.
func (l *Lists) segments() (own, ghost []Segment) {
	order, group := make([]int, len(l.Neighbours)), 0
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return l.Neighbours[a] - l.Neighbours[b] })
	for _, i := range order {
		from := Segment{Peer: l.Neighbours[i], Group: group, Index: l.Send[l.SendRow[i]:l.SendRow[i+1]]}
		seen := map[int64]bool{}
		for k, cell := range from.Index {
			if seen[cell] {
				from.Runs = append(from.Runs, k)
				clear(seen)
			}
			seen[cell] = true
		}
		own = append(own, from)
		ghost = append(ghost, Segment{Peer: l.Neighbours[i], Group: group, Index: l.Recv[l.RecvRow[i]:l.RecvRow[i+1]]})
		group += 1 + len(from.Runs)
	}
	return own, ghost
}

// Balances has a number for each sender: what this rank says of it as a sender or as a receiver from it. The sums of all ranks
// are 0 if both sides of each pair name the same number of cells.
func (s *Spec) Balances() []int64 {
	sums := make([]int64, s.Ranks)
	if l := s.Lists; l != nil {
		for i, n := range l.Neighbours {
			sums[s.Rank] += pair(s.Rank, n, l.SendRow[i+1]-l.SendRow[i])
			sums[n] -= pair(n, s.Rank, l.RecvRow[i+1]-l.RecvRow[i])
		}
	}
	return sums
}

// Balance is the sum of all balances; it leaves room for the sum over ranks.
func (s *Spec) Balance() (sum int64) {
	for _, x := range s.Balances() {
		sum += x
	}
	return sum
}

// pair is 0 for no cells: then a neighbour need not be named.
func pair(from, to int, cells int64) int64 {
	if cells == 0 {
		return 0
	}
	h := fnv.New64a()
	fmt.Fprint(h, from, " ", to, " ", cells)
	return int64(h.Sum64() >> 24)
}

// Unbalanced tells which sender's neighbours expect another number of cells.
func Unbalanced(sender int) Fault {
	return fault("rank %d sends to a neighbour another number of cells than that one receives from it; make both lists of one order of cells", sender)
}
