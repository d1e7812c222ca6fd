package gator

import (
	"fmt"
	"sync"

	"libportable/internal/backend"
)

// flag is an event that a test completes by hand.
type flag struct {
	once sync.Once
	done chan struct{}
}

func newFlag() *flag { return &flag{done: make(chan struct{})} }

func (f *flag) Done() bool {
	select {
	case <-f.done:
		return true
	default:
		return false
	}
}

func (f *flag) Wait()     { <-f.done }
func (f *flag) complete() { f.once.Do(func() { close(f.done) }) }

// model is a pool that is slow and plainly right: each slab is a list of spans, every question is a walk.
// It is written from the documents, not from the pool's code, and shares nothing with it.
type model struct {
	block, grow, limit, next uint64
	slabs                    []*modelSlab
	allocations, frees, high uint64

	// reserve stands for the source: the test answers with what the pool's source did, and checks the size.
	reserve func(bytes uint64) (base uintptr, refused bool)
	// stuck says that the source takes nothing back.
	stuck func() bool
}

type modelSlab struct {
	base  uintptr
	bytes uint64
	grown bool
	plain bool // growth chose the size
	spans []span
}

// span is a gap, a live block or a waiting block; at and units count granules.
type span struct {
	at, units uint64
	used      bool
	waiting   bool
	bytes     uint64
	label     string
	on        []*flag
}

func (s *modelSlab) units(block uint64) uint64 { return s.bytes / block }

func (m *model) addSlab(base uintptr, bytes uint64, grown bool) {
	m.slabs = append(m.slabs, &modelSlab{base: base, bytes: bytes, grown: grown, spans: []span{{units: bytes / m.block}}})
}

func (m *model) sum(of func(*modelSlab) uint64) (total uint64) {
	for _, s := range m.slabs {
		total += of(s)
	}
	return total
}

func (m *model) reserved() uint64 { return m.sum(func(s *modelSlab) uint64 { return s.bytes }) }

func (m *model) each(visit func(*modelSlab, span)) {
	for _, s := range m.slabs {
		for _, sp := range s.spans {
			visit(s, sp)
		}
	}
}

// fit is address-ordered first fit, slabs in the order of their making.
func (m *model) fit(units uint64, sp span) (uintptr, bool) {
	for _, s := range m.slabs {
		for i, gap := range s.spans {
			if gap.used || gap.units < units {
				continue
			}
			sp.at, sp.units = gap.at, units
			with := append([]span{}, s.spans[:i]...)
			with = append(with, sp)
			if gap.units > units {
				with = append(with, span{at: gap.at + units, units: gap.units - units})
			}
			s.spans = append(with, s.spans[i+1:]...)
			return s.base + uintptr(sp.at*m.block), true
		}
	}
	return 0, false
}

func (m *model) allocate(bytes uint64, label string) (uintptr, error) {
	m.sweep()
	if bytes >= 1<<56 {
		return 0, ErrMemory
	}
	units := max(1, (bytes+m.block-1)/m.block)
	sp := span{used: true, bytes: bytes, label: label}
	addr, ok := m.fit(units, sp)
	if !ok {
		if units > 1<<32-64 {
			return 0, ErrMemory // no slab has so many granules, and the source is not asked
		}
		if !m.enlarge(units * m.block) {
			// Empty slabs go back before memory is said to be out: the room may be needed in one piece.
			if released, _ := m.trim(); released == 0 || !m.enlarge(units*m.block) {
				return 0, ErrMemory
			}
		}
		if addr, ok = m.fit(units, sp); !ok {
			panic("model: no room in a new slab")
		}
	}
	m.allocations++
	m.high = max(m.high, m.stats().Occupied)
	return addr, nil
}

