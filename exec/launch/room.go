// Package launch runs loops: launch.c, bounds (bounds.c), kernel objects (kernel.c), teams inside
// kernels (hierarchy.c), access to memory (reach.c), kernels of the host for CUDA devices
// (fallback.c). Not here: cutting and threads (internal/team), streams and devices (exec/stream,
// exec/device), refusals and tuning files (exec). Callers are programs and the rooms above. In C
// because an empty launch takes less time than a crossing. Threads: any.
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
