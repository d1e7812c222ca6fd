// Package observe notifies observers of operations: hooks of the program (hooks.c), tools of Kokkos
// (kokkos.c), ranges of NVTX (nvtx.c), the log (verbose.c), checks of launches (checks.c), valgrind
// and AddressSanitizer (tools.c). A tuning file fills launches here (tuning.c). An operation tests
// one word (watch.h). Not here: checks of memory (internal/memcheck), the meaning of environment
// variables (internal/instance). In C because each launch and each block passes here. Threads: any;
// a table of observers is never changed, only replaced.
package observe

/*
// An exception that leaves a kernel ends the calls that it passes; see internal/edge/calls.h.
#cgo CFLAGS: -fexceptions
*/
import "C"

// Rooms whose C this room calls.
import (
	_ "libportable/internal/edge"
	_ "libportable/internal/team"
	_ "libportable/internal/tracing"
)
