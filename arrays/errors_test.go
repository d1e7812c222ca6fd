package arrays

// These tests check the texts of refusals and sections, and that shapes need no memory of Go's
// heap.

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func shape(t *testing.T, order Order, lower int64, extents ...int64) Shape {
	r := Request{Rank: len(extents), Order: order, Extent: new(Indices), Lower: new(Indices), ElementBytes: 8}
	for d, e := range extents {
		r.Extent[d], r.Lower[d] = e, lower
	}
	s, _, err := r.Layout()
	require.NoError(t, err)
	return s
}

// TestErrors: what is refused, as what, and with what text.
func TestErrors(t *testing.T) {
	s := shape(t, Fortran, 1, 10, 20)
	empty := shape(t, C, 0, 3, 0)
	strided, _, err := s.Slice(&[MaxRank]Range{{1, 9, 2}, All})
	require.NoError(t, err)
	request := func(change func(r *Request)) error {
		r := Request{Rank: 2, Extent: &Indices{10, 20}, ElementBytes: 8}
		change(&r)
		_, _, err := r.Layout()
		return err
	}
	wrap := func(strides Indices, extents Indices) error {
		r := Request{Rank: 2, Extent: &extents, ElementBytes: 8}
		_, err := r.Wrap(&strides)
		return err
	}
	slice := func(s *Shape, ranges ...Range) error {
		var list [MaxRank]Range
		copy(list[:], ranges)
		_, _, err := s.Slice(&list)
		return err
	}
	second := func(_ Shape, err error) error { return err }
	subset := func(s *Shape, first, last int64) error { _, _, err := s.SubsetSlowest(first, last); return err }
	locate := func(rank int, index Indices) error { _, err := s.Locate(rank, &index); return err }
	for _, c := range []struct {
		err  error
		kind error
		text string
	}{
		{request(func(r *Request) { r.Rank = 16 }), ErrArgument, "rank is 16; it is 0 to 15"},
		{request(func(r *Request) { r.Rank = -1 }), ErrArgument, "rank is -1; it is 0 to 15"},
		{request(func(r *Request) { r.Extent = &Indices{3, -2} }), ErrArgument, "extent 2 is -2; it is 0 or more: look at how it was computed"},
		{request(func(r *Request) { r.ElementBytes = 0 }), ErrArgument, "an element of 0 bytes"},
		{request(func(r *Request) { r.Order = 3 }), ErrArgument, "order is 3; it is PORTABLE_ORDER_C"},
		{request(func(r *Request) { r.Order = Permuted }), ErrArgument, "fastest is NULL; it lists the 2 dimensions"},
		{request(func(r *Request) { r.Order, r.Fastest = Permuted, &[MaxRank]int32{0, 2} }), ErrArgument, "entry 2 of fastest is none of the 2 dimensions"},
		{request(func(r *Request) { r.Order, r.Fastest = Permuted, &[MaxRank]int32{1, 1} }), ErrArgument, "entry 2 of fastest names a dimension that an earlier one has named"},
		{request(func(r *Request) { r.RowBytes = 48 }), ErrArgument, "row_bytes is 48; it is a power of two up to 1073741824, or 0"},
		{request(func(r *Request) { r.Extent = &Indices{1 << 40, 1 << 40} }), ErrOverflow, "with 8 bytes an element overflows"},
		{request(func(r *Request) { r.Lower = &Indices{1, math.MaxInt64 - 18} }), ErrOverflow, "the upper bound of dimension 2 (lower bound 9223372036854775789, extent 20) does not fit"},
		{request(func(r *Request) { r.Lower = &Indices{1, math.MaxInt64 - 19} }), nil, ""},
		{request(func(r *Request) { r.Extent = &Indices{math.MaxInt64, 0} }), nil, ""},
		{request(func(r *Request) { r.Extent, r.Lower = &Indices{1, 0}, &Indices{0, math.MinInt64} }), ErrOverflow, "(lower bound -9223372036854775808, no index)"},
		{wrap(Indices{1, 0}, Indices{3, 3}), ErrArgument, "stride 2 is 0; the 3 indices of that dimension would all be one element"},
		{wrap(Indices{1, 0}, Indices{3, 1}), nil, ""},
		{wrap(Indices{math.MinInt64, 1}, Indices{3, 1}), ErrOverflow, "dimension 1 with extent 3 and stride -9223372036854775808 reaches farther"},
		{wrap(Indices{math.MinInt64, 1}, Indices{1, 3}), nil, ""},
		{wrap(Indices{1 << 60, 1}, Indices{2, 3}), ErrOverflow, "reaches farther"},
		{slice(&s, All, Range{0, 3, 1}), ErrArgument, "the range 0:3 by 1 of dimension 2 is out of its bounds 1:20"},
		{slice(&s, Range{1, 12, 5}, All), ErrArgument, "the range 1:12 by 5 of dimension 1 is out of its bounds 1:10"},
		{slice(&s, Range{1, 12, 4}, All), nil, ""}, // 1, 5, 9
		{slice(&s, Range{12, 1, -1}, All), ErrArgument, "the range 12:1 by -1 of dimension 1"},
		{slice(&s, Range{10, math.MinInt64, math.MinInt64}, All), nil, ""},
		{slice(&s, Range{1, math.MaxInt64, math.MaxInt64}, All), nil, ""},
		{slice(&s, Range{math.MinInt64 + 1, math.MaxInt64 - 1, 1}, All), ErrArgument, "is out of its bounds 1:10"},
		{slice(&s, All, Range{21, 21, 0}), ErrArgument, "index 21 of dimension 2 is out of its bounds 1:20"},
		{slice(&empty, All, Range{0, 0, 0}), ErrArgument, "index 0 of dimension 2 is out of its bounds 0:-1"},
		{slice(&empty, Range{2, 2, 0}, All), nil, ""},
		{subset(&s, 1, 21), ErrArgument, "the range 1:21 by 1 of dimension 2 is out of its bounds 1:20"},
		{subset(&s, 3, 2), ErrArgument, "the subset 3:2 of the slowest dimension ends before it begins"},
		{subset(&Shape{}, 3, 2), ErrArgument, "rank is 0; there is no slowest dimension"},
		{second(s.Reshape(2, &Indices{10, 21}, nil)), ErrArgument, "the new shape (1:10, 1:21) has 210 elements, the array (1:10, 1:20) has 200; a reshape keeps the count"},
		{second(s.Reshape(99, &Indices{10, 21}, nil)), ErrArgument, "rank is 99"},
		{second(strided.Reshape(1, &Indices{100}, nil)), ErrArgument, "the elements do not lie one after the other"},
		{second(s.Permute(&[MaxRank]int32{0, 0})), ErrArgument, "entry 2 of dims names a dimension that an earlier one has named"},
		{second(s.Rebase(&Indices{1, math.MaxInt64})), ErrOverflow, "the upper bound of dimension 2"},
		{locate(2, Indices{1, 0}), ErrArgument, "index 0 of dimension 2 is out of its bounds 1:20"},
		{locate(3, Indices{1, 1}), ErrArgument, "3 indices are given; the array has rank 2"},
	} {
		if c.kind == nil {
			require.NoError(t, c.err)
			continue
		}
		require.ErrorIs(t, c.err, c.kind, "not: %s", c.text)
		require.ErrorContains(t, c.err, c.text)
	}
}

