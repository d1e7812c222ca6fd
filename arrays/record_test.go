package arrays

// These tests check layouts of records: values do not overlap, and fields as arrays have the same
// elements.

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// someRecord is a record as C would lay it out, or packed.
func someRecord(random *rand.Rand) (rs Records) {
	packed := random.IntN(4) == 0
	align := uint64(1)
	for range 1 + random.IntN(5) {
		f := Field{Bytes: 1 << random.IntN(5), Count: 1 + int32(random.IntN(3))}
		if !packed {
			align = max(align, f.Bytes)
			rs.Bytes = (rs.Bytes + f.Bytes - 1) / f.Bytes * f.Bytes
		}
		f.Offset = rs.Bytes
		rs.Bytes += f.Bytes * uint64(f.Count)
		rs.Fields = append(rs.Fields, f)
	}
	rs.Bytes = (rs.Bytes + align - 1) / align * align
	if rs.Layout = RecordLayout(random.IntN(3)); rs.Layout == Blocks {
		rs.Width = 1 << random.IntN(4)
	}
	return rs
}

func somePlacing(t *testing.T, random *rand.Rand) (rs Records, p Placing) {
	rs = someRecord(random)
	rank := random.IntN(4)
	var extent, lower Indices
	var fastest [MaxRank]int32
	for k, d := range random.Perm(rank) {
		fastest[k] = int32(d)
		extent[d] = int64(1 + random.IntN(9))
		lower[d] = int64(random.IntN(7) - 3)
	}
	r := Request{Rank: rank, Order: Order(random.IntN(3)), Fastest: &fastest, Extent: &extent, Lower: &lower}
	p, err := rs.Place(&r)
	require.NoError(t, err)
	return rs, p
}

// each calls f with the position of every record.
func (p *Placing) each(f func(at Indices, position int64)) {
	at := p.Lower
	for n := p.Elements(); n > 0; n-- {
		position := int64(0)
		for d := range p.Rank {
			position += (at[d] - p.Lower[d]) * p.Stride[d]
		}
		f(at, position)
		for _, d := range p.Fastest[:p.Rank] {
			if at[d]++; at[d] <= p.Upper(int(d)) {
				break
			}
			at[d] = p.Lower[d]
		}
	}
}

func (p *Placing) address(field int, component int32, position int64) int64 {
	place := p.Places[field]
	return position>>p.Shift*p.Block + position&p.Mask*place.Lane + place.At + int64(component)*place.Component
}

// Every byte of every value is in the memory and is no other value's, and where the structure is aligned so is the value.
func TestRecordsLieApart(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 120 {
		rs, p := somePlacing(t, random)
		taken := make([]bool, p.Bytes)
		p.each(func(_ Indices, position int64) {
			for k, f := range rs.Fields {
				for c := range f.Count {
					at := p.address(k, c, position)
					require.False(t, at < 0 || uint64(at)+f.Bytes > p.Bytes, "%+v in %+v", rs, p)
					if rs.Layout != AoS {
						require.Zero(t, at%int64(f.Bytes), "%+v", rs)
					}
					for b := range int64(f.Bytes) {
						require.False(t, taken[at+b], "%+v in %+v", rs, p)
						taken[at+b] = true
					}
				}
			}
		})
		if rs.Layout == SoA && len(rs.Fields) == 1 {
			require.Less(t, p.Bytes-uint64(p.Elements())*rs.Fields[0].Bytes*uint64(rs.Fields[0].Count), uint64(line))
		}
	}
}

// The arrays of fields have the elements that the accessor has.
func TestRecordsAsArrays(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	fields, refused, lanes := 0, 0, 0
	for range 200 {
		rs, p := somePlacing(t, random)
		k := random.IntN(len(rs.Fields))
		f := rs.Fields[k]
		component := int32(random.IntN(int(f.Count)+1)) - 1
		s, at, err := p.Field(f, p.Places[k], component)
		if err != nil {
			refused++
		} else {
			fields++
			extra := -1
			if component < 0 && f.Count > 1 {
				extra = 0
				if p.Order == C {
					extra = p.Rank
				}
			}
			p.each(func(index Indices, position int64) {
				for c := range f.Count {
					if extra < 0 && c != max(component, 0) {
						continue
					}
					wanted := Indices{}
					n := 0
					for d := range p.Rank + 1 {
						if d == extra {
							wanted[n] = int64(c) + s.Lower[d]
							n++
						}
						if d < p.Rank {
							wanted[n] = index[d]
							n++
						}
					}
					require.Equal(t, s.Rank, n)
					element, err := s.Locate(s.Rank, &wanted)
					require.NoError(t, err)
					require.Equal(t, p.address(k, c, position), at+element*int64(f.Bytes), "%+v %+v as %+v", rs, p, s)
				}
			})
		}
		if rs.Layout != Blocks || p.Rank == 0 {
			continue
		}
		s, at, err = p.Lanes(f, p.Places[k], component)
		if err != nil {
			continue
		}
		lanes++
		extra, blocks := 0, int(p.Fastest[0])
		if p.Order == C {
			extra = p.Rank
		}
		p.each(func(index Indices, position int64) {
			i := index[blocks] - p.Lower[blocks]
			wanted := Indices{}
			n := 0
			for d := range p.Rank + 1 {
				if d == extra {
					wanted[n] = i%p.Width + s.Lower[d]
					n++
				}
				if d < p.Rank {
					if wanted[n] = index[d]; d == blocks {
						wanted[n] = i/p.Width + p.Order.base()
					}
					n++
				}
			}
			element, err := s.Locate(s.Rank, &wanted)
			require.NoError(t, err)
			require.Equal(t, p.address(k, max(component, 0), position), at+element*int64(f.Bytes))
		})
		_, all, err := (&Request{Rank: s.Rank, Order: s.Order, Fastest: fastestOf(&s), Extent: &s.Extent, ElementBytes: 1}).Layout()
		require.NoError(t, err)
		require.LessOrEqual(t, (all-1)*f.Bytes, p.Bytes)
	}
	require.Positive(t, fields)
	require.Positive(t, refused)
	require.Positive(t, lanes)
}

