package main

/*
#include "edge.h"
*/
import "C"

import "unsafe"

// Small doors to C for the tests of this package, which can not import C themselves.

func textOf(label []byte) C.portable__text {
	return C.portable__text(unsafe.Pointer(unsafe.SliceData(label)))
}

func lastError() string { return C.GoString(C.portable_last_error()) }

func crossIn() C.portable_status {
	var crossing C.struct_portable__crossing
	st := C.portable__cross_in(&crossing)
	if st == 0 {
		C.portable__cross_out(&crossing)
	}
	return st
}

// serveParse is how C reads the value of PORTABLE_ALLOCATE_FROM.
func serveParse(value string) uint64 {
	c := append([]byte(value), 0)
	return uint64(C.portable__serve_parse(C.portable__text(unsafe.Pointer(unsafe.SliceData(c)))))
}
