// Package fortran marshals for the Fortran modules: labels without an end, sections, descriptors,
// lists of arguments, kernels. Each function makes the arguments of C and calls C. Not here: the
// modules (fortran/), logic of calls. Callers are the modules only. In C because Fortran binds to
// C, and hundreds of specifics must stay small. Threads: any.
package fortran

/*
// An exception that leaves a kernel ends the calls that it passes; see internal/edge/calls.h.
#cgo CFLAGS: -fexceptions
// Headers for devices include those of C.
#cgo CFLAGS: -I../include/c -I../include/kernel
*/
import "C"

// Rooms whose C this room calls.
import (
	_ "libportable/arrays/owner"
	_ "libportable/exec/algorithm"
	_ "libportable/exec/device"
	_ "libportable/exec/halo"
	_ "libportable/exec/launch"
	_ "libportable/exec/liveout"
	_ "libportable/exec/mesh"
	_ "libportable/exec/race"
	_ "libportable/exec/stage"
	_ "libportable/gator/front"
	_ "libportable/internal/edge"
	_ "libportable/internal/kernels/base"
	_ "libportable/internal/kernels/reduction"
	_ "libportable/internal/observe"
	_ "libportable/internal/team"
)
