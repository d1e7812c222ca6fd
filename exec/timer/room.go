// Package timer measures regions: a tree of frames for each thread (timer.c), the switch (timer_switch.c), rows of all trees (timer_read.c), and
// the calls that make reports (timer_report.c). Not here: text and JSON of a report, which are Go (exec), and where it goes (internal/instance).
// Callers are programs and launches. In C because a start and a stop take some tens of ns.
// Threads: each thread has its own tree; a reader of others sees atomic nodes that never go.
package timer

/*
// An exception that leaves a kernel ends the calls that it passes; see internal/edge/calls.h.
#cgo CFLAGS: -fexceptions
*/
import "C"

// Rooms whose C this room calls.
import (
	_ "libportable/internal/edge"
	_ "libportable/internal/memcheck"
	_ "libportable/internal/observe"
)
