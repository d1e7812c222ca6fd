package team

/*
#include "emulated.h"
*/
import "C"

import (
	"errors"
	"syscall"
)

// EmulatedName is the name of the device that has memory of its own on a machine that has none; see emulated.h.
const EmulatedName = C.PORTABLE__EMULATED_NAME

// Emulate adds the device, once.
func Emulate() error {
	switch C.portable__emulated_begin() {
	case 0:
		return errors.New("the program has a device of that name")
	case -1:
		return errors.New("there are too many devices")
	}
	return nil
}

// Emulates says whether the device is there.
func Emulates() bool { return C.portable__emulated_number() != 0 }

// EmulatedAdd closes a slab of whole pages to the host; EmulatedRemove forgets it.
func EmulatedAdd(start uintptr, bytes uint64) error {
	if reason := C.portable__emulated_add(C.uintptr_t(start), C.uint64_t(bytes)); reason != 0 {
		return syscall.Errno(reason)
	}
	return nil
}

// EmulatedRemove forgets a slab.
func EmulatedRemove(start uintptr) { C.portable__emulated_remove(C.uintptr_t(start)) }
