package memcheck

// In this file: what this package needs of internal/symbols.

import "libportable/internal/trace"

// SymbolsOf gives the symbols of the process that left a trace.
func SymbolsOf(f *trace.File) Symbols { return nil }
