// Package algorithm runs array algorithms: reductions, scans, sorts, filters, element operations,
// strided copies. It tests arguments, cuts leaves, launches, combines. Not here: refusals
// (exec/array_refusal.go, reduction_refusal.go), arithmetic (internal/kernels), device versions
// (exec/device). Callers are programs, arrays/owner, capi/fortran. In C because the parts run on
// threads that must not enter Go. Threads: any; a call is one or several launches.
package algorithm

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
	_ "libportable/exec/liveout"
	_ "libportable/exec/stream"
	_ "libportable/exec/timer"
	_ "libportable/gator/front"
	_ "libportable/internal/backend/cuda"
	_ "libportable/internal/edge"
	_ "libportable/internal/guard"
	_ "libportable/internal/handle"
	_ "libportable/internal/kernels/base"
	_ "libportable/internal/kernels/componentwise"
	_ "libportable/internal/kernels/copy"
	_ "libportable/internal/kernels/fft"
	_ "libportable/internal/kernels/random"
	_ "libportable/internal/kernels/reduction"
	_ "libportable/internal/kernels/scan"
	_ "libportable/internal/kernels/solve"
	_ "libportable/internal/kernels/sort"
	_ "libportable/internal/memcheck"
	_ "libportable/internal/observe"
	_ "libportable/internal/team"
)
