package doors

/*
#include <stdlib.h>
#include <string.h>
#include "../fft/fft.h"

// Complex or real lines of real64 or real32, contiguous or side by side. plan has no tables of another kind.
static int fft_lines(struct portable__fft_plan *p, int32_t bytes, int32_t backward, int32_t side_by_side, int64_t lines, char *in, char *out) {
  struct portable__fft f;
  memset(&f, 0, sizeof f);
  f.plan = p, f.bytes = bytes, f.backward = backward, f.lines = lines, f.axes = 1;
  f.axis[0].extent = lines;
  for (int side = 0; side < 2; side++) {
    const int reals = p->real && side == backward;
    const int64_t element = reals ? bytes : 2 * bytes, length = p->real && !reals ? p->n / 2 + 1 : p->n;
    f.side[side] = (struct portable__fft_side){side ? out : in, side_by_side ? lines * element : element, bytes};
    f.axis[0].step[side] = side_by_side ? element : length * element;
  }
  portable__fft_cut(&f, 1);
  void *const scratch = aligned_alloc(64, (size_t)portable__fft_scratch_bytes(&f));
  if (!scratch) return 0;
  portable__fft_range(&f, 0, lines, scratch);
  free(scratch);
  return 1;
}
*/
import "C"

import (
	"unsafe"

	"libportable/internal/fourier"
)

// A transform is a plan in C's memory.
type transform struct {
	plan   *C.struct_portable__fft_plan
	tables [2]unsafe.Pointer
}

func newTransform(n int64, real bool) transform {
	p := fourier.New(n, real)
	t := transform{plan: (*C.struct_portable__fft_plan)(C.calloc(1, C.sizeof_struct_portable__fft_plan))}
	t.plan.n, t.plan.m, t.plan.padded = C.int64_t(p.N), C.int64_t(p.M), C.int64_t(p.Padded)
	if real {
		t.plan.real = 1
	}
	for kind, bytes := range []int64{4, 8} {
		layout, to := &p.Kinds[kind], &t.plan.numbers[kind]
		t.tables[kind] = C.calloc(C.size_t(layout.Count), C.size_t(bytes))
		to.at, to.count, to.turns, to.chirp, to.spectrum = t.tables[kind], C.int64_t(layout.Count), C.int64_t(layout.Turns), C.int64_t(layout.Chirp), C.int64_t(layout.Spectrum)
		to.passes.n, to.passes.count = C.int64_t(layout.Length), C.int32_t(len(layout.Radices))
		for i, r := range layout.Radices {
			to.passes.radix[i], to.passes.table[i] = C.int32_t(r), C.int64_t(layout.Tables[i])
		}
	}
	fourier.Fill(p, 0, unsafe.Slice((*float32)(t.tables[0]), p.Kinds[0].Count))
	fourier.Fill(p, 1, unsafe.Slice((*float64)(t.tables[1]), p.Kinds[1].Count))
	return t
}

func (t transform) free() {
	C.free(t.tables[0])
	C.free(t.tables[1])
	C.free(unsafe.Pointer(t.plan))
}

// lines transforms; false: no memory.
func (t transform) lines(bytes, backward, sideBySide int32, lines int64, in, out unsafe.Pointer) bool {
	return C.fft_lines(t.plan, C.int32_t(bytes), C.int32_t(backward), C.int32_t(sideBySide), C.int64_t(lines), (*C.char)(in), (*C.char)(out)) != 0
}
