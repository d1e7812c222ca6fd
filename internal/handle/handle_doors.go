//go:build portable_test_hooks

package handle

/*
#include "slots.h"

static struct portable__slot_table events = PORTABLE__SLOT_TABLE(PORTABLE__KIND_EVENT, struct portable__slot_head);

static struct portable__slot_head *take(void) { return portable__slot_take(&events); }
static uint64_t publish(struct portable__slot_head *s) { return portable__slot_publish(&events, s); }
static struct portable__slot_head *find(uint64_t handle) { return portable__slot_find(&events, handle); }
static struct portable__slot_head *hold(uint64_t handle) { return portable__slot_hold(&events, handle); }
static struct portable__slot_head *retract(uint64_t handle) { return portable__slot_retract(&events, handle); }
static void release(struct portable__slot_head *s) { portable__slot_release(s); }
static void give(struct portable__slot_head *s) { portable__slot_give(&events, s); }
static void wear(struct portable__slot_head *s) { atomic_store(&s->times, 0x0ffffffeu); }
static int is_worn(const struct portable__slot_head *s) { return portable__slot_worn(s); }
static int is_pool(uint64_t handle) { return portable__slot_find(&portable__slots_of_pools, handle) != NULL; }
*/
import "C"

// record is a record of C in a table for tests.
type record = *C.struct_portable__slot_head

func takeRecord() record           { return C.take() }
func publish(r record) uint64      { return uint64(C.publish(r)) }
func find(handle uint64) record    { return C.find(C.uint64_t(handle)) }
func hold(handle uint64) record    { return C.hold(C.uint64_t(handle)) }
func retract(handle uint64) record { return C.retract(C.uint64_t(handle)) }
func release(r record)             { C.release(r) }
func give(r record)                { C.give(r) }
func wear(r record)                { C.wear(r) }
func isWorn(r record) bool         { return C.is_worn(r) != 0 }
func isPoolInC(handle uint64) bool { return C.is_pool(C.uint64_t(handle)) != 0 }

const slotsAtMost = C.PORTABLE__SLOTS_MAX
