package doors

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// The part of portable_componentwise.h that these tests need. Each operation and kind against a plain loop: ffi_tests/componentwise/model.c.
const (
	binaryAdd    = 1
	binaryDivide = 4
	unarySqrt    = 4
	kindInt32    = 3
	kindInt64    = 4
)

// laid is an array somewhere in a block of its own, whose axes are named the fastest first.
type laid struct {
	block unsafe.Pointer
	bytes int // of the block
	first int64
	steps []int64
}

// layOut finds places for elements: axes in any order in memory, with gaps, some backwards, some at odd addresses.
func layOut(r *rand.Rand, extents []int64, size int64) laid {
	l := laid{steps: make([]int64, len(extents))}
	order := r.Perm(len(extents))
	if r.IntN(3) > 0 {
		slices.Sort(order)
	}
	step, gaps := size, r.IntN(3)
	for _, d := range order {
		if gaps == 1 && r.IntN(3) == 0 {
			step += size * r.Int64N(3)
		}
		if gaps == 2 {
			step += r.Int64N(5)
		}
		l.steps[d] = step
		if r.IntN(4) == 0 && extents[d] > 0 {
			l.steps[d] = -step
			l.first += (extents[d] - 1) * step
		}
		step *= max(1, extents[d])
	}
	l.bytes = int(step) + 64
	l.block = room(l.bytes)
	return l
}

func (l laid) start() unsafe.Pointer { return unsafe.Add(l.block, l.first) }

// each calls f with the offset of each element, in the order of the axes.
func (l laid) each(extents []int64, f func(at unsafe.Pointer)) {
	var walk func(d int, at int64)
	walk = func(d int, at int64) {
		if d < 0 {
			f(unsafe.Add(l.block, at))
			return
		}
		for i := range extents[d] {
			walk(d-1, at+i*l.steps[d])
		}
	}
	walk(len(extents)-1, l.first)
}

func get(at unsafe.Pointer, size int64) int64 {
	var x int64
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&x)), 8)[:size], unsafe.Slice((*byte)(at), size))
	return x
}

func put(at unsafe.Pointer, size, x int64) {
	copy(unsafe.Slice((*byte)(at), size), unsafe.Slice((*byte)(unsafe.Pointer(&x)), 8)[:size])
}

// pieces cuts a count anywhere, and shuffles.
func pieces(r *rand.Rand) func(count int64) [][2]int64 {
	return func(count int64) (list [][2]int64) {
		for from := int64(0); from < count; {
			to := from + 1 + r.Int64N(count-from)
			if r.IntN(2) == 0 {
				to = min(count, from+1+r.Int64N(700))
			}
			list = append(list, [2]int64{from, to})
			from = to
		}
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		return list
	}
}

func someExtents(r *rand.Rand) []int64 {
	extents := make([]int64, 1+r.IntN(4))
	left := int64(1 + r.IntN(9000))
	for d := range extents {
		extents[d] = 1 + r.Int64N(min(left, []int64{3, 60, 9000}[r.IntN(3)]))
		left = max(1, left/extents[d])
	}
	return extents
}

