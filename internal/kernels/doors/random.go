package doors

/*
#include "../random/random.h"
#include "../base/processor.h"

static uint64_t single64(portable_random_key key, int64_t cell, int32_t draw, int32_t normal) {
  const double x = normal ? portable_random_normal(key, cell, draw) : portable_random_real64(key, cell, draw);
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}
static uint32_t single32(portable_random_key key, int64_t cell, int32_t draw, int32_t normal) {
  const float x = normal ? (float)portable_random_normal(key, cell, draw) : portable_random_real32(key, cell, draw);
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

// Contiguous elements from..to-1 of count.
static void fill_range(char *at, int32_t kind, int32_t distribution, portable_random_key key, int64_t first, int64_t count, int64_t from, int64_t to) {
  struct portable__random_fill f = {.at = at, .key = key, .first = first, .count = count, .axes = 1, .kind = kind, .distribution = distribution, .draw = 4};
  f.axis[0].extent = count;
  f.axis[0].step = kind == PORTABLE_KIND_REAL64 ? 8 : 4;
  portable__random_range(&f, from, to);
}
*/
import "C"

import "unsafe"

// The kinds of random numbers, as portable_reduce.h numbers them.
const randomReal32, randomReal64 = 5, 6

// hideInstructions takes away what the processor has beyond the least: 1 AVX2, 2 AVX-512; 0 gives all back.
func hideInstructions(what int) { C.portable__processor_hide(C.int(what)) }

func randomKey(seed int64) C.portable_random_key {
	return C.portable_random_key_make(C.int64_t(seed), 2, 3)
}

// randomFill fills contiguous elements from..to-1 of count.
func randomFill(at unsafe.Pointer, kind, distribution int32, seed, first, count, from, to int64) {
	C.fill_range((*C.char)(at), C.int32_t(kind), C.int32_t(distribution), randomKey(seed), C.int64_t(first), C.int64_t(count), C.int64_t(from), C.int64_t(to))
}

func randomSingle64(distribution int32, seed, cell int64) uint64 {
	return uint64(C.single64(randomKey(seed), C.int64_t(cell), 4, C.int32_t(distribution)))
}

func randomSingle32(distribution int32, seed, cell int64) uint32 {
	return uint32(C.single32(randomKey(seed), C.int64_t(cell), 4, C.int32_t(distribution)))
}
