//go:build cuda

package cuda

/*
#include "memory.h"
*/
import "C"

import (
	"reflect"

	"gorgonia.org/cu"
)

// This file holds the driver's calls. visit has made the context current on the calling thread.

// coded returns gorgonia's error with the driver's own texts; its numbers are the driver's.
func coded(call string, err error) error {
	if err == nil {
		return nil
	}
	if v := reflect.ValueOf(err); v.CanInt() {
		return failed(call, int(v.Int()))
	}
	return err
}

func (m Memory) take(bytes uint64) (uintptr, error) {
	switch m.Space {
	case SpacePinned:
		var p C.uintptr_t
		code := C.portable__cuda_pinned_take(C.size_t(bytes), &p)
		return uintptr(p), failed("cuMemHostAlloc", int(code))
	case SpaceManaged:
		p, err := cu.MemAllocManaged(int64(bytes), cu.AttachGlobal)
		return p.Uintptr(), coded("cuMemAllocManaged", err)
	}
	p, err := cu.MemAlloc(int64(bytes))
	return p.Uintptr(), coded("cuMemAlloc", err)
}

func (m Memory) give(given uintptr) error {
	if m.Space == SpacePinned {
		return failed("cuMemFreeHost", int(C.portable__cuda_pinned_give(C.uintptr_t(given))))
	}
	return coded("cuMemFree", cu.MemFree(cu.DevicePtr(given)))
}
