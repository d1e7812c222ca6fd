package main

/*
#include <stdlib.h>
#include "questions.h"
#include "../exec/launch/fallback.h"
#include "../internal/backend/cuda/kernel.h"
#include "../exec/stream/queue.h"
*/
import "C"

import (
	"unsafe"

	"libportable/exec"
)

// fallbacks reads what C has counted, and whether a compiler was looked for in vain.
func fallbacks() (list []exec.Fallback, noCompiler bool) {
	var first *C.portable_fallback
	n := C.portable__fallback_rows(&first)
	if n < 0 {
		return nil, false // no memory, no report
	}
	defer C.free(unsafe.Pointer(first))
	for _, r := range unsafe.Slice(first, int(n)) {
		list = append(list, exec.Fallback{Label: C.GoString(r.label), Launches: int64(r.launches), Iterations: int64(r.iterations),
			Total: int64(r.total_ns), Max: int64(r.max_ns)})
	}
	return list, C.portable__cuda_misses_compiler() != 0
}

//export portable__go_fallback_print
func portable__go_fallback_print() (st C.portable_status) {
	defer guard(&st)
	lib.PrintFallbacks()
	return C.PORTABLE_OK
}
