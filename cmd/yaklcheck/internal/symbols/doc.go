// Package symbols finds the procedure, file and line of an address in a trace. It reads the symbol
// tables and DWARF of the files that were mapped, with inlined calls, and returns names as users
// wrote them: Fortran's without mangling, C++'s demangled. It runs no other program and needs no
// network. Other rooms of the command read ELF files through it (elf.go).
//
// A module of this package is a file that was mapped with code in it; a Fortran module is called
// one. An address of the process minus the module's bias is an address of the file. Table takes the
// former, everything else the latter.
//
// Everything is read at first use: the debug information of a unit is walked once, and kept sorted.
//
// Threads: a Table belongs to one goroutine at a time.
package symbols
