package gator

import "slices"

// Pool hands out blocks of slabs.
type Pool struct {
	shared

	// The lock of shared guards these fields.
	slabs  []*slab    // in the order of their making: the order of placement
	sorted []*slab    // the same by address: for finding the slab of an address
	users  [64]uint32 // first granules that Uses has found, by the granule it was asked for; any of them may be out of date

	reserved uint64
	occupied uint64 // bytes of all granules that are not in gaps; its high water is that of the pool
}

var (
	_ Allocator = (*Pool)(nil)
	_ placing   = (*Pool)(nil)
)

// New makes a pool, with its first slab where Config.Initial asks for one.
func New(c Config) (*Pool, error) {
	c, err := c.normal()
	if err != nil {
		return nil, err
	}
	p := &Pool{}
	p.shared = newShared(c, p)
	if c.Initial > 0 {
		p.mu.Lock()
		defer p.mu.Unlock()
		if err := p.addSlabLocked(c.Initial, false); err != nil {
			return nil, p.outOfMemoryLocked(c.Initial, "", err)
		}
	}
	return p, nil
}

// Allocate gives a block; see Allocator.
func (p *Pool) Allocate(bytes uint64, label string) (uintptr, error) {
	return p.AllocateRoom(bytes, bytes, p.labels.ID(label))
}

// AllocateRoom gives a block of at least room bytes whose record says bytes: a front that serves sizes by
// class asks for the size of the class. Where only bytes are available, it takes less room. label is a
// number that Labels gave.
func (p *Pool) AllocateRoom(bytes, room uint64, label uint32) (uintptr, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return 0, p.closedError()
	}
	p.sweepLocked()
	if bytes > maxBytes {
		defer p.quietLocked()()
		return 0, p.outOfMemoryLocked(bytes, p.labels.text(labelID(label)), errAbsurd)
	}
	s, u, n, err := p.placeLocked(bytes, max(room, bytes), labelID(label))
	if err != nil {
		return 0, err
	}
	return p.makeLocked(s, u, n, bytes, labelID(label)), nil
}

// AllocateHeld gives a block of the memory that the pool has at hand, without a label; false: it would have to look for more.
func (p *Pool) AllocateHeld(bytes uint64) (uintptr, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || bytes > maxBytes {
		return 0, false
	}
	s, u, n := p.carveLocked(bytes)
	if s == nil {
		return 0, false
	}
	return p.makeLocked(s, u, n, bytes, 0), true
}

// makeLocked makes a block of n granules that were carved.
func (p *Pool) makeLocked(s *slab, u, n uint32, bytes uint64, label labelID) uintptr {
	s.records.setSpan(u, n, label)
	s.records.setState(u, liveState(bytes))
	p.occupied += uint64(n) << s.shift
	p.high = max(p.high, p.occupied)
	p.allocatedLocked(bytes)
	return s.address(u)
}

// placeLocked finds room: in a gap, in what the front has parked, in a new slab.
func (p *Pool) placeLocked(bytes, room uint64, label labelID) (s *slab, u, n uint32, err error) {
	if s, u, n = p.carveLocked(room); s != nil {
		return s, u, n, nil
	}
	p.front.Stop()
	defer p.front.Start()
	p.drainLocked()
	if s, u, n = p.carveLocked(room); s != nil {
		return s, u, n, nil
	}
	// Less room than a front wants is better than a further slab.
	if s, u, n = p.carveLocked(bytes); s != nil {
		return s, u, n, nil
	}
	for e := p.wait.next(); e != nil; e = p.wait.next() {
		e.Wait()
		p.sweepLocked()
		if s, u, n = p.carveLocked(bytes); s != nil {
			return s, u, n, nil
		}
	}
	if err = p.growLocked(room); err == nil {
		s, u, n = p.carveLocked(room)
	} else if s, u, n = p.carveLocked(bytes); s == nil {
		if err = p.growAtAnyPriceLocked(bytes, room > bytes, err); err == nil {
			s, u, n = p.carveLocked(bytes)
		}
	}
	if s == nil {
		return nil, 0, 0, p.outOfMemoryLocked(bytes, p.labels.text(label), err)
	}
	return s, u, n, nil
}

// carveLocked takes the first gap that has the bytes.
func (p *Pool) carveLocked(bytes uint64) (s *slab, u, n uint32) {
	units := max(1, bytes/p.config.Block)
	if units*p.config.Block < bytes {
		units++
	}
	if units > maxUnits {
		return nil, 0, 0
	}
	for _, s := range p.slabs {
		if u, ok := s.carve(uint32(units)); ok {
			return s, u, uint32(units)
		}
	}
	return nil, 0, 0
}

// Free takes a block back; see Allocator.
func (p *Pool) Free(addr uintptr) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return p.closedError()
	}
	p.sweepLocked()
	s, u, st, err := p.blockLocked(addr)
	if err != nil {
		return err
	}
	after := state(kindParked) // without owner: between live and gap
	waits := st&flagDepends != 0 && p.wait.free(addr)
	if waits {
		after = st.as(kindWait)
	}
	if !s.records.swap(u, st, after) {
		// Another thread changed it since it was read: it is a race of two frees, and this one lost.
		return p.pointerError(addr, whyFreed)
	}
	p.freedLocked(st.bytes())
	if waits {
		p.heldLocked(st.bytes())
		return nil
	}
	p.joinLocked(s, u)
	return nil
}

