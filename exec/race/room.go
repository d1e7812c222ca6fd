// Package race is PORTABLE_CHECK=races: it notes in cells which iterations of a launch access which
// elements. Not here: memory of the cells, texts and report (exec/racecheck), lists of Fortran
// (capi/fortran). Callers are kernels, exec/launch and capi/fortran. In C because kernels call it
// for each access. Threads: one checked launch at a time, on the thread that runs its kernel.
package race

/*
// An exception that leaves a kernel ends the calls that it passes; see internal/edge/calls.h.
#cgo CFLAGS: -fexceptions
// Headers for devices include those of C.
#cgo CFLAGS: -I${SRCDIR}/../../capi/include/c
*/
import "C"

// Rooms whose C this room calls.
import (
	_ "libportable/internal/edge"
	_ "libportable/internal/memcheck"
	_ "libportable/internal/observe"
	_ "libportable/internal/team"
	_ "libportable/internal/tracing"
)
