package statics

import (
	"debug/elf"
	"encoding/binary"
)

// This file reads the machine code of aarch64: the procedures that it calls or passes on, and its stores to variables at fixed addresses.
//
// An instruction has four bytes, and an address takes two of them: adrp gives its page, and add, a load or a store the rest. So each instruction is
// read, and fixed addresses in registers are followed along all branches, as far as all ways to an instruction agree.

// addresses are the fixed addresses in registers; known has a bit for each.
type addresses struct {
	known uint32
	at    [31]uint64
}

func (a *addresses) set(r uint32, at uint64) {
	if r < 31 {
		a.known |= 1 << r
		a.at[r] = at
	}
}

func (a *addresses) drop(r uint32) {
	if r < 31 {
		a.known &^= 1 << r
	}
}

func (a *addresses) get(r uint32) (uint64, bool) { return a.at[r%31], r < 31 && a.known>>r&1 == 1 }

// meet keeps what both know, and reports whether that is less than before.
func (a *addresses) meet(b *addresses) bool {
	before := a.known
	a.known &= b.known
	for r := range a.at {
		if a.at[r] != b.at[r] {
			a.drop(uint32(r))
		}
	}
	return a.known != before
}

// bits is the signed number in these bits.
func bits(w uint32, high, low int) int64 { return int64(uint64(w)<<(63-high)) >> (63 - high + low) }

// armCode is a procedure's code, with what it does.
type armCode struct {
	b      *executable
	words  []uint32
	start  uint64
	before map[int]*addresses // of instructions that branches lead to, and that nothing leads to
	called []*procedure
	stores []store
}

// readArm reads a piece of code.
func (b *executable) readArm(r [2]uint64) *armCode {
	c := &armCode{b: b, start: r[0], before: map[int]*addresses{0: {}}}
	code := b.code(r)
	for i := 0; i+4 <= len(code); i += 4 {
		c.words = append(c.words, binary.LittleEndian.Uint32(code[i:]))
	}
	for i := range c.words {
		if to, _, ok := c.branch(i); ok {
			c.before[to] = nil
		}
	}
	seen := make([]bool, len(c.words))
	for from := range c.words {
		if !seen[from] { // behind a jump to an address from a table, all may be as it likes
			c.before[from] = &addresses{}
			c.follow(from, seen)
		}
	}
	state := addresses{}
	for i := range c.words {
		if known := c.before[i]; known != nil {
			state = *known
		}
		c.step(i, &state, true)
	}
	return c
}

// follow takes an instruction's state along the code, until there is nothing new.
func (c *armCode) follow(from int, seen []bool) {
	work := []int{from}
	lead := func(to int, state *addresses) bool {
		known := c.before[to]
		if known == nil {
			copied := *state
			c.before[to] = &copied
			return true
		}
		return known.meet(state)
	}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		state := *c.before[i]
		for begun := i; i < len(c.words); i++ {
			if _, marked := c.before[i]; marked && i != begun {
				if lead(i, &state) || !seen[i] {
					work = append(work, i)
				}
				break
			}
			seen[i] = true
			c.step(i, &state, false)
			to, goesOn, ok := c.branch(i)
			if ok && (lead(to, &state) || !seen[to]) {
				work = append(work, to)
			}
			if !goesOn {
				break
			}
		}
	}
}

// branch is the instruction of the same procedure that a branch leads to, if there is one, and whether the next one may follow.
func (c *armCode) branch(i int) (to int, goesOn, ok bool) {
	w := c.words[i]
	far := int64(0)
	goesOn = true
	switch {
	case w&0xff000010 == 0x54000000, w&0x7e000000 == 0x34000000: // by a condition, by a register
		far = bits(w, 23, 5)
	case w&0x7e000000 == 0x36000000: // by a bit
		far = bits(w, 18, 5)
	case w&0xfc000000 == 0x14000000:
		far, goesOn = bits(w, 25, 0), false
	default:
		return 0, w&0xfebff000 != 0xd61f0000 && w&0xffe00000 != 0xd4200000, false // br, ret; brk
	}
	to = i + int(far)
	return to, goesOn, to >= 0 && to < len(c.words)
}

// step is one instruction's effect on the registers; with keep its calls and stores are noted.
func (c *armCode) step(i int, state *addresses, keep bool) {
	w, pc := c.words[i], c.start+4*uint64(i)
	to, base := w&31, w>>5&31
	uses := func(at uint64) {
		if p := c.b.entries[at]; keep && p != nil {
			c.called = append(c.called, p)
		}
	}
	switch {
	case w&0x7c000000 == 0x14000000: // b, bl
		uses(pc + uint64(bits(w, 25, 0)*4))
		if w>>31 == 1 {
			state.known &^= 0x4007ffff
		}
	case w&0xfffffc1f == 0xd63f0000, w&0xfefff800 == 0xd63f0800: // a call of an address in a register
		state.known &^= 0x4007ffff
	case w&0x1f000000 == 0x10000000: // adr, adrp
		far := uint64(bits(w, 23, 5)<<2 | int64(w>>29&3))
		if w>>31 == 1 {
			state.set(to, pc&^4095+far<<12)
		} else {
			state.set(to, pc+far)
			uses(pc + far)
		}
	case w&0xff800000 == 0x91000000: // add of a number
		at, known := state.get(base)
		state.drop(to)
		if known && to < 31 {
			at += uint64(w>>10&4095) << (w >> 22 & 1 * 12)
			state.set(to, at)
			uses(at)
		}
	case w&0xffe0ffe0 == 0xaa0003e0: // a move
		at, known := state.get(w >> 16 & 31)
		state.drop(to)
		if known {
			state.set(to, at)
		}
	default:
		if !c.access(w, pc, state, keep, uses) && writesRegister(w) {
			state.drop(to)
		}
	}
}

