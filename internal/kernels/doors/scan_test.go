package doors

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

const scanLeaf = 2048

// prefix is the model: value = before leaves op (before in the leaf op run), from none where there is nothing yet.
func prefix[T any](xs []T, initial *T, op func(a, b T) T) []T {
	out := make([]T, len(xs))
	// nil is a value that changes nothing.
	both := func(a, b *T) *T {
		if a == nil {
			return b
		}
		if b == nil {
			return a
		}
		c := op(*a, *b)
		return &c
	}
	before := initial
	for from := 0; from < len(xs); from += scanLeaf {
		var leaf *T
		for first := from; first < min(from+scanLeaf, len(xs)); first += 8 {
			var run *T
			for i := first; i < min(first+8, from+scanLeaf, len(xs)); i++ {
				x := xs[i]
				run = both(run, &x)
				out[i] = *both(before, both(leaf, run))
			}
			leaf = both(leaf, run)
		}
		before = both(before, leaf)
	}
	return out
}

// sameBits compares elements, but takes all NaNs for one.
func sameBits[T number](t *testing.T, want, got []T, what string) {
	for i := range want {
		if want[i] != want[i] && got[i] != got[i] {
			continue
		}
		a, b := want[i], got[i]
		size := unsafe.Sizeof(a)
		if !bytes.Equal(unsafe.Slice((*byte)(unsafe.Pointer(&a)), size), unsafe.Slice((*byte)(unsafe.Pointer(&b)), size)) {
			require.FailNow(t, "other bits", "%s, element %d: %v, not %v", what, i, b, a)
		}
	}
}

// spreadOut puts elements at random strides into C's memory; the axes' step or maskStep become theirs. Gives the first element's address.
func spreadOut(r *rand.Rand, axes []axis, size int64, result bool) (block, first unsafe.Pointer) {
	step, low := size, int64(0)
	way := r.IntN(3)
	for k := range axes {
		back := int64(1)
		if way > 0 {
			step += size * r.Int64N(2)
		}
		if way > 1 {
			step += r.Int64N(4)
			back = 1 - 2*r.Int64N(2)
		}
		if back < 0 && axes[k].extent > 0 {
			low += (axes[k].extent - 1) * step
		}
		if result {
			axes[k].maskStep = step * back
		} else {
			axes[k].step = step * back
		}
		step *= max(1, axes[k].extent)
	}
	block = room(int(step) + 64)
	return block, unsafe.Add(block, low)
}

// place is the byte of element i of a line, for data or result.
func place(axes []axis, i int64, result bool) (at int64) {
	for k, a := range axes {
		x := i
		if k < len(axes)-1 {
			x, i = i%a.extent, i/a.extent
		}
		if result {
			at += x * a.maskStep
		} else {
			at += x * a.step
		}
	}
	return at
}

func load[T any](p unsafe.Pointer) (x T) {
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&x)), unsafe.Sizeof(x)), unsafe.Slice((*byte)(p), unsafe.Sizeof(x)))
	return x
}

func store[T any](p unsafe.Pointer, x T) {
	copy(unsafe.Slice((*byte)(p), unsafe.Sizeof(x)), unsafe.Slice((*byte)(unsafe.Pointer(&x)), unsafe.Sizeof(x)))
}

