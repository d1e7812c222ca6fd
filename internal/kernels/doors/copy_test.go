package doors

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// Numbers of copy.h.
const (
	copySame = iota
	copyWiden
	copyNarrow
	copyLonger
	copyShorter
)

const kindReal32, kindReal64, kindComplex64 = 5, 6, 8

func elementBytes(bytes int64, conversion int32) (from, to int64) {
	switch conversion {
	case copyWiden, copyLonger:
		return 4, 8
	case copyNarrow, copyShorter:
		return 8, 4
	}
	return bytes, bytes
}

// side is memory of C's heap with a box of elements in it.
type side struct {
	memory []byte
	block  unsafe.Pointer
	first  int64 // byte of the element whose indices are all 0
	steps  []int64
}

// placed puts a box somewhere: its axes in any order, some backwards, with gaps and at any byte.
func placed(r *rand.Rand, extents []int64, bytes int64) (s side) {
	s.steps = make([]int64, len(extents))
	next, gaps, odd := bytes, r.IntN(2) == 0, r.IntN(3) == 0
	if gaps && odd {
		next += r.Int64N(5)
	}
	low := int64(0)
	order := r.Perm(len(extents))
	if r.IntN(3) == 0 {
		slices.Sort(order)
	}
	for _, k := range order {
		s.steps[k] = next
		if n := extents[k]; n > 0 {
			next *= n
			if gaps && r.IntN(2) == 0 {
				next += bytes * r.Int64N(4)
				if odd {
					next += r.Int64N(9)
				}
			}
			if r.IntN(4) == 0 {
				low += (n - 1) * s.steps[k]
				s.steps[k] = -s.steps[k]
			}
		}
	}
	lead := r.Int64N(70)
	s.first = lead + low
	size := next + bytes + 140
	s.block = room(int(size))
	s.memory = unsafe.Slice((*byte)(s.block), size)
	for i := range s.memory {
		s.memory[i] = byte(r.Uint32())
	}
	return s
}

// each calls f with the place of each element on both sides, the first axis fastest, and its number.
func each(extents []int64, a, b []int64, f func(a, b, number int64)) {
	n := int64(1)
	for _, e := range extents {
		n *= e
	}
	for number := range n {
		rest, x, y := number, int64(0), int64(0)
		for k, e := range extents {
			x += rest % e * a[k]
			y += rest % e * b[k]
			rest /= e
		}
		f(x, y, number)
	}
}

// convert is the model of one element's way.
func convert(conversion int32, to, from []byte) {
	le := binary.LittleEndian
	switch conversion {
	case copySame:
		copy(to, from)
	case copyWiden:
		le.PutUint64(to, math.Float64bits(float64(math.Float32frombits(le.Uint32(from)))))
	case copyNarrow:
		le.PutUint32(to, math.Float32bits(float32(math.Float64frombits(le.Uint64(from)))))
	case copyLonger:
		le.PutUint64(to, uint64(int64(int32(le.Uint32(from)))))
	case copyShorter:
		le.PutUint32(to, uint32(le.Uint64(from)))
	}
}

// units calls f for all units in pieces, in any order.
func units(r *rand.Rand, n int64, f func(first, end int64)) {
	var cuts []int64
	for at := int64(0); at < n; {
		cuts = append(cuts, at)
		at += 1 + r.Int64N(1+n/3)
	}
	for _, i := range r.Perm(len(cuts)) {
		end := n
		if i+1 < len(cuts) {
			end = cuts[i+1]
		}
		f(cuts[i], end)
	}
}

