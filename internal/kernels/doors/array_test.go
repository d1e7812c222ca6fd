package doors

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// Numbers of portable_reduce_array.h.
const (
	opSum = iota + 1
	opProduct
	opMin
	opMax
	opMinloc
	opMaxloc
	opAny
	opAll
	opCount
)

// number is what elements are made of.
type number interface {
	int8 | int16 | int32 | int64 | float32 | float64
}

const leaf = 4096

// tree is the model of how values become one: lanes of a leaf, pairs of lanes, pairs of leaves. in says which elements count.
func tree[T any](xs []T, in []bool, lanes int, start T, op func(a, b T) T) T {
	var leaves []T
	for from := 0; from == 0 || from < len(xs); from += leaf {
		lane := make([]T, lanes)
		for l := range lane {
			lane[l] = start
		}
		for i := from; i < min(from+leaf, len(xs)); i++ {
			if in[i] {
				lane[(i-from)%lanes] = op(lane[(i-from)%lanes], xs[i])
			}
		}
		for w := lanes / 2; w >= 1; w /= 2 {
			for l := range w {
				lane[l] = op(lane[l], lane[l+w])
			}
		}
		leaves = append(leaves, lane[0])
	}
	for w := 1; w < len(leaves); w *= 2 {
		for i := 0; i+w < len(leaves); i += 2 * w {
			leaves[i] = op(leaves[i], leaves[i+w])
		}
	}
	return leaves[0]
}

// extreme is the model of min and max: the place of the first one, the value without elements or with NaNs only.
func extreme[T number](xs []T, in []bool, empty T, better func(a, b T) bool) (T, int64) {
	value, at := empty, int64(-1)
	for i, x := range xs {
		if in[i] && (at < 0 || (x == x && value != value) || better(x, value)) {
			value, at = x, int64(i)
		}
	}
	return value, at
}

// memory is an array somewhere: its elements in order are n, and lie where axes say.
type memory struct {
	block unsafe.Pointer
	line  line
	first int // byte of the first element
}

// lay finds places for n elements of size bytes and their mask: contiguous, with gaps, backwards, in several axes.
func lay(r *rand.Rand, n, size, maskSize int) memory {
	var m memory
	extents := []int64{int64(n)}
	for d := int64(2); d < 9 && len(extents) < 3; d++ {
		if last := len(extents) - 1; extents[last] > 0 && extents[last]%d == 0 && r.IntN(2) == 0 {
			extents = append(extents[:last], d, extents[last]/d)
		}
	}
	step, maskStep := int64(size), int64(maskSize)
	low := int64(0)
	odd := r.IntN(3)
	for _, e := range extents {
		gap, back := int64(0), int64(1)
		if odd > 0 {
			gap = int64(size) * r.Int64N(3)
		}
		if odd > 1 {
			gap, back = r.Int64N(5), 1-2*r.Int64N(2)
		}
		step += gap
		m.line.axes = append(m.line.axes, axis{e, step * back, maskStep})
		if back < 0 && e > 0 {
			low += (e - 1) * step
		}
		step *= max(1, e)
		maskStep *= max(1, e)
	}
	m.block = room(int(step) + 64)
	m.first = int(low)
	m.line.data = unsafe.Add(m.block, m.first)
	return m
}

// at is the byte of the element i.
func (m memory) at(i int) int64 {
	var at int64
	for k, a := range m.line.axes {
		x := int64(i)
		if k < len(m.line.axes)-1 {
			x, i = x%a.extent, int(x/a.extent)
		}
		at += x * a.step
	}
	return at
}

// trial is one reduction with everything about it chosen by the seed.
type trial struct {
	*testing.T
	r      *rand.Rand
	n      int
	masked bool
}

func (t trial) in() []bool {
	in := make([]bool, t.n)
	share := t.r.IntN(4)
	for i := range in {
		in[i] = !t.masked || t.r.IntN(3) < share
	}
	return in
}

