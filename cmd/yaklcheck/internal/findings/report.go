// Package findings makes a report of the errors in traces, with places in the source, grouped over
// processes, without suppressed ones. This file has the parts of a report, collect.go makes it;
// text.go, json.go and sarif.go write it. Findings of one kind, label, access and places are one
// Finding. Package trace reads the file, symbols finds places in the source, child runs programs.
// Threads: one goroutine.
package findings

import (
	"slices"

	"libportable/cmd/yaklcheck/internal/symbols"
	"libportable/cmd/yaklcheck/internal/trace"
)

// Frame is one procedure on a stack. File is as the compiler got it, with its folder.
type Frame struct {
	symbols.Frame
	Owner Owner
}

// Owner is the owner of a frame's code.
type Owner int

const (
	User    Owner = iota
	Library       // ours: libportable, its modules and headers
	System        // start-up, the C library, the compiler's run-time library
)

// Role is the event at a site.
type Role int

const (
	Here Role = iota
	Allocated
	Freed
	Other // the other launch or block of a conflict
	Declared
)

// roles are the roles in JSON, and as the words before a place.
var roles = map[Role]struct{ json, words string }{Here: {"here", "at"}, Allocated: {"allocated", "allocated at"}, Freed: {"freed", "freed at"},
	Other: {"other", "launched at"}, Declared: {"declared", "declared at"}}

// Site is the place of an event: frames, innermost first.
type Site struct {
	Role   Role
	Kernel string // label of the kernel that the thread ran, or ""
	Frames []Frame
}

// Finding is one error of a program.
type Finding struct {
	Kind     *Kind
	Flags    uint32 // of trace.Finding
	Label    string // of the block, launch or timer
	Other    string // label of the other launch or block of a conflict
	Text     string // details, as the library wrote them
	Sites    []Site
	Access   uint64 // bytes; 0: unknown
	Distance int64  // bytes after the end (>= 0) or before the start (< 0) of the block
	Block    uint64 // its bytes; of a leak, the bytes of all its blocks
	Address  uint64
	Start    uint64 // of the block
	Count    uint64 // number of times; of a leak, blocks
	Ranks    []int  // sorted; empty: none has a rank
	PIDs     []int
	Threads  int  // number of different threads
	Varies   bool // distance or sizes are those of the first one; others differ

	order order
}

// site gives the first site of that role.
func (f *Finding) site(role Role) *Site {
	if i := slices.IndexFunc(f.Sites, func(s Site) bool { return s.Role == role }); i >= 0 {
		return &f.Sites[i]
	}
	return nil
}

// order is the position of a finding in the report: by rank, then as the process found it.
type order struct {
	process int
	leak    bool
	time    uint64
}

// Process is one process that left a trace.
type Process struct {
	Trace      string        `json:"-"` // path of the file
	Program    string        `json:"-"` // the name by which it was called
	PID        int           `json:"pid"`
	Rank       int           `json:"rank"` // -1: unknown
	Size       int           `json:"size"` // ranks in all; 0: unknown
	Executable string        `json:"executable"`
	Folder     string        `json:"folder"` // the folder where it ran
	Mode       string        `json:"mode"`
	Guard      string        `json:"guard"`
	Ended      string        `json:"ended"` // the end in words; "": as usual
	Finish     *trace.Finish `json:"-"`
}

// Checkpoint is the live memory at one of the program's checkpoints.
type Checkpoint struct {
	Label  string `json:"label"`
	Rank   int    `json:"rank"`
	Bytes  uint64 `json:"bytes"`
	Blocks uint64 `json:"blocks"`
}

// Report is the result for the user.
type Report struct {
	Program     string // as the user names it
	Processes   []Process
	Findings    []*Finding
	Suppressed  int // findings that are not in Findings
	Checkpoints []Checkpoint
	Notes       []string
}

// Options are the options of a report.
type Options struct {
	Program      string // "" takes the first process's name
	LeakCheck    string // no, summary, full
	Suppressions *Suppressions
	// Symbols returns the places of the addresses of one process. Nil: only modules and offsets are known.
	Symbols func(*trace.File) Symbols
	// Ending is the end of the program that was started. Nil: none was started here.
	Ending *Ending
}

// Ending is the end of a process whose trace may not say it. Others is what it means for the processes that it started
// ("": nothing).
type Ending struct {
	PID           int
	Cause, Others string
}

// Symbols knows the places of one process's addresses. Stack returns the procedure that was called last first, up to
// the main program. An inlined procedure stands before the procedure that it is in. Nil: unknown.
type Symbols interface {
	Stack(stack *trace.Stack) []symbols.Frame
	// Hints says why places are incomplete.
	Hints() []string
}
