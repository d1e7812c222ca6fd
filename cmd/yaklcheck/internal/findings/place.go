package findings

import "libportable/cmd/yaklcheck/internal/trace"

// This file names one place of a stack, for output other than a report.

// PlaceOf returns a function that names the user's place in a stack by its number, as a report does; "" if there is
// none.
func PlaceOf(f *trace.File) func(stack uint32) string {
	s := &sites{file: f, folder: f.Meta.Value("cwd"), symbols: SymbolsOf(f), library: codeOf(f.Meta.Value("library"))}
	return func(stack uint32) string {
		site, ok := s.site(Allocated, stack)
		if !ok {
			return ""
		}
		return site.Shown(false)[0].Place(s.folder)
	}
}
