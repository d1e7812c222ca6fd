// Package outside handles data from outside the program: files that a user names (files.go,
// trust.go), and text that a terminal, a log or a report shows (text.go). It is Go alone, for
// yaklcheck and for the Go part of the library; its twin in C is internal/edge. Threads: any thread
// may call any function.
package outside
