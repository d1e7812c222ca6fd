package arrays

// This file plans a walk through two arrays at once, for copies and comparisons: axes with a stride
// in each array, joined and sorted. Main function: Pair. Its C mirror is portable__array_plan
// (owner/array.h).

// Axis is one dimension of a walk through two arrays.
type Axis struct{ Extent, From, To int64 } // From and To: the stride in each array, in elements

// Plan is a walk. The axis with the smallest stride in the second array comes first. No axis has one index only, and no
// two axes could be joined.
type Plan struct {
	Axes     [MaxRank]Axis
	Rank     int
	Elements int64
}

// Pair plans a walk through two arrays: of the same shape, or both contiguous with equally many elements.
func Pair(from, to *Shape) (p Plan, err error) {
	count, other := from.Elements(), to.Elements()
	if count != other {
		return Plan{}, wrong("the one has %d elements %s, the other %d %s; both have as many", count, from.Bounds(), other, to.Bounds())
	}
	p.Elements = count
	if count == 0 {
		return p, nil
	}
	if !p.match(from, to) {
		if !from.Contiguous() || !to.Contiguous() {
			return Plan{}, wrong("the shapes %s and %s differ, and not both arrays lie without gaps; reshape one of them first", from.Bounds(), to.Bounds())
		}
		return Plan{Axes: [MaxRank]Axis{{count, 1, 1}}, Rank: 1, Elements: count}, nil
	}
	p.sort()
	p.join()
	return p, nil
}

// Numbered plans a walk through all elements of one array; To counts them in Fortran's order.
func Numbered(s *Shape) (p Plan) {
	number := *s
	n := int64(1)
	for d := range s.Rank {
		number.Stride[d] = n
		n *= s.Extent[d]
	}
	if p.Elements = s.Elements(); p.Elements > 0 {
		p.match(s, &number)
		p.sort()
		p.join()
	}
	return p
}

// match pairs the dimensions and skips those with one index; false: the extents differ.
func (p *Plan) match(from, to *Shape) bool {
	d, e := 0, 0
	for {
		for d < from.Rank && from.Extent[d] == 1 {
			d++
		}
		for e < to.Rank && to.Extent[e] == 1 {
			e++
		}
		if d == from.Rank || e == to.Rank {
			return d == from.Rank && e == to.Rank
		}
		if from.Extent[d] != to.Extent[e] {
			return false
		}
		p.Axes[p.Rank] = Axis{from.Extent[d], from.Stride[d], to.Stride[e]}
		p.Rank++
		d++
		e++
	}
}

// sort puts the axes of the smallest step first; there are few.
func (p *Plan) sort() {
	for i := 1; i < p.Rank; i++ {
		for k := i; k > 0 && p.Axes[k].before(p.Axes[k-1]); k-- {
			p.Axes[k], p.Axes[k-1] = p.Axes[k-1], p.Axes[k]
		}
	}
}

func (a Axis) before(b Axis) bool {
	if x, y := magnitude(a.To), magnitude(b.To); x != y {
		return x < y
	}
	return magnitude(a.From) < magnitude(b.From)
}

// join merges axes that follow each other without a gap in both arrays.
func (p *Plan) join() {
	last := -1
	for _, a := range p.Axes[:p.Rank] {
		if last >= 0 {
			b := &p.Axes[last]
			if uint64(a.From) == uint64(b.From)*uint64(b.Extent) && uint64(a.To) == uint64(b.To)*uint64(b.Extent) {
				b.Extent *= a.Extent
				continue
			}
		}
		last++
		p.Axes[last] = a
	}
	for k := last + 1; k < p.Rank; k++ {
		p.Axes[k] = Axis{}
	}
	p.Rank = last + 1
}

// SameShape tests for the same extents.
func SameShape(a, b *Shape) bool { return a.Rank == b.Rank && a.Extent == b.Extent }
