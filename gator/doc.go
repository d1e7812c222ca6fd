// Package gator is the pool: labelled blocks of memory cut out of slabs, address-ordered first fit.
//
// In this room: where a block goes (slab.go, maxima.go), what is written down of it (record.go), growth
// and trimming, labels, releases that wait for events, statistics, listing, and the check of every
// invariant. Not in this room: where slabs come from (internal/backend), the environment
// (internal/instance), C and the per-thread magazines in front of a pool (capi). It works on addresses
// and never reads or writes the memory that it hands out.
//
// Invariants, walked by Check:
//   - the blocks and gaps of a slab tile it exactly, and no two gaps touch;
//   - the index of a slab (bitmap of gap starts, tree of largest gaps) says what the records say;
//   - the counters equal the sums over the records.
//
// Placement: slabs in the order of their making, and in a slab the lowest gap that is large enough.
// Allocate and Free take O(log n) steps for a slab of n granules, and do not allocate Go memory.
//
// Threads: every method is safe from any goroutine. One mutex guards a pool; the only words that are
// changed without it are the states of records, by compare-and-swap (record.go says which changes).
package gator
