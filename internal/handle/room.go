// Package handle gives out handles: numbers for C records and Go values. There is one table and one
// format (slots.h) for streams, events, kernels, live-outs, arrays, twins and pools, so that a
// stale handle, or one of another kind, is recognised. 0 stands for nothing. table.go keeps Go
// values by their handles. Not here: the contents of records. Callers are rooms of exec and arrays
// with C, and internal/instance. In C because launches, streams and arrays find records without
// calling Go. Threads: safe.
package handle

/*
// An exception that leaves a kernel ends the calls that it passes; see internal/edge/calls.h.
#cgo CFLAGS: -fexceptions
*/
import "C"
