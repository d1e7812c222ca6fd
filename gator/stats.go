package gator

import (
	"cmp"
	"fmt"
	"slices"
)

// Stats gives the numbers of this moment; see Allocator. It empties the front first.
func (p *Pool) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.quietLocked()()
	return p.statsLocked()
}

func (p *Pool) statsLocked() Stats {
	front := p.config.Front.Counts().minus(p.before)
	st := Stats{
		Slabs:       uint64(len(p.slabs)),
		InUse:       uint64(p.counts.Bytes + front.Bytes),
		Blocks:      uint64(p.counts.Blocks + front.Blocks),
		Occupied:    p.occupied,
		HighWater:   p.high,
		Reserved:    p.reserved,
		Limit:       p.config.Limit,
		Waiting:     uint64(p.held.Bytes),
		WaitBlocks:  uint64(p.held.Blocks),
		Allocations: uint64(p.counts.Allocations + front.Allocations),
		Frees:       uint64(p.counts.Frees + front.Frees),
	}
	for _, s := range p.slabs {
		st.Free += uint64(s.unused) << s.shift
		st.LargestGap = max(st.LargestGap, uint64(s.largestGap())<<s.shift)
	}
	return st
}

// Each visits live and waiting blocks; see Allocator.
func (p *Pool) Each(visit func(Block) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.quietLocked()()
	p.eachLocked(visit)
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

// Find gives the block that holds an address; see Allocator.
func (p *Pool) Find(addr uintptr) (Block, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return Block{}, fmt.Errorf("%w: %s", ErrClosed, p.config.Name)
	}
	p.sweepLocked()
	s := p.slabOfLocked(addr)
	if s == nil {
		return Block{}, &PointerError{p.config.Name, addr, whyForeign}
	}
	u := s.enclosing(uint32((addr - s.base) >> s.shift))
	if k := s.records.state(u).kind(); k != kindLive && k != kindWait {
		return Block{}, &PointerError{p.config.Name, addr, whyFreed}
	}
	return p.describe(s, u), nil
}

// Starts says whether addr starts a live block; see Allocator.
func (p *Pool) Starts(addr uintptr) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.slabOfLocked(addr)
	if s == nil {
		return false
	}
	u := uint32((addr - s.base) >> s.shift)
	return s.address(u) == addr && s.records.state(u).kind() == kindLive
}

// LabelUse is what the blocks of one label hold.
type LabelUse struct {
	Label  string
	Bytes  uint64
	Blocks uint64
}

// Sums adds blocks up by label. Its size depends on the number of labels, which is limited, and not on the number of blocks.
type Sums struct {
	at   map[string]int
	uses []LabelUse
}

// Add counts one more block.
func (s *Sums) Add(b Block) {
	i, ok := s.at[b.Label]
	if !ok {
		if s.at == nil {
			s.at = map[string]int{}
		}
		i = len(s.uses)
		s.at[b.Label] = i
		s.uses = append(s.uses, LabelUse{Label: b.Label})
	}
	s.uses[i].Bytes += b.Bytes
	s.uses[i].Blocks++
}

// Largest gives the sums, the largest first.
func (s *Sums) Largest() []LabelUse {
	slices.SortFunc(s.uses, func(a, b LabelUse) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Label, b.Label))
	})
	s.at = nil // the places have changed
	return s.uses
}

// ByLabel sums the blocks of an allocator by label, the largest first.
func ByLabel(a Allocator) []LabelUse {
	var sums Sums
	a.Each(func(b Block) bool { sums.Add(b); return true })
	return sums.Largest()
}
