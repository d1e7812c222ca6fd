// Package advise finds the settings of the default pool that suit a run. It replays the run's
// blocks on pools without memory (replay.go, source.go), counts their memory, tries settings
// (choose.go) and prints (text.go). A replay places blocks as the pool does: address-ordered first
// fit, small sizes rounded up to their class; it leaves out the at most 12 % of blocks that
// magazines keep for their thread. Package show reads the trace, gator is the pool. Threads: one
// goroutine.
package advise
