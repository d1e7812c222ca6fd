package symbols

import (
	"bytes"
	"cmp"
	"debug/elf"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"sort"
	"strings"
)

// This file reads one mapped file: its symbols, its debug information, and hints if that is
// missing.

// debugRoot is the folder of the system for debug information of packages.
var debugRoot = "/usr/lib/debug"

// file is one mapped file.
type file struct {
	path, buildID string
	read          bool
	hints         []string
	symbols       []symbol // by address
	fortran       bool     // it needs the run-time library of a Fortran compiler, so names that end in _ are Fortran's
	debug         *Debug   // nil: none
}

// symbol is a function of the symbol table.
type symbol struct {
	address, bytes uint64
	name           string
}

// frames returns the procedures at an address of the file. Offsets count from shown.
func (f *file) frames(at, shown uint64) []Frame {
	if !f.read {
		f.read = true
		if err := f.open(); err != nil {
			f.hints = append(f.hints, err.Error())
		}
	}
	s, found := f.symbol(at)
	if f.debug != nil {
		if frames := f.fromDebug(at); len(frames) > 0 {
			for i := range frames {
				frames[i].Module = f.path
			}
			// Debug information may have lines only; then the symbol table has the name.
			if last := &frames[len(frames)-1]; last.Procedure == "" && found {
				last.Procedure, last.Scope = f.readable(s.name)
				last.Offset = shown - s.address
			}
			return frames
		}
	}
	if !found {
		return []Frame{{Module: f.path, Offset: shown}}
	}
	frame := Frame{Module: f.path, Offset: shown - s.address}
	frame.Procedure, frame.Scope = f.readable(s.name)
	frame.first = frame.Procedure == program || s.name == "main" && !f.fortran
	return []Frame{frame}
}

// fromDebug asks the debug information. Package dwarf panics on some damaged files.
func (f *file) fromDebug(at uint64) (frames []Frame) {
	defer func() {
		if recover() != nil {
			f.debug, frames = nil, nil
			f.hints = append(f.hints, "the debugging information of "+f.path+" is damaged: lines are missing; compile and link it again")
		}
	}()
	return f.debug.frames(at)
}

// symbol finds the function at an address. A function of unknown length reaches up to the next.
func (f *file) symbol(at uint64) (symbol, bool) {
	i := sort.Search(len(f.symbols), func(i int) bool { return f.symbols[i].address > at })
	if i == 0 {
		return symbol{}, false
	}
	s := f.symbols[i-1]
	return s, s.bytes == 0 || at < s.address+s.bytes
}

// open reads the symbols and finds the debug information.
func (f *file) open() error {
	if f.path == "" || strings.HasPrefix(f.path, "[") {
		return nil // the kernel's: there is no file
	}
	own, err := Open(f.path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = errors.New("it is not there any more")
		}
		return fmt.Errorf("%s cannot be read (%w): its lines are not known", f.path, err)
	}
	defer own.Close()
	if id := buildID(own); f.buildID != "" && id != f.buildID {
		return fmt.Errorf("%s is not the file that ran: it was built again since (build id %s, the run had %s), so its lines are unknown; run again, or restore the old file",
			f.path, cmp.Or(id, "none"), f.buildID)
	}
	f.addSymbols(own)
	with := own
	if !HasDebug(own) {
		if apart := f.apart(own); apart != nil {
			defer apart.Close()
			with = apart
			f.addSymbols(apart)
		}
	}
	// The last of several names is the one that people call: printf, and not _IO_printf.
	slices.SortStableFunc(f.symbols, func(a, b symbol) int {
		return cmp.Or(cmp.Compare(a.address, b.address), cmp.Compare(underscores(b.name), underscores(a.name)))
	})
	if system(f.path) {
		return nil // names are enough: users do not change these files, and the lines of a libc take half a second to read
	}
	if !HasDebug(with) {
		f.hints = append(f.hints, f.path+" has no debugging information: compile with -g to see files and lines (also with -O2 or -O3)")
		return nil
	}
	data, err := with.DWARF()
	if err != nil {
		return fmt.Errorf("the debugging information of %s cannot be read (%w): its lines are not known", f.path, err)
	}
	if f.debug, err = newDebug(data); err != nil {
		return fmt.Errorf("the debugging information of %s is damaged (%w): lines may be missing", f.path, err)
	}
	if f.debug.split {
		f.hints = append(f.hints, f.path+" was compiled with -gsplit-dwarf, whose .dwo files are not read: inlined calls are unknown; compile without it to see them")
	}
	return nil
}

// addSymbols takes the functions of a file's symbol tables.
func (f *file) addSymbols(e *elf.File) {
	for _, table := range []func() ([]elf.Symbol, error){e.Symbols, e.DynamicSymbols} {
		symbols, err := table()
		if err != nil {
			continue // the file has no such table
		}
		for _, s := range symbols {
			if strings.HasPrefix(s.Name, "_gfortran_") || strings.HasPrefix(s.Name, "_Fortran") {
				f.fortran = true
			}
			kind := elf.ST_TYPE(s.Info)
			if (kind == elf.STT_FUNC || kind == elf.STT_GNU_IFUNC) && s.Section != elf.SHN_UNDEF && s.Value != 0 {
				f.symbols = append(f.symbols, symbol{s.Value, s.Size, s.Name})
			}
		}
	}
}

// underscores counts those that a name begins with.
func underscores(name string) int { return len(name) - len(strings.TrimLeft(name, "_")) }

// apart opens the separate file with the debug information: by build id, or by the name in the program.
func (f *file) apart(own *elf.File) *elf.File {
	var names []string
	id := buildID(own)
	if len(id) > 2 {
		names = append(names, filepath.Join(debugRoot, ".build-id", id[:2], id[2:]+".debug"))
	}
	if s := own.Section(".gnu_debuglink"); s != nil {
		if data, err := s.Data(); err == nil {
			name, _, _ := bytes.Cut(data, []byte{0})
			folder := filepath.Dir(f.path)
			names = append(names, filepath.Join(folder, string(name)), filepath.Join(folder, ".debug", string(name)),
				filepath.Join(debugRoot, folder, string(name)))
		}
	}
	for _, name := range names {
		e, err := Open(name)
		if err != nil {
			continue
		}
		if name != f.path && HasDebug(e) && buildID(e) == id {
			return e
		}
		e.Close()
	}
	return nil
}

// system reports whether a file is a library of the system, which users do not compile.
func system(path string) bool {
	roots := []string{"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/"}
	return strings.Contains(filepath.Base(path), ".so") && slices.ContainsFunc(roots, func(root string) bool { return strings.HasPrefix(path, root) })
}

// buildID returns the build id in hex; "" if there is none.
func buildID(e *elf.File) string {
	s := e.Section(".note.gnu.build-id")
	if s == nil {
		return ""
	}
	note, err := s.Data()
	if err != nil || len(note) < 16 {
		return ""
	}
	name, n := e.ByteOrder.Uint32(note), e.ByteOrder.Uint32(note[4:])
	at := 12 + (uint64(name)+3)&^3
	if at+uint64(n) > uint64(len(note)) {
		return ""
	}
	return hex.EncodeToString(note[at : at+uint64(n)])
}
