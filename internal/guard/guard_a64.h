/* guard_a64.h - the decoder of A64 instructions that access memory: how many bytes, the
 * direction, and whether a copy of the instruction at another address does the same. Pure, so that
 * tests run it on every processor. Instructions of SVE and SME give the direction only: their bytes
 * depend on predicates. Also moves of 8 bytes. Threads: any; in handlers. */
#ifndef PORTABLE__GUARD_A64_H
#define PORTABLE__GUARD_A64_H

#include <stdint.h>
#include <string.h>

#include "guard_decode.h"

static inline uint32_t portable__a64_bits(uint32_t w, int high, int low) { return w >> low & ((2u << (high - low)) - 1); }

static inline struct portable__access portable__a64_is(uint32_t bytes, int is_write) {
  return (struct portable__access){.bytes = bytes, .is_write = (int8_t)is_write, .how = PORTABLE__ACCESS_PLAIN};
}

static inline struct portable__access portable__a64_none(void) { return (struct portable__access){.is_write = -1}; }

/* Exclusive and ordered accesses, compare and swap. */
static inline struct portable__access portable__a64_exclusive(uint32_t w) {
  uint32_t size = w >> 30, load = w >> 22 & 1, rest = portable__a64_bits(w, 14, 10);
  int pair = w >> 21 & 1;
  if (w >> 23 & 1) { /* not exclusive */
    if (pair && rest != 31) return portable__a64_none();
    return portable__a64_is(1u << size, pair || !load); /* pair: compare and swap */
  }
  if (pair && size < 2) return rest == 31 ? portable__a64_is(8u << size, 1) : portable__a64_none(); /* of two registers */
  struct portable__access a = portable__a64_is(pair ? 2u << size : 1u << size, !load);
  a.how = load ? PORTABLE__ACCESS_MONITORED : PORTABLE__ACCESS_CONDITIONAL;
  return a;
}

/* Structures in vector registers: whole vectors, and one element of each. */
static inline struct portable__access portable__a64_structures(uint32_t w) {
  uint32_t load = w >> 22 & 1, size = portable__a64_bits(w, 11, 10), full = w >> 30 & 1;
  if (!(w >> 24 & 1)) {
    static const uint8_t registers[16] = {[0] = 4, [2] = 4, [4] = 3, [6] = 3, [7] = 1, [8] = 2, [10] = 2};
    uint32_t n = registers[portable__a64_bits(w, 15, 12)], single = w >> 13 & 1;
    if (w >> 21 & 1 || n == 0 || (!single && size == 3 && !full)) return portable__a64_none();
    if (!(w >> 23 & 1) && portable__a64_bits(w, 20, 16)) return portable__a64_none();
    return portable__a64_is(n * (full ? 16u : 8u), !load);
  }
  uint32_t op = portable__a64_bits(w, 15, 13), n = ((op & 1) << 1 | (w >> 21 & 1)) + 1, scale = op >> 1, wide = w >> 12 & 1;
  int ordered = scale == 2 && n == 1 && size == 1 && portable__a64_bits(w, 20, 16) == 1 && !wide; /* ldap1, stl1 */
  if (!(w >> 23 & 1) && portable__a64_bits(w, 20, 16) && !ordered) return portable__a64_none();
  if (scale == 3) return load && !wide ? portable__a64_is(n << size, 0) : portable__a64_none();
  if ((scale == 1 && size & 1) || (scale == 2 && (size & 2 || (size == 1 && wide)))) return portable__a64_none();
  if (scale == 2 && size == 1) scale = 3;
  return portable__a64_is(n << scale, !load);
}

/* Registers near the instruction. A copy of it elsewhere would read something else. */
static inline struct portable__access portable__a64_literal(uint32_t w) {
  static const uint8_t bytes[2][4] = {{4, 8, 4, 0}, {4, 8, 16, 0}};
  struct portable__access a = portable__a64_is(bytes[w >> 26 & 1][w >> 30], 0);
  a.how = PORTABLE__ACCESS_RELATIVE;
  return a.bytes ? a : portable__a64_none();
}