// run lays the elements out, reduces them with units in any order, and gives the result.
func run[E, R any](t trial, op, kind int32, wide bool, xs []E, in []bool) R {
	maskSize := 1 << t.r.IntN(4)
	var one E
	m := lay(t.r, len(xs), int(unsafe.Sizeof(one)), maskSize)
	defer giveBack(m.block)
	for i, x := range xs {
		copy(unsafe.Slice((*byte)(unsafe.Add(m.line.data, m.at(i))), unsafe.Sizeof(x)), unsafe.Slice((*byte)(unsafe.Pointer(&x)), unsafe.Sizeof(x)))
	}
	m.line.op, m.line.kind, m.line.wide = op, kind, wide
	if t.masked {
		m.line.mask, m.line.maskSize = room(len(xs)*maskSize+1), int32(maskSize)
		defer giveBack(m.line.mask)
		for i, yes := range in {
			if yes { // any bit is true
				*(*byte)(unsafe.Add(m.line.mask, i*maskSize+t.r.IntN(maskSize))) = 1 << t.r.IntN(8)
			}
		}
	}
	result := room(16)
	defer giveBack(result)
	require.True(t, m.line.reduce(func(n int64) (order []int64) {
		for _, u := range t.r.Perm(int(n)) {
			order = append(order, int64(u))
		}
		return order
	}, result))
	return *(*R)(result)
}

// same compares bits, but takes all NaNs for one.
func same[T number](t trial, want, got T, what string) {
	if want != want {
		require.True(t, got != got, "%s: %v, not NaN", what, got)
		return
	}
	require.Equal(t, want, got, what)
}

func numbers[T number](t trial, kind int32, draw func() T, most, least T, lanes int) {
	xs, in := make([]T, t.n), t.in()
	for i := range xs {
		xs[i] = draw()
	}
	sum, product := func(a, b T) T { return a + b }, func(a, b T) T { return a * b }
	same(t, tree(xs, in, lanes, 0, sum), run[T, T](t, opSum, kind, false, xs, in), "sum")
	same(t, tree(xs, in, lanes, 1, product), run[T, T](t, opProduct, kind, false, xs, in), "product")
	for _, one := range []struct {
		op     int32
		empty  T
		better func(a, b T) bool
	}{{opMin, most, func(a, b T) bool { return a < b }}, {opMax, least, func(a, b T) bool { return a > b }}} {
		value, at := extreme(xs, in, one.empty, one.better)
		got := run[T, T](t, one.op, kind, false, xs, in)
		require.True(t, value == got || value != value && got != got, "%v, not %v", got, value) // 0 and -0 are equal
		require.Equal(t, at, run[T, int64](t, one.op+2, kind, false, xs, in), "where")
	}
}

func floats(r *rand.Rand) func() float64 {
	way := r.IntN(5)
	return func() float64 {
		switch {
		case way == 0 || (way == 1 && r.IntN(50) > 0):
			return math.NaN()
		case way == 2 && r.IntN(20) == 0:
			return math.Inf(1 - 2*r.IntN(2))
		case way == 3:
			return float64(r.IntN(3)-1) * math.Copysign(0, float64(r.IntN(2))-0.5)
		}
		return (r.Float64() - 0.5) * math.Exp2(float64(r.IntN(6)))
	}
}

type pair[T float32 | float64] struct{ re, im T }

// Each product is rounded: without the conversions a compiler may fuse them.
func times[T float32 | float64](a, b pair[T]) pair[T] {
	return pair[T]{T(a.re*b.re) - T(a.im*b.im), T(a.re*b.im) + T(a.im*b.re)}
}

func plus[T float32 | float64](a, b pair[T]) pair[T] { return pair[T]{a.re + b.re, a.im + b.im} }

func pairs[T float32 | float64](t trial, kind int32, lanes int) {
	xs, in := make([]pair[T], t.n), t.in()
	for i := range xs {
		xs[i] = pair[T]{T(t.r.Float64() - 0.5), T(2*t.r.Float64() - 1)}
	}
	require.Equal(t, tree(xs, in, lanes, pair[T]{}, plus[T]), run[pair[T], pair[T]](t, opSum, kind, false, xs, in))
	require.Equal(t, tree(xs, in, lanes, pair[T]{1, 0}, times[T]), run[pair[T], pair[T]](t, opProduct, kind, false, xs, in))
	if kind != 7 {
		return
	}
	wide := make([]pair[float64], t.n)
	for i, x := range xs {
		wide[i] = pair[float64]{float64(x.re), float64(x.im)}
	}
	single := func(x pair[float64]) pair[float32] { return pair[float32]{float32(x.re), float32(x.im)} }
	require.Equal(t, single(tree(wide, in, 8, pair[float64]{}, plus[float64])), run[pair[T], pair[float32]](t, opSum, kind, true, xs, in))
	require.Equal(t, single(tree(wide, in, 8, pair[float64]{1, 0}, times[float64])), run[pair[T], pair[float32]](t, opProduct, kind, true, xs, in))
}

