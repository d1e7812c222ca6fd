package instance

import (
	"errors"

	"libportable/gator"
	"libportable/internal/guard"
)

// In this file: pools of which one block in so many is under guard (PORTABLE_MEMCHECK sample=N; gator.Sampled). Of all others only the number of live ones
// of each label is known. C picks the request (portable__guard_pick), before it calls Go.

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