static inline struct portable__access portable__a64_pair(uint32_t w) {
  uint32_t op = w >> 30, load = w >> 22 & 1, hint = portable__a64_bits(w, 24, 23) == 0;
  if (op == 3) return portable__a64_none();
  if (w >> 26 & 1) return portable__a64_is(8u << op, !load);
  if (op != 1) return portable__a64_is(op ? 16 : 8, !load);
  if (hint) return portable__a64_none();
  return load ? portable__a64_is(8, 0) : portable__a64_is(16, 1); /* two words to double words; a pair with a memory tag */
}

/* Memory tags, ordered accesses with a displacement, copies and fills of any length, and atomic operations on 16 bytes. */
static inline struct portable__access portable__a64_extended(uint32_t w) {
  uint32_t size = w >> 30, op = portable__a64_bits(w, 23, 22), mode = portable__a64_bits(w, 11, 10);
  if (!(w >> 21 & 1) && mode == 1) { /* a fill; a copy, which may fault on either side. The system may continue it at the instruction before */
    struct portable__access a = portable__a64_is(0, op == 3 ? 1 : -1);
    a.how = PORTABLE__ACCESS_RELATIVE;
    return a;
  }
  if (w >> 26 & 1) { /* vector registers */
    if (w >> 21 & 1 || mode != 2 || (op & 2 && size)) return portable__a64_none();
    return portable__a64_is(op & 2 ? 16 : 1u << size, !(op & 1));
  }
  if (!(w >> 21 & 1)) {
    if (mode == 2) return size < 2 ? portable__a64_none() : portable__a64_is((op & 2 ? 1u : 2u) << size, !(op & 1)); /* stilp, ldiapp, stlr, ldapr */
    if (mode != 0 || (op >= 2 && size == 3) || (op == 3 && size == 2)) return portable__a64_none();
    return portable__a64_is(1u << size, op == 0);
  }
  if (size == 0 && mode == 0) return portable__a64_is(16, 1); /* ldclrp, ldsetp, swpp */
  if (size != 3) return portable__a64_none();
  if (mode == 0) return op == 1 ? portable__a64_is(16, 0) : portable__a64_none(); /* one tag is read; the others are for systems only */
  return portable__a64_is(op & 2 ? 32 : 16, 1);
}

/* One register. */
static inline struct portable__access portable__a64_single(uint32_t w) {
  uint32_t size = w >> 30, op = portable__a64_bits(w, 23, 22), vector = w >> 26 & 1, mode = portable__a64_bits(w, 11, 10);
  if (!(w >> 24 & 1) && w >> 21 & 1 && mode != 2) {
    if (vector) return portable__a64_none();
    if (mode) return size == 3 ? portable__a64_is(8, 0) : portable__a64_none(); /* a signed pointer */
    uint32_t code = portable__a64_bits(w, 15, 12);
    if (code < 9) return portable__a64_is(1u << size, 1);
    if (code == 12 && op == 2) return portable__a64_is(1u << size, 0); /* ldapr */
    if (size == 3 && op == 0 && (code == 13 || (code >= 9 && code <= 11))) return portable__a64_is(64, code != 13);
    return portable__a64_none();
  }
  if (!(w >> 24 & 1) && w >> 21 & 1 && !(w >> 14 & 1)) return portable__a64_none();
  if (vector) {
    if ((op & 2 && size) || (!(w >> 24 & 1) && !(w >> 21 & 1) && mode == 2)) return portable__a64_none();
    return portable__a64_is(op & 2 ? 16 : 1u << size, !(op & 1));
  }
  if ((op >= 2 && size == 3) || (op == 3 && size == 2)) return portable__a64_none(); /* a prefetch, which never faults */
  return portable__a64_is(1u << size, op == 0);
}

