package present

// Without package slices: its generic functions for these types would add 14 KB to each program.

// Outcome says what came of a plan.
type Outcome uint8

// The outcomes.
const (
	Nothing   Outcome = iota // no copy was made
	Copied                   // the copies were made; no kernel ran on the device
	Ran                      // and the kernel
	Discarded                // the kernel ran, and what it wrote is not wanted
)

// Plan is what is to be copied before a launch or a statement of the host. Copies from devices come first.
type Plan struct {
	Copies  []Copy
	At      []uintptr // of a launch: place of each span on the device; 0: it is not in a region, and the launch copies it
	up      []Copy    // go behind Copies
	fetched []*entry  // the host becomes current
	brought []*entry  // the device becomes current, with or without a copy
	written []*entry  // by the kernel
	spoiled []*entry  // by the host
	leaving []*entry
	exposed []*entry
	closing *region
	exiting []*entry
}

// Launch plans a launch on a device. A span that lies in a present array uses its copy, if all spans of the launch that overlap the array do. The host
// gets what others need. keep: what the launch writes may be discarded, so the host must have it.
func (t *Table) Launch(thread uint64, device int, spans []Span, keep bool) *Plan {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := &Plan{At: make([]uintptr, len(spans))}
	for _, e := range t.entries {
		written, usable, used := false, t.usable(e, thread, device), false
		for _, s := range spans {
			if s.overlaps(e) {
				used, written = true, written || s.Written
				usable = usable && s.within(e)
			}
		}
		switch {
		case !used || e.away:
		case usable && t.allocated(e, device) && t.kept(e):
			for i, s := range spans {
				if s.overlaps(e) {
					p.At[i] = e.there() + (s.Start - e.Start)
				}
			}
			if keep && written {
				p.fetch(e)
			}
			if !e.device {
				p.brought = append(p.brought, e)
				if !e.fresh || !written {
					p.copy(e, true)
				}
			}
			if written {
				p.written = append(p.written, e)
			}
		default:
			p.host(e, written)
		}
	}
	return t.begun(p)
}

func (t *Table) usable(e *entry, thread uint64, device int) bool {
	return e.region.thread == thread && t.paused[thread] == 0 && (e.block == 0 || e.at == device)
}

// allocated makes the block of an entry. Without memory the launch copies the array, or the host runs it.
func (t *Table) allocated(e *entry, device int) bool {
	if e.block != 0 {
		return true
	}
	block, err := t.Memory.Allocate(device, uint64(e.End-e.Start)+align, "data region "+e.region.label)
	if err != nil {
		return false
	}
	e.block, e.at = block, device
	return true
}

// kept makes the host memory that an exposed array needs, before a copy to the device.
func (t *Table) kept(e *entry) bool {
	if e.exposed && e.before == 0 && !e.device {
		e.before = t.Memory.Host(uint64(e.End - e.Start))
	}
	return !e.exposed || e.before != 0
}

// Host plans a statement of the host that uses the memory of s.
func (t *Table) Host(s Span) *Plan {
	return t.hosts(s.Written, s.overlaps)
}

// Expose plans a call that gets the memory of s, or of any array without s, and may write it after its return, until a later call that Shared plans.
// The device may change other elements meanwhile.
func (t *Table) Expose(s ...Span) *Plan {
	p := t.hosts(true, func(e *entry) bool { return len(s) == 0 || s[0].overlaps(e) })
	t.mu.Lock()
	defer t.mu.Unlock()
	p.exposed = p.spoiled
	return p
}

// All plans a statement of the host that may use any array; shared: those alone that procedures elsewhere may use, or had.
func (t *Table) All(shared bool) *Plan {
	return t.hosts(true, func(e *entry) bool { return e.shared || e.exposed || !shared })
}

func (t *Table) hosts(written bool, which func(*entry) bool) *Plan {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := &Plan{}
	for _, e := range t.entries {
		if which(e) && !e.away {
			p.host(e, written)
		}
	}
	return t.begun(p)
}

