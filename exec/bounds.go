package exec

// This file has the bounds of index spaces as C keeps them, and the refusals of
// portable_bounds_make.

import (
	"fmt"
	"math"
	"math/bits"
	"strings"
)

// MaxRank is the most dimensions of an index space.
const MaxRank = 8

// Bounds are a portable_bounds: an index space, whose memory C and Go share. Lower and upper bounds belong to it.
type Bounds struct {
	StructSize         uint32
	Rank, Order, Notes int32
	Lower, Upper       [MaxRank]int64
	Stride             [MaxRank]int64
}

// BoundsBytes is the size of Bounds in C.
const BoundsBytes = 16 + 3*8*MaxRank

// RefuseBounds refuses the arguments of portable_bounds_make; missing is the name of a NULL argument.
func RefuseBounds(missing string, rank, order int32) Refusal {
	const call = "portable_bounds_make"
	switch {
	case missing != "":
		return refuse(BadArgument, "%s: %s is NULL", call, missing)
	case rank < 1 || rank > MaxRank:
		return refuse(BadArgument, "%s: rank is %d; it is 1 to %d", call, rank, MaxRank)
	case order != 0 && order != 1:
		return refuse(BadArgument, "%s: order is %d; it is PORTABLE_ORDER_C or PORTABLE_ORDER_FORTRAN", call, order)
	}
	return Refusal{}
}

// made tests whether portable_bounds_make made the bounds.
func (b *Bounds) made() bool {
	return b.StructSize == BoundsBytes && b.Rank >= 1 && b.Rank <= MaxRank
}

// badStride is the number of the first dimension, from 1 on, with a stride below 1, or 0.
func (b *Bounds) badStride() int { return b.first(func(d int) bool { return b.Stride[d] < 1 }) }

// first is the number of the first dimension, from 1 on, that has a property, or 0.
func (b *Bounds) first(has func(d int) bool) int {
	for d := range int(b.Rank) {
		if has(d) {
			return d + 1
		}
	}
	return 0
}

// extent counts the iterations of a dimension; false: int64 does not hold them.
func (b *Bounds) extent(d int) (int64, bool) {
	if b.Upper[d] < b.Lower[d] {
		return 0, true
	}
	steps := (uint64(b.Upper[d]) - uint64(b.Lower[d])) / uint64(b.Stride[d])
	return int64(steps) + 1, steps < math.MaxInt64
}

// counted tests that int64 counts the iterations of all dimensions together. An empty dimension makes the space empty, also with long other ones.
func (b *Bounds) counted() bool {
	count, all := int64(1), true
	for d := range int(b.Rank) {
		n, ok := b.extent(d)
		if n == 0 && ok {
			return true
		}
		if all = all && ok; all {
			count, all = times(count, n)
		}
	}
	return all
}

// times multiplies numbers that are not negative; false: int64 does not hold the product.
func times(a, b int64) (int64, bool) {
	high, low := bits.Mul64(uint64(a), uint64(b))
	return int64(low), high == 0 && low <= math.MaxInt64
}

// String gives "1:10, 2:20:3".
func (b *Bounds) String() string {
	var text strings.Builder
	for d := range int(b.Rank) {
		if d > 0 {
			text.WriteString(", ")
		}
		fmt.Fprintf(&text, "%d:%d", b.Lower[d], b.Upper[d])
		if b.Stride[d] != 1 {
			fmt.Fprintf(&text, ":%d", b.Stride[d])
		}
	}
	return text.String()
}
