package compare

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"libportable/internal/outside"
)

// This file compares the contents of blocks, which `PORTABLE_HASH=dump=...` writes into a file next
// to the trace.

// Dump is the contents of a block.
type Dump struct {
	Step, Place uint64
	Bytes       []byte
}

// dumpMost is the largest dump that is read. A dump, and its text, are in memory.
const dumpMost = 64 << 30

// ReadDump reads the dump of a trace.
func ReadDump(trace string) (*Dump, error) {
	text, err := outside.ReadFile(trace+".dump", dumpMost)
	if err != nil {
		return nil, err
	}
	if len(text) < 32 || string(text[:8]) != "PORTDUMP" || binary.LittleEndian.Uint64(text[24:]) != uint64(len(text)-32) {
		return nil, fmt.Errorf("%s.dump is not a whole dump of a block", trace)
	}
	return &Dump{binary.LittleEndian.Uint64(text[8:]), binary.LittleEndian.Uint64(text[16:]), text[32:]}, nil
}

// Form is the type of the values in a block.
type Form string

// Forms.
const (
	Real64 Form = "real64"
	Real32 Form = "real32"
	Int64  Form = "int64"
	Int32  Form = "int32"
	Bytes  Form = "bytes"
)

var widths = map[Form]int{Real64: 8, Int64: 8, Real32: 4, Int32: 4, Bytes: 1}

// Known reports whether the form exists.
func (f Form) Known() bool { return widths[f] > 0 }

// Element is one value that differs.
type Element struct {
	Index uint64 // from 1, in memory order
	A, B  string
}

// Elements compares two blocks. It returns the first value that differs, the number that differ, and the number of all.
func Elements(a, b []byte, form Form) (first *Element, differ, all uint64) {
	width := widths[form]
	n := min(len(a), len(b)) / width
	for i := range n {
		x, y := a[i*width:(i+1)*width], b[i*width:(i+1)*width]
		if slices.Equal(x, y) {
			continue
		}
		if differ++; first == nil {
			first = &Element{uint64(i) + 1, form.value(x), form.value(y)}
		}
	}
	return first, differ, uint64(n)
}

func (f Form) value(b []byte) string {
	switch f {
	case Real64:
		bits := binary.LittleEndian.Uint64(b)
		return fmt.Sprintf("%.17g (%016x)", math.Float64frombits(bits), bits)
	case Real32:
		bits := binary.LittleEndian.Uint32(b)
		return fmt.Sprintf("%.9g (%08x)", math.Float32frombits(bits), bits)
	case Int64:
		return fmt.Sprint(int64(binary.LittleEndian.Uint64(b)))
	case Int32:
		return fmt.Sprint(int32(binary.LittleEndian.Uint32(b)))
	}
	return fmt.Sprintf("0x%02x", b[0])
}

// Indices are the indices of an element in an array with these extents, from 1, the first index fastest.
func Indices(n uint64, extents []uint64) (out []uint64) {
	n--
	for _, e := range extents {
		out = append(out, n%e+1)
		n /= e
	}
	return out
}