// Leave plans a statement that may free the memory of s, or of any array without s: they are not used any more, unless Stay follows.
func (t *Table) Leave(s ...Span) *Plan {
	p := t.hosts(true, func(e *entry) bool { return len(s) == 0 || s[0].overlaps(e) })
	t.mu.Lock()
	defer t.mu.Unlock()
	p.leaving = p.spoiled
	return p
}

// Close plans the end of the last region of that label and thread.
func (t *Table) Close(label string, thread uint64) *Plan {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := &Plan{}
	i := t.innermost(thread, label)
	if i < 0 {
		return t.begun(p)
	}
	p.closing = t.regions[i]
	for _, e := range t.entries {
		if e.region == p.closing && e.clause != Local && !e.away {
			p.fetch(e)
		}
	}
	return t.begun(p)
}

// Exit ends one Enter of the array that has the memory of s. The last one brings it to the host.
func (t *Table) Exit(thread uint64, s Span) *Plan {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := &Plan{}
	for _, e := range t.entries {
		if e.entered == 0 || !s.overlaps(e) || e.region.thread != thread {
			continue
		}
		if e.entered--; e.entered == 0 {
			p.exiting = append(p.exiting, e)
			if !e.away {
				p.fetch(e)
			}
		}
	}
	return t.begun(p)
}

func (t *Table) begun(p *Plan) *Plan {
	p.Copies = append(p.Copies, p.up...)
	t.plan = p
	return p
}

func (p *Plan) host(e *entry, written bool) {
	p.fetch(e)
	if written {
		p.spoiled = append(p.spoiled, e)
	}
}

func (p *Plan) fetch(e *entry) {
	if !e.host {
		p.copy(e, false)
		p.fetched = append(p.fetched, e)
	}
}

func (p *Plan) copy(e *entry, up bool) {
	list := &p.Copies
	if up {
		list = &p.up
	}
	*list = append(*list, Copy{Start: e.Start, Bytes: uint64(e.End - e.Start), Unit: unit(e.Unit), There: e.there(), Device: e.at, Up: up, Before: e.before,
		Region: e.region.label, Name: e.Name})
}

// unit is the largest power of two up to 8 that divides an element.
func unit(element uint64) uint64 {
	u := uint64(8)
	for element%u != 0 {
		u /= 2
	}
	return u
}

// Done says what came of the last plan, and gives the copies that were made. The error is of memory that could not be freed.
func (t *Table) Done(o Outcome) (made []Copy, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := t.plan
	t.plan = nil
	if p == nil {
		return nil, nil
	}
	if o != Nothing {
		made = p.Copies
		for _, e := range p.fetched {
			e.host = true
		}
		for _, e := range p.brought {
			if !e.fresh || o == Ran || o == Discarded || e.copied(p) {
				e.device = true
			}
			e.fresh = e.fresh && !e.copied(p)
		}
		for _, e := range p.spoiled {
			e.device, e.fresh = false, false
		}
		for _, e := range p.leaving {
			e.away = true
		}
		for _, e := range p.exposed {
			e.exposed, e.fresh = true, false
		}
	}
	for _, e := range p.written {
		switch o {
		case Ran:
			e.host, e.fresh = false, false
		case Discarded:
			e.device = false
		}
	}
	if p.closing == nil && len(p.exiting) == 0 {
		return made, nil
	}
	regions, entries := t.regions[:0], []*entry(nil)
	for _, r := range t.regions {
		if r != p.closing { // that of Enter stays
			regions = append(regions, r)
		}
	}
	for _, e := range t.entries {
		if e.region != p.closing && !p.exits(e) {
			entries = append(entries, e)
			continue
		}
		if failed := t.free(e); err == nil {
			err = failed
		}
	}
	t.regions, t.entries = regions, entries
	return made, err
}

func (p *Plan) exits(e *entry) bool {
	for _, x := range p.exiting {
		if x == e {
			return true
		}
	}
	return false
}

// copied reports whether the plan copies the array to the device.
func (e *entry) copied(p *Plan) bool {
	for _, c := range p.up {
		if c.Start == e.Start {
			return true
		}
	}
	return false
}
