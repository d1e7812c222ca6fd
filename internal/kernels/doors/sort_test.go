package doors

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// sortPlace is a number that is greater for keys that come later, for the bits of a key of a kind.
func sortPlace(kind int, bits uint64, descending bool) (high, low uint64) {
	var signed int64
	nan := false
	switch kind {
	case 1:
		signed = int64(int8(bits))
	case 2:
		signed = int64(int16(bits))
	case 3:
		signed = int64(int32(bits))
	case 4:
		signed = int64(bits)
	case 5:
		nan = math.IsNaN(float64(math.Float32frombits(uint32(bits))))
		signed = int64(int32(bits))
		if signed < 0 {
			signed = -1 - signed&math.MaxInt32
		}
	default:
		nan = math.IsNaN(math.Float64frombits(bits))
		signed = int64(bits)
		if signed < 0 {
			signed = -1 - signed&math.MaxInt64
		}
	}
	if nan {
		high = 1
		if (signed < 0) != descending {
			high = 2
		}
	}
	if descending {
		signed = ^signed
	}
	return high, uint64(signed) ^ 1<<63
}

var sortKinds = []struct{ kind, bytes int }{{1, 1}, {2, 2}, {3, 4}, {4, 8}, {5, 4}, {6, 8}}

// checkSort sorts keys made from the source in all forms that hold them, and looks at each result.
func checkSort(t *testing.T, r *rand.Rand, count int) {
	k := sortKinds[r.IntN(len(sortKinds))]
	s := sorting{kind: k.kind, keyBytes: k.bytes, descending: r.IntN(2) == 0, step: k.bytes, count: count, chunks: 1 + r.IntN(min(count, 9)),
		around: r.IntN(2) == 0}
	if r.IntN(2) == 0 {
		s.step += r.IntN(4)
	}
	// Few distinct keys, keys that share upper or lower bits, all bits.
	mask, fixed := uint64(math.MaxUint64), r.Uint64()
	switch r.IntN(4) {
	case 0:
		mask = 7 << r.IntN(64)
	case 1:
		mask >>= r.IntN(64)
	case 2:
		mask <<= r.IntN(64)
	}
	bits := make([]uint64, count)
	bytes := make([]byte, count*s.step+8)
	for i := range bits {
		v := fixed&^mask | r.Uint64()&mask
		if k.kind > 4 && r.IntN(8) == 0 {
			v = math.Float64bits([]float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), 1}[r.IntN(6)]) ^ r.Uint64()&(1<<63)
			if k.kind == 5 {
				v = uint64(math.Float32bits(float32(math.Float64frombits(v))))
			}
		}
		var whole [8]byte
		binary.LittleEndian.PutUint64(whole[:], v)
		clear(whole[k.bytes:])
		copy(bytes[i*s.step:], whole[:k.bytes])
		bits[i] = binary.LittleEndian.Uint64(whole[:])
	}
	order := make([]int64, count)
	for i := range order {
		order[i] = int64(i)
	}
	slices.SortStableFunc(order, func(a, b int64) int {
		aHigh, aLow := sortPlace(k.kind, bits[a], s.descending)
		bHigh, bLow := sortPlace(k.kind, bits[b], s.descending)
		return slices.Compare([]uint64{aHigh, aLow}, []uint64{bHigh, bLow})
	})
	units := make([]int64, s.chunks)
	for i, u := range r.Perm(s.chunks) {
		units[i] = int64(u)
	}
	what := fmt.Sprintf("%+v, mask %#x", s, mask)
	block := room(len(bytes))
	defer giveBack(block)
	indices := room(8*count + 8)
	defer giveBack(indices)
	s.keys = block
	forms := []int{sortKey8, sortPair8}
	if k.bytes <= 4 {
		forms = append(forms, sortKey4, sortPair4)
	}
	for _, form := range forms {
		if form == sortKey8 && k.bytes < 8 {
			continue
		}
		memory := unsafe.Slice((*byte)(block), len(bytes))
		copy(memory, bytes)
		s.indices = nil
		if form == sortPair4 || form == sortPair8 {
			s.indices = indices
			s.run(form, units)
			require.Equal(t, order, unsafe.Slice((*int64)(indices), count), what)
			require.Equal(t, bytes, memory, what)
			continue
		}
		already := slices.IsSorted(order)
		if s.ordered(units) {
			require.True(t, already, what)
		}
		s.run(form, units)
		want := slices.Clone(bytes)
		for i, o := range order {
			copy(want[i*s.step:i*s.step+k.bytes], bytes[int(o)*s.step:])
		}
		require.Equal(t, want, memory, what)
		if k.kind <= 4 {
			require.True(t, s.ordered(units), what)
		}
	}
}

func TestSortAgainstModel(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	defer hideInstructions(0)
	for i := range 300 {
		hideInstructions(i % 2)
		checkSort(t, r, 1+r.IntN(700))
	}
	for i, count := range []int{1, 2, 24, 25, 26, 512, 513, 40000, 40000} {
		hideInstructions(i % 2)
		checkSort(t, r, count)
	}
}

func FuzzSort(f *testing.F) {
	f.Add(uint64(1), uint64(2), uint16(100))
	f.Fuzz(func(t *testing.T, a, b uint64, count uint16) {
		defer hideInstructions(0)
		hideInstructions(int(a % 2))
		checkSort(t, rand.New(rand.NewPCG(a, b)), 1+int(count)%5000)
	})
}
