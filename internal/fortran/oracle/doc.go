// Package oracle compares names, types, conversions and constants of package scope with gfortran's.
//
// It reads what gfortran -fdump-fortran-original prints: symbols with their types, statements with
// explicit conversions and computed constants. It is for tests alone: no program imports it. An item
// that one side does not show is counted, not compared. Threads: one goroutine.
package oracle
