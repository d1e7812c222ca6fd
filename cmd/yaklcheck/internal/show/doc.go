// Package show makes pictures and tables of a trace: memory over time, whose it was at the peaks, where in the slabs it lay, and what
// ran when.
//
// In this package: what a run was (run.go), its memory (memory.go), its slabs (slabs.go) and launches (work.go) in a number of
// columns that does not depend on the length of the trace, and the two ways of telling them: text.go, page.go. Not in it: the file
// (trace), other settings of the pool (advise).
//
// Times are nanoseconds from the first record on; sizes are bytes.
//
// Threads: one goroutine for each Run.
package show
