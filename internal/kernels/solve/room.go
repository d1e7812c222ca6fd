// Package solve has systems of three and five diagonals, many at once: a group of systems as lanes of vectors (solve_form.h, solve_rows.h), lanes
// to rows (solve_turn.h), and where its elements are (solve.c). Not here: one system inside a kernel (capi/include/kernel/portable_solvers.h), checks of arguments, launches (exec/algorithm).
// The caller is exec/algorithm. In C because compilers vectorise C and not Go.
// A system's bits depend on its own values only, never on its neighbours, threads or time. Threads: any; functions keep no state.
package solve

/*
// Debugging information of the inlined forms would take 55 KB of each program.
#cgo CFLAGS: -g0
*/
import "C"

// The room whose C this room calls.
import _ "libportable/internal/kernels/base"
