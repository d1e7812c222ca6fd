// Package lint reads Fortran sources and reports errors of kernels on several threads; it runs
// nothing. internal/fortran parses them, meaning.go asks its scopes, kernels.go finds procedures
// on several threads, effects.go and derived.go assignments and indices of the tile; rules.go,
// shared.go and claims.go (by internal/nest) write findings (rules: table.go). It reads any text,
// leaves out what it does not understand, and reports no unresolved name. Threads: one goroutine.
package lint

import (
	"cmp"
	"slices"
)

// Options of one run.
type Options struct {
	Fixed        bool                              // fixed form for all files
	Free         bool                              // free form for all files
	Columns      int                               // last column of fixed form; 0: 72, -1: no end
	Hints        bool                              // hints too
	AllRecursive bool                              // the files are compiled with -frecursive or -fopenmp
	Folders      []string                          // included files are looked for here, too
	Open         func(path string) ([]byte, error) // reads an included file; nil: all are left out
}

// File is one source.
type File struct {
	Name string
	Text []byte
}

// Level is the weight of a finding.
type Level string

// Levels: an error is wrong in some runs, a warning in some programs; a hint is slow, or wrong for some data.
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
	Declared  Place  // of the name; Line 0: unknown
	Name      string // the variable or procedure, in lower case
	Procedure string // where the statement is
	Kernel    string // the kernel that reaches it: the procedure itself, or one that calls it
	Text      string // the error, in one sentence
	Remedy    string // what to do
}

// Report is the result of a run.
type Report struct {
	Findings []Finding // by file in the order given, and line
	Kernels  []string  // procedures that are launched, or take a tile
	Called   []string  // other procedures that kernels reach
	NotSeen  []string  // procedures called in them that no file has
}

// Check reads the files together: a file may use what another one declares.
func Check(files []File, o Options) Report {
	p := load(files, o)
	r := newRules(p, o)
	r.run()
	slices.SortStableFunc(r.report.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(p.order[a.Where.File], p.order[b.Where.File]), cmp.Compare(a.Where.Line, b.Where.Line),
			cmp.Compare(a.Name, b.Name))
	})
	return r.report
}
