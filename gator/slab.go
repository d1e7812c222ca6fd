package gator

import "math/bits"

// region is the number of granules whose gap starts share one word of the bitmap.
const region = 64

// slab is one piece of memory from the source and the index of its gaps: a bitmap of the granules where
// gaps start, and a tree of the largest gap that starts in each region. Both lie in one table, which
// costs 1.7 bits a granule next to the 16 bytes of its record; only what is touched is committed.
//
// Invariant: see Pool.Check. Threads: the pool's lock.
type slab struct {
	base   uintptr
	bytes  uint64 // what the source gave
	units  uint32 // whole granules in it
	shift  uint   // log2 of the granule
	unused uint32 // granules in gaps
	grown  bool   // made by growth: may be trimmed
	// ordinary says that growth chose the size, and not a large request, the limit or a refusal.
	ordinary bool
	records  records
	starts   []uint64
	largest  maxima
	table    []uint64 // memory of starts and largest
}

// maxUnits keeps a granule's number and length in 32 bits.
const maxUnits = 1<<32 - region

func newSlab(c *Config, base uintptr, bytes uint64, grown bool) (*slab, error) {
	shift := uint(bits.TrailingZeros64(c.Block))
	s := &slab{base: base, bytes: bytes, shift: shift, units: uint32(bytes >> shift), grown: grown}
	regions := (int(s.units) + region - 1) / region
	tree := (maximaSize(regions) + 1) / 2
	var err error
	if s.records, err = c.Tables.Take(2 * int(s.units)); err != nil {
		return nil, err
	}
	if s.table, err = c.Tables.Take(regions + tree); err != nil {
		c.Tables.Give(s.records)
		return nil, err
	}
	s.starts = s.table[:regions:regions]
	s.largest = newMaxima(regions, halves(s.table[regions:]))
	s.link(0, s.units)
	s.settle(0, 0, s.units)
	s.unused = s.units
	return s, nil
}

// drop gives the tables back; the slab's memory is the caller's affair.
func (s *slab) drop(c *Config) {
	c.Tables.Give(s.records)
	c.Tables.Give(s.table)
}

func (s *slab) address(u uint32) uintptr { return s.base + uintptr(u)<<s.shift }

// usable is the bytes in whole granules: what the records describe.
func (s *slab) usable() uint64 { return uint64(s.units) << s.shift }

func (s *slab) holds(addr uintptr) bool { return uint64(addr-s.base) < s.usable() }

func (s *slab) empty() bool { return s.unused == s.units }

// largestGap is in granules.
func (s *slab) largestGap() uint32 { return s.largest.top() }

// carve takes n granules from the low end of the lowest gap that has them. The record of the block is
// the caller's to write.
func (s *slab) carve(n uint32) (u uint32, ok bool) {
	r, ok := s.largest.first(n)
	if !ok {
		return 0, false
	}
	word := s.starts[r]
	length := uint32(0)
	for ; ; word &= word - 1 {
		u = r*region + uint32(bits.TrailingZeros64(word))
		if length = s.records.length(u); length >= n {
			break
		}
	}
	s.unlink(u, length)
	s.unused -= n
	rest := length - n
	if rest == 0 {
		s.settle(r, length, 0)
		return u, true
	}
	s.link(u+n, rest)
	if at := (u + n) / region; at == r {
		s.settle(r, length, rest)
	} else {
		s.settle(r, length, 0)
		s.settle(at, 0, rest)
	}
	return u, true
}

// join makes a gap of the n granules from u on, which were a block, and of the gaps next to them.
func (s *slab) join(u, n uint32) {
	s.unused += n
	s.records.clear(u)
	right, rightLength := u+n, uint32(0)
	if right < s.units && s.records.state(right).kind() == kindGap {
		rightLength = s.records.length(right)
		s.unlink(right, rightLength)
		n += rightLength
	}
	if u > 0 {
		left := s.records.state(u - 1).kind()
		if left == kindGap || left == kindGapEnd {
			length := s.records.length(u - 1)
			s.unlink(u-length, length)
			u, n = u-length, n+length
		}
	}
	s.link(u, n)
	if rightLength > 0 && right/region != u/region {
		s.settle(right/region, rightLength, 0)
	}
	s.settle(u/region, 0, n) // what was taken out of this region was smaller than n
}

// link writes a gap's records and its bit, unlink wipes them; settle brings the tree up to date.
func (s *slab) link(u, n uint32) {
	s.records.setGap(u, n)
	s.starts[u/region] |= 1 << (u % region)
}

func (s *slab) unlink(u, n uint32) {
	s.records.clear(u)
	s.records.clear(u + n - 1)
	s.starts[u/region] &^= 1 << (u % region)
}

// settle corrects the largest gap of region r after a gap of length `removed` went and one of length
// `added` came, 0 if no gap did. The tree changes once, whatever came and went.
func (s *slab) settle(r, removed, added uint32) {
	most := s.largest.at(r)
	switch {
	case added >= most:
		s.largest.set(r, added)
	case removed == most:
		most = 0
		for word := s.starts[r]; word != 0; word &= word - 1 {
			most = max(most, s.records.length(r*region+uint32(bits.TrailingZeros64(word))))
		}
		s.largest.set(r, most)
	}
}

// enclosing finds the first granule of the block or gap that granule u is part of, by walking back: for
// messages and look-ups only.
func (s *slab) enclosing(u uint32) uint32 {
	for u > 0 && s.records.state(u).kind() == kindNone {
		u--
	}
	if s.records.state(u).kind() == kindGapEnd {
		u -= s.records.length(u) - 1
	}
	return u
}

// holdsLive says whether granule u begins a live block that granule at is part of.
func (s *slab) holdsLive(u, at uint32) bool {
	return u <= at && s.records.state(u).kind() == kindLive && at-u < s.records.length(u)
}

// walk calls visit for each block and gap in order of address, until it says false.
func (s *slab) walk(visit func(u, length uint32, st state, label labelID) bool) {
	for u := uint32(0); u < s.units; {
		length, label := s.records.span(u)
		if length == 0 || !visit(u, length, s.records.state(u), label) {
			return
		}
		u += length
	}
}
