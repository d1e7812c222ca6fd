package capi

/*
#include "../exec/stream/stream.h"
#include "../internal/edge/calls.h"
*/
import "C"

import "libportable/internal/instance"

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
		if C.portable__calls_shut(C.int64_t(closing)) != 0 { // no release has come in since
			return true
		}
	}
}
