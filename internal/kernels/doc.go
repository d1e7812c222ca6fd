// Package kernels is the built-in arithmetic on many values, in C, because compilers vectorise C and not Go. In this room: the
// tree that partial results are combined by (tree.h), exact sums (exact*.c), what partial results are (partial.c), reductions of
// arrays (array*.c), sorts (sort*), scans (scan*.c), what masks choose (choose.c), operations element by element (componentwise*.c), copies between layouts (copy*.c).
// Not in this room: whether arrays share memory (internal/kernels/base), how a loop is cut and who runs it (internal/team), what users call (capi).
//
// Invariants: what is computed here depends on the values and their order only, never on threads or time. Threads:
// functions work on what they are given; they keep nothing.
package kernels

// #cgo LDFLAGS: -lm
import "C"

// The room whose C this room calls.
import _ "libportable/internal/kernels/base"
