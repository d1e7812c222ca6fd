package capi

// This file adapts pools to valgrind and AddressSanitizer (internal/observe/tools.c).

/*
#include "../internal/observe/tools.h"
*/
import "C"

import (
	"libportable/gator"
	"libportable/internal/backend"
)

// watching: a tool observes the memory of the program.
var watching = C.portable__tool_look() != 0

// fastPath is the front of the default pool. Under a tool it parks nothing, so that the tool sees every block.
func fastPath() gator.Front {
	if watching {
		return addresses{}
	}
	return magazines{}
}

// watch reports the slabs of a source to the tool.
func watch(s backend.Source) backend.Source {
	if watching {
		return watched{s}
	}
	return s
}

type watched struct{ backend.Source }

func (w watched) Reserve(bytes uint64) (uintptr, error) {
	addr, err := w.Source.Reserve(bytes)
	if err == nil {
		C.portable__tool_slab(C.uintptr_t(addr), C.uint64_t(bytes))
	}
	return addr, err
}

// Release keeps the memory if the tool must not see its address twice.
func (w watched) Release(addr uintptr, bytes uint64) error {
	if C.portable__tool_slab_ends(C.uintptr_t(addr), C.uint64_t(bytes)) == 0 {
		return nil
	}
	return w.Source.Release(addr, bytes)
}
