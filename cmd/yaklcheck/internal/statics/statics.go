// Package statics reads an executable and reports static data that kernels assign and all threads
// share: locals with SAVE, large locals made static, COMMON, variables of modules and of the main
// program. debug.go reads DWARF, code.go calls and stores, reach.go goes from kernels to the
// procedures that they call. It reports what the code does: a constant table in writable memory is
// no finding. The command prints, and reads traces. Threads: one goroutine.
package statics

import (
	"cmp"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"libportable/cmd/yaklcheck/internal/symbols"
)

// Kind is the kind of data of a finding.
type Kind int

// The kinds.
const (
	Saved  Kind = iota // a local scalar or array with SAVE or a value, or static in C
	Large              // a local array that the compiler has put into static memory
	Module             // a variable of a module, or a global one of C
	Main               // a variable of the main program
	Common
)

// Finding is a variable that several threads assign.
type Finding struct {
	What      Kind
	Variable  string
	Block     string // of Common: its name
	Owner     string // the procedure or module that declares it
	Bytes     int64
	File      string
	Line      int
	Procedure string // the procedure that assigns it
	Kernel    string // the kernel that leads to that procedure
	At        string // file of the procedure
	AtLine    int    // its line, or the line of the store
}

// Report is what was found.
type Report struct {
	Findings   []Finding
	Kernels    []string
	Reached    int // procedures that kernels lead to, themselves included
	Procedures int // with debug information
	Notes      []string
}

// Options of a reading.
type Options struct {
	// Seen are stacks of threads that ran a kernel, innermost address first, in addresses of the file; nil: all kernels
	// count.
	Seen [][]uint64
}

// Check reads an executable.
func Check(path string, o Options) (*Report, error) {
	var format *elf.FormatError
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a folder, not an executable", path)
	}
	file, err := symbols.Open(path)
	if errors.As(err, &format) || errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s is not an executable (no ELF file): statics reads linked programs with -g, yaklcheck lint reads sources", path)
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read as an executable: %w", path, err)
	}
	defer file.Close()
	b, err := read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	r := &Report{Procedures: len(b.procedures)}
	roots := b.kernels(o.Seen)
	if len(roots) == 0 {
		r.Notes = append(r.Notes, "there is no kernel in it: no procedure with debug information takes a tile")
	}
	for _, k := range roots {
		r.Kernels = append(r.Kernels, k.display)
	}
	if !isRead(file.Machine) {
		r.Notes = append(r.Notes, fmt.Sprintf("statics reads machine code of x86-64 and aarch64, and this program is for %s: only kernels and their own "+
			"data were examined, and no calls. Build the program for one of these, and run statics on that one", file.Machine))
	}
	order := b.reach(roots)
	r.Reached = len(order)
	for _, at := range order {
		r.Findings = append(r.Findings, b.look(at)...)
	}
	slices.SortStableFunc(r.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Variable, b.Variable))
	})
	r.Findings = slices.CompactFunc(r.Findings, func(a, b Finding) bool {
		return a.Variable == b.Variable && a.File == b.File && a.Line == b.Line && a.Owner == b.Owner
	})
	return r, nil
}
