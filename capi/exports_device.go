package capi

/*
#include <stdlib.h>
#include "questions.h"
#include "../exec/device/cuda_request.h"
*/
import "C"

import (
	"embed"
	"errors"
	"io/fs"
	"strings"
	"unsafe"

	"libportable/internal/backend/cuda"
)

// Files that device code may include, once: the same files that hosts include.
//
//go:embed include/device/*.h include/c/portable_device*.h include/c/portable_atomic.h
var deviceHeaders embed.FS

func init() {
	if folders, err := fs.Sub(deviceHeaders, "include"); err == nil {
		cuda.SetHeaders(folders)
	}
}

//export portable__go_cuda_load
func portable__go_cuda_load(r *C.struct_portable__cuda_request) (st C.portable_status) {
	defer guard(&st)
	code := cuda.Code{Label: C.GoString(r.label), Form: int(r.code_of.form), Entry: C.GoString(r.code_of.entry), Options: C.GoString(r.code_of.options),
		File: C.GoString(r.code_of.file), Line: int(r.code_of.line)}
	var err error
	if r.builtin != nil {
		name := code.Entry
		code, err = cuda.Builtin(C.GoString(r.builtin))
		code.Entry = name
	} else {
		code.Text = C.GoBytes(unsafe.Pointer(r.code_of.code), C.int(r.code_of.bytes))
	}
	var f cuda.Function
	log := ""
	if err == nil {
		f, log, err = cuda.Load(code, int(r.index), int(r.variant))
	}
	r.function = *(*C.struct_portable__cuda_function)(unsafe.Pointer(&f))
	if log != "" {
		// Without memory for it there is no log; the kernel is loaded all the same.
		if memory := C.portable__memory(C.size_t(len(log) + 1)); memory != nil {
			r.log = (*C.char)(memory)
			put(r.log, C.size_t(len(log)+1), log)
		}
	}
	var problem *cuda.Problem
	var driver *cuda.Driver
	text := ""
	switch {
	case err == nil:
		r.outcome = C.PORTABLE__CUDA_LOADED
	case errors.As(err, &problem):
		text = problem.Text
		r.outcome = C.PORTABLE__CUDA_BAD_CODE
		if problem.Lasting {
			r.lasting = 1
		}
		if problem.NoCompiler {
			r.outcome = C.PORTABLE__CUDA_NO_COMPILER
		}
	case errors.As(err, &driver):
		text = strings.TrimSpace(driver.Log)
		r.outcome, r.code = C.PORTABLE__CUDA_DRIVER, C.int32_t(driver.Code)
		put(&r.call[0], C.size_t(len(r.call)), driver.Call)
	default:
		return status(err)
	}
	put(&r.text[0], C.size_t(len(r.text)), text)
	return st
}
