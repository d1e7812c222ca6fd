package halo

import (
	"fmt"
	"hash/fnv"
	"math"
	"slices"
)

// This file has migrations: particles that go to the ranks that own them.

// Particles is a migration of one rank. Order has the particles by owner; those of rank p are Order[First[p]:First[p+1]]. Received
// is how many come from each rank; that of this rank is not used.
type Particles struct {
	Count           int64 // before
	Order           []int64
	First, Received []int64
}

// known refuses fields that cannot have the particles that are there.
func (s *Spec) known(fields []Field) Fault {
	if len(fields) == 0 {
		return fault("there is no field; add those that particles have")
	}
	for i := range fields {
		shared := fields[i].shared(s)
		if len(shared) != 1 {
			return fault("field %d '%s' names %d dimensions with dims; particles are along one", i+1, fields[i].Name, len(shared))
		}
		if has := fields[i].Dimensions[shared[0]].Extent; has < s.Particles.Count {
			return fault("extent %d of field %d '%s' is %d; there are %d particles", shared[0]+1, i+1, fields[i].Name, has, s.Particles.Count)
		}
	}
	return ""
}

// signatures are those of the fields, and one of all.
func (s *Spec) signatures(fields []Field) (list []int64, all int64) {
	h := fnv.New64a()
	for i := range fields {
		list = append(list, fields[i].signature(s))
		fmt.Fprintln(h, list[i])
	}
	return list, int64(h.Sum64() >> 2)
}

// Wrong tells which particle has an owner that is no rank. at counts from 0.
func (s *Spec) Wrong(at int64, owner int) Fault {
	return fault("the owner of particle %d of %d is rank %d; the ranks are 0 to %d", at+1, s.Particles.Count, owner, s.Ranks-1)
}

// stay is how many of the own particles that stay are in their place already.
func (p *Particles) stay(rank int) (n int64) {
	for _, at := range p.Order[p.First[rank]:p.First[rank+1]] {
		if at != n {
			break
		}
		n++
	}
	return n
}

// After is the number of particles after the migration, and how many of them come from other ranks.
func (p *Particles) After(rank int) (all, arrive int64) {
	for peer, n := range p.Received {
		if peer != rank {
			arrive += n
		}
	}
	return p.First[rank+1] - p.First[rank] + arrive, arrive
}

// fits refuses a field that is too small for the particles that will be there.
func (p *Particles) fits(f *Field, rank, number int, shared int) Fault {
	all, arrive := p.After(rank)
	if has := f.Dimensions[shared].Extent; has < all {
		return fault("extent %d of field %d '%s' is %d, and %d particles need a place here: %d arrive; make the field larger before the migration",
			shared+1, number, f.Name, has, all, arrive)
	}
	return ""
}

// segments: own particles that stay keep their order and close the gaps; others follow by source rank.
func (p *Particles) segments(rank int) (own, ghost []Segment) {
	stay := p.stay(rank)
	kept := p.First[rank+1] - p.First[rank]
	at := kept
	for peer, n := range p.Received {
		from := p.First[peer]
		if peer == rank {
			from += stay
			ghost = append(ghost, Segment{Peer: peer, Outer: true, Lower: []int64{stay}, Extent: []int64{kept - stay}})
		}
		own = append(own, Segment{Peer: peer, Index: slices.Clip(p.Order[from:p.First[peer+1]])})
		if peer != rank {
			ghost = append(ghost, Segment{Peer: peer, Outer: true, Lower: []int64{at}, Extent: []int64{n}})
			at += n
		}
	}
	moves := func(s Segment) bool { return len(s.Index) > 0 || s.Lower != nil && s.Extent[0] > 0 }
	some := func(list []Segment) []Segment {
		return slices.DeleteFunc(list, func(s Segment) bool { return !moves(s) })
	}
	return some(own), some(ghost)
}

// counted refuses more bytes than MPI counts in all messages of one rank.
func (p *Plan) counted() Fault {
	if p.Bytes/Align > math.MaxInt32 {
		return fault("the particles that leave and arrive here have %d bytes; MPI counts 2**31 elements of %d bytes; migrate fewer fields at once", p.Bytes, Align)
	}
	return ""
}
