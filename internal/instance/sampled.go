package instance

import (
	"errors"

	"libportable/gator"
	"libportable/internal/guard"
)

// In this file: pools of which one block in so many is under guard (PORTABLE_MEMCHECK sample=N). All others are an ordinary pool's, magazines included, and
// cost what they cost without checks; of them is known how many of a label are live. Who picks is C (portable__guard_pick), before Go is entered.

// sampledPool is an ordinary pool, and beside it the blocks under guard.
type sampledPool struct {
	*gator.Pool
	few guardedPool
}

var _ Backing = sampledPool{}

func sampled(c gator.Config, s Settings, foreign bool, few gator.Front) (Backing, error) {
	p, err := gator.New(c)
	if err != nil {
		return nil, err
	}
	c.Front, c.Initial = few, 0
	g, err := guarded(c, s, foreign)
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return sampledPool{p, g}, nil
}

// Allocate gives an ordinary block, or the one that was picked.
func (p sampledPool) Allocate(bytes uint64, label string) (uintptr, error) {
	if guard.Picked() {
		if addr, err := p.few.Allocate(bytes, label); err == nil {
			return addr, nil
		}
	}
	return p.Pool.Allocate(bytes, label)
}

// AllocateRoom does, too; label is a number of the ordinary pool's.
func (p sampledPool) AllocateRoom(bytes, room uint64, label uint32) (uintptr, error) {
	if guard.Picked() {
		if addr, err := p.few.Allocate(bytes, p.Labels().Text(label)); err == nil {
			return addr, nil
		}
	}
	return p.Pool.AllocateRoom(bytes, room, label)
}

// of is where a block is that starts at addr: with the ordinary ones, unless it is known to be one of the few.
func (p sampledPool) of(addr uintptr) gator.Allocator {
	if p.few.Starts(addr) {
		return p.few
	}
	if _, err := p.few.Find(addr); err == nil || guard.GuardFreed(addr) {
		return p.few // inside of one, or given back: that is what is said of it
	}
	return p.Pool
}

// Free takes a block back; see gator.Allocator.
func (p sampledPool) Free(addr uintptr) error { return p.of(addr).Free(addr) }

// Depend delays a block's release; see gator.Allocator.
func (p sampledPool) Depend(addr uintptr, on gator.Event) error { return p.of(addr).Depend(addr, on) }

// Uses is Depend for the block that holds an address; see gator.Allocator.
func (p sampledPool) Uses(addr uintptr, on gator.Event) bool {
	return p.few.Uses(addr, on) || p.Pool.Uses(addr, on)
}

// Each visits live and waiting blocks: the ordinary ones slab by slab, then the few in order of address.
func (p sampledPool) Each(visit func(gator.Block) bool) {
	more := true
	p.Pool.Each(func(b gator.Block) bool {
		more = visit(b)
		return more
	})
	if more {
		p.few.Each(visit)
	}
}

// Find gives the block that holds an address; see gator.Allocator.
func (p sampledPool) Find(addr uintptr) (gator.Block, error) {
	if b, err := p.few.Find(addr); err == nil {
		return b, nil
	}
	return p.Pool.Find(addr)
}

// Starts says whether addr starts a live block.
func (p sampledPool) Starts(addr uintptr) bool { return p.few.Starts(addr) || p.Pool.Starts(addr) }

// Stats are those of the ordinary pool, with the few in what blocks are counted by.
func (p sampledPool) Stats() gator.Stats {
	s, f := p.Pool.Stats(), p.few.Stats()
	s.InUse += f.InUse
	s.Blocks += f.Blocks
	s.Occupied += f.Occupied
	s.HighWater += f.HighWater // at most
	s.Reserved += f.Reserved
	s.Waiting += f.Waiting
	s.WaitBlocks += f.WaitBlocks
	s.Allocations += f.Allocations
	s.Frees += f.Frees
	return s
}

// Check walks every invariant of both.
func (p sampledPool) Check() error { return errors.Join(p.Pool.Check(), p.few.Check()) }

// Settle waits for the events of a block; see gator.Allocator.
func (p sampledPool) Settle(addr uintptr) { p.of(addr).Settle(addr) }

// Await waits for all events; see gator.Allocator.
func (p sampledPool) Await() {
	p.few.Await()
	p.Pool.Await()
}

// Pending says whether Await would have to wait.
func (p sampledPool) Pending() bool { return p.few.Pending() || p.Pool.Pending() }

// Close gives everything back; see gator.Allocator.
func (p sampledPool) Close() error { return errors.Join(p.few.Close(), p.Pool.Close()) }

// Left is what is live of one label in a pool that nobody watches block by block.
type Left struct {
	Label         string
	Blocks, Bytes uint64
}

// Left counts what is live and not under guard in all pools, by label.
func (in *Instance) Left() (all []Left) {
	var sums gator.Sums
	for _, n := range in.pools.All() {
		p, ok := in.pools.Get(n)
		if !ok {
			continue
		}
		s, ok := backing(p.Backing).(sampledPool)
		if !ok {
			continue
		}
		s.Pool.Each(func(b gator.Block) bool {
			if !b.Waiting {
				sums.Add(b)
			}
			return true
		})
	}
	for _, l := range sums.Largest() {
		all = append(all, Left{l.Label, l.Blocks, l.Bytes})
	}
	return all
}

// backing is what a pool is made of; the handle of the default pool holds that pool itself.
func backing(b Backing) Backing {
	if d, ok := b.(*Default); ok {
		return d.Backing
	}
	return b
}

// picks says whether one block in so many is watched, and the others are not even told of: not where each is to be recorded, or summed up.
func (s *Settings) picks() bool {
	return s.Memory.On && s.Memory.Sample > 1 && s.Watch.Trace.Wanted&(MemoryEvents|MemoryHashes) == 0
}
