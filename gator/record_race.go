//go:build race

package gator

import "sync/atomic"

// storeNobody for builds with the race detector, which does not know why record_plain.go is right.
func storeNobody(word *uint64, state uint64) { atomic.StoreUint64(word, state) }
