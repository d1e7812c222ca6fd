// Package doors has doors to the C of internal/kernels, and its tests: a test can not import C itself. A package apart, so that no door
// comes into the archive and the C is compiled once for both.
package doors

/*
#include "../exact.h"
*/
import "C"

import (
	"unsafe"

	_ "libportable/internal/kernels" // the C that the doors lead to
	_ "libportable/internal/kernels/base"
)

type exact struct{ c C.portable_exact }

func (e *exact) add(x float64) { C.portable_exact_add(&e.c, C.double(x)) }

func (e *exact) addArray(x []float64) {
	C.portable_exact_add_array(&e.c, (*C.double)(unsafe.SliceData(x)), C.size_t(len(x)))
}

func (e *exact) addArray32(x []float32) {
	C.portable_exact_add_array32(&e.c, (*C.float)(unsafe.SliceData(x)), C.size_t(len(x)))
}

func (e *exact) merge(other *exact) { C.portable_exact_merge(&e.c, &other.c) }

func (e *exact) normalise() { C.portable_exact_normalise(&e.c) }

func (e *exact) value() float64 { return float64(C.portable_exact_value(&e.c)) }

func (e *exact) value32() float32 { return float32(C.portable_exact_value32(&e.c)) }

func (e *exact) words() (w [C.PORTABLE_EXACT_WORDS]int64) {
	for i := range w {
		w[i] = int64(e.c.word[i])
	}
	return w
}

func (e *exact) setWords(w [C.PORTABLE_EXACT_WORDS]int64) {
	for i := range w {
		e.c.word[i] = C.int64_t(w[i])
	}
}
