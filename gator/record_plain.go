//go:build !race

package gator

// storeNobody writes the state of a record that is no live block. It is a plain store, because an atomic one is a locked
// instruction in Go, and a pair of calls makes a dozen of them: a fifth of its time. Only a second free of
// a block reads such a word at the same time; it sees the old or the new word, as Go's memory model promises for
// one word, and both say "not live".
func storeNobody(word *uint64, state uint64) { *word = state }
