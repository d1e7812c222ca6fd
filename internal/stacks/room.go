// Package stacks takes call stacks: by the tables of frames (stack_walk.c), whose rules are read
// from .eh_frame and kept by address (stack_rules.c). It keeps each stack once, under a number
// (stack.c). Not here: names of procedures (cmd/yaklcheck/internal/symbols). The rooms that report
// where something happened call it: internal/edge for faults, internal/memcheck, exec/launch. In C
// because every allocation under checks and every signal handler takes a stack. Threads: any,
// without a lock.
package stacks

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
