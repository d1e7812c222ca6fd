// Package owner keeps the memory of arrays: owners with their holders (array.c), creation
// (array_make.c), views (array_view.c), contents, records of arrays (record*.c), twins (twin*.c).
// Not here: the arithmetic of descriptors and refusals, which are Go (arrays). Callers are programs
// and capi/fortran. In C because retain and release are a compare-and-swap each, and most arrays
// are made without Go. Threads: any; the user guards a descriptor, portable__twin_lock guards all
// twins.
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
