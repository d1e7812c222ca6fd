// Package componentwise has operations on arrays element by element: axes and ranges (componentwise.c), the operation for each kind of element
// (componentwise_operations.c). Not here: checks of arguments, overlap of operands, launches (exec/algorithm).
// The caller is exec/algorithm. In C because compilers vectorise C and not Go.
// A result has the bits of the scalar operation. Threads: any; functions keep no state.
package componentwise

// #cgo LDFLAGS: -lm
import "C"

// The room whose C this room calls.
import _ "libportable/internal/kernels/base"
