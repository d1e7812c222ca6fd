// Package handle gives numbers that stand for Go values (table.go) and for records in C (slots.c) in foreign hands. A number carries the
// generation of its place, so that one which was given back is recognised and never reaches a newer
// value. 0 stands for nothing. In C because streams and arrays are found by number without Go. Threads: safe.
package handle

import "sync"

// Table holds values of one kind.
type Table[T any] struct {
	mu     sync.RWMutex // guards the fields below
	places []place[T]
	free   []uint32 // places that hold nothing
}

type place[T any] struct {
	generation uint32
	used       bool
	value      T
}

func number(index, generation uint32) uint64 { return uint64(generation)<<32 | uint64(index) + 1 }

// Put keeps a value and gives its number.
func (t *Table[T]) Put(value T) uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	var index uint32
	if n := len(t.free); n > 0 {
		index, t.free = t.free[n-1], t.free[:n-1]
	} else {
		index = uint32(len(t.places))
		t.places = append(t.places, place[T]{})
	}
	p := &t.places[index]
	p.used, p.value = true, value
	return number(index, p.generation)
}

// Get gives the value of a number.
func (t *Table[T]) Get(n uint64) (value T, ok bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if p := t.place(n); p != nil {
		return p.value, true
	}
	return value, false
}

// Take gives the value of a number and forgets it.
func (t *Table[T]) Take(n uint64) (value T, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := t.place(n)
	if p == nil {
		return value, false
	}
	value = p.value
	var none T
	p.value, p.used = none, false
	p.generation++
	t.free = append(t.free, uint32(n)-1)
	return value, true
}

// At is for walks that allocate nothing: place i, from 0 on, holds a value when ok; from the first i on that gives no
// more there is none.
func (t *Table[T]) At(i int) (value T, ok, more bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if i >= len(t.places) {
		return value, false, false
	}
	return t.places[i].value, t.places[i].used, true
}

// All gives the numbers in use.
func (t *Table[T]) All() (numbers []uint64) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	for i := range t.places {
		if t.places[i].used {
			numbers = append(numbers, number(uint32(i), t.places[i].generation))
		}
	}
	return numbers
}

func (t *Table[T]) place(n uint64) *place[T] {
	index := uint64(uint32(n)) - 1
	if uint32(n) == 0 || index >= uint64(len(t.places)) {
		return nil
	}
	if p := &t.places[index]; p.used && p.generation == uint32(n>>32) {
		return p
	}
	return nil
}
