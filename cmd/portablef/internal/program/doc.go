// Package program reads the sources of a program together, finds their nests, and has the generated
// text of each source. It is the one place where the rooms of the front end, of the analysis and of
// the emitters meet. verdicts.go makes the plain report of it.
//
// Sources are read by several goroutines, names and nests are found by one: the result does not
// depend on their number. Threads: one goroutine uses a Program.
package program
