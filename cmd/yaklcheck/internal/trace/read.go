package trace

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// ErrFormat means that the bytes are no trace, or a trace of another version.
var ErrFormat = errors.New("not a trace of Portable")

// howToMake ends errors about files that are no traces.
const howToMake = "a run with PORTABLE_TRACE=FILE or PORTABLE_CHECK=memory, or yaklcheck trace PROGRAM, writes a trace"

// Reader returns the records of a trace one by one, so that a file of any length needs little memory.
type Reader struct {
	from    io.Reader
	buf     []byte // bytes that were read and not yet used
	ended   bool   // there are no more bytes
	failed  error  // an error other than the end of the file
	skipped int64
	starts  int
	code    code
}

// NewReader reads the head of the file.
func NewReader(from io.Reader) (*Reader, error) {
	r := &Reader{from: from, starts: 1, code: code{reading: true, known: map[string]string{}}}
	have := r.fill(fileHead)
	switch {
	case r.failed != nil:
		return nil, fmt.Errorf("the trace cannot be read: %w", r.failed)
	case len(r.buf) == 0:
		return nil, fmt.Errorf("%w: it is empty; the program ended before the library started, or never linked it (%s)", ErrFormat, howToMake)
	case !have && bytes.HasPrefix([]byte(signature), r.buf[:min(len(r.buf), len(signature))]):
		return nil, fmt.Errorf("%w: it ends within its head, after %d bytes; run the program again", ErrFormat, len(r.buf))
	case !have || string(r.buf[:len(signature)]) != signature:
		return nil, fmt.Errorf("%w: it begins with %.16q; %s", ErrFormat, r.buf, howToMake)
	}
	if v := binary.LittleEndian.Uint32(r.buf[len(signature):]); v != version {
		return nil, fmt.Errorf("%w: it has version %d, and this yaklcheck reads %d; use the yaklcheck that was installed with the program's library",
			ErrFormat, v, version)
	}
	r.buf = r.buf[fileHead:]
	return r, nil
}

// Skipped is the number of bytes so far that belong to no record: cut off by a crash, or written by others.
func (r *Reader) Skipped() int64 { return r.skipped }

// Starts is the number of heads so far: more than one if several runs wrote into one file.
func (r *Reader) Starts() int { return r.starts }

// fill reads until n bytes are in the buffer; false: the file ends before.
func (r *Reader) fill(n int) bool {
	for len(r.buf) < n && !r.ended {
		const chunk = 64 << 10
		at := len(r.buf)
		if cap(r.buf)-at < chunk {
			grown := make([]byte, at, 2*at+2*chunk)
			copy(grown, r.buf)
			r.buf = grown
		}
		got, err := r.from.Read(r.buf[at : at+chunk])
		r.buf = r.buf[:at+got]
		if err != nil {
			r.ended = true
			if !errors.Is(err, io.EOF) {
				r.failed = err
			}
		}
	}
	return len(r.buf) >= n
}

// skip drops n bytes that belong to no record, and all bytes up to the next possible record. Records stand at multiples
// of 8, except behind a record that a full disk has cut off, so it looks at every offset.
func (r *Reader) skip(n int) {
	for {
		r.skipped += int64(n)
		r.buf = r.buf[n:]
		if !r.fill(fileHead) {
			r.skipped += int64(len(r.buf))
			r.buf = nil
			return
		}
		n = len(r.buf) - len(signature) + 1
		if at := bytes.Index(r.buf, []byte(magicText)); at >= 0 {
			n = at
		}
		if at := bytes.Index(r.buf[:min(n+len(signature), len(r.buf))], []byte(signature)); at >= 0 {
			n = min(n, at)
		}
		if n == 0 {
			return
		}
	}
}

// Next returns the next record, or io.EOF after the last one.
func (r *Reader) Next() (Record, error) {
	for {
		// A further head is no damage: another run wrote into the file.
		if r.fill(fileHead) && string(r.buf[:len(signature)]) == signature {
			r.buf = r.buf[fileHead:]
			r.starts++
		}
		if !r.fill(headBytes) {
			if r.failed != nil {
				return nil, fmt.Errorf("the trace cannot be read to its end: %w", r.failed)
			}
			r.skipped += int64(len(r.buf))
			r.buf = nil
			return nil, io.EOF
		}
		if binary.LittleEndian.Uint32(r.buf) != magic {
			r.skip(0)
			continue
		}
		n := int(binary.LittleEndian.Uint32(r.buf[8:]))
		if n < headBytes || n%8 != 0 || n > maxRecord || !r.fill(n) || r.swallows(n) {
			r.skip(1)
			continue
		}
		record := Kind(binary.LittleEndian.Uint16(r.buf[4:])).make()
		h := record.When()
		h.Thread = binary.LittleEndian.Uint32(r.buf[12:])
		h.Time = binary.LittleEndian.Uint64(r.buf[16:])
		r.code.bytes, r.code.short = r.buf[headBytes:n], false
		record.fields(&r.code)
		if r.code.short {
			r.skip(1)
			continue
		}
		r.buf = r.buf[n:]
		return record, nil
	}
}

// each hands all records to take.
func (r *Reader) each(take func(Record)) error {
	for {
		record, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		take(record)
	}
}

// swallows reports whether a record was cut off, so that its length covers the next records. Then no record is behind
// it, and the start of another one is inside it.
func (r *Reader) swallows(n int) bool {
	if !r.fill(n+len(magicText)) || string(r.buf[n:n+len(magicText)]) == magicText {
		return false
	}
	return bytes.Contains(r.buf[headBytes:n], []byte(magicText))
}
