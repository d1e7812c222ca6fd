package handle

/*
#include "slots.h"
*/
import "C"

import "sync"

// Table holds Go values: a C slot gives the handle, the table keeps the value by the number of the slot. Only pools are
// Go values with handles, so the kind is theirs. All tables share these slots, so a handle is found in one table only.
type Table[T any] struct {
	mu     sync.RWMutex // guards the fields below
	places []place[T]   // by the number of the slot
}

type place[T any] struct {
	handle uint64 // 0: holds nothing
	value  T
}

// numberOf is the number of the slot that a handle names; see handle_of in slots.c.
func numberOf(handle uint64) int { return int(uint32(handle)) }

// Put keeps a value and returns its handle. It fails if there is no memory for a slot, or if all slots are in use.
func (t *Table[T]) Put(value T) (handle uint64, ok bool) {
	slot := C.portable__slot_take(&C.portable__slots_of_pools)
	if slot == nil {
		return 0, false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	handle = uint64(C.portable__slot_publish(&C.portable__slots_of_pools, slot))
	if n := numberOf(handle) + 1 - len(t.places); n > 0 {
		t.places = append(t.places, make([]place[T], n)...)
	}
	t.places[numberOf(handle)] = place[T]{handle, value}
	return handle, true
}

// Get returns the value of a handle. It does not call C, because calls of pools begin with it.
func (t *Table[T]) Get(handle uint64) (value T, ok bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if p := t.place(handle); p != nil {
		return p.value, true
	}
	return value, false
}

// Take returns the value of a handle and forgets it.
func (t *Table[T]) Take(handle uint64) (value T, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := t.place(handle)
	if p == nil {
		return value, false
	}
	value = p.value
	*p = place[T]{}
	if slot := C.portable__slot_retract(&C.portable__slots_of_pools, C.uint64_t(handle)); slot != nil {
		C.portable__slot_give(&C.portable__slots_of_pools, slot)
	}
	return value, true
}

// At is for walks that allocate nothing: place i, from 0 on, holds a value if ok is true. The walk ends at the first i
// without more.
func (t *Table[T]) At(i int) (value T, ok, more bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if i >= len(t.places) {
		return value, false, false
	}
	return t.places[i].value, t.places[i].handle != 0, true
}

// All returns the handles in use.
func (t *Table[T]) All() (handles []uint64) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	for i := range t.places {
		if t.places[i].handle != 0 {
			handles = append(handles, t.places[i].handle)
		}
	}
	return handles
}

func (t *Table[T]) place(handle uint64) *place[T] {
	number := numberOf(handle)
	if handle == 0 || number >= len(t.places) || t.places[number].handle != handle {
		return nil
	}
	return &t.places[number]
}
