// Package brute makes random loop nests whose truth is known: it writes a nest as Fortran text, runs
// its subscripts and guards for several sizes, and notes each access of each iteration. Truth says
// which loops are independent, and tests the claim of an analyser (private, reduction, ...) element by
// element. Not here: the analyser, values of real variables, the language around nests. It imports
// nothing of ours, so that an error of the analyser cannot hide here. Same seed, same nest. Threads: a
// Machine belongs to one goroutine; all else is immutable after it is made.
package brute
