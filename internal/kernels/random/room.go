// Package random has random numbers for whole arrays: the numbers of portable_random.h, a block of cells at a time (random.c), in vectors of the
// processor (random_lanes.h). Not here: the generator (capi/include/kernel/portable_random.h), checks of arguments, launches (exec/algorithm).
// The caller is exec/algorithm. In C because it needs the processor's vectors.
// An element has the bits of a single call. Threads: any; functions keep no state.
package random

// #cgo LDFLAGS: -lm
import "C"

// The room whose C this room calls.
import _ "libportable/internal/kernels/base"
