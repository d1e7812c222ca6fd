// Package capi is the C face of the archive. Here: entries without other work (portable.c,
// gator.c), exports that C calls (exports_*.go; prototypes in questions.h), the tables of questions
// (questions.c), fronts, status codes. Each export decodes, calls, encodes. Not here: logic, C that
// runs. Callers are programs, and C of all rooms. In C because programs link C names. No memory of
// the Go heap goes to C; no panic leaves Go. Threads: any, between portable__cross_in and
// portable__cross_out.
package capi

/*
// An exception that leaves a kernel ends the calls that it passes; see internal/edge/calls.h.
#cgo CFLAGS: -fexceptions
#include <stdlib.h>
#include <string.h>

#include "entry.h"
#include "../exec/stream/stream.h"
#include "../internal/edge/calls.h"
*/
import "C"

import (
	"strings"
	"unsafe"

	_ "libportable/arrays/owner"
	_ "libportable/capi/fortran"
	_ "libportable/exec/algorithm"
	_ "libportable/exec/device"
	_ "libportable/exec/graph"
	_ "libportable/exec/halo"
	_ "libportable/exec/launch"
	_ "libportable/exec/liveout"
	_ "libportable/exec/mesh"
	_ "libportable/exec/race"
	_ "libportable/exec/stage"
	_ "libportable/exec/stream"
	_ "libportable/exec/timer"
	_ "libportable/gator/front"
	"libportable/internal/edge"
	"libportable/internal/instance"
	_ "libportable/internal/kernels/reduction" // C, called by C
	_ "libportable/internal/memcheck"
	_ "libportable/internal/observe"
	"libportable/internal/outside"
	_ "libportable/internal/stacks"
	_ "libportable/internal/tracing"
)

var lib = instance.New(
	instance.Environment{Lookup: edge.Lookup, Names: names, Refused: refused, HugePages: instance.HugePages},
	instance.Fronts{FastPath: fastPath(), None: addresses{}, Blocks: parked{}, Watch: watch, Tool: watching, Running: setRunning, Device: deviceChanged, Launching: launchingBegins, Named: devicesNamed, Watchers: watchers{},
		Timing: timing, Timers: timers, WriteFile: writeFile, Fallbacks: fallbacks, Staged: stagings.Report, Streams: streamsEnd, Calls: calls{}},
	printLine,
)

// setRunning sets the state in C under the lock of the instance, so that C sees changes in their order.
func setRunning(running bool) {
	var n C.int32_t
	if running {
		n = 1
	}
	C.portable__set_running(n)
}

// printLine writes through the C library, like the program: in order with its lines, and with its handling of a broken pipe.
func printLine(line string) {
	line = outside.Lines(line)
	C.portable__print((*C.char)(unsafe.Pointer(unsafe.StringData(line))), C.size_t(len(line)))
}

// terminated is a text with an end, in Go's memory, for calls that do not keep it. C.CString calls malloc and ends the program without
// memory.
func terminated(text string) []byte { return append([]byte(text), 0) }

// goString replaces C.GoString, which searches the end by 32 bytes at a time: valgrind sees reads beyond the memory of setenv.
func goString(c C.portable__text) string {
	return C.GoStringN((*C.char)(unsafe.Pointer(c)), C.int(C.strlen((*C.char)(unsafe.Pointer(c)))))
}

// environment calls f with each variable of the environment.
func environment(f func(name, value string)) {
	for i := C.size_t(0); ; i++ {
		entry := C.portable__environment(i)
		if entry == nil {
			return
		}
		if name, value, ok := strings.Cut(goString(entry), "="); ok {
			f(name, value)
		}
	}
}

// names lists the variables of the environment.
func names() (list []string) {
	environment(func(name, _ string) { list = append(list, name) })
	return list
}

// refused lists the variables that are ignored because the program is privileged. HOME and XDG_CACHE_HOME are always set and ask for nothing.
func refused() (list []string) {
	if !edge.Privileged() {
		return nil
	}
	environment(func(name, value string) {
		if name != "HOME" && name != "XDG_CACHE_HOME" && edge.NamesFile(name, value) {
			list = append(list, name)
		}
	})
	return list
}

// text gives C's memory as a string without a copy, for callees that do not keep it.
func text(p C.portable__text, bytes C.size_t) string {
	return unsafe.String((*byte)(unsafe.Pointer(p)), int(bytes))
}

// calls are the calls of the program in progress, which calls.c counts.
type calls struct{}

var _ instance.Calls = calls{}

func (calls) Close(closing int64) { C.portable__calls_close(C.int64_t(closing)) }

func (calls) Open() { C.portable__calls_open() }

func (calls) Await(closing int64) bool {
	for {
		if C.portable__calls_await(C.int64_t(closing)) == 0 {
			return false
		}
		C.portable__streams_wait()
		if C.portable__calls_shut(C.int64_t(closing)) != 0 { // no release has entered meanwhile
			return true
		}
	}
}
