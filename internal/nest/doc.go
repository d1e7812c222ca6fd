// Package nest finds loop nests in Fortran sources and decides if their iterations may run in parallel.
//
// It reads trees and scopes and writes verdicts: the parallel loops, private variables, last values,
// reductions, sums into arrays, accesses, effects of calls; or the refusal, with rule, places, remedy.
// It knows no output language (emit) and prints nothing. It accepts only what it proves.
// Threads: one goroutine.
package nest
