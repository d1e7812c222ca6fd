// Package advise says which settings of the default pool would have suited a run: it replays the run's blocks on pools that have no
// memory behind them, and counts what each would have taken.
//
// In this package: replaying (replay.go), the memory of pools that have none (source.go), which settings are tried and which of them
// is best (choose.go), what is said (text.go). Not in it: reading the trace (show), the pool (gator).
//
// A replay places blocks as the pool does: address-ordered first fit, small sizes rounded up to their class as the magazines do.
// Blocks that magazines keep for their thread are not in it; they are 12 % of a thread's at most.
//
// Threads: one goroutine.
package advise
