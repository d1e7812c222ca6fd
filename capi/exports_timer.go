package capi

// This file has the exports of timers, and reads the rows of all timers for reports
// (exec/timers*.go).

/*
#include <stdlib.h>
#include "questions.h"
#include "../exec/timer/timer.h"
*/
import "C"

import (
	"unsafe"

	"libportable/exec"
	"libportable/internal/edge"
)

// timing sets the switch of timers in C, at each start.
func timing(which int) { C.portable__timers_begin(C.int32_t(which)) }

// timers reads the timers of all threads; own is false if hooks of the user replace them.
func timers() (list []exec.Timer, own bool) {
	var first *C.struct_portable__timer_row
	n := C.portable__timer_rows(&first)
	if n < 0 {
		return nil, false // no memory, no report
	}
	defer C.free(unsafe.Pointer(first))
	for _, r := range unsafe.Slice(first, int(n)) {
		list = append(list, exec.Timer{
			Label:  C.GoStringN(r.label, C.int(r.label_bytes)),
			Thread: int(r.thread), Parent: int(r.parent), Active: int(r.active), Lost: r.lost != 0,
			Count: int64(r.count), Total: int64(r.total), Last: int64(r.last), Min: int64(r.min), Max: int64(r.max),
			Elapsed: int64(r.elapsed),
		})
	}
	return list, C.portable__timers_hooked() == 0
}

func writeFile(path, contents string) error {
	c := terminated(path)
	if e := C.portable__write_file((*C.char)(unsafe.Pointer(&c[0])), (C.portable__text)(unsafe.Pointer(unsafe.StringData(contents))), C.size_t(len(contents))); e != 0 {
		return edge.Reason(e)
	}
	return nil
}

//export portable__go_timer_refused
func portable__go_timer_refused(a C.portable__timer_asked_in) (st C.portable_status) {
	defer guard(&st)
	c := exec.TimerCall{Kind: exec.TimerKind(a.kind), Call: goString(a.call), Which: int32(a.which), StructSize: uint32(a.struct_size),
		Reserved: uint32(a.reserved), Pointer: a.pointer != nil, Bytes: uint64(a.bytes)}
	if a.label_bytes > 0 {
		c.Label = text(a.label, a.label_bytes)
	}
	if a.innermost != nil {
		c.Innermost = goString(a.innermost)
	}
	return refusal(c.Refusal(), c.Call)
}

//export portable__go_timers_report
func portable__go_timers_report(r C.portable__timer_report_in) (st C.portable_status) {
	defer guard(&st)
	var text string
	var err error
	packs := unsafe.Slice((*byte)(r.packs), int(r.packs_bytes)) // bytes of the program's
	json := r.kind == C.PORTABLE__TIMERS_JSON
	switch {
	case r.kind == C.PORTABLE__TIMERS_PRINT && r.merged != 0:
		return status(lib.PrintMerged(packs, C.GoString(r.path)))
	case r.kind == C.PORTABLE__TIMERS_PRINT:
		return status(lib.PrintTimers(C.GoString(r.path)))
	case r.kind == C.PORTABLE__TIMERS_PACK:
		return pack(r, lib.PackTimers())
	case r.merged != 0:
		text, err = lib.MergeTimers(packs, json)
	default:
		text = lib.TimersText(json)
	}
	if err == nil {
		put((*C.char)(r.to), r.room, text)
		need(r, len(text)+1)
	}
	return status(err)
}

func need(r C.portable__timer_report_in, bytes int) {
	if r.needed_out != nil {
		*r.needed_out = C.size_t(bytes)
	}
}

func pack(r C.portable__timer_report_in, packed []byte) C.portable_status {
	need(r, len(packed))
	if r.to == nil {
		return C.PORTABLE_OK
	}
	if uint64(r.room) < uint64(len(packed)) {
		return declined(exec.PackTooSmall(uint64(r.room), len(packed)))
	}
	copy(unsafe.Slice((*byte)(r.to), len(packed)), packed)
	return C.PORTABLE_OK
}
