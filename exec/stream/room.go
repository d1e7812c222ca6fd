// Package stream orders work: streams (stream.c), events (event.c), the queue and its thread
// (queue*.c), waiting threads (waiting.c), memory that work uses (uses.c, fence_memory.c).
// exec/streams.go explains streams. Not here: the driver (internal/backend/cuda), blocks that wait
// for a point (gator). In C because a stream's thread runs kernels without Go. Threads: any; a
// stream has a lock for its queue and a turn for work that enters a stream of the driver.
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
