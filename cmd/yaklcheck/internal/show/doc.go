// Package show makes pictures and tables of a trace: memory over time, labels at the peaks, places
// in slabs, launches. run.go reads a run, memory.go, slabs.go and work.go its parts, in a fixed
// number of columns; text.go and page.go write them, by table.go, pictures.go and svg.go. Times are
// nanoseconds since the first record, sizes bytes. Package trace reads the file; advise tries other
// settings. Threads: one goroutine for each Run.
package show
