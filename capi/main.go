// Command capi is the archive: built with -buildmode=c-archive it is libportable.a. In this room: the
// functions that C calls (exports*.go), the C files of the edge (edge.h says what is in each and why it is
// C), the front of the default pool, and the table from errors to status codes. Each export decodes,
// calls and encodes; there is no logic here.
//
// Invariants: no memory of the Go heap is ever given to C; a panic never leaves Go (guard). Threads: every
// export may be called from any thread, between portable__cross_in and portable__cross_out.
package main

/*
#include <stdlib.h>
#include <string.h>
#include "edge.h"
*/
import "C"

import (
	"unsafe"

	"libportable/internal/instance"
	_ "libportable/internal/kernels" // C, called by C
)

func main() {}

var lib = instance.New(
	instance.Environment{Lookup: lookup, Names: names},
	instance.Fronts{FastPath: fastPath(), None: signs{}, Blocks: parked{}, Watch: watch, Tool: watching, Running: setRunning, Device: deviceChanged, Launching: launchingBegins, Named: devicesNamed, Watchers: watchers{},
		Timing: timing, Timers: timers, WriteFile: writeFile, Fallbacks: fallbacks, Streams: endStreams, Calls: calls{}},
	printLine,
)

// setRunning tells C, under the lock of the instance, so that the news come in the order of the events.
func setRunning(running bool) {
	var n C.int32_t
	if running {
		n = 1
	}
	C.portable__set_running(n)
}

// printLine goes through the C library, as the program itself writes: in order with it, and with the program's own way with a broken pipe.
func printLine(line string) {
	C.portable__print((*C.char)(unsafe.Pointer(unsafe.StringData(line))), C.size_t(len(line)))
}

// lookup reads the C library's environment: what the program has set since its start counts.
func lookup(name string) (string, bool) {
	c := C.CString(name)
	defer C.free(unsafe.Pointer(c))
	value := C.portable__getenv(c)
	if value == nil {
		return "", false
	}
	return goString(value), true
}

// goString is C.GoString, which looks for the end by 32 bytes at a time: valgrind sees it read beyond what setenv has allocated.
func goString(c C.portable__text) string {
	return C.GoStringN((*C.char)(unsafe.Pointer(c)), C.int(C.strlen((*C.char)(unsafe.Pointer(c)))))
}

// names lists the variables of the environment.
func names() (list []string) {
	for i := C.size_t(0); ; i++ {
		entry := C.portable__environment(i)
		if entry == nil {
			return list
		}
		text := goString(entry)
		for k := range text {
			if text[k] == '=' {
				list = append(list, text[:k])
				break
			}
		}
	}
}

// text is C's memory as a string, without a copy: for callees that do not keep it.
func text(p C.portable__text, bytes C.size_t) string {
	return unsafe.String((*byte)(unsafe.Pointer(p)), int(bytes))
}
