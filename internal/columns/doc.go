// Package columns turns the physics of one column into loops over columns: the clause columns(i=1:nx, j=1:ny) of a directive.
//
// Find makes a plan: faults, inserted dimensions, and for each file a text in which the marked call stands in the loops over its columns and
// the data of modules that are scratch of one column are arguments of copies of the procedures. Package nest then proves the text, or refuses it.
// Not in this package: proofs, generated kernels, files on disk. Threads: one goroutine.
package columns
