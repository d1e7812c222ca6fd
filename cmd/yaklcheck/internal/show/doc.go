// Package show makes pictures and tables of a trace: memory over time, its labels at the peaks, its
// place in the slabs, and the launches.
//
// run.go reads a run, memory.go its memory, slabs.go its slabs, work.go its launches, in a number
// of columns that does not depend on the length of the trace. text.go and page.go write them, by
// table.go, pictures.go and svg.go. Package trace reads the file; advise tries other settings of
// the pool.
//
// Times are nanoseconds since the first record; sizes are bytes.
//
// Threads: one goroutine for each Run.
package show
