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

func (c *code) u32(fields ...*uint32) {
	for _, f := range fields {
		if !c.reading {
			c.bytes = binary.LittleEndian.AppendUint32(c.bytes, *f)
		} else if b := c.take(4); b != nil {
			*f = binary.LittleEndian.Uint32(b)
		}
	}
}

func (c *code) u64(fields ...*uint64) {
	for _, f := range fields {
		if !c.reading {
			c.bytes = binary.LittleEndian.AppendUint64(c.bytes, *f)
		} else if b := c.take(8); b != nil {
			*f = binary.LittleEndian.Uint64(b)
		}
	}
}

func (c *code) i32(fields ...*int32) {
	for _, f := range fields {
		u := uint32(*f)
		c.u32(&u)
		*f = int32(u)
	}
}

func (c *code) i64(f *int64) {
	u := uint64(*f)
	c.u64(&u)
	*f = int64(u)
}

func (c *code) text(f *string) {
	n := uint32(len(*f))
	c.u32(&n)
	if !c.reading {
		c.bytes = append(c.bytes, *f...)
		c.pad(4)
		return
	}
	b := c.take(int(n))
	if c.short {
		return
	}
	c.take(min((4-int(n)%4)%4, len(c.bytes)))
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
	n := uint32(len(*elements))
	c.u32(&n)
	if c.reading {
		if int64(n) > int64(len(c.bytes)/least) {
			c.short, c.bytes = true, nil
			return nil
		}
		if n > 0 {
			*elements = make([]E, n)
		}
	}
	return *elements
}
