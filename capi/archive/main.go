// Command archive is the archive: built with -buildmode=c-archive it is libportable.a. In this file: the program that Go wants for that.
//
// Invariant: it has no C. For a program with C in it Go writes a header in this mode, and therefore compiles the C of all rooms
// again in each build, though its cache has it.
package main

import _ "libportable/capi"

func main() {}
