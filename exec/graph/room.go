// Package graph records what streams get, and replays it: life (graph.c), recording (recorder.c),
// replays and changed arguments (replay.c), graphs of CUDA devices (capture.c). Not here: the order
// and refusals (exec/replay), queues (exec/stream), blocks that wait for a graph (gator). In C
// because a stream's thread replays a graph without Go, and because launches enter a recording.
// Threads: any; a lock for each graph. Callers are programs and exec/stream.
package graph

/*
// An exception that leaves a kernel ends the calls that it passes; see internal/edge/calls.h.
#cgo CFLAGS: -fexceptions
// The header of graphs includes that of C.
#cgo CFLAGS: -I../../capi/include/c
*/
import "C"

// Rooms whose C this room calls.
import (
	_ "libportable/exec/device"
	_ "libportable/exec/launch"
	_ "libportable/exec/stream"
	_ "libportable/internal/backend/cuda"
	_ "libportable/internal/edge"
	_ "libportable/internal/handle"
	_ "libportable/internal/memcheck"
	_ "libportable/internal/observe"
	_ "libportable/internal/team"
)
