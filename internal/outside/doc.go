// Package outside takes what comes from outside the program: files that a user names (files.go) and text that a terminal, a log or a report is to show
// (text.go). It is Go alone, for yaklcheck and for the Go part of the library; its twin in C is internal/edge.
// Threads: everything may be called from any thread.
package outside