// checkCopy compares all that copy.h offers with the model, on one box.
func checkCopy(t *testing.T, seed uint64, extents []int64, bytes int64, conversion int32) {
	r := rand.New(rand.NewPCG(seed, uint64(bytes)))
	fromBytes, toBytes := elementBytes(bytes, conversion)
	from, to := placed(r, extents, fromBytes), placed(r, extents, toBytes)
	defer giveBack(from.block)
	defer giveBack(to.block)
	if conversion == copyWiden || conversion == copyNarrow { // numbers, of which NaN has more than one form
		each(extents, from.steps, from.steps, func(a, _, _ int64) {
			x := r.NormFloat64() * math.Pow(2, float64(r.IntN(300)-150))
			if conversion == copyWiden {
				binary.LittleEndian.PutUint32(from.memory[from.first+a:], math.Float32bits(float32(x)))
			} else {
				binary.LittleEndian.PutUint64(from.memory[from.first+a:], math.Float64bits(x))
			}
		})
	}
	b := box{to: unsafe.Pointer(&to.memory[to.first]), from: unsafe.Pointer(&from.memory[from.first]), bytes: bytes, conversion: conversion,
		streams: int32(r.IntN(3) - 1)}
	for k, n := range extents {
		b.axes = append(b.axes, copyAxis{n, to.steps[k], from.steps[k]})
	}
	source := slices.Clone(from.memory)
	model := slices.Clone(to.memory)
	differ, fit, elements := false, true, int64(0)
	each(extents, to.steps, from.steps, func(x, y, _ int64) {
		elements++
		at := model[to.first+x : to.first+x+toBytes]
		old := slices.Clone(at)
		convert(conversion, at, from.memory[from.first+y:from.first+y+fromBytes])
		differ = differ || !slices.Equal(old, at)
		if conversion == copyShorter {
			v := int64(binary.LittleEndian.Uint64(from.memory[from.first+y:]))
			fit = fit && v == int64(int32(v))
		}
	})
	b.plan()
	defer b.drop()
	where := []any{"extents %v, to %v, from %v, bytes %d, conversion %d, seed %d", extents, to.steps, from.steps, bytes, conversion, seed}
	if conversion == copySame {
		require.Equal(t, !differ, b.equal(0, 0, b.units), where...)
	}
	if conversion == copyShorter {
		require.Equal(t, fit, b.fits(0, b.units), where...)
	}
	units(r, b.units, b.copy)
	require.True(t, slices.Equal(model, to.memory), where...)
	require.True(t, slices.Equal(source, from.memory), where...)
	if conversion != copyShorter || fit {
		require.True(t, b.equal(0, 0, b.units), where...)
	}
	if elements == 0 || toBytes == 0 {
		return
	}

	// One bit makes it another array, and another checksum.
	numbered := box{from: b.from, bytes: fromBytes, single: true}
	again := box{from: b.to, bytes: toBytes, single: true}
	n := int64(1)
	for k, e := range extents {
		numbered.axes = append(numbered.axes, copyAxis{e, n, from.steps[k]})
		again.axes = append(again.axes, copyAxis{e, n, to.steps[k]})
		n *= e
	}
	sum := func(c *box) (sum uint64) {
		c.plan()
		defer c.drop()
		units(r, c.units, func(first, end int64) { sum += c.checksum(first, end) })
		return sum
	}
	want := sum(&numbered)
	if conversion == copySame {
		require.Equal(t, want, sum(&again), where...)
	}
	chosen, at := r.Int64N(elements), int64(0)
	each(extents, to.steps, from.steps, func(x, _, number int64) {
		if number == chosen {
			at = to.first + x + r.Int64N(toBytes)
		}
	})
	to.memory[at] ^= 1 << r.IntN(8)
	if conversion == copySame {
		require.False(t, b.equal(0, 0, b.units), where...)
		require.NotEqual(t, want, sum(&again), where...)
	}
}

func FuzzCopies(f *testing.F) {
	for _, seed := range []uint64{1, 2, 3, 1 << 40} {
		f.Add(seed, int64(8), uint8(0))
		f.Add(seed, int64(4), uint8(2))
	}
	f.Fuzz(func(t *testing.T, seed uint64, bytes int64, conversion uint8) {
		r := rand.New(rand.NewPCG(seed, 7))
		if bytes < 0 || bytes > 300 {
			bytes = int64(uint64(bytes) % 300)
		}
		extents := make([]int64, r.IntN(16))
		most := int64(20000)
		for k := range extents {
			n := 1 + r.Int64N(min(most, 1+int64(math.Pow(float64(most), r.Float64()))))
			most /= n
			if r.IntN(200) == 0 {
				n = 0
			}
			extents[k] = n
		}
		r.Shuffle(len(extents), func(i, j int) { extents[i], extents[j] = extents[j], extents[i] })
		checkCopy(t, seed, extents, bytes, int32(conversion%5))
	})
}

