// Package advise finds the settings of the default pool that suit a run. It replays the run's
// blocks on pools without memory, and counts the memory that each of them would use.
//
// replay.go replays, source.go provides pools without memory, choose.go tries settings and finds
// the best, text.go prints. Package show reads the trace, gator is the pool.
//
// A replay places blocks as the pool does: address-ordered first fit, small sizes rounded up to
// their class as the magazines do. It has no blocks that magazines keep for their thread; these are
// at most 12 % of a thread's blocks.
//
// Threads: one goroutine.
package advise
