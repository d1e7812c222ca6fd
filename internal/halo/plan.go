package halo

import (
	"math"
	"slices"
)

// This file has the plan of an exchange: rows of memory, and their places in messages.

// Align is the number of bytes that parts of messages are multiples of.
const Align = 16

// Rows is a part of a field that is a part of a message: rows of Axes[0], for each index of the other axes, and of Index if
// it is not nil. Offset is its place in the buffer.
type Rows struct {
	Field, Peer, Group int
	At                 uintptr
	Offset, Bytes      int64 // Bytes of an element
	Axes               []Dimension
	Index              []int64
	IndexStep          int64
}

// Count is the number of rows.
func (r *Rows) Count() int64 {
	n := int64(1)
	for _, a := range r.Axes[1:] {
		n *= a.Extent
	}
	if r.Index != nil {
		n *= int64(len(r.Index))
	}
	return n
}

// Message is what one neighbour gets and sends. Bytes 0: it does not.
type Message struct {
	Peer                                 int
	OwnAt, OwnBytes, GhostAt, GhostBytes int64
}

// Plan is the exchange of fields. Own cells are packed by fields, so that sides that lie next to each other in memory are read
// together; ghost cells are in the reverse order, because the field that was packed last is still in the processor's memory.
// Added are the own cells by groups.
type Plan struct {
	Own, Ghost, Added []Rows
	Messages          []Message
	Bytes             int64 // of the buffer
	OwnBytes          int64 // of own cells, which are first in the buffer
	Groups            int
	Signatures        []int64
	Signature         int64
}

// New plans an exchange, or refuses the fields.
func New(s *Spec, fields []Field) (*Plan, Fault) {
	if s.Particles != nil {
		if f := s.known(fields); f != "" {
			return nil, f
		}
	}
	if len(fields) == 0 {
		return nil, fault("there is no field; add one before the first exchange")
	}
	p := &Plan{}
	for i := range fields {
		if f := fields[i].check(s, i+1); f != "" {
			return nil, f
		}
	}
	p.Signatures, p.Signature = s.signatures(fields)
	own, ghost := s.Segments()
	var peers []int
	for _, list := range [][]Segment{own, ghost} {
		for _, x := range list {
			p.Groups = max(p.Groups, x.Group+1+len(x.Runs))
			if !slices.Contains(peers, x.Peer) {
				peers = append(peers, x.Peer)
			}
		}
	}
	slices.Sort(peers)
	messages := make([]Message, len(peers)) // own cells of all, then ghost cells of all
	for i, peer := range peers {
		m := &messages[i]
		m.Peer, m.OwnAt = peer, p.Bytes
		p.Own = p.place(p.Own, s, fields, own, peer)
		m.OwnBytes = p.Bytes - m.OwnAt
	}
	p.OwnBytes = p.Bytes
	for i, peer := range peers {
		m := &messages[i]
		m.GhostAt = p.Bytes
		if peer == s.Rank { // ghost cells are unpacked from where own cells are packed
			end := p.Bytes
			m.GhostAt, p.Bytes = m.OwnAt, m.OwnAt
			p.Ghost = p.place(p.Ghost, s, fields, ghost, peer)
			m.GhostBytes, p.Bytes = p.Bytes-m.GhostAt, end
			continue
		}
		p.Ghost = p.place(p.Ghost, s, fields, ghost, peer)
		m.GhostBytes = p.Bytes - m.GhostAt
		if m.OwnBytes+m.GhostBytes > 0 {
			p.Messages = append(p.Messages, *m)
		}
		if max(m.OwnBytes, m.GhostBytes)/Align > math.MaxInt32 {
			return nil, fault("the message for rank %d has %d bytes; MPI counts 2**31 elements of %d bytes; exchange fewer fields at once", peer, max(m.OwnBytes, m.GhostBytes), Align)
		}
	}
	slices.SortStableFunc(p.Own, func(a, b Rows) int { return a.Field - b.Field })
	slices.SortStableFunc(p.Ghost, func(a, b Rows) int { return b.Field - a.Field })
	if s.Particles != nil {
		return p, p.counted()
	}
	p.Added = slices.Clone(p.Own)
	slices.SortStableFunc(p.Added, func(a, b Rows) int { return a.Group - b.Group })
	return p, ""
}

// Added refuses fields whose elements cannot be added.
func Added(fields []Field) Fault {
	for i, f := range fields {
		if f.Kind < 1 || f.Kind > 8 {
			return fault("field %d '%s' is of kind %s, which cannot be added; use a list of fields of integer, real or complex kinds", i+1, f.Name, f.kind())
		}
	}
	return ""
}

// Differ tells which field other ranks do not have. number 0: they have another number of fields.
func Differ(s *Spec, fields []Field, number int) Fault {
	if number == 0 {
		return fault("this rank has %d fields, another one has more or fewer; add the same fields on all ranks", len(fields))
	}
	return fault("field %d differs on another rank; here it is %s; add the same fields in the same order on all ranks", number, fields[number-1].describe(s))
}

// place appends the parts of one message.
func (p *Plan) place(list []Rows, s *Spec, fields []Field, segments []Segment, peer int) []Rows {
	for k := range fields {
		for i := range segments {
			if segments[i].Peer != peer {
				continue
			}
			r := rows(&fields[k], fields[k].shared(s), &segments[i])
			r.Field, r.Peer, r.Group, r.Offset = k, peer, segments[i].Group, p.Bytes
			bytes := r.Count() * r.Axes[0].Extent * r.Bytes
			if bytes == 0 {
				continue
			}
			p.Bytes += (bytes + Align - 1) &^ (Align - 1)
			list = append(list, r.cut(segments[i].Runs)...)
		}
	}
	return list
}

// cut makes a group of each run of the index.
func (r Rows) cut(runs []int) (list []Rows) {
	cell := r.Bytes // of one index
	for _, a := range r.Axes {
		cell *= a.Extent
	}
	begin := 0
	for k, end := range append(slices.Clone(runs), len(r.Index)) {
		part := r
		if r.Index != nil {
			part.Index = r.Index[begin:end]
		}
		part.Group += k
		part.Offset += int64(begin) * cell
		list = append(list, part)
		begin = end
	}
	return list
}

// rows finds the rows of a segment. Axes that follow one another in memory are joined.
func rows(f *Field, shared []int, s *Segment) Rows {
	r := Rows{At: f.At, Bytes: int64(f.Bytes)}
	order := f.Order
	if s.Outer { // as an index, whichever dimension it is
		order = append(slices.DeleteFunc(slices.Clone(order), func(d int) bool { return d == shared[0] }), shared[0])
	}
	for _, d := range order {
		axis := f.Dimensions[d]
		if g := slices.Index(shared, d); g >= 0 {
			if s.Lower == nil { // lists: also of no cell
				r.Index, r.IndexStep = s.Index, axis.Step // fields share it
				if r.Index == nil {
					r.Index = []int64{}
				}
				continue
			}
			r.At += uintptr(s.Lower[g] * axis.Step)
			axis.Extent = s.Extent[g]
		}
		if n := len(r.Axes); n > 0 && r.Axes[n-1].Step*r.Axes[n-1].Extent == axis.Step {
			r.Axes[n-1].Extent *= axis.Extent
			continue
		}
		r.Axes = append(r.Axes, axis)
	}
	if len(r.Axes) == 0 {
		r.Axes = []Dimension{{1, r.Bytes}}
	}
	return r
}
