// Package device puts work on CUDA devices: launches of kernel objects (cuda_launch.c), their
// functions (cuda_program.c), copies (far_copy.c), steps of algorithms (device_*.c). Not here: the
// driver (internal/backend/cuda), host versions (exec/algorithm), refusals and programs
// (exec/device_*.go). Callers are exec/launch, exec/algorithm, arrays/owner. In C because a launch
// on a device makes no crossing. Threads: any; a stream's turn orders the work that enters it.
package device

/*
// An exception that leaves a kernel ends the calls that it passes; see internal/edge/calls.h.
#cgo CFLAGS: -fexceptions
// Headers for devices include those of C.
#cgo CFLAGS: -I../../capi/include/c
*/
import "C"

// Rooms whose C this room calls.
import (
	_ "libportable/exec/launch"
	_ "libportable/exec/stream"
	_ "libportable/gator/front"
	_ "libportable/internal/backend/cuda"
	_ "libportable/internal/edge"
	_ "libportable/internal/handle"
	_ "libportable/internal/kernels/copy"
	_ "libportable/internal/kernels/fft"
	_ "libportable/internal/kernels/random"
	_ "libportable/internal/kernels/reduction"
	_ "libportable/internal/kernels/sort"
	_ "libportable/internal/memcheck"
	_ "libportable/internal/observe"
	_ "libportable/internal/team"
)
