package findings

// This file connects package symbols.

import (
	"libportable/cmd/yaklcheck/internal/symbols"
	"libportable/cmd/yaklcheck/internal/trace"
)

// table holds the symbols of one process.
type table struct{ *symbols.Table }

// SymbolsOf returns the symbols of the process of a trace. Names of files have their whole path, because a report of
// several processes makes them relative to one folder.
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
