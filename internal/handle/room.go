// Package handle gives out handles: numbers that stand for records of C and for values of Go in foreign hands. There is one table and one format
// (slots.h), for streams, events, kernels, live-outs, arrays, twins and pools: the kind, how often the slot was given out, and the number of the slot.
// So a stale handle and one of another kind are recognised. 0 stands for nothing. table.go keeps values of Go by their handles. Not here: what a
// record holds. Callers are the rooms of exec and arrays with C, and internal/instance. In C because launches, streams and arrays find records
// without calling Go. Threads: safe.
package handle

/*
// An exception that leaves a kernel ends the calls that it passes; see internal/edge/calls.h.
#cgo CFLAGS: -fexceptions
*/
import "C"
