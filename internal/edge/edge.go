// Package edge connects the library with programs (errtext.c, thread.c, calls*.c, callbacks.c),
// with Go (crossing.c, signals.c) and with the system (environment.c, file.c, text.c, line.h);
// above.h has the calls of C to higher rooms. This file holds the questions that Go asks. Not here:
// files and text that Go alone handles (internal/outside), the meaning of variables
// (internal/instance). In C because signal handlers, launches and the code below malloc call it.
// Threads: any thread may call any function.
package edge

/*
// An exception that leaves a kernel ends the calls that it passes; see calls.h.
#cgo CFLAGS: -fexceptions
#include <stdlib.h>
#include <string.h>
#include "environment.h"
#include "file.h"
#include "text.h"
*/
import "C"

import (
	"syscall"
	"unsafe"
)

// Lookup reads the environment of the C library, so it sees what the program has set since its start. In a privileged
// program a variable that names a file, a folder or a library counts as not set.
func Lookup(name string) (value string, ok bool) {
	name += "\x00"
	text := C.portable__getenv((*C.char)(unsafe.Pointer(unsafe.StringData(name))))
	if text == nil {
		return "", false
	}
	// C.GoString searches the end 32 bytes at a time: valgrind sees it read beyond what setenv has allocated.
	return C.GoStringN(text, C.int(C.strlen(text))), true
}

// NamesFile says whether a privileged program refuses a variable with this value.
func NamesFile(name, value string) bool {
	n, v := name+"\x00", value+"\x00" // C.CString ends the program if there is no memory
	return C.portable__names_file((*C.char)(unsafe.Pointer(unsafe.StringData(n))), (*C.char)(unsafe.Pointer(unsafe.StringData(v)))) != 0
}

// Privileged says whether the kernel started the program with privileges that its user lacks.
func Privileged() bool { return C.portable__is_privileged() != 0 }

// Reason is the failure of a file that C has opened or written.
type Reason syscall.Errno

func (r Reason) Error() string {
	switch number := syscall.Errno(r); number {
	case syscall.ENXIO, syscall.ELOOP, syscall.EMEDIUMTYPE, syscall.EPIPE, syscall.EAGAIN: // the system's words would not help
		return C.GoString(C.portable__file_reason(C.int(r)))
	default:
		return number.Error()
	}
}

// Clean cleans a text with the C function, in a buffer of `room` bytes; a test compares it with outside.Clean.
func Clean(text string, room int) string {
	to := make([]byte, room)
	from := []byte(text + "\x00")
	n := C.portable__clean((*C.char)(unsafe.Pointer(&to[0])), C.size_t(room), (*C.char)(unsafe.Pointer(&from[0])), C.size_t(len(text)))
	return string(to[:n])
}
