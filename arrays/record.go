package arrays

// This file lays out arrays of records: structures (AoS), an array for each field (SoA), or blocks
// of both. Records.Place gives a Placing; Placing.Field and Placing.Lanes give a field of it as a
// Shape.

import (
	"math"
	"math/bits"
)

// MaxFields is the most fields of a record.
const MaxFields = 32

// RecordLayout is an order of values in memory; the numbers are those of portable_record.h.
type RecordLayout int32

// Structures; an array for each value; blocks of Width records, each a structure of arrays.
const (
	AoS RecordLayout = iota
	SoA
	Blocks
)

// MaxWidth is the most records of a block.
const MaxWidth = 1 << 16

// Field is one field of a record: Count values of a kind.
type Field struct {
	Bytes, Offset uint64 // Bytes: of a value
	Kind, Count   int32
}

// Records are fields and a layout. The shape comes from a Request, whose ElementBytes and RowBytes do not count.
type Records struct {
	Fields []Field
	Bytes  uint64 // of a record as a structure of C
	Layout RecordLayout
	Width  int64 // of Blocks
	Spread bool  // SoA has gaps between large arrays, as spaced says
}

// FieldPlace locates the values of a field, in bytes: the first one, the stride inside a block, the stride of components.
type FieldPlace struct{ At, Lane, Component int64 }

// Placing locates records: the record at position n is number n&Mask in block n>>Shift.
type Placing struct {
	Shape
	Width, Block, Mask int64
	Shift              int
	Bytes              uint64 // of all
	Places             [MaxFields]FieldPlace
}

const line = 64 // bytes; arrays of fields begin at multiples of it

const (
	spread = 1 << 19       // bytes of an array from which on spaced moves the next one: as a rule it is not in the second-level cache
	gap    = 4096 + 8*line // bytes between such arrays, and up to one line more
)

// Place lays records out.
func (rs *Records) Place(r *Request) (p Placing, err error) {
	q := *r
	q.ElementBytes, q.RowBytes = 1, 0
	switch {
	case rs.Layout < AoS || rs.Layout > Blocks:
		return p, wrong("there is no layout %d; there are PORTABLE_RECORDS_AOS, _SOA and _BLOCKS", rs.Layout)
	case rs.Layout == Blocks && (rs.Width < 1 || rs.Width > MaxWidth || rs.Width&(rs.Width-1) != 0):
		return p, wrong("width is %d; blocks have a power of two of records, up to %d", rs.Width, MaxWidth)
	case rs.Layout != Blocks && rs.Width != 0:
		return p, wrong("width is %d; only PORTABLE_RECORDS_BLOCKS has one, others have 0", rs.Width)
	case rs.Layout == Blocks:
		q.RowBytes = uint64(rs.Width)
	}
	positions := uint64(0)
	if p.Shape, positions, err = q.Layout(); err != nil {
		return Placing{}, err
	}
	switch rs.Layout {
	case AoS:
		p.Width, p.Block = 1, int64(rs.Bytes)
		for k, f := range rs.Fields {
			p.Places[k] = FieldPlace{At: int64(f.Offset), Component: int64(f.Bytes)}
		}
	case SoA:
		p.Width, p.Mask, p.Shift = int64(positions), math.MaxInt64, 63
		_, err = rs.arrays(&p, positions, line)
	default:
		p.Width, p.Mask, p.Shift = rs.Width, rs.Width-1, bits.TrailingZeros64(uint64(rs.Width))
		p.Block, err = rs.arrays(&p, uint64(rs.Width), 16)
	}
	if err != nil {
		return Placing{}, err
	}
	if rs.Layout == SoA {
		p.Bytes = uint64(p.Block)
		p.Block = 0
		return p, nil
	}
	blocks := (positions + uint64(p.Width) - 1) / uint64(p.Width)
	over, all := bits.Mul64(blocks, uint64(p.Block))
	if over > 0 || all > math.MaxInt64 {
		return Placing{}, rs.tooMany(&p.Shape)
	}
	p.Bytes = all
	return p, nil
}

// arrays places an array of n values for each component of each field, field after field. It gives the bytes of all, also as p.Block.
func (rs *Records) arrays(p *Placing, n, align uint64) (whole int64, err error) {
	at := uint64(0)
	for k, f := range rs.Fields {
		at = (at + align - 1) / align * align
		over, each := bits.Mul64(n, f.Bytes)
		if rs.Spread && rs.Layout == SoA && each <= math.MaxInt64-2*line {
			each = spaced(each, f.Bytes)
		}
		more, all := bits.Mul64(each, uint64(f.Count))
		if over > 0 || more > 0 || all > math.MaxInt64-line || at > math.MaxInt64-line-all {
			return 0, rs.tooMany(&p.Shape)
		}
		p.Places[k] = FieldPlace{At: int64(at), Lane: int64(f.Bytes), Component: int64(each)}
		at += all
	}
	p.Block = int64((at + align - 1) / align * align)
	return p.Block, nil
}

// spaced is the distance of two arrays of so many bytes: an odd number of cache lines, so each of 64 arrays begins in a set of the cache of its own,
// and another page.
func spaced(bytes, element uint64) uint64 {
	lines := (bytes + line - 1) / line
	if bytes < spread || line%element != 0 {
		return bytes
	}
	return (lines|1)*line + gap
}

