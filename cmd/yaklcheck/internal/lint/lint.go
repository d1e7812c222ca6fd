// Package lint reads Fortran sources and tells what goes wrong when threads run their kernels: scalars that all threads share,
// locals with SAVE, procedures that are not recursive, sums by hand, input and output. It knows the source only: no compiler is
// asked, nothing is run.
//
// In this file: what is asked for, what is answered. source.go and token.go make statements of lines, parse*.go scopes of
// statements, resolve.go finds what a name means, kernels.go what runs on several threads, effects.go what a statement assigns,
// derived.go which indices depend on the tile, rules.go what is told. Not in this package: printing.
//
// Invariants: any text is read to its end, and what is not understood is left out; nothing is told of what could not be resolved.
// Not safe for use by several goroutines.
package lint

import (
	"cmp"
	"slices"
)

// Options of one run.
type Options struct {
	Fixed        bool // fixed form whatever the file's name ends with
	Free         bool // free form whatever the file's name ends with
	Columns      int  // last column of fixed form; 0: 72, -1: no end
	Hints        bool // hints too
	AllRecursive bool // the files are compiled with -frecursive or -fopenmp
	// Include gives the file that INCLUDE or #include names in one of that path; nil, or false: it is left out.
	Include func(from, name string) (File, bool)
}

// File is one source.
type File struct {
	Name string
	Text []byte
}

// Level is how sure and how bad a finding is.
type Level string

// Levels: an error is wrong in some runs, a warning in some programs; a hint is slow, or wrong where data are so.
const (
	Error   Level = "error"
	Warning Level = "warning"
	Hint    Level = "hint"
)

// Place is a line of a file; lines count from 1.
type Place struct {
	File string
	Line int
}

// Finding is one thing to look at.
type Finding struct {
	Rule      Rule
	Level     Level
	Where     Place
	Declared  Place  // of the name, where it is known; Line 0: not
	Name      string // the variable or procedure, in lower case
	Procedure string // where the statement is
	Kernel    string // the kernel that gets there; the procedure itself, or one that calls it
	Text      string // what is wrong, one sentence
	Remedy    string // what to do
}

// Report is what a run has found.
type Report struct {
	Findings []Finding // by file in the order given, and line
	Kernels  []string  // procedures that are launched, or take a tile
	Called   []string  // other procedures that kernels get to
	NotSeen  []string  // procedures called in them that no file has
}

// Check reads the files together: what one declares, another one may use.
func Check(files []File, o Options) Report {
	p := &program{modules: map[string]*scope{}, files: map[string]int{}}
	for i, f := range files {
		p.files[f.Name] = i
		parse(p, f, o)
	}
	p.finish()
	r := newRules(p, o)
	r.run()
	slices.SortStableFunc(r.report.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(p.files[a.Where.File], p.files[b.Where.File]), cmp.Compare(a.Where.Line, b.Where.Line),
			cmp.Compare(a.Name, b.Name))
	})
	return r.report
}
