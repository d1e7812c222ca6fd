//go:build portable_test_hooks

package launch

// This file has test hooks into the predicates of launches, and the numbers and sizes that C and Go
// share.

/*
#include "launch.h"
#include "ordinary.h"

static int32_t launch_verdict(const void *bounds, const void *config, int32_t strided, int32_t integer_bytes, const int32_t *facts) {
	portable_launch_config copy = PORTABLE_LAUNCH_CONFIG_INIT;
	struct portable__cut cut;
	if (!portable__space_is_ordinary(bounds, config, strided, integer_bytes, &copy, &cut)) return 0;
	if (copy.division && !portable__division_is_ordinary(bounds, &cut, facts[3], &copy)) return 0;
	return portable__launch_device(&copy, facts[0], facts[1], facts[2]);
}
*/
import "C"

import "unsafe"

// The functions below let tests ask C.

// Verdict is C's verdict on a launch: its device; 0: the launch is not ordinary. facts: the device of its stream, how many
// devices there are, the default device, exec.Divides.
func Verdict(bounds, config unsafe.Pointer, strided bool, integerBytes int32, facts [4]int32) int32 {
	uses := C.int32_t(0)
	if strided {
		uses = 1
	}
	return int32(C.launch_verdict(bounds, config, uses, C.int32_t(integerBytes), (*C.int32_t)(unsafe.Pointer(&facts))))
}

// BoundsAreOrdinary is C's verdict on the arguments of portable_bounds_make.
func BoundsAreOrdinary(rank, order int32) bool {
	return C.portable__bounds_are_ordinary(C.int32_t(rank), C.int32_t(order)) != 0
}

// Sizes are the sizes of structures that C and Go share, in C.
func Sizes() [3]uintptr {
	return [...]uintptr{C.sizeof_portable_bounds, C.sizeof_portable_launch_config, C.sizeof_portable_work_division}
}

// Numbers are numbers of C that exec has, too.
func Numbers() []int64 {
	return []int64{C.PORTABLE_ERR_ARG, C.PORTABLE_ERR_NOMEM, C.PORTABLE_ERR_HANDLE, C.PORTABLE_ERR_STATE, C.PORTABLE_ERR_POINTER, C.PORTABLE_ERR_OVERFLOW,
		C.PORTABLE_ERR_NODEVICE, C.PORTABLE_LOOP_RANK, C.PORTABLE_SCRATCH_MAX, C.PORTABLE_ARGUMENT_POINTER, C.PORTABLE_ARGUMENT_ARRAY, C.PORTABLE_ARGUMENT_LIVEOUT,
		C.PORTABLE_SCHEDULE_STATIC, C.PORTABLE_SCHEDULE_DYNAMIC}
}
