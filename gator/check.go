package gator

import "math/bits"

// walkLocked checks slabs, records and index, and sums up the blocks; see shared.Check.
func (p *Pool) walkLocked() (live, held Counts, err error) {
	err = p.checkSlabsLocked(&live, &held)
	return live, held, err
}

func (p *Pool) checkSlabsLocked(live, held *Counts) error {
	var occupied, reserved uint64
	if len(p.sorted) != len(p.slabs) {
		return p.broken("%d slabs by age, %d by address", len(p.slabs), len(p.sorted))
	}
	for i, s := range p.sorted {
		if i > 0 && p.sorted[i-1].base+uintptr(p.sorted[i-1].bytes) > s.base {
			return p.broken("slabs %#x and %#x overlap or are out of order", p.sorted[i-1].base, s.base)
		}
	}
	for _, s := range p.slabs {
		reserved += s.bytes
		if err := p.checkSlab(s, live, held); err != nil {
			return err
		}
		occupied += uint64(s.units-s.unused) << s.shift
	}
	switch {
	case reserved != p.reserved:
		return p.broken("reserved %d bytes, slabs have %d", p.reserved, reserved)
	case occupied != p.occupied:
		return p.broken("occupied %d bytes, slabs have %d", p.occupied, occupied)
	case p.high < p.occupied:
		return p.broken("high water %d below occupied %d", p.high, p.occupied)
	}
	return nil
}

func (p *Pool) waitsLocked(addr uintptr) bool {
	s := p.slabOfLocked(addr)
	return s != nil && s.records.state(uint32((addr-s.base)>>s.shift)).kind() == kindWait
}

// checkSlab walks one slab and adds what it finds to the sums.
func (p *Pool) checkSlab(s *slab, live, held *Counts) (err error) {
	var end, unused uint32
	var gaps regionCheck // the walk goes up, so one region at a time is summed up: no table as large as the slab's own
	afterGap := false
	s.walk(func(u, length uint32, st state, label labelID) bool {
		isGap := st.kind() == kindGap
		switch {
		case uint64(u)+uint64(length) > uint64(s.units):
			err = p.broken("slab %#x: block or gap at granule %d of %d granules ends past the end", s.base, u, length)
		case !isGap && !st.isBlock():
			err = p.broken("slab %#x: granule %d starts nothing (state %#x)", s.base, u, uint64(st))
		case isGap && afterGap:
			err = p.broken("slab %#x: two gaps touch at granule %d", s.base, u)
		case isGap && length > 1 && (s.records.state(u+length-1).kind() != kindGapEnd || s.records.length(u+length-1) != length):
			err = p.broken("slab %#x: the gap at granule %d has no end", s.base, u)
		case st.kind() == kindParked:
			err = p.broken("slab %#x: the block at granule %d is parked in no front", s.base, u)
		case st.isBlock() && st.bytes() > uint64(length)<<s.shift:
			err = p.broken("slab %#x: the block at granule %d holds %d bytes and says %d", s.base, u, uint64(length)<<s.shift, st.bytes())
		}
		if err != nil {
			return false
		}
		inside := u + length
		if isGap {
			inside-- // its last granule has a record, checked above
		}
		for i := u + 1; i < inside; i++ {
			if s.records.state(i).kind() != kindNone {
				err = p.broken("slab %#x: granule %d inside a block or gap has a record", s.base, i)
				return false
			}
		}
		switch st.kind() {
		case kindGap:
			unused += length
			if err = gaps.add(p, s, u, length); err != nil {
				return false
			}
		case kindLive:
			live.Bytes += int64(st.bytes())
			live.Blocks++
		case kindWait:
			held.Bytes += int64(st.bytes())
			held.Blocks++
		}
		afterGap, end = isGap, u+length
		return true
	})
	switch {
	case err != nil:
		return err
	case end != s.units:
		return p.broken("slab %#x: records end at granule %d of %d", s.base, end, s.units)
	case unused != s.unused:
		return p.broken("slab %#x: %d granules in gaps counted, %d found", s.base, s.unused, unused)
	}
	if err := gaps.upTo(p, s, uint32(len(s.starts))); err != nil {
		return err
	}
	for i, v := range s.largest.levels[0][len(s.starts):] {
		if v != 0 {
			return p.broken("slab %#x: the tree has a number at %d, behind the last region", s.base, len(s.starts)+i)
		}
	}
	for k := 1; k < len(s.largest.levels); k++ {
		for i, v := range s.largest.levels[k] {
			if below := s.largest.levels[k-1]; fan*i < len(below) && v != largest(below[fan*i:fan*i+fan]) {
				return p.broken("slab %#x: level %d of the tree is wrong at %d", s.base, k, i)
			}
		}
	}
	return nil
}

// regionCheck holds what the walk has found of the gaps that start in one region.
type regionCheck struct {
	region uint32
	starts uint64
	most   uint32
}

// add counts a gap that starts at granule u.
func (c *regionCheck) add(p *Pool, s *slab, u, length uint32) error {
	err := c.upTo(p, s, u/region)
	c.starts |= 1 << (u % region)
	c.most = max(c.most, length)
	return err
}

// upTo compares the regions below r, which the walk has left, with the slab's index.
func (c *regionCheck) upTo(p *Pool, s *slab, r uint32) error {
	for ; c.region < r; *c = (regionCheck{region: c.region + 1}) {
		if c.starts != s.starts[c.region] {
			return p.broken("slab %#x: region %d has %d gap starts in the bitmap, %d found", s.base, c.region, bits.OnesCount64(s.starts[c.region]), bits.OnesCount64(c.starts))
		}
		if c.most != s.largest.at(c.region) {
			return p.broken("slab %#x: region %d has largest gap %d in the tree, %d found", s.base, c.region, s.largest.at(c.region), c.most)
		}
	}
	return nil
}