// joinLocked makes a gap of a block that has no owner any more.
func (p *Pool) joinLocked(s *slab, u uint32) {
	n := s.records.length(u)
	p.occupied -= uint64(n) << s.shift
	s.join(u, n)
}

func (p *Pool) dependLocked(addr uintptr) error {
	for {
		s, u, st, err := p.blockLocked(addr)
		if err != nil || s.records.swap(u, st, st|flagDepends) {
			return err
		}
	}
}

func (p *Pool) usesLocked(addr uintptr) (start uintptr, ok bool) {
	s := p.slabOfLocked(addr)
	if s == nil {
		return 0, false
	}
	at := uint32((addr - s.base) >> s.shift)
	hint := &p.users[at%uint32(len(p.users))]
	u := *hint
	if !s.holdsLive(u, at) {
		u = s.enclosing(at)
		*hint = u
	}
	for {
		st := s.records.state(u)
		if st.kind() != kindLive {
			return 0, false
		}
		if s.records.swap(u, st, st|flagDepends) {
			return s.address(u), true
		}
	}
}

// completedLocked makes a gap of a block that waited.
func (p *Pool) completedLocked(addr uintptr) (bytes uint64, ok bool) {
	s := p.slabOfLocked(addr)
	u := uint32((addr - s.base) >> s.shift)
	bytes = s.records.state(u).bytes()
	p.joinLocked(s, u)
	return bytes, true
}

// noteLocked has nothing to do: what the front keeps parked is occupied.
func (p *Pool) noteLocked() {}

// Reclaim makes gaps of blocks that a front has parked and does not want to keep. give runs under the
// pool's lock, so that no block is ever parked in no front while others look.
func (p *Pool) Reclaim(give func(take func(addr uintptr))) {
	p.mu.Lock()
	defer p.mu.Unlock()
	give(p.parkedLocked)
}

// parkedLocked makes a gap of one block that a front has parked.
func (p *Pool) parkedLocked(addr uintptr) {
	s := p.slabOfLocked(addr)
	p.joinLocked(s, uint32((addr-s.base)>>s.shift))
}

// slabOfLocked is the slab that holds an address, or nil.
func (p *Pool) slabOfLocked(addr uintptr) *slab {
	i, _ := slices.BinarySearchFunc(p.sorted, addr, func(s *slab, a uintptr) int {
		switch {
		case s.holds(a):
			return 0
		case s.base < a:
			return -1
		}
		return 1
	})
	if i < len(p.sorted) && p.sorted[i].holds(addr) {
		return p.sorted[i]
	}
	return nil
}

// blockLocked finds the live block that starts at addr, or says what else is at the address.
func (p *Pool) blockLocked(addr uintptr) (*slab, uint32, state, error) {
	s := p.slabOfLocked(addr)
	if s == nil {
		return nil, 0, 0, p.pointerError(addr, whyForeign)
	}
	offset := addr - s.base
	u := uint32(offset >> s.shift)
	st := s.records.state(u)
	if st.kind() == kindLive && s.address(u) == addr {
		return s, u, st, nil
	}
	first := s.enclosing(u)
	if s.records.state(first).kind() != kindLive {
		return nil, 0, 0, p.pointerError(addr, whyFreed)
	}
	return nil, 0, 0, p.pointerError(addr, whyInside(uint64(addr-s.address(first)), p.describe(s, first)))
}

func (p *Pool) describe(s *slab, u uint32) Block {
	_, label := s.records.span(u)
	st := s.records.state(u)
	return Block{s.address(u), st.bytes(), p.labels.text(label), st.kind() == kindWait}
}

func (p *Pool) findLocked(addr uintptr) (b Block, why string) {
	s := p.slabOfLocked(addr)
	if s == nil {
		return b, whyForeign
	}
	u := s.enclosing(uint32((addr - s.base) >> s.shift))
	if k := s.records.state(u).kind(); k != kindLive && k != kindWait {
		return b, whyFreed
	}
	return p.describe(s, u), ""
}

func (p *Pool) startsLocked(addr uintptr) bool {
	s := p.slabOfLocked(addr)
	if s == nil {
		return false
	}
	u := uint32((addr - s.base) >> s.shift)
	return s.address(u) == addr && s.records.state(u).kind() == kindLive
}

func (p *Pool) eachLocked(visit func(Block) bool) {
	more := true
	for _, s := range p.slabs {
		s.walk(func(u, _ uint32, st state, _ labelID) bool {
			if k := st.kind(); k == kindLive || k == kindWait {
				more = visit(p.describe(s, u))
			}
			return more
		})
		if !more {
			return
		}
	}
}

func (p *Pool) sizesLocked() Stats {
	st := Stats{Slabs: uint64(len(p.slabs)), Occupied: p.occupied, Reserved: p.reserved}
	for _, s := range p.slabs {
		st.Free += uint64(s.unused) << s.shift
		st.LargestGap = max(st.LargestGap, uint64(s.largestGap())<<s.shift)
	}
	return st
}
