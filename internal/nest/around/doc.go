// Package around finds the regions of OpenMP and OpenACC around loops, and those whose directives may be removed: one thread then
// runs the statements in their order, and each loop is a launch.
//
// A region is removed as a whole or stays as a whole. Not in this package: whether its loops are converted (nest), the clauses of
// loops. Threads: a Finder is for one goroutine; regions do not change after it.
package around