func TestCopies(t *testing.T) {
	sizes := []int64{0, 1, 2, 3, 4, 8, 12, 16, 20, 24, 32, 40, 255, 300}
	shapes := [][]int64{{}, {1}, {7}, {9000}, {5, 450}, {450, 5}, {40, 64}, {130, 70}, {67, 3, 11}, {0, 5}, {3, 0, 4}, {2, 3, 4, 5, 6, 7}, {1, 1, 9, 1},
		{2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 2, 1, 2, 2}, {17, 3, 19}}
	seed := uint64(0)
	for _, shape := range shapes {
		for _, bytes := range sizes {
			for range 2 {
				seed++
				checkCopy(t, seed, shape, bytes, copySame)
			}
		}
		for conversion := int32(copyWiden); conversion <= copyShorter; conversion++ {
			for range 4 {
				seed++
				checkCopy(t, seed, shape, 8, conversion)
			}
		}
	}
}

// Each way through the planner is one that some box takes.
func TestPlans(t *testing.T) {
	memory := room(1<<20 + 64)
	defer giveBack(memory)
	block := unsafe.Add(memory, 64-uintptr(memory)%64)
	plan := func(bytes int64, axes ...copyAxis) box {
		b := box{to: block, from: unsafe.Add(block, 1<<19), bytes: bytes, axes: axes, streams: -1}
		b.plan()
		b.drop()
		return b
	}
	require.Equal(t, int64(1), plan(8).units, "one element")
	require.Equal(t, int64(0), plan(8, copyAxis{0, 8, 8}, copyAxis{math.MaxInt64, 8, 8}, copyAxis{math.MaxInt64, 8, 8}).units, "none")
	require.Equal(t, int64(1), plan(8, copyAxis{30, 80, 80}, copyAxis{10, 8, 8}).units, "two axes are one line")
	require.False(t, plan(8, copyAxis{10, 8, 40}, copyAxis{5, 80, 400}).transposes, "a field of records")
	records := plan(8, copyAxis{1000, 8, 40}, copyAxis{5, 8000, 8})
	require.True(t, records.transposes && records.depth == 5 && records.length > 100, "records to fields: %+v", records)
	records = plan(8, copyAxis{1000, 40, 8}, copyAxis{5, 8, 8000})
	require.True(t, records.transposes && records.length == 5 && records.depth > 100, "fields to records: %+v", records)
	require.True(t, plan(8, copyAxis{3, 8, 8}, copyAxis{90, 24, 2400}, copyAxis{100, 2160, 24}).transposes, "runs of three are elements")
	aligned := plan(8, copyAxis{512, 8, 4096}, copyAxis{100, 4096, 8})
	require.True(t, aligned.transposes && !aligned.shift && aligned.length == 16 && aligned.depth == 64, "%+v", aligned)
	moved := box{to: unsafe.Add(block, 24), from: block, bytes: 8, axes: []copyAxis{{512, 8, 4096}, {100, 4096, 8}}}
	moved.plan()
	moved.drop()
	require.True(t, moved.shift, "blocks begin where lines of the cache do")
}

