package trace

import (
	"encoding/binary"
	"fmt"
	"io"
)

// Layout of the file and of a record's head.
const (
	signature = "PORTTRC1"
	version   = 1
	fileHead  = 16
	magic     = 0x43525450
	magicText = "PTRC"
	headBytes = 24
	maxRecord = 64 << 20 // more than any record has: a larger length is damage
)

// Writer writes a trace as the library does: each record by one Write.
type Writer struct {
	to  io.Writer
	buf []byte
}

// NewWriter writes the head of the file.
func NewWriter(to io.Writer) (*Writer, error) {
	head := binary.LittleEndian.AppendUint32([]byte(signature), version)
	head = binary.LittleEndian.AppendUint32(head, 0)
	if _, err := to.Write(head); err != nil {
		return nil, fmt.Errorf("trace: the head was not written: %w", err)
	}
	return &Writer{to: to}, nil
}

// Write appends one record. It refuses a record that is too long for a reader, and the file stays as it is.
func (w *Writer) Write(r Record) error {
	h := r.When()
	c := code{bytes: binary.LittleEndian.AppendUint32(w.buf[:0], magic)}
	c.bytes = binary.LittleEndian.AppendUint16(c.bytes, uint16(r.Kind()))
	c.bytes = binary.LittleEndian.AppendUint16(c.bytes, 0)
	c.bytes = binary.LittleEndian.AppendUint32(c.bytes, 0) // the length, below
	c.fields(&h.Thread, &h.Time)
	r.fields(&c)
	c.pad(8)
	w.buf = c.bytes
	if len(w.buf) > maxRecord {
		return fmt.Errorf("trace: a record of %d bytes; there is room for %d", len(w.buf), maxRecord)
	}
	binary.LittleEndian.PutUint32(w.buf[8:], uint32(len(w.buf)))
	if _, err := w.to.Write(w.buf); err != nil {
		return fmt.Errorf("trace: a record was not written: %w", err)
	}
	return nil
}
