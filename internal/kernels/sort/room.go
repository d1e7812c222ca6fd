// Package sort sorts by radix, as steps that several threads take together: digits, buckets (sort.c), the code for each form of element
// (sort_form.h). Not here: checks of arguments, scratch memory, launches of the steps (exec/algorithm).
// Callers are exec/algorithm and exec/device. In C because compilers vectorise C and not Go.
// A result depends on the values and their order only, never on threads or time. Threads: units of one step run at once; functions keep no state.
package sort

import "C"

// The room whose C this room calls.
import _ "libportable/internal/kernels/base"