// Sums, merges and fills of arrays that lie anywhere, cut anywhere: each element once, and no byte next to them.
func TestComponentwiseAnywhere(t *testing.T) {
	usual := goPastCaches(0)
	defer goPastCaches(usual)
	for seed := range uint64(600) {
		if seed == 300 {
			goPastCaches(usual)
		}
		r := rand.New(rand.NewPCG(seed, 1))
		extents := someExtents(r)
		size := []int64{4, 8}[r.IntN(2)]
		what := r.IntN(3)
		c := component{kind: map[int64]int32{4: kindInt32, 8: kindInt64}[size], axes: make([]componentAxis, len(extents))}
		sizes := [operandCount]int64{size, size, size, 0}
		switch what {
		case 0:
			c.binary = binaryAdd
		case 1:
			c.merge, sizes[operandMask] = int32(size), []int64{1, 2, 4, 8}[r.IntN(4)]
		case 2:
			sizes[operandA], sizes[operandB] = 0, 0
		}
		c.bytes = sizes
		var arrays [operandCount]laid
		var values [operandCount][]int64
		for d, e := range extents {
			c.axes[d].extent = e
		}
		for o := range operandCount {
			if sizes[o] == 0 {
				continue
			}
			arrays[o] = layOut(r, extents, sizes[o])
			defer giveBack(arrays[o].block)
			for i := range arrays[o].bytes {
				*(*byte)(unsafe.Add(arrays[o].block, i)) = byte(r.Uint32())
			}
			if o != operandResult && r.IntN(5) == 0 { // one value
				c.value[o] = int64(r.Uint64() >> 1)
				arrays[o].steps = make([]int64, len(extents))
				arrays[o].first = 0
				put(arrays[o].block, sizes[o], c.value[o])
			} else {
				c.at[o] = arrays[o].start()
				for d := range extents {
					c.axes[d].step[o] = arrays[o].steps[d]
				}
			}
			if o == operandMask && c.at[o] != nil {
				arrays[o].each(extents, func(at unsafe.Pointer) { put(at, sizes[o], int64(r.IntN(2))<<r.IntN(int(8*sizes[o]-1))) })
			}
			arrays[o].each(extents, func(at unsafe.Pointer) { values[o] = append(values[o], get(at, sizes[o])) })
		}
		c.value[operandResult] = int64(r.Uint64())
		if r.IntN(2) == 0 {
			c.value[operandResult] = 0
		}
		want := make([]byte, arrays[operandResult].bytes)
		got := unsafe.Slice((*byte)(arrays[operandResult].block), len(want))
		copy(want, got)
		i := 0
		arrays[operandResult].each(extents, func(at unsafe.Pointer) {
			var x int64
			switch what {
			case 0:
				x = values[operandA][i] + values[operandB][i]
			case 1:
				x = values[operandB][i]
				if values[operandMask][i] != 0 {
					x = values[operandA][i]
				}
			case 2:
				x = c.value[operandResult]
			}
			offset := uintptr(at) - uintptr(arrays[operandResult].block)
			put(unsafe.Pointer(&want[offset]), size, x)
			i++
		})
		count, _ := c.run(pieces(r))
		require.EqualValues(t, i, count, "seed %d", seed)
		require.Equal(t, want, got, "seed %d: %v, operation %d", seed, extents, what)
	}
}

// Axes are joined where all operands lie one behind the other, whatever the order and the direction in which they are named.
func TestComponentwiseArrange(t *testing.T) {
	add := func(extents []int64, steps ...[2]int64) component {
		c := component{binary: binaryAdd, kind: kindInt64, bytes: [operandCount]int64{8, 8, 8, 0}}
		for d, e := range extents {
			c.axes = append(c.axes, componentAxis{e, [operandCount]int64{steps[d][0], steps[d][1], steps[d][1], 0}})
		}
		return c
	}
	for name, row := range map[string]struct {
		c     component
		count int64
		axes  int32
	}{
		"contiguous":                   {add([]int64{4, 5, 6}, [2]int64{8, 8}, [2]int64{32, 32}, [2]int64{160, 160}), 120, 1},
		"the other order":              {add([]int64{6, 5, 4}, [2]int64{160, 160}, [2]int64{32, 32}, [2]int64{8, 8}), 120, 1},
		"backwards":                    {add([]int64{4, 5}, [2]int64{-8, -8}, [2]int64{-32, -32}), 20, 1},
		"one of them backwards":        {add([]int64{4, 5}, [2]int64{8, -8}, [2]int64{32, -32}), 20, 1},
		"transposed":                   {add([]int64{4, 5}, [2]int64{8, 40}, [2]int64{32, 8}), 20, 2},
		"a section":                    {add([]int64{3, 5}, [2]int64{8, 8}, [2]int64{24, 32}), 15, 2},
		"of one element":               {add([]int64{1, 1}, [2]int64{8, 999}, [2]int64{8, 8}), 1, 1},
		"a dimension of one":           {add([]int64{4, 1, 5}, [2]int64{8, 8}, [2]int64{7, 9}, [2]int64{32, 32}), 20, 1},
		"without elements":             {add([]int64{4, 0}, [2]int64{8, 8}, [2]int64{32, 32}), 0, 1},
		"without elements, immense":    {add([]int64{1 << 62, 1 << 62, 0}, [2]int64{8, 8}, [2]int64{8, 8}, [2]int64{8, 8}), 0, 1},
		"one value each":               {add([]int64{4, 5}, [2]int64{8, 0}, [2]int64{32, 0}), 20, 1},
		"one value along a dimension":  {add([]int64{4, 5}, [2]int64{8, 8}, [2]int64{32, 0}), 20, 2},
		"a gap, then one behind other": {add([]int64{2, 3, 4}, [2]int64{16, 16}, [2]int64{32, 32}, [2]int64{96, 96}), 24, 1},
	} {
		count, axes := row.c.run(func(int64) [][2]int64 { return nil })
		require.Equal(t, row.count, count, name)
		require.Equal(t, row.axes, axes, name)
	}
}

