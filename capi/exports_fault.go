package capi

/*
#include "questions.h"
*/
import "C"

import (
	"fmt"
	"runtime"
	"strings"
	"unsafe"
)

// This file describes a frame of C or Fortran for fault.c. Only libportable_debug.a has the symbols (symbols_debug.go).

// portable__go_frame writes procedure, file and line of an instruction, and gives the number of bytes; 0: unknown.
//
//export portable__go_frame
func portable__go_frame(pc C.uintptr_t, text *C.char, room C.int32_t) (n C.int32_t) {
	defer func() {
		if recover() != nil {
			n = 0 // one fault is reported already
		}
	}()
	if !symbolizes || room < 1 {
		return 0
	}
	var parts []string
	frames := runtime.CallersFrames([]uintptr{uintptr(pc)})
	for more := true; more; {
		var f runtime.Frame
		if f, more = frames.Next(); f.Function != "" {
			parts = append(parts, fmt.Sprintf("%s at %s:%d", f.Function, f.File, f.Line))
		}
	}
	into := unsafe.Slice((*byte)(unsafe.Pointer(text)), int(room))
	n = C.int32_t(copy(into[:room-1], strings.Join(parts, ", inlined in ")))
	into[n] = 0
	return n
}
