// Package instance is the one running library of a process: its start and stop, its environment, the
// choice of the memory behind the default pool, and the pools of users. It is the only place that reads
// settings (environment.go) and the only one that picks backends (pools.go). It knows no C; capi hands it
// the environment, the front of the pool and the standard error of the program.
//
// Invariants: the default pool exists exactly while there is a participant; a participant is a
// portable_init that was not yet answered by portable_finalize, or the one gatorInit.
//
// Threads: every method is safe. mu is held over start and stop; looking up the default pool takes no lock.
package instance
