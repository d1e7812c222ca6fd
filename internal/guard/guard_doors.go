//go:build portable_test_hooks

package guard

/*
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include "guard_decode.h"
#include "guard_room.h"

#define SEEN 4096
static struct portable__violation seen[SEEN];
static _Atomic int seen_count;

static void note_violation(const struct portable__violation *v) {
	int i = atomic_fetch_add(&seen_count, 1);
	if (i < SEEN) seen[i] = *v;
}

static void door_watch(void) {
	atomic_store(&seen_count, 0);
	atomic_store(&portable__guard_report, note_violation);
}

static int door_seen(void) { return atomic_load(&seen_count); }
static struct portable__violation *door_violation(int i) { return &seen[i]; }

static uint64_t door_read(uintptr_t p, int bytes) {
	switch (bytes) {
	case 1: return *(volatile uint8_t *)p;
	case 2: return *(volatile uint16_t *)p;
	case 4: return *(volatile uint32_t *)p;
	default: return *(volatile uint64_t *)p;
	}
}

static void door_write(uintptr_t p, int bytes, uint64_t value) {
	switch (bytes) {
	case 1: *(volatile uint8_t *)p = (uint8_t)value; break;
	case 2: *(volatile uint16_t *)p = (uint16_t)value; break;
	case 4: *(volatile uint32_t *)p = (uint32_t)value; break;
	default: *(volatile uint64_t *)p = value;
	}
}

static void door_copy(uintptr_t to, uintptr_t from, size_t bytes) { memmove((void *)to, (void *)from, bytes); }

// Threads that write and read one block each, all over and a little beyond.
struct rover { uintptr_t at; uint64_t bytes; int times, wrong; pthread_t thread; };

static void *rove(void *p) {
	struct rover *r = p;
	for (int k = 0; k < r->times; k++) {
		for (uint64_t i = 0; i < r->bytes; i++) *(volatile unsigned char *)(r->at + i) = (unsigned char)(i + k);
		*(volatile unsigned char *)(r->at + r->bytes) = (unsigned char)k;
		if (*(volatile unsigned char *)(r->at + r->bytes) != (unsigned char)k) r->wrong++;
		for (uint64_t i = 0; i < r->bytes; i++)
			if (*(volatile unsigned char *)(r->at + i) != (unsigned char)(i + k)) r->wrong++;
	}
	return NULL;
}

static int door_rove(uintptr_t *at, int n, uint64_t bytes, int times) {
	struct rover rovers[16];
	int wrong = 0;
	for (int i = 0; i < n; i++) {
		rovers[i] = (struct rover){at[i], bytes, times, 0, 0};
		pthread_create(&rovers[i].thread, NULL, rove, &rovers[i]);
	}
	for (int i = 0; i < n; i++) {
		pthread_join(rovers[i].thread, NULL);
		wrong += rovers[i].wrong;
	}
	return wrong;
}
*/
import "C"

import "unsafe"

// Small doors to C for tests, which cannot import C themselves.

// violation is one that was reported since watch.
type violation struct {
	kind, write int
	addr        uintptr
	bytes       uint64
	distance    int64
	start       uintptr
	size        uint64
}

func watchGuard()         { C.door_watch() }
func violationCount() int { return int(C.door_seen()) }

func violations() (all []violation) {
	for i := range int(C.door_seen()) {
		v := C.door_violation(C.int(i))
		all = append(all, violation{int(v.kind), int(v.is_write), uintptr(v.address), uint64(v.bytes), int64(v.distance),
			uintptr(v.block.start), uint64(v.block.bytes)})
	}
	return all
}

func peek(addr uintptr, bytes int) uint64 {
	return uint64(C.door_read(C.uintptr_t(addr), C.int(bytes)))
}

func poke(addr uintptr, bytes int, value uint64) {
	C.door_write(C.uintptr_t(addr), C.int(bytes), C.uint64_t(value))
}

func copyBytes(to, from uintptr, bytes uint64) {
	C.door_copy(C.uintptr_t(to), C.uintptr_t(from), C.size_t(bytes))
}

// rove lets as many threads as there are blocks write each its own block and the byte behind it; what was read wrong.
func rove(at []uintptr, bytes uint64, times int) int {
	return int(C.door_rove((*C.uintptr_t)(unsafe.Pointer(unsafe.SliceData(at))), C.int(len(at)), C.uint64_t(bytes), C.int(times)))
}

func sweep() { C.portable__guard_sweep() }

// howGuarded is PORTABLE__GUARD_PAGES or _CANARY of the live block that starts there, else 0; found: the block whose room holds the address.
func howGuarded(addr uintptr) int {
	if r := C.portable__guard_starts(C.uintptr_t(addr)); r != nil {
		return int(r.how)
	}
	return 0
}

func found(addr uintptr) (start uintptr, state int) {
	if r := C.portable__guard_find(C.uintptr_t(addr)); r != nil {
		return uintptr(r.start), int(r.state)
	}
	return 0, 0
}

// inSlack says whether an address is in the rest of the pages, or of the room, of the live block that starts at start.
func inSlack(start, addr uintptr) bool {
	r := C.portable__guard_starts(C.uintptr_t(start))
	return uintptr(r.data) <= addr && addr < uintptr(r.data_end)
}

func unwritten(addr uintptr) (count, first uint64) {
	var at C.uint64_t
	count = uint64(C.portable__guard_unwritten(C.portable__guard_starts(C.uintptr_t(addr)), &at))
	return count, uint64(at)
}

func readCheck(addr uintptr, bytes, element uint64) bool {
	return C.portable__guard_read(C.portable__guard_find(C.uintptr_t(addr)), C.uintptr_t(addr), C.uint64_t(bytes), C.uint64_t(element)) != 0
}

// accessBytes decodes an instruction: how many bytes of memory it accesses.
func accessBytes(code []byte) int {
	var room [32]C.uchar
	for i, b := range code {
		room[i] = C.uchar(b)
	}
	return int(C.portable__guard_access(&room[0]).bytes)
}

// move is what a move of 8 bytes does.
type move struct {
	kind, to, from, bytes int
	address               uintptr
}

// Kinds of moves.
const (
	moveNone     = C.PORTABLE__MOVE_NONE
	moveRegister = C.PORTABLE__MOVE_REGISTER
	moveLoad     = C.PORTABLE__MOVE_LOAD
	moveZero     = C.PORTABLE__MOVE_ZERO
)

// moveOf decodes an instruction, whose registers have these values. If relative is set, the address counts from the end of the instruction.
func moveOf(code []byte, registers [16]uintptr, relative bool) move {
	var room [32]C.uchar
	var values [16]C.uintptr_t
	for i, b := range code {
		room[i] = C.uchar(b)
	}
	for i, r := range registers {
		values[i] = C.uintptr_t(r)
	}
	var m C.struct_portable__move
	kind := int(C.portable__guard_move(&room[0], &values[0], &m))
	if kind == moveNone {
		return move{}
	}
	out := move{kind: kind, bytes: int(uintptr(unsafe.Pointer(m.end)) - uintptr(unsafe.Pointer(&room[0])))}
	if kind != moveZero {
		out.to = int(m.to)
	}
	if kind == moveRegister {
		out.from = int(m.from)
		return out
	}
	out.address = uintptr(m.address)
	if relative {
		out.address -= uintptr(unsafe.Pointer(m.end))
	}
	return out
}
