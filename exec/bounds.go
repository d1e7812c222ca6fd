package exec

// This file has the bounds of index spaces and their work divisions as C keeps them, the refusals of
// portable_bounds_make, and those of divisions that a launch (division) or a CUDA device (refusal)
// cannot take. C tests the same (exec/launch/ordinary.h, exec/launch/division.c,
// exec/device/cuda_fits.h). Threads: any.

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

// Division is a portable_work_division, whose memory C and Go share.
type Division struct {
	Rank, Order, First, _     int32
	Lower, Stride, Extent     [MaxRank]int64
	Blocks, Threads, Elements [MaxRank]int64
}

// DivisionBytes is the size of Division in C.
const DivisionBytes = 16 + 6*8*MaxRank

// Divides says how a launch takes a division.
type Divides int32

// The values of Divides.
const (
	DividesSpace Divides = iota // its bounds are those that were divided
	DividesOuter                // its bounds are the grid
	DividesNot                  // a reduction
)

// team is how many threads a block has; false: more than 32 bits count.
func (w *Division) team() (int64, bool) {
	all, fits := int64(1), true
	for d := range int(w.Rank) {
		if fits {
			all, fits = times(all, max(w.Threads[d], 1))
		}
	}
	return all, fits && all <= math.MaxInt32
}

// made is false for a dimension that portable_work_divide would not have made so.
func (w *Division) made(d int) bool {
	size, fits := int64(0), w.Threads[d] > 0 && w.Elements[d] > 0 && w.Extent[d] >= 0
	if fits {
		size, fits = times(w.Threads[d], w.Elements[d])
	}
	if !fits {
		return false
	}
	blocks := w.Extent[d] / size
	if w.Extent[d]%size != 0 {
		blocks++
	}
	return w.Blocks[d] == blocks
}

// division refuses a division that does not drive this launch.
func (l *Launch) division(c *LaunchConfig, w *Division) Refusal {
	b := l.Bounds
	switch {
	case l.Divides == DividesNot:
		return l.refuse(BadArgument, "this call takes no division, because the bits of its results depend on its leaves; name a tile")
	case w.Rank != b.Rank:
		return l.refuse(BadArgument, "the division has %d dimensions, the bounds have %d (%s); divide these bounds", w.Rank, b.Rank, b)
	case w.Order != b.Order:
		return l.refuse(BadArgument, "the division and the bounds (%s) are of different orders; divide these bounds", b)
	case c.Cut != 0 || b.first(func(d int) bool { return c.Tile[d] != 0 }) > 0:
		return l.refuse(BadArgument, "the launch names a division, and a tile or a cut; name one of them")
	}
	if w.First != 0 && w.First != 1 {
		return l.refuse(BadArgument, "the grid of the division begins with block %d; portable_work_divide makes divisions", w.First)
	}
	if d := b.first(func(d int) bool { return !w.made(d) }); d > 0 {
		return l.refuse(BadArgument, "the division has %d blocks of %d threads with %d elements each for %d iterations of dimension %d; portable_work_divide makes divisions",
			w.Blocks[d-1], w.Threads[d-1], w.Elements[d-1], w.Extent[d-1], d)
	}
	n := func(d int) int64 {
		if n, fits := b.extent(d); fits {
			return n
		}
		return -1
	}
	if l.Divides == DividesOuter {
		other := func(d int) bool { return n(d) != w.Blocks[d] || b.Stride[d] != 1 || b.Lower[d] != int64(w.First) }
		if d := b.first(other); d > 0 {
			return l.refuse(BadArgument, "level block: the grid of the division has %d blocks from %d on in dimension %d, and the bounds are %s; launch over portable_work_grid",
				w.Blocks[d-1], w.First, d, b)
		}
	} else if d := b.first(func(d int) bool { return n(d) != w.Extent[d] || b.Stride[d] != w.Stride[d] || b.Lower[d] != w.Lower[d] }); d > 0 {
		return l.refuse(BadArgument, "the division is of %d iterations from %d on by %d in dimension %d, and the bounds are %s; divide these bounds",
			w.Extent[d-1], w.Lower[d-1], w.Stride[d-1], d, b)
	}
	team, fits := w.team()
	switch {
	case !fits:
		return l.refuse(BadArgument, "level thread: a block of the division has more threads than a 32-bit integer counts; divide with fewer threads and more elements")
	case c.BlockSize != 0 && int64(c.BlockSize) != team:
		return l.refuse(BadArgument, "level thread: a block of the division has %d threads, and block_size is %d; name one of them", team, c.BlockSize)
	}
	return Refusal{}
}

// DeviceDivision is a division on a CUDA device, with what a block may have.
type DeviceDivision struct {
	*Division
	Team      bool     // a launch of teams, whose members lie along x
	CodeBlock int64    // block_size of the kernel's code; 0: none
	MostBlock [3]int64 // threads along x, y and z
}

// refusal gives the text; "": a block of the kernel may have most threads, and these fit.
func (w *DeviceDivision) refusal(device string, registers int, most int64) string {
	const remedy = "; divide with fewer threads and more elements"
	team, _ := w.team()
	if w.CodeBlock != 0 && w.CodeBlock != team {
		return fmt.Sprintf("level thread: a block of the division has %d threads, and the kernel's code is for blocks of %d (block_size); make them equal", team, w.CodeBlock)
	}
	if w.Team && team > w.MostBlock[0] {
		return fmt.Sprintf("level thread: a block of the division has %d threads; '%s' allows %d along x, where the members of a team lie%s", team, device, w.MostBlock[0], remedy)
	}
	for k := 0; !w.Team && k < int(w.Rank); k++ {
		d := k
		if w.Order == 0 {
			d = int(w.Rank) - 1 - k
		}
		allows := int64(1)
		if k < len(w.MostBlock) {
			allows = w.MostBlock[k]
		}
		if w.Threads[d] > allows {
			return fmt.Sprintf("level thread: a block of the division has %d threads in dimension %d; '%s' allows %d there%s", w.Threads[d], d+1, device, allows, remedy)
		}
	}
	if team > most {
		return fmt.Sprintf("level thread: a block of the division has %d threads; on '%s' the kernel, with %d registers, may have 1 to %d%s", team, device, registers, most, remedy)
	}
	return ""
}
