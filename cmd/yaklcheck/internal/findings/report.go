// Package findings makes a report of traces: what each process has found of itself, put into words, with the places in the source,
// grouped over processes, less what is suppressed.
//
// In this file: what a report is made of. Not in this file: how one is made (collect.go), and how it is written (text.go, json.go,
// sarif.go). Not in this package: the trace file (trace), where an address is in the source (symbols), running a
// program (findings/child).
//
// Invariant: a report holds each thing once: findings of one kind, label, way of access and places are one Finding, whichever
// processes and threads had it. Thread rule: one goroutine.
package findings

import "libportable/cmd/yaklcheck/internal/trace"

// Frame is one procedure on a stack.
type Frame struct {
	Procedure string // as its source names it; "" not known
	Scope     string // the Fortran module that it is in, where the file's symbols say so; "" not known
	File      string // as the compiler was told, with its folder; "" not known
	Line      int    // 0 not known
	Module    string // path of the program or shared object
	Offset    uint64 // from the start of the procedure, or of the module where that is not known
	Inlined   bool   // into the next frame
	Address   uint64 // of the process
	Owner     Owner
}

// Owner says whose code a frame is.
type Owner int

const (
	User    Owner = iota
	Library       // ours: libportable, its modules and headers
	System        // start-up, the C library, the compiler's run-time library
)

// Role says what happened at a site.
type Role int

const (
	Here Role = iota
	Allocated
	Freed
	Other // the launch or block that this one clashes with
	Declared
)

// Site is where something happened: frames, innermost first.
type Site struct {
	Role   Role
	Kernel string // label of the kernel that the thread ran, or ""
	Frames []Frame
}

// Finding is one thing that is wrong in a program.
type Finding struct {
	Kind     *Kind
	Flags    uint32 // of trace.Finding
	Label    string // of the block, launch or timer
	Other    string // label of what it clashes with
	Text     string // details, as the library put them
	Sites    []Site
	Access   uint64 // bytes; 0 not known
	Distance int64  // bytes after the end (>= 0) or before the start (< 0) of the block
	Block    uint64 // its bytes; of a leak, the bytes of all its blocks
	Address  uint64
	Start    uint64 // of the block
	Count    uint64 // how often; of a leak, blocks
	Ranks    []int  // in order; empty: none has a rank
	PIDs     []int
	Threads  int  // how many different ones
	Varies   bool // distance or sizes are those of the first one, others differ

	order order
}

// site gives the first site of that role.
func (f *Finding) site(role Role) *Site {
	for i := range f.Sites {
		if f.Sites[i].Role == role {
			return &f.Sites[i]
		}
	}
	return nil
}

// order is where a finding stands in the report: by rank, then as the process found it.
type order struct {
	process int
	leak    bool
	time    uint64
}

// Process is what is known of one process that left a trace.
type Process struct {
	Trace       string // path of the file
	Program     string // as it was called
	Executable  string
	Folder      string // where it ran
	PID         int
	Rank        int // -1 not known
	Size        int // ranks in all; 0 not known
	Mode, Guard string
	Ended       string // how, in words; "" as usual
	Finish      *trace.Finish
}

// Checkpoint is what was live at one of the program's checkpoints.
type Checkpoint struct {
	Label  string
	Rank   int
	Bytes  uint64
	Blocks uint64
}

// Report is what is told to the user.
type Report struct {
	Program     string // what was run, as the user names it
	Processes   []Process
	Findings    []*Finding
	Suppressed  int // findings that are not in Findings
	Checkpoints []Checkpoint
	Notes       []string
}

// Options say what goes into a report.
type Options struct {
	Program      string // "" takes the first process's name
	LeakCheck    string // no, summary, full
	Suppressions *Suppressions
	// Symbols gives the places of the addresses of one process. Nil: nothing but modules and offsets are known.
	Symbols func(*trace.File) Symbols
	// Ending is how the program that was started has ended. Nil: it was not started here.
	Ending *Ending
}

// Ending says how a process has ended whose trace may not say so, and what this tells of the processes that it started ("": nothing).
type Ending struct {
	PID           int
	Cause, Others string
}

// Symbols knows the places of one process's addresses. Stack gives the procedure that was called last first, up to the main program;
// one that is inlined stands before the one that it is in. Nil: not known.
type Symbols interface {
	Stack(stack *trace.Stack) []Frame
	// Hints says what kept those that were asked for from being better known.
	Hints() []string
}
