package arrays

// This file has Shape, the type of all others: bounds, extents, strides and order of dimensions.
// Invariants: Rank is 0 to MaxRank, extents are 0 or more, upper bounds fit into int64, Fastest is
// a permutation, and every element is inside the memory. Positions count elements from the one with
// the lowest indices; texts count dimensions from 1.

import (
	"math"
	"strconv"
)

// MaxRank is the largest rank: that of Fortran 2008.
const MaxRank = 15

// Indices holds a number for each dimension; entries from the rank on are 0.
type Indices [MaxRank]int64

// Order names the fastest dimension; the numbers are those of portable_array.h.
type Order int32

// The orders. Permuted is every other one.
const (
	C Order = iota
	Fortran
	Permuted
)

// base is the default lower bound.
func (o Order) base() int64 {
	if o == C {
		return 0
	}
	return 1
}

// Dims are dimensions, counted from 0.
type Dims [MaxRank + 1]int8

// Shape is the indices of an array and the position of each element. It is a plain value.
type Shape struct {
	Rank    int
	Order   Order
	Fastest Dims    // the dimensions from the fastest to the slowest
	Lower   Indices // lower bounds
	Extent  Indices // counts of indices
	Stride  Indices // in elements
}

// Sound checks a shape that the program passed: rank and order are valid, extents are 0 or more, Fastest is a permutation. All
// other functions rely on it.
func (s *Shape) Sound() error {
	if s.Rank < 0 || s.Rank > MaxRank {
		return wrong("the descriptor is damaged: its rank is %d; it is 0 to %d", s.Rank, MaxRank)
	}
	if s.Order < C || s.Order > Permuted {
		return wrong("the descriptor is damaged: its order is %d; it is PORTABLE_ORDER_C, _FORTRAN or _PERMUTED", s.Order)
	}
	seen := uint32(0)
	for k := range s.Rank {
		if s.Extent[k] < 0 {
			return wrong("the descriptor is damaged: extent %d is %d; it is 0 or more", k+1, s.Extent[k])
		}
		if d := s.Fastest[k]; d < 0 || int(d) >= s.Rank || seen&(1<<d) != 0 {
			return wrong("the descriptor is damaged: entry %d of fastest is %d; the entries are 0 to %d, each once; only functions of portable_array.h change descriptors",
				k+1, d, s.Rank-1)
		} else {
			seen |= 1 << d
		}
	}
	return nil
}

// Upper is the upper bound of a dimension.
func (s *Shape) Upper(d int) int64 { return s.Lower[d] - 1 + s.Extent[d] }

// empty tests for an extent of 0. It also works for extents whose product overflows.
func (s *Shape) empty() bool {
	for _, e := range s.Extent[:s.Rank] {
		if e == 0 {
			return true
		}
	}
	return false
}

// Elements counts the elements. The count does not overflow, because Layout and Wrap refuse such shapes.
func (s *Shape) Elements() int64 {
	n := int64(1)
	if s.empty() {
		return 0
	}
	for _, e := range s.Extent[:s.Rank] {
		n *= e
	}
	return n
}

// Contiguous tests whether the elements have no gaps in the order of the shape.
func (s *Shape) Contiguous() bool {
	if s.empty() {
		return true
	}
	expected := int64(1)
	for _, d := range s.Fastest[:s.Rank] {
		if s.Extent[d] > 1 && s.Stride[d] != expected {
			return false
		}
		expected *= s.Extent[d]
	}
	return true
}

// setOrder derives the order from Fastest. A single dimension keeps the order before.
func (s *Shape) setOrder(before Order) {
	up, down := true, true
	for k, d := range s.Fastest[:s.Rank] {
		up = up && int(d) == k
		down = down && int(d) == s.Rank-1-k
	}
	switch {
	case s.Rank < 2 && before != Permuted:
		s.Order = before
	case up:
		s.Order = Fortran
	case down:
		s.Order = C
	default:
		s.Order = Permuted
	}
}

// setLower sets and checks lower bounds; nil: the default of the order.
func (s *Shape) setLower(lower *Indices, base int64) error {
	for d := range s.Rank {
		s.Lower[d] = base
		if lower != nil {
			s.Lower[d] = lower[d]
		}
		if e := s.Extent[d]; e > 0 && s.Lower[d] > 0 && e-1 > math.MaxInt64-s.Lower[d] {
			return overflow("the upper bound of dimension %d (lower bound %d, extent %d) does not fit 64-bit integers", d+1, s.Lower[d], e)
		}
		if s.Extent[d] == 0 && s.Lower[d] == math.MinInt64 {
			return overflow("the upper bound of dimension %d (lower bound %d, no index) does not fit 64-bit integers", d+1, s.Lower[d])
		}
	}
	return nil
}

// Bounds is the shape as texts show it: (0:9, 1:20).
func (s *Shape) Bounds() string {
	text := []byte{'('}
	for d := range s.Rank {
		if d > 0 {
			text = append(text, ", "...)
		}
		text = strconv.AppendInt(text, s.Lower[d], 10)
		text = append(text, ':')
		text = strconv.AppendInt(text, s.Upper(d), 10)
	}
	return string(append(text, ')'))
}
