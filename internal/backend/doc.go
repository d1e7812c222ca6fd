// Package backend is the contract between the pool (and later the launch engine) and the places where
// memory and processors come from. It holds interfaces and their preconditions, and no implementation:
// those are in the rooms beside it (host, cuda, fake), and backendtest is the one suite that each of
// them passes.
//
// Invariant: this package imports nothing of ours.
//
// Threads: each implementation may be called from any goroutine at any time.
package backend
