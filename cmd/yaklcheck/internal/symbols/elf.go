package symbols

import (
	"debug/dwarf"
	"debug/elf"
	"errors"

	"libportable/internal/outside"
)

// This file opens ELF files and DWARF, also for the other rooms of the command.

// ErrNoDebug says that a file has no debug information.
var ErrNoDebug = errors.New("it has no debug information; compile with -g (also with -O3) and link without -s")

// Open opens a regular file. A FIFO may have taken the place of a program that ran.
func Open(path string) (*elf.File, error) {
	if err := outside.Regular(path); err != nil {
		return nil, err
	}
	return elf.Open(path)
}

// HasDebug reports whether a file has debug information, compressed or not.
func HasDebug(e *elf.File) bool {
	return e.Section(".debug_info") != nil || e.Section(".zdebug_info") != nil
}

// Read reads the debug information of a file; ErrNoDebug if it has none.
func Read(e *elf.File) (*Debug, error) {
	if !HasDebug(e) {
		return nil, ErrNoDebug
	}
	data, err := e.DWARF()
	if err != nil {
		return nil, err
	}
	return newDebug(data)
}

// Data is the debug information as package dwarf has it.
func (d *Debug) Data() *dwarf.Data { return d.data }

// Entry is the entry at an offset, nil if there is none, and a reader behind it.
func (d *Debug) Entry(offset dwarf.Offset) (*dwarf.Entry, *dwarf.Reader) {
	r := d.data.Reader()
	r.Seek(offset)
	e, err := r.Next()
	if err != nil {
		return nil, r
	}
	return e, r
}

// Line is the line of an address; "" and 0 if it is not known.
func (d *Debug) Line(at uint64) (file string, line int) {
	for u := range d.spans.at(at, nearby) {
		if here, found := u.line(at); found {
			return here.file, here.line
		}
	}
	return "", 0
}

// Files are the names of the files of the unit whose entry is at an offset, by number.
func (d *Debug) Files(offset dwarf.Offset) []string {
	u := d.unitOf(offset)
	if u == nil {
		return nil
	}
	if !u.linesRead {
		u.readFiles()
	}
	return u.files
}
