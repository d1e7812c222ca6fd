package symbols

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"libportable/cmd/yaklcheck/internal/trace"
)

// Frame is one procedure of a stack.
type Frame struct {
	Procedure string // as the user wrote it; "" if unknown
	Scope     string // the Fortran module or C++ namespace; "" if none or unknown. C++ names contain it
	File      string // relative to the working folder if below it; "" if unknown
	Line      int
	Column    int
	Inlined   bool   // its code stands in that of the next frame
	Module    string // the file that was mapped; "" if the address is in none
	Address   uint64 // of the process, as the caller asked
	Offset    uint64 // from the start of the procedure, or of the file if the procedure is unknown, or of memory
	first     bool   // the main program: its caller is not the user's
}

// String is a frame in one line: procedure and line, or what is known instead.
func (f Frame) String() string {
	switch {
	case f.File != "" && f.Procedure != "":
		return fmt.Sprintf("%s  %s:%d", f.Procedure, f.File, f.Line)
	case f.File != "":
		return fmt.Sprintf("%s:%d", f.File, f.Line)
	case f.Module == "":
		return fmt.Sprintf("%#x", f.Address)
	case f.Procedure == "":
		return fmt.Sprintf("%s+%#x", filepath.Base(f.Module), f.Offset)
	}
	return fmt.Sprintf("%s+%#x  (%s)", f.Procedure, f.Offset, filepath.Base(f.Module))
}

// Table finds frames in the modules of one process.
type Table struct {
	modules spans[module]
	folder  string
	known   map[key][]Frame
}

type key struct {
	pc    uint64
	exact bool
}

// New makes a table of the modules of a trace. folder is the working folder of the process; files below it get names
// relative to it.
func New(modules []*trace.Module, folder string) *Table {
	t := &Table{folder: strings.TrimSuffix(folder, "/"), known: map[key][]Frame{}}
	files := map[string]*file{} // a file that is mapped in several pieces is read once
	for _, m := range modules {
		at := fmt.Sprint(m.Path, "\x00", m.BuildID)
		if files[at] == nil {
			files[at] = &file{path: m.Path, buildID: m.BuildID}
		}
		t.modules = append(t.modules, span[module]{m.Start, m.End, module{m.Bias, files[at]}})
	}
	t.modules.sort()
	return t
}

// module is one mapping with code.
type module struct {
	bias uint64
	file *file
}

// Frames returns the procedures at an address, the innermost inlined one first, and at least one frame. exact: pc is
// the instruction itself. Otherwise pc is a return address, and Frames looks for the call before it.
func (t *Table) Frames(pc uint64, exact bool) []Frame {
	k := key{pc, exact}
	if frames, ok := t.known[k]; ok {
		return frames
	}
	frames := t.find(pc, exact)
	for i := range frames {
		frames[i].Address = pc
		if frames[i].Module == "" {
			frames[i].Offset = pc
		}
		frames[i].File = t.short(frames[i].File)
	}
	t.known[k] = frames
	return frames
}

// Stack returns the frames of a whole stack, up to the main program.
func (t *Table) Stack(s *trace.Stack) (frames []Frame) {
	if s == nil {
		return nil
	}
	for i, pc := range s.PC {
		frames = append(frames, t.Frames(pc, i == 0 && s.Exact())...)
		if k := slices.IndexFunc(frames, func(f Frame) bool { return f.first }); k >= 0 {
			return frames[:k+1]
		}
	}
	return frames
}

func (t *Table) find(pc uint64, exact bool) []Frame {
	at := pc
	if !exact && at > 0 {
		at--
	}
	// Mappings overlap if one file was unmapped and another one took its place; the later one counts.
	for m := range t.modules.at(at, len(t.modules)) {
		return m.file.frames(at-m.bias, pc-m.bias)
	}
	return []Frame{{}}
}

// short makes a path relative to the working folder if it is below it.
func (t *Table) short(path string) string {
	if t.folder == "" {
		return path
	}
	return strings.TrimPrefix(path, t.folder+"/")
}

// Hints says, in the order of the modules, why frames are incomplete, and the remedy: no debug information, or a file
// that has changed since the run. It names only modules that the caller asked for.
func (t *Table) Hints() (hints []string) {
	for _, m := range t.modules {
		for _, h := range m.of.file.hints {
			if !slices.Contains(hints, h) {
				hints = append(hints, h)
			}
		}
	}
	return hints
}
