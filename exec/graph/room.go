// Package graph records what streams get, and replays it: life (graph.c), recording (recorder.c),
// replays and changed arguments (replay.c). Not here: the order of nodes and the refusals
// (exec/replay), queues (exec/stream), blocks that wait for a graph (gator). Callers are programs
// and exec/stream. In C because a stream's thread replays a graph without Go, and because launches
// enter a recording. Threads: any; a lock for each graph.
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
	_ "libportable/exec/launch"
	_ "libportable/exec/stream"
	_ "libportable/internal/edge"
	_ "libportable/internal/handle"
	_ "libportable/internal/memcheck"
	_ "libportable/internal/observe"
	_ "libportable/internal/team"
)