// The first element without a result, by its number along the axes as they are.
func TestComponentwiseFault(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 100 {
		extents := someExtents(r)
		a, b := layOut(r, extents, 4), layOut(r, extents, 4)
		c := component{binary: binaryDivide, kind: kindInt32, bytes: [operandCount]int64{4, 4, 4, 0}}
		c.at = [operandCount]unsafe.Pointer{nil, a.start(), b.start(), nil}
		for d, e := range extents {
			c.axes = append(c.axes, componentAxis{e, [operandCount]int64{0, a.steps[d], b.steps[d], 0}})
		}
		count, i := int64(1), int64(0)
		for _, e := range extents {
			count *= e
		}
		b.each(extents, func(at unsafe.Pointer) { put(at, 4, 1+r.Int64N(9)) })
		require.EqualValues(t, -1, c.fault(0, count))
		first := r.Int64N(count)
		b.each(extents, func(at unsafe.Pointer) {
			if i == first || (i > first && r.IntN(5) == 0) {
				put(at, 4, 0)
			}
			i++
		})
		require.Equal(t, first, c.fault(0, count))
		require.EqualValues(t, -1, c.fault(0, first))
		require.Equal(t, first, c.fault(first, count))
		giveBack(a.block)
		giveBack(b.block)
	}
}

// bytesOf are the bytes that an array has, each as often as an element has it.
func bytesOf(l lying) map[int64]int {
	set := map[int64]int{}
	var walk func(d int, at int64)
	walk = func(d int, at int64) {
		if d == len(l.extents) {
			for b := range l.bytes {
				set[at+b]++
			}
			return
		}
		for i := range l.extents[d] {
			walk(d+1, at+i*l.strides[d])
		}
	}
	walk(0, l.first)
	return set
}