/* zeroed: bytes that `dc zva` fills. */
static inline struct portable__access portable__a64_access(uint32_t w, uint32_t zeroed) {
  uint32_t sve = w >> 25, system = w & 0xffffffe0u;
  if (system == 0xd50b7420u || system == 0xd50b7480u) return portable__a64_is(zeroed, 1); /* dc zva, gzva */
  if (system == 0xd50b7460u) return portable__a64_is(0, 1);                               /* dc gva */
  if (sve == 0x42 || sve == 0x52 || sve == 0x62) return portable__a64_is(0, 0);
  if (sve == 0x72) return portable__a64_is(0, 1);
  if (sve == 0x70) return portable__a64_is(0, w >> 21 & 1); /* tiles of SME */
  if (!(w >> 27 & 1) || w >> 25 & 1) return portable__a64_none();
  switch (w >> 28 & 3) {
    case 0:
      if (w >> 26 & 1) return w >> 31 ? portable__a64_none() : portable__a64_structures(w);
      return w >> 24 & 1 ? portable__a64_none() : portable__a64_exclusive(w);
    case 1: return w >> 24 & 1 ? portable__a64_extended(w) : portable__a64_literal(w);
    case 2: return portable__a64_pair(w);
    default: return portable__a64_single(w);
  }
}

enum { PORTABLE__A64_BEFORE = 3 }; /* instructions before a move that are read, too */

/* As portable__guard_move, of the instruction that runs at pc; register 31 is the stack pointer. A base that adrp sets right before it, as for a
 * variable at a fixed address, is known from there. */
static inline int portable__a64_move(const unsigned char *code, uintptr_t pc, const uintptr_t *registers, struct portable__move *out) {
  uint32_t w, before;
  memcpy(&w, code, sizeof w);
  int to = w & 31, base = w >> 5 & 31;
  uintptr_t from = registers[base];
  intptr_t far = (intptr_t)portable__a64_bits(w, 21, 10) * 8;
  out->kind = PORTABLE__MOVE_NONE;
  if ((w & 0xffe0ffe0u) == 0xaa0003e0u) { /* orr with 0 */
    out->kind = to == 31 || (w >> 16 & 31) == 31 ? PORTABLE__MOVE_NONE : PORTABLE__MOVE_REGISTER;
    out->from = w >> 16 & 31;
  } else if ((w & 0xfffffc00u) == 0x91000000u) { /* of the stack pointer */
    out->kind = PORTABLE__MOVE_REGISTER;
    out->from = base;
  } else if ((w & 0xff800000u) == 0xf9000000u || (w & 0xffa00c00u) == 0xf8000000u) { /* ldr, ldur; str, stur */
    if (!(w >> 24 & 1)) far = (intptr_t)((uint64_t)w << 43) >> 55;
    if (w >> 22 & 1) out->kind = to == 31 ? PORTABLE__MOVE_NONE : PORTABLE__MOVE_LOAD;
    else if (to == 31) out->kind = PORTABLE__MOVE_ZERO;
  } else if ((w & 0xffc00000u) == 0xa9000000u && to == 31) { /* stp: the first of two */
    far = (intptr_t)((uint64_t)w << 42) >> 57 << 3;
    out->kind = PORTABLE__MOVE_ZERO;
  }
  for (int i = 1; base != 31 && i <= PORTABLE__A64_BEFORE; i++) {
    memcpy(&before, code - 4 * i, sizeof before);
    if ((before & 0x9f00001fu) != (0x90000000u | (uint32_t)base)) continue;
    from = ((pc - 4 * (uintptr_t)i) & ~(uintptr_t)4095) + (uintptr_t)((intptr_t)((uint64_t)before << 40) >> 45 << 14) + (before >> 29 & 3) * 4096;
    break;
  }
  out->end = code + sizeof w;
  out->to = to;
  out->address = from + (uintptr_t)far;
  return out->kind;
}

#endif
