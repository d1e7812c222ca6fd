//go:build portable_test_hooks

package capi

// These tests check that exports of arrays allocate nothing, and that C and Go agree about refusals.

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"libportable/arrays"
)

// Programs make arrays and views in their time steps.
func TestArraysAllocateNothing(t *testing.T) {
	extents := [15]_Ctype_int64_t{10, 20, 30}
	fastest := [15]_Ctype_int32_t{2, 0, 1}
	ranges := [15]_Ctype_struct_portable_array_range{{first: 2, last: 9, step: 3}, {first: 5, last: 5}, {first: 30, last: 1, step: -1}}
	shape := [15]_Ctype_int64_t{60, 100}
	var bytes _Ctype_uint64_t
	var origin _Ctype_int64_t
	var plan _Ctype_struct_portable__array_plan
	var same _Ctype_int32_t
	var section _Ctype_struct_portable__fortran_view
	var elements [48000]byte
	label := append([]byte("array"), 0)
	made := func(order _Ctype_int32_t) (a _Ctype_struct_portable_array) {
		var config _Ctype_struct_portable_array_config
		config.struct_size, config.order = _Ctype_uint32_t(unsafe.Sizeof(config)), order
		m := _Ctype_struct_portable__array_making{given: &config, label: textOf(label), extents: &extents[0], kind: 6, rank: 3}
		a.data = unsafe.Pointer(&elements)
		if portable__go_array_make(&m, &a) != 0 || m.bytes != 48000 {
			t.Error("no layout", lastError())
		}
		return a
	}
	c, fortran := made(0), made(1)
	for name, call := range map[string]func() _Ctype_int32_t{
		"slice":   func() _Ctype_int32_t { a := fortran; return portable__go_array_slice(&a, &ranges[0]) },
		"subset":  func() _Ctype_int32_t { a := fortran; return portable__go_array_subset(&a, 3, 5) },
		"reshape": func() _Ctype_int32_t { a := fortran; return portable__go_array_reshape(&a, 2, &shape[0], nil) },
		"permute": func() _Ctype_int32_t { a := fortran; return portable__go_array_permute(&a, &fastest[0]) },
		"rebase":  func() _Ctype_int32_t { a := fortran; return portable__go_array_rebase(&a, &extents[0]) },
		"compact": func() _Ctype_int32_t { a := fortran; return portable__go_array_compact(&a, &bytes) },
		"pair":    func() _Ctype_int32_t { return portable__go_array_pair(&c, &fortran, &plan) },
		"number":  func() _Ctype_int32_t { return portable__go_array_numbered(&fortran, &plan) },
		"same":    func() _Ctype_int32_t { return portable__go_array_same(&c, &fortran, &plan, &same) },
		"section": func() _Ctype_int32_t { return portable__go_array_section(&fortran, &section, &origin) },
	} {
		require.Zero(t, testing.AllocsPerRun(100, func() {
			if call() != 0 {
				t.Error(name, lastError())
			}
		}), name)
	}
	require.EqualValues(t, 6000, plan.elements)
	require.EqualValues(t, 1, same)
}

// C's predicates and Go's refusals find the same calls ordinary. PORTABLE_CASES is the number of random cases.
func TestArrayRefusalsAgree(t *testing.T) {
	cases, _ := strconv.Atoi(os.Getenv("PORTABLE_CASES"))
	if cases == 0 {
		cases = 100_000
	}
	r := rand.New(rand.NewPCG(1, 2))
	bytes := []uint64{0, 1, 2, 4, 8, 16, 576, 1 << 31, 1 << 63, ^uint64(0)}
	extents := []int64{0, 1, 2, 3, 7, 1 << 20, 1 << 31, 1 << 32, 1 << 62, -1, -1 << 63}
	setChecks(2) // PORTABLE_CHECK_ARRAYS
	defer setChecks(0)
	for n := range cases {
		kind, size := r.Int32N(18)-2, bytes[r.IntN(len(bytes))]
		b, err := arrays.ElementBytes(kind, size)
		if (elementBytes(kind, size) != 0) != (err == nil) || err == nil && b != elementBytes(kind, size) {
			t.Fatal("bytes", n, kind, size, err)
		}
		marks, side, access := r.Int32N(64), r.Int32N(2), 1+r.Int32N(3)
		m := arrays.Marks{Check: true}
		for k := range m.Sides {
			m.Sides[k] = arrays.Side{Newer: marks>>k&1 != 0, Arriving: marks>>(2+k)&1 != 0}
			if marks>>(4+k)&1 != 0 {
				m.Sides[k].Unmarked = "u"
			}
		}
		if err = m.Take("call", side, access); twinFresh(marks, side, access) != (err == nil) {
			t.Fatal("twin", n, marks, side, access, err)
		}
		var e [15]int64
		for k := range e {
			e[k] = extents[r.IntN(len(extents))]
			if r.IntN(3) > 0 {
				e[k] = 1 + r.Int64N(5)
			}
		}
		rank, order := r.Int32N(12)-2, r.Int32N(4)-1
		room := uint64(16 + 24*max(rank, 0))
		if r.IntN(4) == 0 {
			room = uint64(r.IntN(10)) * 24
		}
		v := arrays.View{Rank: rank, Bytes: room, Head: 16, Each: 24, Order: arrays.Order(order), Extent: (*arrays.Indices)(&e)}
		if err = v.Refusal(); viewFits(rank, order, &e, room) != (err == nil) {
			t.Fatal("view", n, v, e, err)
		}
		if n%16 != 0 {
			continue // an extraordinary wrap crosses twice
		}
		space, config := r.Int32N(6)-1, []uint32{4, 0, 3, configSize + 1, configSize, configSize, configSize}[r.IntN(7)]
		w := arrays.Making{Config: arrays.Config{Size: config, Most: configSize, Order: arrays.Order(order), Space: space}, Kind: kind, Bytes: size, Rank: int(rank), Extent: (*arrays.Indices)(&e)}
		if config < configSize {
			w.Space, w.Order = 0, 0
		}
		if _, err = w.Wrap(); wrapOf(kind, size, rank, order, space, &e, config) != (err == nil) {
			t.Fatal("wrap", n, w, e, err)
		}
	}
}

