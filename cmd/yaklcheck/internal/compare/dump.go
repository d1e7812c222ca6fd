package compare

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"libportable/internal/outside"
)

// Contents of a block, as `PORTABLE_HASH=dump=...` has written them beside a trace.

// Dump is what a block held.
type Dump struct {
	Step, Place uint64
	Bytes       []byte
}

// dumpMost is the largest block that is compared: a dump and what is made of it are in memory.
const dumpMost = 64 << 30

// ReadDump reads the file beside a trace.
func ReadDump(trace string) (*Dump, error) {
	text, err := outside.ReadFile(trace+".dump", dumpMost)
	if err != nil {
		return nil, err
	}
	if len(text) < 32 || string(text[:8]) != "PORTDUMP" || binary.LittleEndian.Uint64(text[24:]) != uint64(len(text)-32) {
		return nil, fmt.Errorf("%s.dump is no whole dump of a block", trace)
	}
	return &Dump{binary.LittleEndian.Uint64(text[8:]), binary.LittleEndian.Uint64(text[16:]), text[32:]}, nil
}

// Form is how the bytes of a block are read.
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

// Known says whether there is such a form.
func (f Form) Known() bool { return widths[f] > 0 }

// Element is one value that differs.
type Element struct {
	Index uint64 // from 1, in memory order
	A, B  string
}

// Elements compares two blocks: the first value that differs, how many do, and of how many.
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

// Indices are those of an array with these extents, counted from 1, the first one fastest.
func Indices(n uint64, extents []uint64) (out []uint64) {
	n--
	for _, e := range extents {
		out = append(out, n%e+1)
		n /= e
	}
	return out
}

func sortKeys(keys []Key) {
	slices.SortFunc(keys, func(a, b Key) int { return cmp.Or(cmp.Compare(a.Label, b.Label), cmp.Compare(a.Place, b.Place)) })
}
