// Package liveout keeps live-outs: single values that launches write and programs read later. Each
// is a block of the default pool and a handle; exec/liveouts.go has their life. Not here:
// reductions that write into them (exec/algorithm). Callers are programs, exec/launch and
// capi/fortran. In C because launches turn a handle into an address. Threads: any; a lock for the
// release of slots of earlier runs.
package liveout

/*
// An exception that leaves a kernel ends the calls that it passes; see internal/edge/calls.h.
#cgo CFLAGS: -fexceptions
*/
import "C"

// Rooms whose C this room calls.
import (
	_ "libportable/gator/front"
	_ "libportable/internal/edge"
	_ "libportable/internal/handle"
	_ "libportable/internal/kernels/reduction"
)
