// Package algorithm runs array algorithms on the team: reductions, scans, sorts, filters, operations element by element, copies between layouts.
// It tests arguments, cuts leaves and combines them. Not here: the reason why a call is refused (exec/array_refusal.go, reduction_refusal.go),
// arithmetic on values (internal/kernels), device versions (exec/device).
// Callers are programs, arrays/owner and capi/fortran. In C because the parts run on threads that must not enter Go.
// Threads: any; a call is a launch, or several.
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
	_ "libportable/internal/kernels/base"
	_ "libportable/internal/kernels/componentwise"
	_ "libportable/internal/kernels/copy"
	_ "libportable/internal/kernels/reduction"
	_ "libportable/internal/kernels/scan"
	_ "libportable/internal/kernels/sort"
	_ "libportable/internal/memcheck"
	_ "libportable/internal/observe"
	_ "libportable/internal/team"
)
