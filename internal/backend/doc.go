// Package backend is the contract between the pool or the launch engine, and the sources of memory
// and processors: interfaces with their preconditions, no implementation. Those are in the rooms
// next to it (host, cuda, fake, paper); backendtest is the suite that each of them passes. A new
// device or kind of memory implements these interfaces; CONTRIBUTING.md lists the steps. This
// package imports nothing of ours. Threads: any goroutine may call an implementation at any time.
package backend