func (rs *Records) tooMany(s *Shape) error {
	return overflow("the byte count of the bounds %s with records of %d bytes overflows; look at how the extents were computed", s.Bounds(), rs.Bytes)
}

// Field gives the shape of a field's array, with the values of a vector (component below 0) as one more dimension, and where its first element is.
func (p *Placing) Field(f Field, place FieldPlace, component int32) (s Shape, at int64, err error) {
	if p.blocks() > 1 {
		return s, 0, wrong("the records lie in more than one block of %d, which no array's strides describe; take portable_records_lanes, or copy them to "+
			"PORTABLE_RECORDS_SOA", p.Width)
	}
	step := place.Lane // bytes from one record to the next
	if p.Mask == 0 {
		step = p.Block
	}
	s = p.Shape
	at = place.At
	all := component < 0 && f.Count > 1
	if component > 0 {
		at += int64(component) * place.Component
	}
	if step%int64(f.Bytes) != 0 && s.Elements() > 1 {
		return s, 0, wrong("the records lie %d bytes apart, which is no whole number of the field's elements of %d bytes; end the structure at a multiple of "+
			"them, or copy to PORTABLE_RECORDS_SOA", step, f.Bytes)
	}
	for d := range s.Rank {
		s.Stride[d] *= step / int64(f.Bytes)
	}
	if all {
		// Components are next to each other in a structure, and the slowest dimension in arrays of fields.
		err = s.insert(int64(f.Count), place.Component/int64(f.Bytes), p.Mask == 0)
	}
	return s, at, err
}

// Lanes gives the shape of one component of a field in blocks, with the lanes of a block as a dimension of their own, and the position of its first element.
func (p *Placing) Lanes(f Field, place FieldPlace, component int32) (s Shape, at int64, err error) {
	if s = p.Shape; s.Rank == 0 {
		return s, 0, wrong("there is one record, and no dimension to count blocks along")
	}
	if p.Block%int64(f.Bytes) != 0 {
		return s, 0, wrong("blocks of %d bytes lie no whole number of the field's elements of %d bytes apart; copy to PORTABLE_RECORDS_SOA", p.Block, f.Bytes)
	}
	blocks := int(s.Fastest[0])
	for d := range s.Rank {
		s.Stride[d] = s.Stride[d] >> p.Shift * (p.Block / int64(f.Bytes)) // lines are of whole blocks
	}
	s.Extent[blocks] = (s.Extent[blocks] + p.Width - 1) / p.Width
	s.Stride[blocks] = p.Block / int64(f.Bytes)
	s.Lower[blocks] = s.Order.base()
	err = s.insert(p.Width, 1, true)
	return s, place.At + max(int64(component), 0)*place.Component, err
}

// insert adds a dimension as the fastest or the slowest one. Its index comes last in C order, else first.
func (s *Shape) insert(extent, stride int64, fastest bool) error {
	if s.Rank == MaxRank {
		return wrong("the array would have more than %d dimensions", MaxRank)
	}
	at := 0
	if s.Order == C {
		at = s.Rank
	}
	for d := s.Rank; d > at; d-- {
		s.Lower[d], s.Extent[d], s.Stride[d] = s.Lower[d-1], s.Extent[d-1], s.Stride[d-1]
	}
	base := s.Order.base()
	s.Lower[at], s.Extent[at], s.Stride[at] = base, extent, stride
	for k := range s.Rank {
		if int(s.Fastest[k]) >= at {
			s.Fastest[k]++
		}
	}
	where := s.Rank
	if fastest {
		where = 0
	}
	for k := s.Rank; k > where; k-- {
		s.Fastest[k] = s.Fastest[k-1]
	}
	s.Fastest[where] = int8(at)
	s.Rank++
	s.setOrder(Permuted)
	return nil
}

func (p *Placing) blocks() int64 {
	n := p.Elements()
	if p.Mask == 0 || p.Shift == 63 || n == 0 {
		return 1
	}
	last := int64(0)
	for d := range p.Rank {
		last += (p.Extent[d] - 1) * p.Stride[d]
	}
	return last>>p.Shift + 1
}

// FieldAsked checks the arguments of portable_records_field, or (lanes) of portable_records_lanes.
func FieldAsked(f Field, field, fields int32, known bool, component int32, lanes bool, layout RecordLayout) error {
	lowest, all := int32(-1), ", and -1 is all of them"
	if lanes {
		lowest, all = 0, ""
	}
	switch {
	case !known:
		return wrong("there is no field %d; there are %d, counted from 0", field, fields)
	case component < lowest || component >= f.Count:
		return wrong("the field has no value %d; it has %d, counted from 0%s", component, f.Count, all)
	case lanes && layout != Blocks:
		return wrong("the records do not lie in blocks; portable_records_field has their fields")
	}
	return (&Record{Fields: []Field{f}}).Sound()
}

// SameRecords refuses a copy between records of different shapes.
func SameRecords(from, to *Shape) error {
	if from.Rank != to.Rank {
		return wrong("the ranks are %d and %d", from.Rank, to.Rank)
	}
	for d, n := range from.Extent[:from.Rank] {
		if n != to.Extent[d] {
			return wrong("dimension %d has %d records here and %d there", d+1, n, to.Extent[d])
		}
	}
	return nil
}
