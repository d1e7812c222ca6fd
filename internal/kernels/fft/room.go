// Package fft transforms lines: the passes of a transform over vectors (fft_form.h), a line cut into the lanes of vectors (fft_line.h), lines brought into
// lanes (fft_lanes.h), and which way a call takes (fft.c). Not here: lengths and tables (internal/fourier), checks of arguments, launches (exec/algorithm).
// The caller is exec/algorithm. In C because compilers vectorise C and not Go.
// A line's bits depend on its own numbers only, never on its neighbours, threads or time. Threads: any; functions keep no state.
package fft

/*
// Debugging information of the inlined passes would take 400 KB of each program.
#cgo CFLAGS: -g0
*/
import "C"

// The room whose C this room calls.
import _ "libportable/internal/kernels/base"