func logicals[T uint8 | uint16 | uint32 | uint64](t trial, kind int32) {
	t.masked = false
	xs, count := make([]T, t.n), int64(0)
	share := t.r.IntN(4)
	for i := range xs {
		if t.r.IntN(3) < share {
			xs[i] = 1 << t.r.IntN(int(8*unsafe.Sizeof(xs[i])))
			count++
		}
	}
	flag := map[bool]int32{true: 1}
	require.Equal(t, count, run[T, int64](t, opCount, kind, false, xs, nil))
	require.Equal(t, flag[count > 0], run[T, int32](t, opAny, kind, false, xs, nil))
	require.Equal(t, flag[count == int64(t.n)], run[T, int32](t, opAll, kind, false, xs, nil))
}

// attempt reduces elements of the kind by all operations that it has, and compares with the models.
func attempt(t *testing.T, kind int32, n int, seed uint64, masked bool) {
	r := rand.New(rand.NewPCG(seed, uint64(n)))
	at := trial{t, r, n, masked}
	draw := floats(r)
	switch kind {
	case 1:
		numbers(at, kind, func() int8 { return int8(r.Uint64()) }, math.MaxInt8, math.MinInt8, 128)
	case 2:
		numbers(at, kind, func() int16 { return int16(r.Uint64()) }, math.MaxInt16, math.MinInt16, 64)
	case 3:
		numbers(at, kind, func() int32 { return int32(r.Uint64()) | 1 }, math.MaxInt32, math.MinInt32, 32)
	case 4:
		numbers(at, kind, func() int64 { return int64(r.Uint64()) | 1 }, math.MaxInt64, math.MinInt64, 16)
	case 5:
		numbers(at, kind, func() float32 { return float32(draw()) }, math.MaxFloat32, -math.MaxFloat32, 32)
		xs, in, wide := make([]float32, n), at.in(), make([]float64, n)
		for i := range xs {
			xs[i] = float32(draw())
			wide[i] = float64(xs[i])
		}
		same(at, float32(tree(wide, in, 16, 0, func(a, b float64) float64 { return a + b })), run[float32, float32](at, opSum, kind, true, xs, in), "wide sum")
		same(at, float32(tree(wide, in, 16, 1, func(a, b float64) float64 { return a * b })), run[float32, float32](at, opProduct, kind, true, xs, in), "wide product")
	case 6:
		numbers(at, kind, draw, math.MaxFloat64, -math.MaxFloat64, 16)
	case 7:
		pairs[float32](at, kind, 16)
	case 8:
		pairs[float64](at, kind, 8)
	case 9:
		logicals[uint8](at, kind)
	case 10:
		logicals[uint16](at, kind)
	case 11:
		logicals[uint32](at, kind)
	default:
		logicals[uint64](at, kind)
	}
}

func TestReductionsAreTheModels(t *testing.T) {
	for kind := int32(1); kind <= 12; kind++ {
		t.Run(fmt.Sprint(kind), func(t *testing.T) {
			for i, n := range []int{0, 1, 2, 15, 16, 17, 100, 129, 1000, leaf - 1, leaf, leaf + 1, 3*leaf + 5, 11 * leaf} {
				for seed := range uint64(4) {
					attempt(t, kind, n, seed+uint64(100*i), seed%2 == 1)
				}
			}
		})
	}
}

func FuzzReduce(f *testing.F) {
	f.Add(uint8(6), uint16(5000), uint64(1), true)
	f.Add(uint8(1), uint16(300), uint64(2), false)
	f.Fuzz(func(t *testing.T, kind uint8, n uint16, seed uint64, masked bool) {
		attempt(t, int32(kind%12)+1, int(n)%20000, seed, masked)
	})
}

// The table has what portable_reduce_array.h says, and nothing else.
func TestOperations(t *testing.T) {
	for op := int32(-1); op < 12; op++ {
		for kind := int32(-1); kind < 15; kind++ {
			number, complexNumber, logical := kind >= 1 && kind <= 6, kind == 7 || kind == 8, kind >= 9 && kind <= 12
			want := op >= opSum && op <= opMaxloc && number || (op == opSum || op == opProduct) && complexNumber || op >= opAny && op <= opCount && logical
			l := line{op: op, kind: kind, axes: []axis{{0, 1, 0}}}
			result := room(16)
			require.Equal(t, want, l.reduce(func(int64) []int64 { return []int64{0} }, result), "operation %d, kind %d", op, kind)
			giveBack(result)
		}
	}
}
