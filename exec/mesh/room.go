// Package mesh serves meshes and particles: rows (csr.c), their reductions (segmented.c), another
// order of arrays (reorder.c), cells (cells.c), neighbours (neighbours.c), merges (merge.c), sets
// of integers (map.c). Not here: the arithmetic of a row and of a merge (internal/kernels), sorts
// (exec/algorithm). Callers are programs and capi/fortran. In C because reductions are launches,
// and rows are built by launches and array kernels. Threads: any.
package mesh

/*
// An exception that leaves a kernel ends the calls that it passes; see internal/edge/calls.h.
#cgo CFLAGS: -fexceptions
// Headers for devices, and those of meshes, include those of C.
#cgo CFLAGS: -I../../capi/include/c -I../../capi/include/kernel
*/
import "C"

// Rooms whose C this room calls.
import (
	_ "libportable/exec/algorithm"
	_ "libportable/exec/device"
	_ "libportable/exec/launch"
	_ "libportable/gator/front"
	_ "libportable/internal/edge"
	_ "libportable/internal/kernels/base"
	_ "libportable/internal/kernels/reduction"
	_ "libportable/internal/kernels/sort"
)
