package main

/*
#include "calls.h"
*/
import "C"

import "libportable/internal/instance"

// calls are the calls of the program in progress, which calls.c counts.
type calls struct{}

var _ instance.Calls = calls{}

func (calls) Close() { C.portable__calls_close() }

func (calls) Open() { C.portable__calls_open() }

func (calls) Await() bool {
	for {
		if C.portable__calls_await() == 0 {
			return false
		}
		C.portable__streams_wait()
		if C.portable__calls_shut() != 0 { // no release has come in since
			return true
		}
	}
}
