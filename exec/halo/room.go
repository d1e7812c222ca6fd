// Package halo exchanges ghost cells and particles among ranks: lists of fields, halos, begin, end,
// add, migrations. Not here: the plan and refusals (internal/halo), MPI (portable_mpi.h). Callers
// are programs and capi/fortran. In C because an exchange runs in each step, on threads that must
// not enter Go, and calls MPI. Threads: one user of a halo and of its fields at a time.
package halo

/*
// An exception that leaves a kernel ends the calls that it passes; see internal/edge/calls.h.
#cgo CFLAGS: -fexceptions
// Headers for devices include those of C.
#cgo CFLAGS: -I../../capi/include/c
*/
import "C"

// Rooms whose C this room calls.
import (
	_ "libportable/arrays/owner"
	_ "libportable/exec/algorithm"
	_ "libportable/exec/device"
	_ "libportable/exec/launch"
	_ "libportable/internal/backend/cuda"
	_ "libportable/internal/edge"
	_ "libportable/internal/handle"
	_ "libportable/internal/team"
)
