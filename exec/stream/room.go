// Package stream orders work: streams (stream.c), events (event.c), the queue and its thread (queue*.c), threads that wait (waiting.c),
// memory that work uses (uses.c, fence_memory.c). Not here: calls of the driver (internal/backend/cuda), blocks that wait for a point (gator).
// Callers are programs, exec/launch and the rooms above. In C because a stream's thread runs kernels without Go.
// Threads: a stream has one lock for its queue, and a turn for work that goes into a device's stream.
package stream

/*
// An exception that leaves a kernel ends the calls that it passes; see internal/edge/calls.h.
#cgo CFLAGS: -fexceptions
*/
import "C"

// Rooms whose C this room calls.
import (
	_ "libportable/exec/launch"
	_ "libportable/gator/front"
	_ "libportable/internal/backend/cuda"
	_ "libportable/internal/edge"
	_ "libportable/internal/handle"
	_ "libportable/internal/memcheck"
	_ "libportable/internal/observe"
	_ "libportable/internal/team"
)
