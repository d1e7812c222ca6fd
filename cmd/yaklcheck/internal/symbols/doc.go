// Package symbols makes procedures, files and lines of addresses that a trace has. It reads the symbol tables and DWARF of
// the files that were mapped, with the inlined calls, and gives names as users wrote them: Fortran's without mangling, C++'s
// demangled. It runs no other program and needs no network.
//
// A module (of this package) is a file that was mapped with code in it; a Fortran module is said to be one. Addresses of the
// process less the module's bias are those of the file, and everything in here but Table counts in the latter.
//
// Everything is read when it is first asked for: the debugging information of a unit is walked once, and kept sorted.
//
// Threads: a Table belongs to one goroutine at a time.
package symbols
