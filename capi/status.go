package capi

// This file turns errors, refusals and panics of Go into status codes of C. Main functions: status,
// refusal, guard.

/*
#include "entry.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"runtime/debug"
	"unsafe"

	"libportable/arrays"
	"libportable/exec"
	"libportable/gator"
	"libportable/internal/backend"
	"libportable/internal/instance"
)

// codes maps kinds of error to status codes; the first match counts.
var codes = []struct {
	kind error
	code C.portable_status
}{
	{gator.ErrMemory, C.PORTABLE_ERR_NOMEM},
	{backend.ErrDevice, C.PORTABLE_ERR_DEVICE},
	{gator.ErrPointer, C.PORTABLE_ERR_POINTER},
	{gator.ErrArgument, C.PORTABLE_ERR_ARG},
	{gator.ErrCorrupt, C.PORTABLE_ERR_CORRUPT},
	{gator.ErrClosed, C.PORTABLE_ERR_STATE},
	{instance.ErrState, C.PORTABLE_ERR_STATE},
	{instance.ErrArgument, C.PORTABLE_ERR_ARG},
	{instance.ErrLeak, C.PORTABLE_ERR_LEAK},
	{instance.ErrHandle, C.PORTABLE_ERR_HANDLE},
	{backend.ErrNoDevice, C.PORTABLE_ERR_NODEVICE},
	{exec.ErrNoDevice, C.PORTABLE_ERR_NODEVICE},
	{arrays.ErrArgument, C.PORTABLE_ERR_ARG},
	{arrays.ErrOverflow, C.PORTABLE_ERR_OVERFLOW},
	{arrays.ErrHandle, C.PORTABLE_ERR_HANDLE},
	{arrays.ErrState, C.PORTABLE_ERR_STATE},
	{backend.ErrRefused, C.PORTABLE_ERR_NOMEM},
}

// status makes a code of an error and keeps the text for portable_last_error.
func status(err error) C.portable_status {
	if err == nil {
		return C.PORTABLE_OK
	}
	for _, c := range codes {
		if errors.Is(err, c.kind) {
			return fail(c.code, err.Error())
		}
	}
	return fail(C.PORTABLE_ERR_INTERNAL, "portable: a fault inside the library, please report it: "+err.Error())
}

// refusal keeps the text of a refusal, and gives its status. C refused the call; if Go does not, another thread changed the arguments (exec.Changed).
func refusal(r exec.Refusal, call string) C.portable_status {
	if r.Status == exec.Ordinary {
		r = exec.Changed(call)
	}
	return declined(r)
}

// refusedFor is the status of a call that C has found bad; if Go finds nothing, another thread has changed the arguments.
func refusedFor(err error) C.portable_status {
	if err == nil {
		return fail(C.PORTABLE_ERR_ARG, "the arguments changed during the call; let no other thread write them")
	}
	return status(err)
}

func fail(code C.portable_status, message string) C.portable_status {
	C.portable__set_error((*C.char)(unsafe.Pointer(unsafe.StringData(message))), C.size_t(len(message)))
	if code == C.PORTABLE_ERR_INTERNAL {
		C.portable__fault_seen()
	}
	return code
}

// guard turns a panic into a status. A panic may leave a lock held, so every later call is refused.
func guard(st *C.portable_status) {
	if p := recover(); p != nil {
		C.portable__break()
		stack := debug.Stack() // without the frames above Go, which fault.c adds
		*st = fail(C.PORTABLE_ERR_INTERNAL, fmt.Sprintf("portable: a fault inside the library, please report it: %v\n%s", p, stack[:min(len(stack), 5000)]))
	}
}
