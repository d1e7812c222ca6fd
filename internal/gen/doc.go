// Command gen writes the Fortran source that is a product of kinds and ranks: the specifics behind
// gator_allocate and gator_deallocate, the include template for derived types, and the test that walks
// through all of them. It also assembles portable_stub.F90, the module over ALLOCATE in one file, and the matrix of
// misuse: its programs and its cells. Everything else is written by hand.
//
//	go run ./internal/gen     # from anywhere inside the module
//
// The output is committed, so that building the library needs no generator. `go test ./internal/gen` fails
// when a committed file is stale. Output is a function of the tables in kinds.go and misuse_*_kinds.go, templates/,
// misuse/, stub/ and, for the stub, the hand-written parts of gator_mod.
package main

//go:generate go run .
