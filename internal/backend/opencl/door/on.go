//go:build opencl

// Package door is the way to devices of OpenCL: with the tag `opencl` to internal/backend/opencl,
// else to a twin that has none, so that programs do not carry its code. Caller is
// internal/backend/cuda. Threads: safe.
package door

/*
#cgo CFLAGS: -I../../cuda/include
#include "../opencl.h"
*/
import "C"

import (
	"errors"
	"unsafe"

	"libportable/internal/backend/opencl"
)

// Functions are portable__opencl_open and portable__opencl_function.
func Functions() (open, function unsafe.Pointer) {
	return unsafe.Pointer(C.portable__opencl_open), unsafe.Pointer(C.portable__opencl_function)
}

// Image is a program of the user for the driver's loader.
func Image(text []byte) ([]byte, error) { return opencl.Image(text) }

// Identity is the part of a cached image's key that the compiler and the driver of a device give.
func Identity(ordinal int, variable func(string) string) string {
	return opencl.Identity(ordinal, variable)
}

// NoCompiler says why kernels for a device cannot be compiled; "": they can.
func NoCompiler(ordinal int, variable func(string) string) string {
	return opencl.NoCompiler(ordinal, variable)
}

// Compile makes an image. wrong: the source has errors, which the log names.
func Compile(text, file string, line int, names, texts, options []string, variable func(string) string, ordinal int) (image []byte, log string, wrong bool, err error) {
	image, log, err = opencl.Compile(opencl.Job{Text: text, File: file, Line: line, HeaderNames: names, Texts: texts, Options: options, Variable: variable, Ordinal: ordinal})
	return image, log, errors.Is(err, opencl.ErrSource), err
}
