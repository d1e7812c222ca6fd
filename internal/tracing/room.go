// Package tracing writes the trace file: its records (trace.c), the mapped modules
// (trace_modules.c), and the file itself, which the program cannot close by accident (own_file.c).
// Not here: call stacks (internal/stacks), the contents of findings (internal/memcheck), the reader
// of the file (cmd/yaklcheck/internal/trace). Callers are internal/stacks and internal/memcheck. In
// C because signal handlers write records. Threads: any; each record is one write, without a lock.
package tracing

/*
// An exception that leaves a kernel ends the calls that it passes; see internal/edge/calls.h.
#cgo CFLAGS: -fexceptions
*/
import "C"

// Rooms whose C this room calls.
import (
	_ "libportable/internal/edge"
)
