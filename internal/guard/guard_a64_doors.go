//go:build portable_test_hooks

package guard

/*
#include "guard_a64.h"

static struct portable__access door_a64(uint32_t word, uint32_t zeroed) { return portable__a64_access(word, zeroed); }
static int door_a64_move(const uint32_t *last, uintptr_t pc, const uintptr_t *registers, struct portable__move *out) {
	return portable__a64_move((const unsigned char *)last, pc, registers, out);
}
*/
import "C"

// Small doors to the decoder of A64, which every processor can run.

// armAccess is an access to memory of one instruction; write: 1, 0, or -1 if that is not known; how is 0 if it is not known to access memory.
type armAccess struct{ bytes, write, how int }

// How an instruction may be copied.
const (
	armPlain       = C.PORTABLE__ACCESS_PLAIN
	armRelative    = C.PORTABLE__ACCESS_RELATIVE
	armMonitored   = C.PORTABLE__ACCESS_MONITORED
	armConditional = C.PORTABLE__ACCESS_CONDITIONAL
)

// armZeroed is the number of bytes that `dc zva` fills, in tests.
const armZeroed = 64

func decodeArm(word uint32) armAccess {
	a := C.door_a64(C.uint32_t(word), armZeroed)
	return armAccess{int(a.bytes), int(a.is_write), int(a.how)}
}

// moveOfArm decodes a move of 8 bytes at pc, the last of these instructions; its end is not set.
func moveOfArm(words [C.PORTABLE__A64_BEFORE + 1]uint32, pc uintptr, registers [32]uintptr) move {
	var values [32]C.uintptr_t
	for i, r := range registers {
		values[i] = C.uintptr_t(r)
	}
	var m C.struct_portable__move
	out := move{kind: int(C.door_a64_move((*C.uint32_t)(&words[len(words)-1]), C.uintptr_t(pc), &values[0], &m))}
	switch out.kind {
	case moveRegister:
		out.to, out.from = int(m.to), int(m.from)
	case moveLoad:
		out.to, out.address = int(m.to), uintptr(m.address)
	case moveZero:
		out.address = uintptr(m.address)
	}
	return out
}
