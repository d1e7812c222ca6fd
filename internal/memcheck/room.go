// Package memcheck keeps the register of blocks (memcheck_blocks.c), findings (memcheck_find.c),
// leaks (memcheck_leaks.c), the report of a crash (memcheck_death.c), sums of blocks (hash.c),
// orders of streams (hazard.c). Not here: pages and patterns around blocks (internal/guard), the
// reader of findings (cmd/yaklcheck). internal/observe and gator/front call it. In C because
// allocations and signal handlers call it. Threads: any; the register has a lock for each of its
// parts.
package memcheck

/*
// An exception that leaves a kernel ends the calls that it passes; see internal/edge/calls.h.
#cgo CFLAGS: -fexceptions
*/
import "C"

// Rooms whose C this room calls.
import (
	_ "libportable/internal/backend/cuda"
	_ "libportable/internal/edge"
	_ "libportable/internal/guard"
	_ "libportable/internal/observe"
	_ "libportable/internal/stacks"
	_ "libportable/internal/team"
	_ "libportable/internal/tracing"
)
