//go:build portable_test_hooks

package launch

// These tests compare the verdicts of C and Go about launches, and the structures that both share.

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"libportable/exec"
)

func TestStructuresOfLaunchesAreThoseOfC(t *testing.T) {
	require.Equal(t, Sizes(), [3]uintptr{unsafe.Sizeof(exec.Bounds{}), unsafe.Sizeof(exec.LaunchConfig{}), exec.DivisionBytes})
	require.EqualValues(t, unsafe.Sizeof(exec.Bounds{}), exec.BoundsBytes)
	require.EqualValues(t, unsafe.Sizeof(exec.LaunchConfig{}), exec.ConfigBytes)
	require.EqualValues(t, unsafe.Sizeof(exec.Division{}), exec.DivisionBytes)
	require.Equal(t, Numbers(), []int64{int64(exec.BadArgument), int64(exec.NoMemory), int64(exec.BadHandle), int64(exec.BadState), int64(exec.BadPointer),
		int64(exec.Overflow), int64(exec.NoDevice), exec.MaxRank, exec.ScratchMost, exec.ArgumentPointer, exec.ArgumentArray, exec.ArgumentLiveout,
		int64(exec.Static), int64(exec.Dynamic)})
}

// source gives numbers to draw cases from.
type source func() uint64

var edges = [...]int64{0, 1, -1, 2, 3, 7, 8, 9, 10, 100, math.MaxInt32, math.MinInt32, math.MaxInt32 + 1, math.MinInt32 - 1, 1 << 32, math.MaxInt64, math.MaxInt64 - 1,
	math.MinInt64, math.MinInt64 + 1}

// number is near 0 mostly, else at an edge or anywhere.
func (s source) number() int64 {
	switch n := s(); n % 8 {
	case 0:
		return int64(s())
	case 1, 2:
		return edges[n>>8%uint64(len(edges))]
	default:
		return int64(n>>8%16) - 2
	}
}

// usually gives the first value in seven of eight cases.
func (s source) usually(value, otherwise int64) int64 {
	if s()%8 != 0 {
		return value
	}
	return otherwise
}

func (s source) launch() *exec.Launch {
	b := &exec.Bounds{StructSize: uint32(s.usually(exec.BoundsBytes, s.number())), Rank: int32(s.usually(1+int64(s()%3), s.number())), Order: int32(s.usually(int64(s()%2), s.number()))}
	for d := range b.Lower {
		b.Lower[d], b.Upper[d], b.Stride[d] = s.number(), s.number(), s.usually(1, s.number())
	}
	l := &exec.Launch{Call: "parallel_for", Label: "fuzz", Bounds: b, Strided: s()%4 == 0, IntegerBytes: int32(s()%3) * 4, Wide: s()%4 == 0,
		Devices: int32(s.usually(3, int64(s()%5))), Default: int32(s.usually(2, int64(s()%6)))}
	if s()%4 == 0 {
		return l
	}
	c := &exec.LaunchConfig{StructSize: uint32(s.usually(exec.ConfigBytes, s.number())), Device: int32(s.usually(int64(s()%4), s.number())),
		Schedule: exec.Schedule(s.usually(int64(s()%3), s.number())), Strided: int32(s() % 2), Cut: int32(s.usually(0, s.number())), Reserved: int32(s.usually(0, s.number()))}
	if s()%4 == 0 {
		c.Stream = s()
		l.StreamDevice = int32(s() % 4)
	}
	for d := range c.Tile {
		c.Tile[d] = s.usually(0, s.number())
	}
	l.Config = c
	if s()%2 == 0 {
		s.divide(l)
	}
	return l
}

