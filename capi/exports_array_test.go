//go:build portable_test_hooks

package capi

// These tests check that exports of arrays allocate nothing, and that C and Go agree about refusals,
// layouts and addresses.

import (
	"math/rand/v2"
	"strconv"
	"strings"
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
	cases := verdictCases()
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
	cases := verdictCases()
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

// C finds a layout itself if there are no rules: the one that Go finds.
func TestLayoutsAgree(t *testing.T) {
	cases := verdictCases()
	started(t)
	text := func(s string) []byte { return append([]byte(s), 0) }
	labels := [][]byte{text("rho"), text("rho2"), text("p"), text(""), nil}
	names := [][]byte{text("rho"), text("rho*"), text("*")}
	devices := [][]byte{text("cpu"), text("host"), text("gpu"), text("serial"), nil}
	orders := [][]byte{text("c"), text("fortran"), text("kij"), text("ji"), nil}
	rows := []uint64{0, 0, 64, 128}
	defer func() {
		for _, label := range names {
			for _, device := range devices {
				require.Zero(t, layoutRule(label, device, nil, 0))
			}
		}
		require.Zero(t, layouts.Len())
	}()
	r := rand.New(rand.NewPCG(9, 10))
	edge := []int32{-1 << 31, -3, -2, 2, 16, 17, 99, 1<<31 - 1}
	number := func(least, most int32) int32 {
		if r.IntN(8) == 0 {
			return edge[r.IntN(len(edge))]
		}
		return least + r.Int32N(most-least+1)
	}
	found, refused, ruled := 0, 0, 0
	for n := range cases {
		if n%1024 == 0 { // half of the time there are no rules
			remove := n%2048 == 0
			for _, label := range names {
				for _, device := range devices {
					order, row := orders[r.IntN(len(orders))], rows[r.IntN(len(rows))]
					if remove || r.IntN(2) == 0 {
						order, row = nil, 0
					}
					if layoutRule(label, device, order, row) != 0 {
						t.Fatal(lastError())
					}
				}
			}
		}
		asked := layoutAsked{label: labels[r.IntN(len(labels))], device: number(-1, 3), rank: number(0, 15), otherwise: number(0, 1), noLayout: r.IntN(16) == 0}
		c, st := asked.find(false)
		said := lastError()
		goes, want := asked.find(true)
		if st != want || c != goes || st != 0 && !strings.HasSuffix(said, lastError()) {
			t.Fatalf("%d: %+v with %d rules: C gives %d %+v %q, Go %d %+v %q", n, asked, layouts.Len(), st, c, said, want, goes, lastError())
		}
		switch {
		case st != 0:
			refused++
		case int32(c.order) != asked.otherwise || c.row_bytes != 0:
			ruled++
		default:
			found++
		}
	}
	require.Greater(t, found, cases/8)
	require.Greater(t, refused, cases/8)
	require.Greater(t, ruled, cases/16)
}

// The address of a value in C is that of the element in the array that Go gives for the field.
func TestRecordAddressesAgree(t *testing.T) {
	cases := verdictCases()
	r := rand.New(rand.NewPCG(11, 12))
	kinds := map[uint64]int32{}
	for kind := range int32(16) {
		if bytes := elementBytes(kind, 0); bytes != 0 {
			kinds[bytes] = kind
		}
	}
	var fields, lanes, refused int
	for n := range cases {
		var extent, lower, index arrays.Indices
		var fastest [arrays.MaxRank]int32
		rs := arrays.Records{Layout: arrays.RecordLayout(r.IntN(3))}
		packed := r.IntN(4) == 0
		for range 1 + r.IntN(4) {
			f := arrays.Field{Bytes: 1 << r.IntN(5), Count: 1 + r.Int32N(3)}
			f.Kind = kinds[f.Bytes]
			if !packed {
				rs.Bytes = (rs.Bytes + f.Bytes - 1) / f.Bytes * f.Bytes
			}
			f.Offset = rs.Bytes
			rs.Bytes += f.Bytes * uint64(f.Count)
			rs.Fields = append(rs.Fields, f)
		}
		if !packed {
			rs.Bytes = (rs.Bytes + 15) / 16 * 16
		}
		if rs.Layout == arrays.Blocks {
			rs.Width = 1 << r.IntN(5)
		}
		rank := r.IntN(5)
		for k, d := range r.Perm(rank) {
			fastest[k], extent[d], lower[d] = int32(d), 1+r.Int64N(9), r.Int64N(9)-4
			index[d] = lower[d] + r.Int64N(extent[d])
		}
		request := arrays.Request{Rank: rank, Order: arrays.Order(r.IntN(3)), Fastest: &fastest, Extent: &extent, Lower: &lower}
		p, err := rs.Place(&request)
		laid, st := layRecords(&rs, &request)
		if err != nil || st != 0 || laid.Shape != p.Shape || laid.Width != p.Width || laid.Block != p.Block || laid.Mask != p.Mask || laid.Shift != p.Shift {
			t.Fatalf("%d: %+v as %+v: Go places %+v, %v; the export %d, %+v", n, request, rs, p, err, st, laid)
		}
		k := r.IntN(len(rs.Fields))
		f := rs.Fields[k]
		component, ofBlocks := r.Int32N(f.Count+1)-1, rs.Layout == arrays.Blocks && r.IntN(2) == 0
		get := p.Field
		if ofBlocks {
			get, component = p.Lanes, max(component, 0)
		}
		want, first, err := get(f, p.Places[k], component)
		s, at, st := recordField(k, component, ofBlocks)
		if (st == 0) != (err == nil) || err == nil && (s != want || at != first) {
			t.Fatalf("%d: field %d, value %d: %+v at %d, %v; the export has %d, %+v at %d", n, k, component, want, first, err, st, s, at)
		}
		if err != nil {
			refused++
			continue
		}
		// The element of the array has the record's index, and in the new dimension the value's or the lane's.
		element, extra, value := index, 0, max(component, 0)
		if s.Rank > rank {
			if p.Order == arrays.C {
				extra = rank
			}
			copy(element[extra+1:], index[extra:])
			if element[extra] = s.Lower[extra]; ofBlocks {
				lines := int(p.Fastest[0])
				i, base := index[lines]-p.Lower[lines], s.Lower[extra]
				element[extra] += i % p.Width
				if lines >= extra {
					lines++
				}
				element[lines] = base + i/p.Width
			} else {
				value = r.Int32N(f.Count)
				element[extra] += int64(value)
			}
		}
		position, err := s.Locate(s.Rank, &element)
		if c, goes := recordAt(&index, k, value), at+position*int64(f.Bytes); err != nil || c != goes {
			t.Fatalf("%d: field %d, value %d, index %v of %+v as %+v: C has it at %d, Go at %d, %v", n, k, value, index[:rank], request, rs, c, goes, err)
		}
		if ofBlocks {
			lanes++
		} else {
			fields++
		}
	}
	require.Greater(t, fields, cases/4)
	require.Greater(t, lanes, cases/16)
	require.Greater(t, refused, cases/64)
}
