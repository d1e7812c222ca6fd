// Package doors has test hooks into the C of the rooms next to it, and their tests: a test cannot import C itself. It is a package of its own, so
// that no hook comes into the archive and the C is compiled once for both.
package doors

/*
#include "../reduction/exact.h"
*/
import "C"

import (
	"unsafe"

	// The C that the doors lead to.
	_ "libportable/internal/kernels/base"
	_ "libportable/internal/kernels/componentwise"
	_ "libportable/internal/kernels/copy"
	_ "libportable/internal/kernels/fft"
	_ "libportable/internal/kernels/random"
	_ "libportable/internal/kernels/reduction"
	_ "libportable/internal/kernels/scan"
	_ "libportable/internal/kernels/sort"
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
