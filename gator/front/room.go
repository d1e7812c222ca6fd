// Package front serves blocks of the default pool: magazines of threads (magazine.c), the owner of an address (slabmap.c), blocks under checks
// (memcheck_parked.c), malloc of programs that link portable::allocate (serve*.c; its own archive is allocate/). Not here: placement in
// slabs, which is Go (gator). Callers are capi, capi/fortran, and all rooms that need memory.
// In C because a pair of allocate and free takes 10 ns. Threads: any; a thread changes its own magazine only.
package front

/*
// An exception that leaves a kernel ends the calls that it passes; see internal/edge/calls.h.
#cgo CFLAGS: -fexceptions
*/
import "C"

// Rooms whose C this room calls.
import (
	_ "libportable/internal/edge"
	_ "libportable/internal/guard"
	_ "libportable/internal/memcheck"
	_ "libportable/internal/observe"
	_ "libportable/internal/stacks"
	_ "libportable/internal/team"
)
