/* inverses.h - a sum of the bits of inverses, which all languages have. Not in this file: the matrices. Threads: any. */
#ifndef INVERSES_H
#define INVERSES_H

#include <stdint.h>
#include <string.h>

#define INVERSES_BEGIN UINT64_C(0)
#define INVERSES_SUM64 UINT64_C(0x78320e3ed4f3c1fd)
#define INVERSES_SUM32 UINT64_C(0xba0d0fa3af321c5d)

static inline void inverses_add(uint64_t *sum, uint64_t bits) { *sum = (*sum << 5 | *sum >> 59) ^ bits; }
static inline void inverses_add64(uint64_t *sum, double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof x);
  inverses_add(sum, bits);
}
static inline void inverses_add32(uint64_t *sum, float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof x);
  inverses_add(sum, bits);
}

#endif
