// Package instance is the one running library of a process: start and stop, environment, the memory
// behind the default pool, and users' pools. Only it reads settings (environment.go) and picks
// backends (pools.go). It has no C; capi passes it the environment, the front of the pool and
// standard error. The default pool exists exactly while there is a participant: a portable_init
// without its portable_finalize so far, or the one gatorInit. Threads: every method is safe; mu is
// held over start and stop.
package instance
