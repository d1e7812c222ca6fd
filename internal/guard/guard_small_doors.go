//go:build portable_test_hooks

package guard

/*
#include "guard_room.h"

static struct portable__guarded door_small_copy;

static int32_t door_small_note(uintptr_t start) { return portable__guard_small_at(start, &door_small_copy); }
static void door_small_check(void) { portable__guard_small_check(&door_small_copy, NULL); }
*/
import "C"

// Doors to guard_small.c for tests. noteSmall keeps a copy of a block's record, as a sweep does; checkNoted goes on with the copy.

func takeSmall(bytes uint64) uintptr { return uintptr(C.portable__guard_small(C.uint64_t(bytes), 0)) }
func giveSmall(addr uintptr) bool    { return C.portable__guard_small_give(C.uintptr_t(addr), 0) != 0 }
func noteSmall(addr uintptr) bool    { return C.door_small_note(C.uintptr_t(addr)) != 0 }
func checkNoted()                    { C.door_small_check() }