// Transpositions that are written in whole cache lines, which boxes at any byte seldom are: of elements of all lengths that cache lines
// are a multiple of, beginning anywhere, in any order of the units, with the longest vectors and without.
func TestCopiesOfWholeLines(t *testing.T) {
	const most = 40000
	memory := room(2*8*most + 128)
	defer giveBack(memory)
	defer hideVectors(false)
	block := unsafe.Add(memory, 64-uintptr(memory)%64)
	from, to := unsafe.Slice((*byte)(block), 8*most), unsafe.Slice((*byte)(unsafe.Add(block, 8*most)), 8*most)
	r := rand.New(rand.NewPCG(5, 6))
	for i := range from {
		from[i] = byte(r.Uint32())
	}
	try := func(n, m, bytes, offset, pitch int64) {
		clear(to)
		b := box{to: unsafe.Pointer(&to[offset*bytes]), from: block, bytes: bytes, streams: 1,
			axes: []copyAxis{{n, bytes, bytes * m}, {m, bytes * pitch, bytes}}}
		b.plan()
		units(r, b.units, b.copy)
		b.drop()
		for e := range int64(len(to)) / bytes {
			i, j := (e-offset)%pitch, (e-offset)/pitch
			for k := range bytes {
				want := byte(0)
				if e >= offset && i < n && j < m {
					want = from[(i*m+j)*bytes+k]
				}
				if to[e*bytes+k] != want {
					t.Fatalf("%d x %d of %d bytes, pitch %d, offset %d: element %d is wrong", n, m, bytes, pitch, offset, e)
				}
			}
		}
	}
	for _, hide := range []bool{false, true} {
		hideVectors(hide)
		for _, shape := range [][2]int64{{64, 40}, {24, 7}, {9, 33}, {200, 64}, {5, 4500}, {4500, 5}, {2, 17}, {31, 900}, {32, 900}, {8, 8}, {40, 801},
			{6555, 5}, {3, 3}, {13, 2}, {7, 5}} { // the first of them has a block of three elements, which ends before a cache line does
			n, m := shape[0], shape[1]
			for _, pitch := range []int64{n, (n + 7) / 8 * 8, n + 3} {
				for offset := range int64(9) {
					try(n, m, 8, offset, pitch)
				}
				for _, bytes := range []int64{1, 2, 4} {
					try(n, m, bytes, r.Int64N(64), pitch)
				}
			}
		}
		for _, n := range []int64{50, 64, 77} {
			try(n, 40, 16, r.Int64N(4), n+r.Int64N(3))
			try(n, 12, 64, 0, n+1)
		}
	}
}

// A value for all elements, from steps of 0.
func TestCopyOfOneValue(t *testing.T) {
	block := room(8 * 3000)
	defer giveBack(block)
	values := unsafe.Slice((*float64)(block), 3000)
	values[0] = 2.5
	b := box{to: unsafe.Pointer(&values[1]), from: block, bytes: 8, axes: []copyAxis{{2, 8, 0}, {1001, 16, 0}}}
	b.plan()
	defer b.drop()
	b.copy(0, b.units)
	require.Equal(t, 2.5, values[2002])
	require.Equal(t, 0.0, values[2003])
}

// By value -0 equals 0 and a NaN nothing; by bytes it is the other way round.
func TestEqualByValue(t *testing.T) {
	block := room(64)
	defer giveBack(block)
	x := unsafe.Slice((*float64)(block), 8)
	pair := func(bytes, count int64) *box {
		b := &box{to: unsafe.Pointer(&x[0]), from: unsafe.Pointer(&x[4]), bytes: bytes, axes: []copyAxis{{count, bytes, bytes}}, single: true}
		b.plan()
		return b
	}
	for _, c := range []struct {
		a, b           float64
		bytes, numbers bool
	}{{1, 1, true, true}, {0, math.Copysign(0, -1), false, true}, {math.NaN(), math.NaN(), true, false}, {1, 2, false, false}} {
		x[3], x[7] = c.a, c.b
		for _, kind := range []int32{kindReal64, kindComplex64} {
			b := pair(8*int64(1+kind/8), 4/int64(1+kind/8))
			require.Equal(t, c.bytes, b.equal(0, 0, b.units))
			require.Equal(t, c.numbers, b.equal(kind, 0, b.units))
			b.drop()
		}
	}
	y := unsafe.Slice((*float32)(block), 16)
	clear(y)
	y[9] = float32(math.Copysign(0, -1))
	b := pair(4, 8)
	defer b.drop()
	require.True(t, b.equal(kindReal32, 0, b.units))
	require.False(t, b.equal(0, 0, b.units))
}
