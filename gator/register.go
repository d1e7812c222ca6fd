package gator

import "slices"

// In this file: what a Direct knows of its blocks, for questions, listing and Check. Not here: what changes the register (direct.go).

// piece is one block of the register.
type piece struct {
	bytes   uint64
	label   labelID
	waiting bool
	depends bool
}

// enclosingLocked looks at every block: for messages and look-ups only.
func (d *Direct) enclosingLocked(addr uintptr) (uintptr, piece, bool) {
	for at, b := range d.blocks {
		if addr-at < uintptr(max(b.bytes, 1)) {
			return at, b, b.waiting || !d.front.Parked(at)
		}
	}
	return 0, piece{}, false
}

func (d *Direct) findLocked(addr uintptr) (b Block, why string) {
	if at, b, ok := d.enclosingLocked(addr); ok {
		return d.describe(at, b), ""
	}
	return b, whyUnknown
}

func (d *Direct) startsLocked(addr uintptr) bool {
	b, ok := d.blocks[addr]
	return ok && !b.waiting && !d.front.Parked(addr)
}

func (d *Direct) waitsLocked(addr uintptr) bool { return d.blocks[addr].waiting }

func (d *Direct) describe(addr uintptr, b piece) Block {
	return Block{addr, b.bytes, d.labels.text(b.label), b.waiting}
}

// eachLocked sorts the addresses in a table, which is mapped memory. If there is none, the order is that of the register.
func (d *Direct) eachLocked(visit func(Block) bool) {
	table, err := d.config.Tables.Take(max(len(d.blocks), 1))
	if err != nil {
		for addr, b := range d.blocks {
			if !visit(d.describe(addr, b)) {
				return
			}
		}
		return
	}
	defer d.config.Tables.Give(table)
	addrs := table[:0]
	for addr := range d.blocks {
		addrs = append(addrs, uint64(addr))
	}
	slices.Sort(addrs)
	for _, addr := range addrs {
		if !visit(d.describe(uintptr(addr), d.blocks[uintptr(addr)])) {
			return
		}
	}
}

// sizesLocked leaves 0 what only a pool has.
func (d *Direct) sizesLocked() Stats { return Stats{Occupied: d.taken, Reserved: d.taken} }

func (d *Direct) walkLocked() (live, held Counts, err error) {
	for _, b := range d.blocks {
		of := &live
		if b.waiting {
			of = &held
		}
		of.Bytes += int64(b.bytes)
		of.Blocks++
	}
	switch found := uint64(live.Bytes + held.Bytes); {
	case found != d.taken:
		err = d.broken("reserved %d bytes, blocks have %d", d.taken, found)
	case d.high < d.taken:
		err = d.broken("high water %d below reserved %d", d.high, d.taken)
	}
	return live, held, err
}
