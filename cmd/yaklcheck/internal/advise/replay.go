package advise

import (
	"fmt"
	"math/bits"

	"libportable/cmd/yaklcheck/internal/show"
	"libportable/gator"
)

// Setting holds the sizes of a pool. Grow 0 means doubling.
type Setting struct{ Initial, Grow, Block uint64 }

// Outcome is the memory that a run would use with a setting.
type Outcome struct {
	Setting
	Slabs   int    // made during the run, without the first one
	Mapped  uint64 // bytes of all slabs: address space
	Touched uint64 // bytes of the pages that blocks have used: memory
	End     uint64 // of the highest block in the first slab
	High    uint64 // most bytes in blocks at once, rounding included
}

// request is one allocation, or the free of an earlier one.
type request struct {
	bytes uint64
	block int32 // number of the allocation
	free  bool
}

// requests are the requests to the default pool.
func requests(r *show.Run) (all []request, blocks int) {
	live := map[uint64]int32{}
	for _, e := range r.Events {
		if e.Pool != 0 {
			continue
		}
		if e.Free {
			all = append(all, request{bytes: e.Bytes, block: live[e.Address], free: true})
			delete(live, e.Address)
			continue
		}
		live[e.Address] = int32(blocks)
		all = append(all, request{bytes: e.Bytes, block: int32(blocks)})
		blocks++
	}
	return all, blocks
}

// roundedBelow is the size from which magazines do not round; see gator/front/magazine.c.
const roundedBelow = 32 << 10

// room is the size that magazines ask the pool for: the size of the class. Each doubling has eight classes.
func room(bytes, block uint64) uint64 {
	if bytes >= roundedBelow {
		return bytes
	}
	last := (max(bytes, 1) - 1) / block
	e := 60 - bits.LeadingZeros64(last|8)
	class := uint64(1+e*8) + last>>e
	if class <= 8 {
		return class * block
	}
	return (9 + (class-9)%8) << ((class - 9) / 8) * block
}

// replay runs requests on a pool with a setting.
func replay(all []request, blocks int, s Setting, page uint64) (Outcome, error) {
	source := newSlabs(page)
	pool, err := gator.New(gator.Config{Name: "replay", Source: source, Tables: tables{}, Initial: s.Initial, Grow: s.Grow, Block: s.Block})
	if err != nil {
		return Outcome{}, err
	}
	label := pool.Labels().ID("")
	at := make([]uintptr, blocks)
	for _, q := range all {
		if q.free {
			err = pool.Free(at[q.block])
		} else if at[q.block], err = pool.AllocateRoom(q.bytes, room(q.bytes, s.Block), label); err == nil {
			source.touch(at[q.block], q.bytes)
		}
		if err != nil {
			return Outcome{}, fmt.Errorf("the replay of a pool of %s with blocks of %d bytes has failed: %w", show.Size(s.Initial), s.Block, err)
		}
	}
	o := Outcome{Setting: s, Slabs: len(source.all) - 1, Mapped: source.taken, Touched: source.touched * page, End: source.all[0].end}
	o.High = pool.Stats().HighWater
	return o, pool.Close()
}
