package statics

import (
	"cmp"
	"debug/elf"
	"encoding/binary"
	"slices"
)

// This file reads the machine code of x86-64: the procedures that it calls or passes on, and its
// stores to variables at fixed addresses. code_a64.go reads that of aarch64.
//
// It does not decode one instruction after the other. A call is five bytes that lead exactly to the
// start of a procedure. A store is an opcode that writes memory, with an operand that is relative
// to the next instruction and lies in a variable. Other bytes that look the same are rarer than the
// errors of a decoder for all of AVX.

// code returns the bytes of a range of addresses.
func (b *executable) code(r [2]uint64) []byte {
	for _, s := range b.text {
		if r[0] >= s.Addr && r[1] <= s.Addr+uint64(len(s.bytes)) && r[0] <= r[1] {
			return s.bytes[r[0]-s.Addr : r[1]-s.Addr]
		}
	}
	return nil
}

func target(code []byte, i int, next uint64) uint64 {
	return next + uint64(int64(int32(binary.LittleEndian.Uint32(code[i:]))))
}

// isRead reports whether statics reads the machine code of a processor.
func isRead(machine elf.Machine) bool { return machine == elf.EM_X86_64 || machine == elf.EM_AARCH64 }

// called are the procedures that a piece of code calls or passes on.
func (b *executable) called(r [2]uint64) (out []*procedure) {
	if b.machine == elf.EM_AARCH64 {
		return b.readArm(r).called
	}
	code := b.code(r)
	for i := 0; i+5 <= len(code); i++ {
		switch op := code[i]; {
		case op == 0xe8 || op == 0xe9: // call, and jump at the end
			if p := b.entries[target(code, i+1, r[0]+uint64(i)+5)]; p != nil {
				out = append(out, p)
			}
		case op == 0x8d && code[i+1]&0xc7 == 0x05 && i+6 <= len(code): // lea: a procedure as an argument
			if p := b.entries[target(code, i+2, r[0]+uint64(i)+6)]; p != nil {
				out = append(out, p)
			}
		case op >= 0xb8 && op <= 0xbf: // its address, in programs at fixed addresses
			if p := b.entries[uint64(binary.LittleEndian.Uint32(code[i+1:]))]; p != nil {
				out = append(out, p)
			}
		}
	}
	return out
}

// store is an instruction that writes a variable.
type store struct {
	v  *variable
	at uint64
}

// stores are the writes to variables in a piece of code.
func (b *executable) stores(r [2]uint64) (out []store) {
	if b.machine == elf.EM_AARCH64 {
		return b.readArm(r).stores
	}
	code := b.code(r)
	for i := 1; i+5 <= len(code); i++ {
		if code[i]&0xc7 != 0x05 { // an operand that is relative to the next instruction
			continue
		}
		immediate := writes(code, i)
		if immediate < 0 || i+5+immediate > len(code) {
			continue
		}
		if v := b.at(target(code, i+1, r[0]+uint64(i)+5+uint64(immediate))); v != nil {
			out = append(out, store{v, r[0] + uint64(i)})
		}
	}
	return out
}

// writes returns the number of bytes behind the operand at i if the opcode before it writes memory, else -1.
func writes(code []byte, i int) int {
	op, reg := code[i-1], code[i]>>3&7
	before := func(n int) byte {
		if i-n < 0 {
			return 0
		}
		return code[i-n]
	}
	if before(2) == 0xf0 || before(3) == 0xf0 { // lock: an atomic
		return -1
	}
	wide := 4
	if before(2) == 0x66 {
		wide = 2
	}
	escaped, third := before(2) == 0x0f, before(3) == 0x0f && before(2) == 0x3a
	vex := before(3) == 0xc5 || before(4) == 0xc4 || before(5) == 0x62 && before(4)&0x0c == 0 && before(3)&4 != 0
	if third || before(4) == 0xc4 && before(3)&0x1f == 3 { // parts of vectors
		switch op {
		case 0x14, 0x15, 0x16, 0x17, 0x19, 0x39:
			return 1
		}
	}
	if escaped || vex {
		switch op {
		case 0x11, 0x13, 0x17, 0x29, 0x2b, 0x7e, 0x7f, 0xd6, 0xe7:
			if op == 0x7e && (before(3) == 0xf3 || vex && before(2)&3 == 2) { // movq from memory
				return -1
			}
			return 0
		}
		if escaped && op >= 0x90 && op <= 0x9f { // set by a condition
			return 0
		}
		// A vector instruction has other meanings for the opcodes of integers: 0x10 loads. From 0x80 on nearly all are
		// of integers, and what looks like a prefix may be the end of the instruction before.
		if escaped || op < 0x40 {
			return -1
		}
	}
	switch {
	case op == 0x88 || op == 0x89:
		return 0
	case op == 0xc7 && reg == 0:
		return wide
	case op == 0xc6 && reg == 0:
		return 1
	case op < 0x38 && op&7 <= 1 && op != 0x38: // add, or, adc, sbb, and, sub, xor to memory
		return 0
	case op == 0x81 && reg != 7:
		return wide
	case (op == 0x80 || op == 0x83) && reg != 7:
		return 1
	case (op == 0xfe || op == 0xff) && reg <= 1: // inc, dec
		return 0
	case (op == 0xf6 || op == 0xf7) && (reg == 2 || reg == 3): // not, neg
		return 0
	case op == 0xd1 || op == 0xd3:
		return 0
	case op == 0xc1:
		return 1
	case (op == 0xd9 || op == 0xdd) && (reg == 2 || reg == 3), op == 0xdb && (reg == 7 || reg == 2 || reg == 3): // x87
		return 0
	case op == 0x8f && reg == 0: // pop
		return 0
	}
	return -1
}

// at is the variable at an address.
func (b *executable) at(address uint64) *variable {
	i, exact := slices.BinarySearchFunc(b.variables, address, func(v *variable, a uint64) int { return cmp.Compare(v.address, a) })
	if exact {
		return b.variables[i]
	}
	if i > 0 && address < b.variables[i-1].address+uint64(max(b.variables[i-1].bytes, 1)) {
		return b.variables[i-1]
	}
	for _, block := range b.blocks {
		if address >= block.address && address < block.address+uint64(block.bytes) {
			return block
		}
	}
	return nil
}
