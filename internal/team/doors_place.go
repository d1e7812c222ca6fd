//go:build portable_test_hooks

package team

/*
#define _GNU_SOURCE
#include <sched.h>
#include "place.h"

static int32_t masked(int32_t *first, int32_t *second) {
	cpu_set_t now;
	if (sched_getaffinity(0, sizeof now, &now)) return -1;
	*first = *second = -1;
	for (int i = 0; i < CPU_SETSIZE; i++) {
		if (!CPU_ISSET(i, &now)) continue;
		if (*first < 0) *first = i;
		else if (*second < 0) *second = i;
	}
	return CPU_COUNT(&now);
}

static int32_t allows(int32_t cpu) {
	cpu_set_t now;
	return !sched_getaffinity(0, sizeof now, &now) && CPU_ISSET(cpu, &now);
}

static struct portable__place place;
static int32_t keep_off(int32_t cpu) {
	portable__place_keep_off(&place, pthread_self(), cpu);
	return place.off;
}
static int32_t let_go(void) { return portable__place_let_go(&place); }
*/
import "C"

// Processors gives how many the calling thread may use, and the first two of them.
func Processors() (count, first, second int) {
	var a, b C.int32_t
	n := C.masked(&a, &b)
	return int(n), int(a), int(b)
}

// Allowed says whether the calling thread may use a processor.
func Allowed(cpu int) bool { return C.allows(C.int32_t(cpu)) != 0 }

// KeepOff keeps the calling thread off a processor; off is that processor, or -1.
func KeepOff(cpu int) (off int) { return int(C.keep_off(C.int32_t(cpu))) - 1 }

// LetGo ends it, and says whether there was anything to end.
func LetGo() bool { return C.let_go() != 0 }
