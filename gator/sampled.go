package gator

import "errors"

// Sampled is a pool of which a few blocks are served by a second allocator, which checks them. All others cost what they cost without checks, and may be
// parked by the pool's front. It is an Allocator and no Front: both sides hold live blocks, list them and delay their release.
type Sampled struct {
	*Pool
	Checked Allocator
	Pick    func() bool             // whether the request in progress goes to Checked
	Freed   func(addr uintptr) bool // whether addr is in a freed block of Checked
}

var _ Allocator = Sampled{}

// Allocate gives a block; see Allocator.
func (s Sampled) Allocate(bytes uint64, label string) (uintptr, error) {
	return s.AllocateRoom(bytes, bytes, s.Labels().ID(label))
}

// AllocateRoom gives an ordinary block, or a checked one; label is a number of the pool's.
func (s Sampled) AllocateRoom(bytes, room uint64, label uint32) (uintptr, error) {
	if s.Pick() {
		if addr, err := s.Checked.Allocate(bytes, s.Labels().Text(label)); err == nil {
			return addr, nil
		}
	}
	return s.Pool.AllocateRoom(bytes, room, label)
}

// of is the allocator to ask about addr: the pool, unless the address is known to the other one, live or freed.
func (s Sampled) of(addr uintptr) Allocator {
	if s.Checked.Starts(addr) {
		return s.Checked
	}
	if _, err := s.Checked.Find(addr); err == nil || s.Freed(addr) {
		return s.Checked
	}
	return s.Pool
}

// Free takes a block back; see Allocator.
func (s Sampled) Free(addr uintptr) error { return s.of(addr).Free(addr) }

// Depend delays a block's release; see Allocator.
func (s Sampled) Depend(addr uintptr, on Event) error { return s.of(addr).Depend(addr, on) }

// Settle waits for the events of a block; see Allocator.
func (s Sampled) Settle(addr uintptr) { s.of(addr).Settle(addr) }

// Uses is Depend for the block that holds an address; see Allocator.
func (s Sampled) Uses(addr uintptr, on Event) bool {
	return s.Checked.Uses(addr, on) || s.Pool.Uses(addr, on)
}

// Each visits live and waiting blocks: those of the pool, then the checked ones.
func (s Sampled) Each(visit func(Block) bool) {
	more := true
	s.Pool.Each(func(b Block) bool {
		more = visit(b)
		return more
	})
	if more {
		s.Checked.Each(visit)
	}
}

// Find gives the block that holds an address; see Allocator.
func (s Sampled) Find(addr uintptr) (Block, error) {
	if b, err := s.Checked.Find(addr); err == nil {
		return b, nil
	}
	return s.Pool.Find(addr)
}

// Starts says whether addr starts a live block; see Allocator.
func (s Sampled) Starts(addr uintptr) bool { return s.Checked.Starts(addr) || s.Pool.Starts(addr) }

// Stats are those of the pool, with the checked blocks in all numbers that count blocks. HighWater is an upper bound.
func (s Sampled) Stats() Stats {
	st, c := s.Pool.Stats(), s.Checked.Stats()
	st.InUse += c.InUse
	st.Blocks += c.Blocks
	st.Occupied += c.Occupied
	st.HighWater += c.HighWater
	st.Reserved += c.Reserved
	st.Waiting += c.Waiting
	st.WaitBlocks += c.WaitBlocks
	st.Allocations += c.Allocations
	st.Frees += c.Frees
	return st
}

// Check walks every invariant of both.
func (s Sampled) Check() error { return errors.Join(s.Pool.Check(), s.Checked.Check()) }

// Await waits for all events; see Allocator.
func (s Sampled) Await() {
	s.Checked.Await()
	s.Pool.Await()
}

// Pending says whether Await would have to wait; see Allocator.
func (s Sampled) Pending() bool { return s.Checked.Pending() || s.Pool.Pending() }

// Close gives everything back; see Allocator.
func (s Sampled) Close() error { return errors.Join(s.Checked.Close(), s.Pool.Close()) }
