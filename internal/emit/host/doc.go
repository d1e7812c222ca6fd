// Package host writes Fortran: a source file in which the parallel nests are launches of outlined procedures.
//
// All other bytes of the file stay as they are, and so does each nest: it is what runs where a launch must not.
// The statements and declarations of an outlined body are the user's own. Package nest has proved the nest;
// what cannot be written here is refused before anything is written.
// Threads: one goroutine a call of Write.
package host
