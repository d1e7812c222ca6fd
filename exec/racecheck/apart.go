package racecheck

import "slices"

// This file proves that no two iterations of a checked launch access one element by linear references,
// one of them writing. Then the kernel reports none of these accesses. Main function: Apart. It solves
// the integer equations: it proves a stencil, columns, and every second element. Not here: cells (cells.go).

// Reference is one access of each iteration: to the element First in the first iteration, and Step[d] elements further in the next iteration of
// dimension d.
type Reference struct {
	Array  int // in the list of the launch
	Writes bool
	First  int64
	Step   []int64
}

// Apart tests that no two iterations can race by the references. extent has the iterations of each dimension. The references may not share elements
// with arrays whose accesses the kernel reports (Told). False can also mean unknown.
func Apart(arrays []Array, references []Reference, extent []int64) bool {
	var list []placed
	for _, r := range references {
		if r.Array < 0 || r.Array >= len(arrays) {
			return false
		}
		a := &arrays[r.Array]
		if a.Cells == 0 {
			continue // no iteration writes it, or a warning says why it is not checked
		}
		p := placed{first: int64(a.Cells/raceCell) + r.First, writes: r.Writes}
		if r.First < a.Low || r.First >= a.Low+a.Elements {
			return false // outside of the array: access by access the library leaves it out
		}
		low, high := r.First, r.First
		for d, n := range extent {
			step := r.Step[d]
			if n < 2 {
				continue
			}
			if step > a.Elements || step < -a.Elements || step != 0 && n-1 > a.Elements/max(step, -step) {
				return false
			}
			if step < 0 {
				low += (n - 1) * step
			} else {
				high += (n - 1) * step
			}
			p.step, p.extent = append(p.step, step), append(p.extent, n)
		}
		if low < a.Low || high >= a.Low+a.Elements {
			return false
		}
		p.low, p.high = p.first+low-r.First, p.first+high-r.First
		list = append(list, p)
	}
	for i := range list {
		for k := range arrays {
			if a := &arrays[k]; a.Told && a.Cells != 0 {
				if from := int64(a.Cells/raceCell) + a.Low; list[i].low < from+a.Elements && from <= list[i].high {
					return false
				}
			}
		}
		for j := range i + 1 {
			if (list[i].writes || list[j].writes) && list[i].races(&list[j], i == j) {
				return false
			}
		}
	}
	return true
}

// placed is a reference in numbers of cells, which are comparable between arrays. It has no dimensions with one iteration.
type placed struct {
	first, low, high int64
	step, extent     []int64
	writes           bool
}

// races reports whether two iterations may touch one element, one by p and one by q.
func (p *placed) races(q *placed, same bool) bool {
	if p.high < q.low || q.high < p.low {
		return false
	}
	want := q.first - p.first
	if !slices.Equal(p.step, q.step) {
		var s sum
		for d, n := range p.extent {
			s.add(p.step[d], 0, n-1)
			s.add(-q.step[d], 0, n-1)
		}
		return s.reaches(want)
	}
	// The iterations are so far from one another: at least one distance is not 0.
	for d, n := range p.extent {
		var s sum
		for e, m := range p.extent {
			if e != d {
				s.add(p.step[e], 1-m, m-1)
			}
		}
		s.add(p.step[d], 1, n-1)
		if s.reaches(want) || !same && s.reaches(-want) {
			return true
		}
	}
	return false
}

// sum is a sum of products of a positive constant and an integer that is free in its range, the largest constant first.
type sum struct{ terms []term }

type term struct{ by, from, to int64 }

func (s *sum) add(by, from, to int64) {
	if by == 0 {
		return
	}
	if by < 0 {
		by, from, to = -by, -to, -from
	}
	for i := range s.terms {
		if t := &s.terms[i]; t.by == by {
			t.from, t.to = t.from+from, t.to+to
			return
		}
	}
	at := len(s.terms)
	for at > 0 && s.terms[at-1].by < by {
		at--
	}
	s.terms = append(s.terms, term{})
	copy(s.terms[at+1:], s.terms[at:])
	s.terms[at] = term{by, from, to}
}

// mostTries bounds the search for a solution.
const mostTries = 1000

// reaches reports whether the sum can have the value, or whether that is not known after mostTries.
func (s *sum) reaches(value int64) bool {
	tries := 0
	return reaches(s.terms, value, &tries)
}

func reaches(terms []term, value int64, tries *int) bool {
	if len(terms) == 0 {
		return value == 0
	}
	low, high, common := int64(0), int64(0), int64(0) // of the others
	for _, t := range terms[1:] {
		low, high, common = low+t.by*t.from, high+t.by*t.to, divisor(common, t.by)
	}
	if t := terms[0]; value%divisor(common, t.by) == 0 {
		for k := max(t.from, -floor(high-value, t.by)); k <= min(t.to, floor(value-low, t.by)); k++ {
			if *tries++; *tries > mostTries {
				return true
			}
			if rest := value - k*t.by; (common == 0 || rest%common == 0) && reaches(terms[1:], rest, tries) {
				return true
			}
		}
	}
	return false
}

// floor is a/b, rounded down; b > 0.
func floor(a, b int64) int64 {
	if a < 0 {
		return -((-a + b - 1) / b)
	}
	return a / b
}

func divisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