func fastestOf(s *Shape) *[MaxRank]int32 {
	var f [MaxRank]int32
	for k, d := range s.Fastest[:s.Rank] {
		f[k] = int32(d)
	}
	return &f
}

func TestRecordsAreRefused(t *testing.T) {
	one := Indices{10}
	r := Request{Rank: 1, Extent: &one}
	f := Field{Bytes: 8, Offset: 4, Count: 1}
	for text, rs := range map[string]Records{
		"there is no layout 3":                              {Layout: 3},
		"width is 3; blocks have a power of two of records": {Layout: Blocks, Width: 3},
		"width is 0; blocks have":                           {Layout: Blocks},
		"width is 131072; blocks have":                      {Layout: Blocks, Width: 131072},
		"width is 4; only PORTABLE_RECORDS_BLOCKS":          {Layout: SoA, Width: 4},
	} {
		_, err := rs.Place(&r)
		require.ErrorContains(t, err, text)
	}
	huge := Indices{1 << 60}
	for _, layout := range []RecordLayout{AoS, SoA, Blocks} {
		rs := Records{Fields: []Field{{Bytes: 8, Count: 3}}, Bytes: 24, Layout: layout}
		if layout == Blocks {
			rs.Width = 8
		}
		_, err := rs.Place(&Request{Rank: 1, Extent: &huge})
		require.ErrorIs(t, err, ErrOverflow)
		require.ErrorContains(t, err, "with records of 24 bytes overflows")
	}
	p, err := (&Records{Fields: []Field{f}, Bytes: 12}).Place(&r)
	require.NoError(t, err)
	_, _, err = p.Field(f, p.Places[0], 0)
	require.ErrorContains(t, err, "the records lie 12 bytes apart, which is no whole number of the field's elements of 8 bytes")
	p, err = (&Records{Fields: []Field{f}, Bytes: 12, Layout: Blocks, Width: 4}).Place(&r)
	require.NoError(t, err)
	_, _, err = p.Field(f, p.Places[0], 0)
	require.ErrorContains(t, err, "the records lie in more than one block of 4")
}

// Arrays of a power of two of bytes begin in different sets of the cache; small arrays, wrapped records and blocks have no gaps.
func TestRecordsAreSpread(t *testing.T) {
	fields := []Field{{Bytes: 4, Count: 1}, {Bytes: 4, Count: 2, Offset: 4}, {Bytes: 8, Count: 5, Offset: 16}, {Bytes: 12, Count: 2, Offset: 56}}
	n := Indices{1 << 20}
	starts := func(spread bool, layout RecordLayout, width int64) (sets map[int64]bool, p Placing) {
		p, err := (&Records{Fields: fields, Bytes: 80, Layout: layout, Width: width, Spread: spread}).Place(&Request{Rank: 1, Extent: &n})
		require.NoError(t, err)
		sets = map[int64]bool{}
		for k, f := range fields[:3] {
			for c := range int64(f.Count) {
				sets[(p.Places[k].At+c*p.Places[k].Component)/line%64] = true
			}
		}
		return sets, p
	}
	sets, p := starts(true, SoA, 0)
	require.Len(t, sets, 8)
	require.Zero(t, p.Places[2].Component%8, "whole elements")
	require.EqualValues(t, 12<<20, p.Places[3].Component, "no whole number of such elements is in a cache line")
	sets, p = starts(false, SoA, 0)
	require.Len(t, sets, 1)
	require.EqualValues(t, 4<<20, p.Places[1].At)
	_, plain := starts(false, Blocks, 65536)
	_, p = starts(true, Blocks, 65536)
	require.Equal(t, plain, p)
	n[0] = 1000
	_, plain = starts(false, SoA, 0)
	_, p = starts(true, SoA, 0)
	require.Equal(t, plain, p, "small arrays are in the cache together")
}
