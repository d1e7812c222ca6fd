package instance

import (
	"errors"

	"libportable/gator"
	"libportable/internal/guard"
)

// This file makes pools in which one block in N is under guard (PORTABLE_MEMCHECK sample=N; gator.Sampled). The other
// blocks are counted by label. C picks the sampled blocks (portable__guard_pick) before it calls Go.

func sampled(c gator.Config, s Settings, foreign bool, inner gator.Front) (Backing, error) {
	p, err := gator.New(c)
	if err != nil {
		return nil, err
	}
	c.Front, c.Initial = inner, 0
	g, err := guarded(c, s, foreign, nil)
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return gator.Sampled{Pool: p, Checked: g, Pick: guard.Picked, Freed: guard.GuardFreed}, nil
}

// Left counts the live blocks of one label in a pool without an observer of blocks.
type Left struct {
	Label         string
	Blocks, Bytes uint64
}

// Left counts the live blocks of all pools that are not under guard, by label.
func (in *Instance) Left() (all []Left) {
	var sums gator.Sums
	for _, n := range in.pools.All() {
		p, ok := in.pools.Get(n)
		if !ok {
			continue
		}
		s, ok := backing(p.Backing).(gator.Sampled)
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

// backing returns the implementation of a pool. The handle of the default pool holds the pool itself.
func backing(b Backing) Backing {
	if d, ok := b.(*Default); ok {
		return d.Backing
	}
	return b
}

// picks says whether one block in N is sampled. If each block is recorded or hashed, none is.
func (s *Settings) picks() bool {
	return s.Memory.On && s.Memory.Sample > 1 && s.Watch.Trace.Wanted&(MemoryEvents|MemoryHashes) == 0
}
