package trace

import (
	"encoding/binary"
	"slices"
)

// This file converts fields to bytes and bytes to fields. One list of fields for each record serves
// both ways, so they cannot differ.

// code walks over a payload. Writing appends bytes, reading takes bytes; short means that the payload ended too early.
type code struct {
	bytes   []byte
	reading bool
	short   bool
	known   map[string]string // strings that were read before: the same labels come very often
}

// take returns the next n bytes of a payload.
func (c *code) take(n int) []byte {
	if n > len(c.bytes) {
		c.short, c.bytes = true, nil
		return nil
	}
	b := c.bytes[:n]
	c.bytes = c.bytes[n:]
	return b
}

// fields writes or reads fields in the order of the file: numbers, texts, lists of numbers, the rest of the payload.
func (c *code) fields(all ...any) {
	for _, field := range all {
		switch f := field.(type) {
		case *uint64: // most fields are of this type and the next one: package binary would take twice the time
			if !c.reading {
				c.bytes = binary.LittleEndian.AppendUint64(c.bytes, *f)
			} else if b := c.take(8); b != nil {
				*f = binary.LittleEndian.Uint64(b)
			}
		case *uint32:
			*f = c.u32(*f)
		case *string:
			c.text(f)
		case *[]uint64:
			c.number(list(c, f, 8))
		case *[]byte:
			c.rest(f)
		default:
			c.number(f)
		}
	}
}

// number writes or reads a number, or the numbers of a list, by their size.
func (c *code) number(f any) {
	if !c.reading {
		// It fails for types without a fixed size only, and records have none.
		c.bytes, _ = binary.Append(c.bytes, binary.LittleEndian, f)
	} else if n, err := binary.Decode(c.bytes, binary.LittleEndian, f); err == nil {
		c.bytes = c.bytes[n:]
	} else {
		c.short, c.bytes = true, nil
	}
}

// u32 writes n, or reads another one in its place.
func (c *code) u32(n uint32) uint32 {
	if !c.reading {
		c.bytes = binary.LittleEndian.AppendUint32(c.bytes, n)
	} else if b := c.take(4); b != nil {
		n = binary.LittleEndian.Uint32(b)
	}
	return n
}

func (c *code) text(f *string) {
	n := int(c.u32(uint32(len(*f))))
	if !c.reading {
		c.bytes = append(c.bytes, *f...)
		c.pad(4)
		return
	}
	b := c.take(n)
	if c.short {
		return
	}
	c.take(min((4-n%4)%4, len(c.bytes)))
	s, ok := c.known[string(b)]
	if !ok {
		s = string(b)
		if c.known != nil && len(c.known) < 1<<16 {
			c.known[s] = s
		}
	}
	*f = s
}

func (c *code) rest(f *[]byte) {
	if !c.reading {
		c.bytes = append(c.bytes, *f...)
		return
	}
	*f = slices.Clone(c.take(len(c.bytes)))
}

// pad adds zeros up to a multiple of n.
func (c *code) pad(n int) {
	for len(c.bytes)%n != 0 {
		c.bytes = append(c.bytes, 0)
	}
}

// list writes or reads a count, and allocates the elements. Each has at least `least` bytes, so that a damaged count
// cannot make it allocate more than the payload holds.
func list[E any](c *code, elements *[]E, least int) []E {
	n := int(c.u32(uint32(len(*elements))))
	if c.reading {
		if n > len(c.bytes)/least {
			c.short, c.bytes = true, nil
			return nil
		}
		if n > 0 {
			*elements = make([]E, n)
		}
	}
	return *elements
}
