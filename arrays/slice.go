package arrays

// This file makes views of a part of an array (Shape.Slice, Shape.SubsetSlowest) and finds the
// position of one element (Shape.Locate).

import "math"

// Range is indices of one dimension: First, First+Step, ... up to Last. Step 0: First alone, and the view has no such dimension.
// math.MinInt64 and math.MaxInt64 stand for the bounds where the range comes from below or goes to above.
type Range struct{ First, Last, Step int64 }

// All is a whole dimension.
var All = Range{math.MinInt64, math.MaxInt64, 1}

// Slice gives the shape of a part of the elements, and the position of its first one.
func (s *Shape) Slice(ranges *[MaxRank]Range) (view Shape, origin int64, err error) {
	var dropped [MaxRank]bool
	var to [MaxRank]int8
	for d := range s.Rank {
		r := ranges[d]
		if r.Step == 0 {
			if r.First < s.Lower[d] || r.First > s.Upper(d) {
				return Shape{}, 0, s.outside(d, r.First)
			}
			origin += (r.First - s.Lower[d]) * s.Stride[d]
			dropped[d] = true
			continue
		}
		first, count, err := s.count(d, r)
		if err != nil {
			return Shape{}, 0, err
		}
		v := view.Rank
		view.Rank++
		to[d] = int8(v)
		view.Extent[v] = count
		view.Lower[v] = s.Order.base()
		if r == All {
			view.Lower[v] = s.Lower[d]
		}
		switch {
		case count > 1:
			view.Stride[v] = s.Stride[d] * r.Step
		case r.Step < 0:
			view.Stride[v] = -s.Stride[d]
		default:
			view.Stride[v] = s.Stride[d]
		}
		if count > 0 {
			origin += (first - s.Lower[d]) * s.Stride[d]
		}
	}
	k := 0
	for _, d := range s.Fastest[:s.Rank] {
		if !dropped[d] {
			view.Fastest[k] = to[d]
			k++
		}
	}
	view.setOrder(s.Order)
	if view.Elements() == 0 {
		origin = 0
	}
	return view, origin, nil
}

func (s *Shape) outside(d int, index int64) error {
	return wrong("index %d of dimension %d is out of its bounds %d:%d", index, d+1, s.Lower[d], s.Upper(d))
}

// count gives the first index of a range and the count of its indices.
func (s *Shape) count(d int, r Range) (first, count int64, err error) {
	first, last := r.First, r.Last
	lower, upper := s.Lower[d], s.Upper(d)
	if r.Step > 0 {
		if first == math.MinInt64 {
			first = lower
		}
		if last == math.MaxInt64 {
			last = upper
		}
		if first > last {
			return first, 0, nil
		}
	} else {
		if first == math.MaxInt64 {
			first = upper
		}
		if last == math.MinInt64 {
			last = lower
		}
		if first < last {
			return first, 0, nil
		}
	}
	// The ends fit into int64, their distance into uint64.
	steps := (uint64(last) - uint64(first)) / uint64(r.Step)
	if r.Step < 0 {
		steps = (uint64(first) - uint64(last)) / magnitude(r.Step)
	}
	final := int64(uint64(first) + steps*uint64(r.Step))
	if first < lower || first > upper || final < lower || final > upper {
		return 0, 0, wrong("the range %d:%d by %d of dimension %d is out of its bounds %d:%d", first, last, r.Step, d+1, lower, upper)
	}
	return first, int64(steps) + 1, nil
}

// SubsetSlowest gives the indices from first to last of the slowest dimension.
func (s *Shape) SubsetSlowest(first, last int64) (view Shape, origin int64, err error) {
	if s.Rank == 0 {
		return Shape{}, 0, wrong("rank is 0; there is no slowest dimension")
	}
	var ranges [MaxRank]Range
	for d := range s.Rank {
		ranges[d] = All
	}
	if first > last {
		return Shape{}, 0, wrong("the subset %d:%d of the slowest dimension ends before it begins", first, last)
	}
	ranges[s.Fastest[s.Rank-1]] = Range{first, last, 1}
	return s.Slice(&ranges)
}

// Locate gives the position of one element.
func (s *Shape) Locate(rank int, index *Indices) (position int64, err error) {
	if rank != s.Rank {
		return 0, wrong("%d indices are given; the array has rank %d", rank, s.Rank)
	}
	for d := range s.Rank {
		if index[d] < s.Lower[d] || index[d] > s.Upper(d) {
			return 0, s.outside(d, index[d])
		}
		position += (index[d] - s.Lower[d]) * s.Stride[d]
	}
	return position, nil
}
