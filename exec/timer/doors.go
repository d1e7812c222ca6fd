//go:build portable_test_hooks

package timer

// This file has test hooks into the predicates of timers, hooks and checks.

/*
#include "../../internal/observe/observers.h"
#include "timer.h"

static int ordinary(int32_t kind, int32_t which, uint32_t size, uint32_t reserved, int pointer, uint64_t bytes, uint64_t label_bytes) {
	static char some;
	struct portable__timer_asked a = {.kind = kind, .which = which, .struct_size = size, .reserved = reserved, .pointer = pointer ? &some : NULL,
	                                  .bytes = bytes, .label_bytes = label_bytes};
	return portable__timer_ordinary(&a);
}
*/
import "C"

// Small doors to C for tests, which cannot import C themselves.

// Ordinary is C's verdict on a call of timers.
func Ordinary(kind, which int32, size, reserved uint32, pointer bool, bytes, labelBytes uint64) bool {
	return C.ordinary(C.int32_t(kind), C.int32_t(which), C.uint32_t(size), C.uint32_t(reserved), number(pointer), C.uint64_t(bytes), C.uint64_t(labelBytes)) != 0
}

// HookOrdinary is C's verdict on portable_hook_add.
func HookOrdinary(out, function bool, events uint32) bool {
	return C.portable__hook_ordinary(number(out), number(function), C.uint32_t(events)) != 0
}

// ChecksOrdinary is C's verdict on portable_set_checks.
func ChecksOrdinary(checks uint32) bool { return C.portable__checks_ordinary(C.uint32_t(checks)) != 0 }

func number(yes bool) C.int {
	if yes {
		return 1
	}
	return 0
}
