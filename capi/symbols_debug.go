//go:build portable_debug

package capi

/*
#include "../internal/edge/base.h"
*/
import "C"

// In this file: what libportable_debug.a has in addition to libportable.a: procedures, files and lines of C and Fortran where the library or
// Go's runtime tells of a fault, and a way to have one. See capi/RATIONALE.md for why the ordinary archive has it not.

import (
	"errors"

	// It says to Go's runtime who knows of C's frames.
	_ "github.com/ianlancetaylor/cgosymbolizer"
)

// symbolizes: this archive knows procedures and lines of C and Fortran.
const symbolizes = true

//export portable__go_debug_fault
func portable__go_debug_fault(kind C.int32_t) (st C.portable_status) {
	defer guard(&st)
	if kind == 0 {
		return status(errors.New("asked for by portable_debug_fault"))
	}
	panic("asked for by portable_debug_fault")
}
