// Package gator is the pool: labelled blocks of memory cut out of slabs, address-ordered first fit.
//
// In this room: three allocators. Pool cuts slabs (slab.go, maxima.go, record.go, grow.go); Direct takes each
// block from its source (register.go); Sampled joins two. Pool and Direct share lock, waits, statistics, listing and
// Close (shared.go), and the contract of the caches of freed blocks before them (front.go). Not in this room: where
// memory comes from (internal/backend), the environment (internal/instance), the fronts themselves
// (gator/front, internal/guard, capi). It works on addresses, and never touches the memory behind them.
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