// Records get random fields: an accepted one lies inside, aligned or where it was asked for, and over no other.
func TestRecordFieldsAreSound(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		record := arrays.Record{Fixed: r.IntN(2) == 0, Bytes: uint64(r.IntN(400))}
		for k := range 6 {
			before := len(record.Fields)
			if record.Add("f"+strconv.Itoa(k), r.Int32N(16)-1, uint64(r.IntN(3)*r.IntN(9)), r.Int32N(5)-1, int64(r.IntN(200))-100) == nil != (len(record.Fields) == before+1) {
				t.Fatal(record)
			}
		}
		if err := record.Sound(); err != nil {
			t.Fatal(record, err)
		}
		for i, f := range record.Fields {
			for _, g := range record.Fields[:i] {
				if f.Offset < g.Offset+g.Bytes*uint64(g.Count) && g.Offset < f.Offset+f.Bytes*uint64(f.Count) || f.Offset+f.Bytes*uint64(f.Count) > record.Bytes {
					t.Fatal(record)
				}
			}
		}
	}
}

// spaces has pools for all spaces and no rules. Space 3 is the first device; copies access those before it.
type spaces struct{}

func (spaces) Rule(string, int32, int) arrays.Rule { return arrays.Rule{} }
func (spaces) Pool(int32) (uint64, error)          { return 1, nil }
func (spaces) Copied(space int32) bool             { return space < 3 }
func (spaces) DeviceSpace(int32) int32             { return 3 }

// C plans ordinary arrays itself: Go takes each of them, with the same shape and bytes. Plain calls are ordinary.
func TestOrdinaryArraysAgree(t *testing.T) {
	cases, _ := strconv.Atoi(os.Getenv("PORTABLE_CASES"))
	if cases == 0 {
		cases = 100_000
	}
	r := rand.New(rand.NewPCG(5, 6))
	edge := []int64{0, 1, 2, 1 << 20, 1<<31 - 1, 1 << 31, 1 << 32, 1 << 62, -1, -1 << 63, 1<<63 - 1}
	rarely := func(n int) bool { return r.IntN(n) == 0 }
	ordinary, plain := 0, 0
	for n := range cases {
		var extent, lower arrays.Indices
		for k := range extent {
			extent[k], lower[k] = 1+r.Int64N(40), r.Int64N(9)-4
			if rarely(12) {
				extent[k] = edge[r.IntN(len(edge))]
			}
			if rarely(12) {
				lower[k] = edge[r.IntN(len(edge))]
			}
		}
		m := arrays.Making{Config: arrays.Config{Size: configSize, Most: configSize, Order: arrays.Order(r.Int32N(2))}, Kind: 1 + r.Int32N(9), Rank: 1 + r.IntN(8), Extent: &extent}
		odd := false
		change := func(change func()) {
			if rarely(8) {
				change()
				odd = true
			}
		}
		change(func() { m.Size = []uint32{0, 3, configSize + 1}[r.IntN(3)] })
		change(func() { m.Order = arrays.Order(r.Int32N(5) - 1) })
		change(func() { m.Order += arrays.ByRule })
		change(func() { m.Kind, m.Bytes = r.Int32N(18)-2, []uint64{0, 1, 8, 576, 1 << 30, 1 << 31, 1 << 63}[r.IntN(7)] })
		change(func() { m.Rank = r.IntN(18) - 1 })
		change(func() { m.Space = r.Int32N(20) - 1 })
		change(func() { m.Zero = true })
		change(func() { m.RowBytes = uint64(r.IntN(130)) })
		change(func() { m.Pool = r.Uint64N(3) })
		change(func() { m.NoData = true })
		if rarely(2) {
			m.Lower = &lower
		}
		wrap := rarely(3)
		s, bytes, ok := arrayOrdinary(&m, wrap)
		small := !odd && m.Rank <= 5
		for d := range m.Rank {
			small = small && extent[d] >= 1 && extent[d] <= 40 && (m.Lower == nil || lower[d] >= -4 && lower[d] <= 5)
		}
		if small {
			plain++
			if !ok {
				t.Fatalf("%d: a plain call asks Go: %+v", n, m)
			}
		}
		if !ok {
			continue
		}
		ordinary++
		given := m
		var want arrays.Shape
		var wanted uint64
		var err error
		if wrap {
			want, err = m.Wrap()
			wanted = bytes // a wrap takes no memory, so Go gives none
		} else {
			want, wanted, err = m.Create(spaces{})
		}
		if err != nil || want != s || wanted != bytes {
			t.Fatalf("%d: C plans %+v, %d bytes; Go %+v, %d bytes, %v; asked for %+v", n, s, bytes, want, wanted, err, given)
		}
	}
	require.Greater(t, ordinary, cases/8)
	require.Greater(t, plain, cases/50)
}
