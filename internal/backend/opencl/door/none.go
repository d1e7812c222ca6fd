//go:build !opencl

// Package door, in a build without devices of OpenCL: on.go is the other one. There is no such
// device, so only Functions is called; the caller then says how to build with them.
package door

import (
	"errors"
	"unsafe"
)

var errNone = errors.New("this libportable was built without devices of OpenCL")

// Functions are nil: there are none.
func Functions() (open, function unsafe.Pointer) { return nil, nil }

// Image is the text.
func Image(text []byte) ([]byte, error) { return text, nil }

// Identity is empty.
func Identity(int, func(string) string) string { return "" }

// NoCompiler says that there are no such devices.
func NoCompiler(int, func(string) string) string { return errNone.Error() }

// Compile fails.
func Compile(_, _ string, _ int, _, _, _ []string, _ func(string) string, _ int) ([]byte, string, bool, error) {
	return nil, "", false, errNone
}