// divide names a division of the bounds, or of an index space of which they are the grid, with few faults.
func (s source) divide(l *exec.Launch) {
	l.Divides = exec.Divides(s.usually(int64(s()%2), 2))
	w := &exec.Division{Rank: int32(s.usually(int64(l.Bounds.Rank), s.number())), Order: int32(s.usually(int64(l.Bounds.Order), s.number())),
		First: int32(s.usually(int64(s()%2), s.number()))}
	for d := range w.Lower {
		lower, upper, stride := l.Bounds.Lower[d], l.Bounds.Upper[d], max(l.Bounds.Stride[d], 1)
		if l.Divides == exec.DividesOuter {
			l.Bounds.Lower[d] = s.usually(int64(w.First), s.number())
			l.Bounds.Upper[d], upper = s.usually(3, s.number()), l.Bounds.Upper[d]
		}
		n := int64(0)
		if upper >= lower {
			n = int64((uint64(upper)-uint64(lower))/uint64(stride) + 1)
		}
		w.Lower[d], w.Stride[d], w.Extent[d] = lower, stride, n
		w.Threads[d], w.Elements[d] = s.usually(1+int64(s()%64), s.number()), s.usually(1+int64(s()%4), s.number())
		size := max(w.Threads[d]*w.Elements[d], 1)
		if l.Divides == exec.DividesOuter && s()%8 != 0 {
			w.Extent[d] = max((l.Bounds.Upper[d]-l.Bounds.Lower[d]+1)*size, 0)
		}
		w.Blocks[d] = s.usually((w.Extent[d]-1)/size+1, s.number())
	}
	c := l.Config
	c.Cut, c.Division = 0, w
	if s()%8 == 0 {
		c.BlockSize = int32(s.usually(w.Threads[0], s.number()))
	}
}

func device(l *exec.Launch) int32 {
	width := l.IntegerBytes
	if l.Wide {
		width = 0
	}
	if l.Config != nil && l.Config.Division != nil {
		var pinner runtime.Pinner
		pinner.Pin(l.Config.Division)
		defer pinner.Unpin()
	}
	return Verdict(unsafe.Pointer(l.Bounds), unsafe.Pointer(l.Config), l.Strided, width, [4]int32{l.StreamDevice, l.Devices, l.Default, int32(l.Divides)})
}

// sameVerdict gives C's predicate and Go's refusal one launch.
func sameVerdict(t *testing.T, l *exec.Launch) {
	device := device(l)
	whole := *l
	if c := l.Config; c != nil && c.StructSize >= 4 && c.StructSize <= exec.ConfigBytes { // of an earlier version: what it lacks is 0
		short := exec.LaunchConfig{}
		copy((*[exec.ConfigBytes]byte)(unsafe.Pointer(&short))[:c.StructSize], (*[exec.ConfigBytes]byte)(unsafe.Pointer(c))[:])
		whole.Config = &short
	}
	r, ofBounds := whole.Refuse()
	if (device == 0) != (r.Status != 0) || (r.Status == 0) != (r.Text == "") || ofBounds && r.Status == 0 {
		t.Fatalf("C: device %d; Go: %v\n%+v\n%+v", device, r, l.Bounds, l.Config)
	}
}

func (s source) bounds(t *testing.T) {
	rank, order := int32(s.number()), int32(s.number())
	if ordinary, r := BoundsAreOrdinary(rank, order), exec.RefuseBounds("", rank, order); ordinary != (r.Status == 0) {
		t.Fatalf("rank %d, order %d: C %t, Go %v", rank, order, ordinary, r)
	}
}

// More cases: PORTABLE_TEST_CASES=10000000 go test -run LaunchVerdicts ./exec/launch
func TestLaunchVerdicts(t *testing.T) {
	cases, _ := strconv.Atoi(os.Getenv("PORTABLE_TEST_CASES"))
	random := rand.New(rand.NewPCG(20, 7))
	refused, divided := 0, 0
	cases = max(cases, 20000)
	for range cases {
		l := source(random.Uint64).launch()
		sameVerdict(t, l)
		source(random.Uint64).bounds(t)
		if device(l) == 0 {
			refused++
		} else if l.Config != nil && l.Config.Division != nil {
			divided++
		}
	}
	require.Greater(t, divided, cases/100)
	require.Greater(t, refused, cases/4)
	require.Less(t, refused, cases*19/20)
	t.Logf("%d of %d launches are refused", refused, cases)
}

func FuzzLaunchVerdict(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte("\x01\x02\x03\x04\x05\x06\x07\x08\x01\x02\x03\x04\x05\x06\x07\x08"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := source(func() uint64 {
			var word [8]byte
			data = data[copy(word[:], data):]
			return binary.LittleEndian.Uint64(word[:])
		})
		sameVerdict(t, s.launch())
		s.bounds(t)
	})
}