// enlarge is the growth rule: the grow size, or twice the last; not over the limit; half of it as often as
// the source refuses; never less than the request.
func (m *model) enlarge(need uint64) bool {
	full := m.next
	for _, s := range m.slabs {
		if s.plain {
			full = max(full, 2*s.bytes)
		}
	}
	if m.grow > 0 {
		full = m.grow
	}
	full -= full % m.block
	size := max(full, need)
	if m.limit > 0 {
		left := m.limit - m.reserved()
		left -= left % m.block
		if left < need {
			return false
		}
		size = min(size, left)
	}
	for {
		base, refused := m.reserve(size)
		switch {
		case !refused:
			m.addSlab(base, size, true)
			m.slabs[len(m.slabs)-1].plain = size == full
			return true
		case size == need:
			return false
		}
		size /= 2
		size = max(size-size%m.block, need)
	}
}

// at finds the slab and the span that hold an address.
func (m *model) at(addr uintptr) (*modelSlab, *span) {
	for _, s := range m.slabs {
		if addr < s.base || addr >= s.base+uintptr(s.units(m.block)*m.block) {
			continue
		}
		u := uint64(addr-s.base) / m.block
		for i := range s.spans {
			if sp := &s.spans[i]; sp.at <= u && u < sp.at+sp.units {
				return s, sp
			}
		}
	}
	return nil, nil
}

// live gives the live block that starts at addr, or a fragment of the error that the pool must give.
func (m *model) live(addr uintptr) (sp *span, wrong string) {
	m.sweep()
	s, sp := m.at(addr)
	switch {
	case s == nil:
		return nil, "no slab of it holds this address"
	case !sp.used || sp.waiting:
		return nil, "freed already"
	case s.base+uintptr(sp.at*m.block) != addr:
		return nil, fmt.Sprintf("it is %d bytes inside a block of %d bytes", uint64(addr-s.base)-sp.at*m.block, sp.bytes)
	}
	return sp, ""
}

func (m *model) free(addr uintptr) (wrong string) {
	sp, wrong := m.live(addr)
	if wrong == "" {
		m.frees++
		sp.waiting = true
		m.sweep()
	}
	return wrong
}

func (m *model) depend(addr uintptr, on *flag) (wrong string) {
	sp, wrong := m.live(addr)
	if wrong == "" {
		sp.on = append(sp.on, on)
	}
	return wrong
}

// sweep makes gaps of waiting blocks all of whose events are done, and joins gaps.
func (m *model) sweep() {
	for _, s := range m.slabs {
		var joined []span
		for _, sp := range s.spans {
			if sp.waiting && allDone(sp.on) {
				sp = span{at: sp.at, units: sp.units}
			}
			if n := len(joined); n > 0 && !sp.used && !joined[n-1].used {
				joined[n-1].units += sp.units
				continue
			}
			joined = append(joined, sp)
		}
		s.spans = joined
	}
}

func allDone(events []*flag) bool {
	for _, e := range events {
		if !e.Done() {
			return false
		}
	}
	return true
}

func (m *model) trim() (released uint64, err error) {
	m.sweep()
	var kept []*modelSlab
	for _, s := range m.slabs {
		switch empty := len(s.spans) == 1 && !s.spans[0].used; {
		case !empty || !s.grown:
			kept = append(kept, s)
		case m.stuck():
			kept, err = append(kept, s), backend.ErrRefused
		default:
			released += s.bytes
		}
	}
	m.slabs = kept
	return released, err
}

func (m *model) stats() Stats {
	m.sweep()
	st := Stats{
		Slabs: uint64(len(m.slabs)), Reserved: m.reserved(), Limit: m.limit,
		Allocations: m.allocations, Frees: m.frees, HighWater: m.high,
	}
	m.each(func(_ *modelSlab, sp span) {
		size := sp.units * m.block
		switch {
		case !sp.used:
			st.Free += size
			st.LargestGap = max(st.LargestGap, size)
		case sp.waiting:
			st.Waiting += sp.bytes
			st.WaitBlocks++
			st.Occupied += size
		default:
			st.InUse += sp.bytes
			st.Blocks++
			st.Occupied += size
		}
	})
	return st
}

func (m *model) blocks() (list []Block) {
	m.sweep()
	m.each(func(s *modelSlab, sp span) {
		if sp.used {
			list = append(list, Block{s.base + uintptr(sp.at*m.block), sp.bytes, sp.label, sp.waiting})
		}
	})
	return list
}
