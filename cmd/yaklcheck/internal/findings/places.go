package findings

// In this file: what this package takes from symbols.

import (
	"libportable/cmd/yaklcheck/internal/symbols"
	"libportable/cmd/yaklcheck/internal/trace"
)

// table is what is known of the addresses of one process.
type table struct{ *symbols.Table }

// SymbolsOf gives the symbols of the process that left a trace. Names of files are whole: a report of several processes has one folder
// that it names them from.
func SymbolsOf(f *trace.File) Symbols { return table{symbols.New(f.Modules, "")} }

func (t table) Stack(stack *trace.Stack) (frames []Frame) {
	for _, f := range t.Table.Stack(stack) {
		offset := f.Offset
		if f.Module == "" {
			offset = f.Address
		}
		frames = append(frames, Frame{Procedure: f.Procedure, Scope: f.Scope, File: f.File, Line: f.Line, Module: f.Module, Offset: offset, Inlined: f.Inlined, Address: f.Address})
	}
	return frames
}
