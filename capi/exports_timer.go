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

//export portable__go_timers_text
func portable__go_timers_text(json C.int32_t, to *C.char, room C.size_t, needed *C.size_t) (st C.portable_status) {
	defer guard(&st)
	report := lib.TimersText(json != 0)
	put(to, room, report)
	*needed = C.size_t(len(report) + 1)
	return C.PORTABLE_OK
}

//export portable__go_timers_print
func portable__go_timers_print(path C.portable__text) (st C.portable_status) {
	defer guard(&st)
	return status(lib.PrintTimers(C.GoString(path)))
}

//export portable__go_timers_pack
func portable__go_timers_pack(to unsafe.Pointer, room C.size_t, needed *C.size_t) (st C.portable_status) {
	defer guard(&st)
	packed := lib.PackTimers()
	*needed = C.size_t(len(packed))
	if to == nil {
		return C.PORTABLE_OK
	}
	if room < *needed {
		r := exec.PackTooSmall(uint64(room), len(packed))
		return fail(C.portable_status(r.Status), r.Text)
	}
	copy(unsafe.Slice((*byte)(to), len(packed)), packed)
	return C.PORTABLE_OK
}

// packs are bytes of the program.
func packs(from unsafe.Pointer, bytes C.size_t) []byte {
	return unsafe.Slice((*byte)(from), int(bytes))
}

//export portable__go_timers_merge
func portable__go_timers_merge(json C.int32_t, from unsafe.Pointer, bytes C.size_t, to *C.char, room C.size_t, needed *C.size_t) (st C.portable_status) {
	defer guard(&st)
	text, err := lib.MergeTimers(packs(from, bytes), json != 0)
	if err != nil {
		return status(err)
	}
	put(to, room, text)
	*needed = C.size_t(len(text) + 1)
	return C.PORTABLE_OK
}

//export portable__go_timers_merged_print
func portable__go_timers_merged_print(from unsafe.Pointer, bytes C.size_t, path C.portable__text) (st C.portable_status) {
	defer guard(&st)
	return status(lib.PrintMerged(packs(from, bytes), C.GoString(path)))
}
