package findings

import "libportable/cmd/yaklcheck/internal/trace"

// In this file: one place of a stack, for those who tell of a trace in another form than a report.

// PlaceOf gives a function that names the place of the user's in the stack of a number, as a report would; "" where there is none.
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