// scanOnce scans lines of n elements in random places, by all operations, and compares with the model.
func scanOnce[T number](t *testing.T, r *rand.Rand, kind int32, n, lines int64, draw func() T, most, least T) {
	nan := func(a, b T, better bool) T {
		if a != a || better {
			return b
		}
		return a
	}
	for _, one := range []struct {
		op    int32
		empty T
		op2   func(a, b T) T
	}{
		{opSum, 0, func(a, b T) T { return a + b }}, {opProduct, 1, func(a, b T) T { return a * b }},
		{opMin, most, func(a, b T) T { return nan(a, b, b < a) }}, {opMax, least, func(a, b T) T { return nan(a, b, b > a) }},
	} {
		axes := []axis{{extent: n}}
		inner := 1
		if lines > 1 {
			axes = append(axes, axis{extent: lines})
		} else if n%3 == 0 && n > 0 && r.IntN(2) == 0 {
			axes, inner = []axis{{extent: 3}, {extent: n / 3}}, 2
		}
		if lines > 1 && r.IntN(2) == 0 { // lines are next to one another
			axes[0], axes[1] = axes[1], axes[0]
		}
		var zero T
		block, data := spreadOut(r, axes, int64(unsafe.Sizeof(zero)), false)
		defer giveBack(block)
		block, results := spreadOut(r, axes, int64(unsafe.Sizeof(zero)), true)
		defer giveBack(block)
		if r.IntN(4) == 0 { // in place
			results = data
			for k := range axes {
				axes[k].maskStep = axes[k].step
			}
		}
		q := scanned{op: one.op, kind: kind, exclusive: r.IntN(2) == 0, in: axes[:inner], out: axes[inner:], data: data, results: results}
		if lines > 1 && axes[0].extent == lines && axes[1].extent == n {
			q.in, q.out = axes[1:], axes[:1]
		}
		var initial *T
		if r.IntN(2) == 0 {
			q.initial = room(8)
			defer giveBack(q.initial)
			x := draw()
			store(q.initial, x)
			initial = &x
		}
		xs := make([][]T, lines)
		for l := range lines {
			for i := range n {
				xs[l] = append(xs[l], draw())
				store(unsafe.Add(data, place(q.in, i, false)+place(q.out, l, false)), xs[l][i])
			}
		}
		together := inner == 1 && r.IntN(2) == 0
		anyOrder := func(parts int64) (order []int64) {
			for _, p := range r.Perm(int(parts)) {
				order = append(order, int64(p))
			}
			return order
		}
		if r.IntN(3) == 0 {
			anyOrder = nil
		}
		require.True(t, q.run(together, anyOrder))
		for l := range lines {
			want := prefix(xs[l], initial, one.op2)
			if q.exclusive && n > 0 {
				first := one.empty
				if initial != nil {
					first = *initial
				}
				want = append([]T{first}, want[:n-1]...)
			}
			got := make([]T, n)
			for i := range n {
				got[i] = load[T](unsafe.Add(results, place(q.in, i, true)+place(q.out, l, true)))
			}
			sameBits(t, want, got, fmt.Sprintf("operation %d, kind %d, line %d of %d, together %v, exclusive %v", one.op, kind, l, lines, together, q.exclusive))
		}
	}
}

// Half of the seeds do without AVX2.
func scanKind(t *testing.T, kind int32, n, lines int64, seed uint64) {
	defer hideInstructions(0)
	hideInstructions(int(seed % 2))
	r := rand.New(rand.NewPCG(seed, uint64(n)))
	draw := floats(r)
	switch kind {
	case 1:
		scanOnce(t, r, kind, n, lines, func() int8 { return int8(r.Uint64()) }, math.MaxInt8, math.MinInt8)
	case 2:
		scanOnce(t, r, kind, n, lines, func() int16 { return int16(r.Uint64()) | 1 }, math.MaxInt16, math.MinInt16)
	case 3:
		scanOnce(t, r, kind, n, lines, func() int32 { return int32(r.Uint64()) | 1 }, math.MaxInt32, math.MinInt32)
	case 4:
		scanOnce(t, r, kind, n, lines, func() int64 { return int64(r.Uint64()) | 1 }, math.MaxInt64, math.MinInt64)
	case 5:
		scanOnce(t, r, kind, n, lines, func() float32 { return float32(draw()) }, math.MaxFloat32, -math.MaxFloat32)
	default:
		scanOnce(t, r, 6, n, lines, draw, math.MaxFloat64, -math.MaxFloat64)
	}
}

func TestScansAreTheModel(t *testing.T) {
	for kind := int32(1); kind <= 6; kind++ {
		t.Run(fmt.Sprint(kind), func(t *testing.T) {
			for i, n := range []int64{0, 1, 2, 7, 8, 9, 17, 100, 1000, scanLeaf - 1, scanLeaf, scanLeaf + 1, 3*scanLeaf + 9} {
				for seed := range uint64(4) {
					scanKind(t, kind, n, 1, seed+uint64(100*i))
				}
				for _, lines := range []int64{2, 17, 40} {
					scanKind(t, kind, min(n, 2*scanLeaf), min(lines, 1+20000/(n+1)), uint64(100*i))
				}
			}
		})
	}
}

func FuzzScan(f *testing.F) {
	f.Add(uint8(5), uint16(5000), uint8(1), uint64(1))
	f.Add(uint8(3), uint16(300), uint8(20), uint64(2))
	f.Fuzz(func(t *testing.T, kind uint8, n uint16, lines uint8, seed uint64) {
		scanKind(t, int32(kind%6)+1, int64(n)%9000, 1+int64(lines)%20, seed)
	})
}

