// Package scan has running sums and the like over arrays (scan*.c), and the choice of elements by a mask (choose.c), for scans and filters.
// Not here: checks of arguments, the order of leaves, launches (exec/algorithm).
// The caller is exec/algorithm. In C because compilers vectorise C and not Go.
// A result depends on the values and their order only, never on threads or time. Threads: any; functions keep no state.
package scan

import "C"

// The room whose C this room calls.
import _ "libportable/internal/kernels/base"