// TestPairRefuses: two arrays that have no common walk.
func TestPairRefuses(t *testing.T) {
	a, b, c := shape(t, Fortran, 1, 10, 20), shape(t, C, 0, 20, 10), shape(t, C, 0, 20, 11)
	part, _, err := c.Slice(&[MaxRank]Range{All, {0, 9, 1}})
	require.NoError(t, err)
	_, err = Pair(&a, &b)
	require.NoError(t, err) // of other shapes, one after the other
	_, err = Pair(&a, &c)
	require.ErrorContains(t, err, "the one has 200 elements (1:10, 1:20), the other 220 (0:19, 0:10); both have as many")
	_, err = Pair(&a, &part)
	require.ErrorContains(t, err, "the shapes (1:10, 1:20) and (0:19, 0:9) differ, and not both arrays lie without gaps")
	p, err := Pair(&part, &b)
	require.NoError(t, err)
	require.Equal(t, 2, p.Rank)
}

// TestSections: what Fortran can point to, and what not.
func TestSections(t *testing.T) {
	f, c := shape(t, Fortran, 0, 4, 3, 2), shape(t, C, 0, 4, 3, 2)
	p, err := f.Section()
	require.NoError(t, err)
	require.Equal(t, Section{0, Indices{4, 3, 2}, Indices{1, 1, 1}, Indices{4, 3, 2}, Indices{1, 1, 1}}, p)
	_, err = c.Section()
	require.ErrorContains(t, err, "the order is not Fortran's (the strides of the bounds (0:3, 0:2, 0:1) are [6 2 1])")
	turned, err := c.Permute(nil)
	require.NoError(t, err)
	_, err = turned.Section()
	require.NoError(t, err)
	back, _, err := f.Slice(&[MaxRank]Range{{3, 0, -1}, {1, 1, 0}, All})
	require.NoError(t, err)
	p, err = back.Section()
	require.NoError(t, err)
	require.Equal(t, Section{-3, Indices{12, 2}, Indices{4, 1}, Indices{1, 2}, Indices{-1, 1}}, p)
}

// TestNoGoMemory: a program makes and drops arrays in its time steps.
func TestNoGoMemory(t *testing.T) {
	r := Request{Rank: 3, Order: Fortran, Extent: &Indices{10, 20, 30}, ElementBytes: 8}
	permuted := Request{Rank: 3, Order: Permuted, Fastest: &[MaxRank]int32{2, 0, 1}, Extent: &Indices{10, 20, 30}, ElementBytes: 8, RowBytes: 64}
	s, _, err := r.Layout()
	require.NoError(t, err)
	other, _, err := permuted.Layout()
	require.NoError(t, err)
	ranges := [MaxRank]Range{All, {2, 2, 0}, {1, 20, 3}}
	for name, call := range map[string]func(){
		"layout":  func() { _, _, _ = permuted.Layout() },
		"wrap":    func() { _, _ = r.Wrap(&s.Stride) },
		"slice":   func() { _, _, _ = s.Slice(&ranges) },
		"subset":  func() { _, _, _ = s.SubsetSlowest(3, 4) },
		"reshape": func() { _, _ = s.Reshape(1, &Indices{6000}, nil) },
		"permute": func() { _, _ = s.Permute(nil) },
		"rebase":  func() { _, _ = s.Rebase(nil) },
		"compact": func() { _, _, _ = other.Compact(8) },
		"pair":    func() { _, _ = Pair(&s, &other) },
		"number":  func() { _ = Numbered(&other) },
		"section": func() { _, _ = s.Section() },
		"locate":  func() { _, _ = s.Locate(3, &Indices{1, 1, 1}) },
	} {
		require.Zero(t, testing.AllocsPerRun(100, call), name)
	}
}