// Sums of what is not negative never fall, not even where a leaf or a run ends.
func TestSumsDoNotFall(t *testing.T) {
	const n = 6*scanLeaf + 5
	r := rand.New(rand.NewPCG(1, 2))
	data := room(8 * n)
	defer giveBack(data)
	xs := unsafe.Slice((*float64)(data), n)
	for i := range xs {
		xs[i] = r.Float64() * math.Exp2(float64(-r.IntN(60)))
	}
	q := scanned{op: opSum, kind: 6, in: []axis{{n, 8, 8}}, data: data, results: data}
	require.True(t, q.run(false, func(parts int64) (order []int64) {
		for p := range parts {
			order = append(order, p)
		}
		return order
	}))
	for i := 1; i < n; i++ {
		require.GreaterOrEqual(t, xs[i], xs[i-1], "element %d", i)
	}
}

func TestScanOperations(t *testing.T) {
	for op := int32(-1); op < 12; op++ {
		for kind := int32(-1); kind < 15; kind++ {
			q := scanned{op: op, kind: kind, in: []axis{{0, 8, 8}}}
			got := q.run(false, func(int64) []int64 { return nil })
			require.Equal(t, op >= opSum && op <= opMax && kind >= 1 && kind <= 6, got, "operation %d, kind %d", op, kind)
		}
	}
}

func chooseOnce(t *testing.T, n int64, size, maskSize int64, seed uint64) {
	r := rand.New(rand.NewPCG(seed, uint64(n)))
	axes := []axis{{extent: n}}
	if n%7 == 0 && n > 0 {
		axes = []axis{{extent: 7}, {extent: n / 7}}
	}
	block, data := spreadOut(r, axes, size, false)
	defer giveBack(block)
	block, mask := spreadOut(r, axes, maskSize, true)
	defer giveBack(block)
	step := size + r.Int64N(3)
	packed, list := room(int((n+1)*step)), room(int(8*(n+1)))
	defer giveBack(packed)
	defer giveBack(list)
	share, last := r.IntN(5), false
	var want []int64
	for i := range n {
		in := r.IntN(4) < share
		if seed%2 == 0 && r.IntN(10) > 0 {
			in = last // runs
		}
		last = in
		if in {
			want = append(want, i)
			*(*byte)(unsafe.Add(mask, place(axes, i, true)+r.Int64N(maskSize))) = byte(1 << r.IntN(8))
		}
		for b := range size {
			*(*byte)(unsafe.Add(data, place(axes, i, false)+b)) = byte(i*size + b)
		}
	}
	q := chooser{data, mask, size, int32(maskSize), axes, n}
	var got []int64
	for leaf := int64(0); leaf*chooseLeaf < n; leaf++ {
		at := int64(len(got))
		for _, p := range q.leaf(leaf, unsafe.Add(packed, at*step), step, false, 3+leaf*chooseLeaf, unsafe.Add(list, 8*at)) {
			got = append(got, leaf*chooseLeaf+int64(p))
		}
	}
	require.Equal(t, want, got)
	for k, i := range want {
		if load[int64](unsafe.Add(list, 8*k)) != i+3 {
			require.FailNow(t, "listed", "element %d", i)
		}
		for b := range size {
			if *(*byte)(unsafe.Add(packed, int64(k)*step+b)) != byte(i*size+b) {
				require.FailNow(t, "packed", "element %d", i)
			}
			*(*byte)(unsafe.Add(packed, int64(k)*step+b)) = byte(77 + i*size + b)
		}
	}
	at := int64(0)
	for leaf := int64(0); leaf*chooseLeaf < n; leaf++ {
		at += int64(len(q.leaf(leaf, unsafe.Add(packed, at*step), step, true, 0, list)))
	}
	k := 0
	for i := range n {
		more := byte(0)
		if k < len(want) && want[k] == i {
			more = 77
			k++
		}
		for b := range size {
			if *(*byte)(unsafe.Add(data, place(axes, i, false)+b)) != more+byte(i*size+b) {
				require.FailNow(t, "unpacked", "element %d", i)
			}
		}
	}
}

func TestChosenAreTheModel(t *testing.T) {
	for i, n := range []int64{0, 1, 7, 8, 9, 64, 700, chooseLeaf - 1, chooseLeaf, chooseLeaf + 3, 7 * 1200} {
		for _, size := range []int64{1, 2, 4, 8, 16, 12} {
			for seed := range uint64(3) {
				chooseOnce(t, n, size, 1<<((seed+uint64(i))%4), seed+uint64(10*i))
			}
		}
	}
}

func FuzzChoose(f *testing.F) {
	f.Add(uint16(5000), uint8(8), uint8(2), uint64(1))
	f.Fuzz(func(t *testing.T, n uint16, size, maskSize uint8, seed uint64) {
		chooseOnce(t, int64(n)%9000, 1+int64(size)%20, 1<<(maskSize%4), seed)
	})
}
