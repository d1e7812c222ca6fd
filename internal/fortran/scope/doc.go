// Package scope says what the names of Fortran sources mean: scopes, symbols, types, kinds, constants.
//
// It reads all files of a program together (modules across files) and answers questions about trees:
// what a name is, the type and rank of an expression, the value of a constant, what a(...) is. A module
// that no file has makes names unknown, never wrong. It does not look at the flow of a program (nest).
// Threads: Build runs alone; afterwards questions come from one goroutine.
package scope
