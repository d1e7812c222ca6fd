// Package stage copies arrays of the host to a CUDA device for one generated launch, and written
// ones back (stage.c). Not here: the plan and the count of copies (exec/staging.go), one copy
// (exec/device/far_copy.c), the launch (capi/fortran). Callers are generated launches. In C because
// copies enter the stream of the launch. Threads: any; a stage belongs to its launch.
package stage

/*
// An exception that leaves a kernel ends the calls that it passes; see internal/edge/calls.h.
#cgo CFLAGS: -fexceptions
// Headers for devices include those of C.
#cgo CFLAGS: -I../../capi/include/c
*/
import "C"

// Rooms whose C this room calls.
import (
	_ "libportable/exec/device"
	_ "libportable/exec/launch"
	_ "libportable/exec/stream"
	_ "libportable/gator/front"
	_ "libportable/internal/backend/cuda"
	_ "libportable/internal/edge"
	_ "libportable/internal/kernels/copy"
	_ "libportable/internal/kernels/reduction"
	_ "libportable/internal/team"
)
