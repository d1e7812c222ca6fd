package gator

import (
	"errors"
	"fmt"
	"slices"

	"libportable/internal/backend"
)

// tightTables refuses large tables and counts what is out.
type tightTables struct {
	words int // the largest table that it gives
	out   int // tables given and not taken back
	sizes []int
}

var errTables = errors.New("no memory for tables")

func (t *tightTables) Take(words int) ([]uint64, error) {
	t.sizes = append(t.sizes, words)
	if words > t.words {
		return nil, fmt.Errorf("%w: %w", backend.ErrRefused, errTables)
	}
	t.out++
	return make([]uint64, words), nil
}

func (t *tightTables) Give(table []uint64) {
	if !slices.Contains(t.sizes, len(table)) {
		panic("tightTables: a table that was not taken")
	}
	t.out--
}
