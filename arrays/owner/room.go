// Package owner keeps arrays: owners that count holders (array.c), ordinary arrays (array_make.c), views, contents, records of arrays
// (record*.c), orders by rule (layout.c), twins of host and device (twin*.c). Not here: the arithmetic of descriptors, which is Go (arrays).
// Callers are programs and capi/fortran. In C because retain and release are one atomic operation each.
// Threads: any; one lock for the marks of twins.
package owner

/*
// An exception that leaves a kernel ends the calls that it passes; see internal/edge/calls.h.
#cgo CFLAGS: -fexceptions
// Headers for devices include those of C.
#cgo CFLAGS: -I../../capi/include/c
*/
import "C"

// Rooms whose C this room calls.
import (
	_ "libportable/exec/algorithm"
	_ "libportable/exec/device"
	_ "libportable/exec/launch"
	_ "libportable/exec/stream"
	_ "libportable/gator/front"
	_ "libportable/internal/backend/cuda"
	_ "libportable/internal/edge"
	_ "libportable/internal/handle"
	_ "libportable/internal/kernels/reduction"
	_ "libportable/internal/memcheck"
	_ "libportable/internal/observe"
	_ "libportable/internal/team"
)
