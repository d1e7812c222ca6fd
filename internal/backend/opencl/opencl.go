// Package opencl puts drivers of OpenCL behind the names of NVIDIA's driver (opencl.h), and
// compiles device code for them: clang translates the same sources to LLVM's bitcode or to SPIR-V.
// Callers are internal/backend/cuda and, by its shim, the engine. Nothing is loaded or started
// before a program asks for such a device. In C because the engine calls these functions for each
// launch, copy and fence. Go finds the compiler and makes images. Threads: safe.
package opencl

/*
#cgo CFLAGS: -I../cuda/include
#cgo LDFLAGS: -ldl -lpthread
#include "opencl.h"
*/
import "C"

import (
	_ "embed"
	"maps"
	"slices"
)

//go:embed prelude/opencl.h
var preludeText []byte

const (
	preludeName = "portable_opencl_prelude.h"
	magic       = C.PORTABLE__OPENCL_MAGIC
	formSpir    = C.PORTABLE__OPENCL_SPIR
	formIL      = C.PORTABLE__OPENCL_IL
)

// A Form says which programs a device's driver takes.
type Form struct {
	Spir   bool // bitcode of LLVM; else SPIR-V
	LLVM   int  // the major version of the driver's own LLVM; 0: it does not say
	Driver string
}

// FormOf returns the form of a device.
func FormOf(ordinal int) (Form, bool) {
	var f C.struct_portable__opencl_form
	if C.portable__opencl_form(C.int32_t(ordinal), &f) == 0 {
		return Form{}, false
	}
	return Form{f.spir != 0, int(f.llvm), C.GoString(&f.driver[0])}, true
}

// NoCompiler says why kernels for a device cannot be compiled; "": they can.
func NoCompiler(ordinal int, variable func(string) string) string {
	f, ok := FormOf(ordinal)
	if !ok {
		return "there is no such device"
	}
	_, why := find(f, variable)
	return why
}

// Identity is the part of a cached image's key that the compiler and the driver give.
func Identity(ordinal int, variable func(string) string) string {
	f, _ := FormOf(ordinal)
	t, _ := find(f, variable)
	return "OpenCL " + f.Driver + "\x00" + t.clang + "\x00" + t.translator + "\x00" + string(preludeText)
}

func sorted[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }
