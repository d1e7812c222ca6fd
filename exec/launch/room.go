// Package launch runs loops: checks of bounds and configuration (bounds.c, launch.c), kernel objects (kernel.c), teams inside kernels
// (hierarchy.c), memory that a device can access (reach.c), fallbacks to the host (fallback.c). Not here: how a space
// is cut and who runs it (internal/team), streams (exec/stream), devices (exec/device), plans and tuning files (exec).
// In C because an empty launch takes less than a crossing into Go. Threads: any.
package launch

/*
// An exception that leaves a kernel ends the calls that it passes; see internal/edge/calls.h.
#cgo CFLAGS: -fexceptions
// Headers for devices include those of C.
#cgo CFLAGS: -I../../capi/include/c
*/
import "C"

// Rooms whose C this room calls.
import (
	_ "libportable/exec/liveout"
	_ "libportable/exec/race"
	_ "libportable/exec/timer"
	_ "libportable/gator/front"
	_ "libportable/internal/backend/cuda"
	_ "libportable/internal/edge"
	_ "libportable/internal/handle"
	_ "libportable/internal/memcheck"
	_ "libportable/internal/observe"
	_ "libportable/internal/team"
)