// writesRegister reports whether an instruction that accesses no memory may write the general register in its last bits. Branches do not, nor does most of
// what works on vectors.
func writesRegister(w uint32) bool {
	switch class := w >> 25 & 15; {
	case class&14 == 10:
		return w&0xfff00000 == 0xd5300000 // mrs
	case class&7 == 7:
		converts := w&0x7f20fc00 == 0x1e200000 || w&0x7f200000 == 0x1e000000
		op := w >> 16 & 7                                                                                            // 2, 3 and 7 go to a vector register
		return converts && op != 2 && op != 3 && op != 7 || w&0xbfe0fc00 == 0x0e003c00 || w&0xbfe0fc00 == 0x0e002c00 // umov, smov
	}
	return true
}

// access is an instruction that loads or stores; false: it is another one.
func (c *armCode) access(w uint32, pc uint64, state *addresses, keep bool, uses func(uint64)) bool {
	to, base, size, vector := w&31, w>>5&31, w>>30, w>>26&1
	at, known := state.get(base)
	put := func(at uint64) {
		if v := c.b.at(at); keep && known && v != nil {
			c.stores = append(c.stores, store{v, pc})
		}
	}
	switch {
	case w&0x3b000000 == 0x39000000: // one register, and a distance
		op, scale := w>>22&3, size
		if vector == 1 && op >= 2 {
			scale = 4
		}
		at += uint64(w>>10&4095) << scale
		switch {
		case op == 0 || vector == 1 && op == 2:
			put(at)
		case vector == 0 && !(size == 3 && op == 2): // no prefetch
			state.drop(to)
			if value, ok := c.b.table[at]; known && ok && size == 3 && op == 1 {
				state.set(to, value)
				uses(value)
			}
		}
	case w&0x3b200000 == 0x38000000: // and any distance, perhaps before or after it
		op, far, mode := w>>22&3, uint64(bits(w, 20, 12)), w>>10&3
		if mode != 1 {
			at += far
		}
		switch {
		case op == 0 || vector == 1 && op == 2:
			put(at)
		case vector == 0 && !(size == 3 && op == 2):
			state.drop(to)
		}
		if mode&1 == 1 {
			state.drop(base)
		}
	case w&0x3b200000 == 0x38200000: // and another register; atomic operations
		if vector == 0 && (w>>10&3 != 2 || w>>22&3 != 0) {
			state.drop(to)
		}
	case w&0x3a000000 == 0x28000000: // two registers
		bytes, mode := uint64(4)<<(size>>1), w>>23&3
		if vector == 1 {
			bytes = 4 << size
		}
		if mode != 1 {
			at += uint64(bits(w, 21, 15)) * bytes
		}
		if w>>22&1 == 0 {
			put(at)
			put(at + bytes)
		} else if vector == 0 {
			state.drop(to)
			state.drop(w >> 10 & 31)
		}
		if mode&1 == 1 {
			state.drop(base)
		}
	case w&0xbe000000 == 0x0c000000: // structures in vector registers
		if w>>22&1 == 0 {
			put(at)
		}
		if w>>23&1 == 1 {
			state.drop(base)
		}
	case w&0x3a000000 == 0x18000000: // data near the instruction; ordered accesses
		if vector == 0 {
			state.drop(to)
		}
	case w&0x3f000000 == 0x08000000: // exclusive and ordered accesses: atomic ones
		state.drop(to)
		state.drop(w >> 10 & 31)
		state.drop(w >> 16 & 31)
	default:
		return false
	}
	return true
}

// tableOf is where programs that may lie anywhere keep addresses: the values by their places. The contents of .got are those of programs at fixed
// addresses. Relocations come second, because a linker may leave zeros at their places, and may write either section first.
func tableOf(file *elf.File) map[uint64]uint64 {
	const relative, global = 1027, 1025 // R_AARCH64_RELATIVE, R_AARCH64_GLOB_DAT
	table := map[uint64]uint64{}
	dynamic, _ := file.DynamicSymbols()
	for _, s := range file.Sections {
		if s.Type != elf.SHT_PROGBITS || s.Name != ".got" {
			continue
		}
		if text, err := s.Data(); err == nil {
			for i := 0; i+8 <= len(text); i += 8 {
				table[s.Addr+uint64(i)] = binary.LittleEndian.Uint64(text[i:])
			}
		}
	}
	for _, s := range file.Sections {
		if s.Type != elf.SHT_RELA || s.Flags&elf.SHF_ALLOC == 0 {
			continue
		}
		text, err := s.Data()
		for i := 0; err == nil && i+24 <= len(text); i += 24 {
			place, info, value := binary.LittleEndian.Uint64(text[i:]), binary.LittleEndian.Uint64(text[i+8:]), binary.LittleEndian.Uint64(text[i+16:])
			switch symbol := info >> 32; info & 0xffffffff {
			case relative:
				table[place] = value
			case global:
				if symbol > 0 && symbol <= uint64(len(dynamic)) && dynamic[symbol-1].Value != 0 {
					table[place] = dynamic[symbol-1].Value + value
				}
			}
		}
	}
	return table
}
