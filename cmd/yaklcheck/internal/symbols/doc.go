// Package symbols finds procedure, file and line of an address in a trace: it reads symbol tables
// and DWARF of the mapped files, with inlined calls and demangled names. It runs no other program.
// Other rooms read ELF files through it (elf.go). A module is a file mapped with code; an address
// of the process minus the module's bias is an address of the file; Table takes the former, all
// else the latter. Each unit is read at first use. Threads: a Table belongs to one goroutine at a
// time.
package symbols