func TestOverlap(t *testing.T) {
	const bytes = 4000
	block := room(bytes)
	defer giveBack(block)
	r := rand.New(rand.NewPCG(3, 4))
	some := func() lying {
		l := lying{first: 1500 + r.Int64N(300), bytes: []int64{1, 4, 8}[r.IntN(3)]}
		unit := []int64{1, 4, 8}[r.IntN(3)]
		for range 1 + r.IntN(3) {
			l.extents = append(l.extents, 1+r.Int64N(5))
			l.strides = append(l.strides, unit*(r.Int64N(41)-20))
		}
		return l
	}
	seen := map[string]int{}
	for range 20000 {
		a, b := some(), some()
		if r.IntN(2) == 0 {
			b.strides, b.extents = slices.Clone(a.strides), slices.Clone(a.extents)
		}
		of, want := bytesOf(a), 0
		for at := range bytesOf(b) {
			if of[at] > 0 {
				want = 1
			}
		}
		require.Equal(t, want, overlap(block, a, b), "%+v %+v", a, b)
		seen[fmt.Sprintf("pair %d", want)]++
		self := 0
		for _, n := range of {
			if n > 1 {
				self = 1
			}
		}
		told := overlapSelf(block, a)
		require.GreaterOrEqual(t, told, self, "%+v", a) // it may refuse what is apart by chance
		seen[fmt.Sprintf("self %d%d", self, told)]++
	}
	for _, what := range []string{"pair 0", "pair 1", "self 00", "self 11"} {
		require.Greater(t, seen[what], 500, what)
	}
	// As programs have them: odd and even elements, parts of complex numbers, halves of columns, the inside of an array.
	apart := func(a, b lying) { require.Zero(t, overlap(block, a, b), "%+v %+v", a, b) }
	long := func(first, bytes int64, numbers ...int64) lying {
		n := len(numbers) / 2
		return lying{first, bytes, numbers[:n], numbers[n:]}
	}
	apart(long(0, 8, 1<<30, 16), long(8, 8, 1<<30, 16))
	apart(long(0, 4, 1<<20, 8), long(4, 4, 1<<20, 8))
	apart(long(0, 8, 500, 100000, 8, 8000), long(4000, 8, 500, 100000, 8, 8000))
	apart(long(0, 8, 100, 100, 1, 8, 80000, 8), long(800, 8, 100, 100, 1, 8, 80000, 8))
	require.Equal(t, 1, overlap(block, long(0, 8, 1<<30, 8), long(8, 8, 1<<30, 8)))
	apart(long(0, 8, 1, math.MinInt64), long(8, 8, 1, math.MaxInt64))
	require.True(t, fits(long(0, 8, 1, 1<<30, math.MinInt64, -8)))
	for _, l := range []lying{long(0, 8, 2, math.MinInt64), long(0, 8, 3, 1<<62), long(0, 8, 2, 2, 1<<60, -1<<60), long(0, 8, 1<<62, -1)} {
		require.False(t, fits(l), "%+v", l)
	}
	require.Equal(t, 1, overlap(block, long(0, 8, 1000, 1000, 8, 8000), long(8, 8, 1000, 1000, 8000, 8)))
}

// Square roots, of any count and anywhere in memory, have the bits of one root, with vectors of any width.
func TestSquareRoots(t *testing.T) {
	defer hideInstructions(0)
	r := rand.New(rand.NewPCG(7, 7))
	draw := floats(r)
	for _, hidden := range []int{0, 1} {
		hideInstructions(hidden)
		for count := range int64(40) {
			for _, size := range []int64{4, 8} {
				for _, step := range []int64{size, 2 * size} {
					skew := int(r.Int64N(9))
					block := room(int(2*step*(count+1)) + 16)
					from := unsafe.Add(block, skew)
					to := unsafe.Add(from, step*count)
					c := component{unary: unarySqrt, kind: map[int64]int32{4: 5, 8: 6}[size], bytes: [operandCount]int64{size, size, 0, 0},
						at:   [operandCount]unsafe.Pointer{to, from, nil, nil},
						axes: []componentAxis{{extent: count, step: [operandCount]int64{step, step, 0, 0}}}}
					want := make([]float64, count)
					for i := range want {
						x := draw()
						if size == 4 {
							store(unsafe.Add(from, int64(i)*step), float32(x))
							want[i] = float64(float32(math.Sqrt(float64(float32(x)))))
						} else {
							store(unsafe.Add(from, int64(i)*step), x)
							want[i] = math.Sqrt(x)
						}
					}
					c.run(func(count int64) [][2]int64 { return [][2]int64{{0, count}} })
					got := make([]float64, count)
					for i := range got {
						if size == 4 {
							got[i] = float64(load[float32](unsafe.Add(to, int64(i)*step)))
						} else {
							got[i] = load[float64](unsafe.Add(to, int64(i)*step))
						}
					}
					sameBits(t, want, got, fmt.Sprintf("%d roots of %d bytes, step %d, at %d, hidden %d", count, size, step, skew, hidden))
					giveBack(block)
				}
			}
		}
	}
}
