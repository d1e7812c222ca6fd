//go:build portable_test_hooks

package guard

/*
#include "guard_room.h"

static const char *door_labels[2] = {"one", "two"};

static int32_t door_park(uintptr_t start, int label) {
	struct portable__guarded *r = portable__guard_starts(start);
	if (r) r->name = label < 0 ? NULL : door_labels[label]; // as the watcher does
	return portable__guard_park(start);
}

static uintptr_t door_unpark(uint64_t bytes, int label) { return portable__guard_unpark(bytes, door_labels[label]); }
*/
import "C"

// Doors to guard_parked.c for tests. A label is 0 or 1, or -1 where the watcher has none.

func park(addr uintptr, label int) bool { return C.door_park(C.uintptr_t(addr), C.int(label)) != 0 }

func unpark(bytes uint64, label int) uintptr {
	return uintptr(C.door_unpark(C.uint64_t(bytes), C.int(label)))
}

func publishParked(addr uintptr)       { C.portable__guard_publish(C.uintptr_t(addr)) }
func withdrawParked(addr uintptr) bool { return C.portable__guard_withdraw(C.uintptr_t(addr)) != 0 }
func isParked(addr uintptr) bool       { return C.portable__guard_is_parked(C.uintptr_t(addr)) != 0 }
func parkedFull() bool                 { return C.portable__guard_park_full() != 0 }

func stopParking(stop bool) { C.portable__guard_park_stop(number(stop)) }

// drainParked takes at most so many at a time.
func drainParked(room int) (all []uintptr) {
	for {
		some := make([]C.uintptr_t, room)
		n := C.portable__guard_park_drain(&some[0], C.size_t(room))
		if n == 0 {
			return all
		}
		for _, a := range some[:n] {
			all = append(all, uintptr(a))
		}
	}
}

func mostParked() int64 { return int64(C.portable__guard_park_most()) }

func parkedCounts() (c [4]int64) {
	var counts [4]C.int64_t
	C.portable__guard_park_counts(&counts[0])
	for i, n := range counts {
		c[i] = int64(n)
	}
	return c
}
