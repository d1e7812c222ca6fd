// Package tree holds the syntax of Fortran: program units, declarations, statements, expressions.
//
// It says what is written, not what it means: a(i) is a Reference, be it an element or a call
// (package scope decides). Names are in lower case. Every node knows its bytes in the source.
// A statement that the parser does not understand is an Unread statement in its place, never lost.
// Threads: trees do not change after they are parsed.
package tree
