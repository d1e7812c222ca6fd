// Package reduction combines many values into one: the fixed tree (tree.h), partial results of launches (partial.c), reductions of arrays (array*.c),
// exact sums (exact*.c). Not here: the cut of a loop (internal/team), checks of arguments and launches (exec/algorithm).
// Callers are exec/algorithm and rooms that ask for the size of a kind; exact sums are public. In C because compilers vectorise C and not Go.
// A result depends on the values and their order only, never on threads or time. Threads: any; functions keep no state.
package reduction

import "C"

// The room whose C this room calls.
import _ "libportable/internal/kernels/base"
