// Package timer measures regions: a tree of frames for each thread (timer.c), its switch
// (timer_switch.c), reading of all trees (timer_read.c), calls that make reports (timer_report.c).
// Not here: the text of reports, which is Go (exec/timers*.go). Callers are programs and launches.
// In C because a start and a stop take some tens of ns. Threads: each has its own tree, and readers
// load atomic nodes that are never freed.
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
