package findings

// This file connects package symbols, and names places for output other than a report.

import (
	"libportable/cmd/yaklcheck/internal/symbols"
	"libportable/cmd/yaklcheck/internal/trace"
)

// SymbolsOf returns the symbols of the process of a trace. Names of files have their whole path, because a report of
// several processes makes them relative to one folder.
func SymbolsOf(f *trace.File) Symbols { return symbols.New(f.Modules, "") }

// PlaceOf returns a function that names the user's place in a stack by its number, as a report does; "" if there is
// none.
func PlaceOf(f *trace.File) func(stack uint32) string {
	s := sitesOf(f, SymbolsOf)
	return func(stack uint32) string {
		site, ok := s.site(Allocated, stack)
		if !ok {
			return ""
		}
		return site.Shown(false)[0].Place(s.folder)
	}
}
