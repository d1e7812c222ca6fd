/* copy_block.c - see copy.h: one block of a copy. Elements go through a buffer in the first-level cache where that makes whole cache lines
 * of what is written: those can be stored past the caches, so that they are not read before, and lines far apart do not drive each
 * other out. Elements may be aligned at any byte. Not in this file: elements of 8 bytes that go straight past the caches (copy_stream.c). */
#include "copy_block.h"

#include "../base/turn.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3") /* at -O2 it makes vectors of next to nothing */
#endif

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define AHEAD 1024   /* bytes of what is read that are asked for beforehand */
#define BUFFER 16384 /* as copy.c cuts blocks of transpositions */

/* ---- n times m elements, one by one: compilers make vectors where both sides are closed ---- */

#define LOOP(n, body) for (int64_t i = 0; i < n; i++) body
#define COPY(name, T, F) \
  static void name(const struct portable__copy_block *b) { \
    for (int64_t j = 0; j < b->m; j++) { \
      char *restrict t = b->to + j * b->to_m; \
      const char *restrict f = b->from + j * b->from_m; \
      if (b->to_n == (int64_t)sizeof(T) && b->from_n == (int64_t)sizeof(F)) \
        LOOP(b->n, { F x; memcpy(&x, f + i * (int64_t)sizeof x, sizeof x); T y = (T)x; memcpy(t + i * (int64_t)sizeof y, &y, sizeof y); }) \
      else if (b->to_n == (int64_t)sizeof(T)) \
        LOOP(b->n, { F x; memcpy(&x, f + i * b->from_n, sizeof x); T y = (T)x; memcpy(t + i * (int64_t)sizeof y, &y, sizeof y); }) \
      else \
        LOOP(b->n, { F x; memcpy(&x, f + i * b->from_n, sizeof x); T y = (T)x; memcpy(t + i * b->to_n, &y, sizeof y); }) \
    } \
  }
/* The same with the axis that is read closest together inside. */
#define TURNED(name) \
  static void name##_turned(const struct portable__copy_block *b) { \
    const struct portable__copy_block t = {b->to, b->from, b->to_m, b->to_n, b->from_m, b->from_n, b->m, b->n, 0, 0}; \
    name(&t); \
  }
#define BOTH(name, T, F) COPY(name, T, F) TURNED(name)

struct b12 { uint32_t x[3]; };
struct b16 { uint64_t x[2]; };
struct b24 { uint64_t x[3]; };
struct b32 { uint64_t x[4]; };
#define STRUCT(name, T) \
  static void name(const struct portable__copy_block *b) { \
    for (int64_t j = 0; j < b->m; j++) \
      LOOP(b->n, { T x; memcpy(&x, b->from + j * b->from_m + i * b->from_n, sizeof x); memcpy(b->to + j * b->to_m + i * b->to_n, &x, sizeof x); }) \
  } \
  TURNED(name)

BOTH(copy1, uint8_t, uint8_t)
BOTH(copy2, uint16_t, uint16_t)
BOTH(copy4, uint32_t, uint32_t)
BOTH(copy8, uint64_t, uint64_t)
STRUCT(copy12, struct b12)
STRUCT(copy16, struct b16)
STRUCT(copy24, struct b24)
STRUCT(copy32, struct b32)
BOTH(widen, double, float)
BOTH(narrow, float, double)
BOTH(longer, int64_t, int32_t)
BOTH(shorter, int32_t, int64_t)

static void copy_any(const struct portable__copy_block *b, size_t bytes) {
  for (int64_t j = 0; j < b->m; j++)
    LOOP(b->n, memcpy(b->to + j * b->to_m + i * b->to_n, b->from + j * b->from_m + i * b->from_n, bytes);)
}

void portable__copy8(const struct portable__copy_block *b, int32_t turned) { turned ? copy8_turned(b) : copy8(b); }

typedef void (*block_function)(const struct portable__copy_block *b);

/* NULL: of any other length. */
static block_function function_of(const struct portable__copy_plan *p) {
#define PICK(name) return p->transposes && p->depth >= PORTABLE__COPY_FEW ? name##_turned : name
  switch (p->copy.conversion) {
  case PORTABLE__COPY_WIDEN: PICK(widen);
  case PORTABLE__COPY_NARROW: PICK(narrow);
  case PORTABLE__COPY_LONGER: PICK(longer);
  case PORTABLE__COPY_SHORTER: PICK(shorter);
  default: break;
  }
  switch (p->to_bytes) {
  case 1: PICK(copy1);
  case 2: PICK(copy2);
  case 4: PICK(copy4);
  case 8: PICK(copy8);
  case 12: PICK(copy12);
  case 16: PICK(copy16);
  case 24: PICK(copy24);
  case 32: PICK(copy32);
  default: return NULL;
  }
}

/* ---- transpositions in registers: to_n and from_m are the bytes of an element ---- */

/* The rest at both ends when n and m are cut to multiples of `step`; the longer side is inside. */
static void edges(const struct portable__copy_block *b, int64_t step, block_function straight, block_function turned) {
  const int64_t n = b->n / step * step, m = b->m / step * step;
  struct portable__copy_block e = *b;
  if (n < b->n) {
    e.to += n * b->to_n;
    e.from += n * b->from_n;
    e.n = b->n - n;
    turned(&e);
  }
  if (m == b->m || n == 0) return;
  e = *b;
  e.to += m * b->to_m;
  e.from += m * b->from_m;
  e.n = n;
  e.m = b->m - m;
  straight(&e);
}

static void transpose8(const struct portable__copy_block *b) {
  for (int64_t i = 0; i + 2 <= b->n; i += 2) {
    const char *f = b->from + i * b->from_n;
    char *t = b->to + i * 8;
    for (int64_t j = 0; j + 2 <= b->m; j += 2, f += 16, t += 2 * b->to_m) portable__turn_8(f, f + b->from_n, t, t + b->to_m);
  }
  edges(b, 2, copy8, copy8_turned);
}

static void transpose4(const struct portable__copy_block *b) {
  for (int64_t i = 0; i + 4 <= b->n; i += 4) {
    const char *f = b->from + i * b->from_n;
    char *t = b->to + i * 4;
    for (int64_t j = 0; j + 4 <= b->m; j += 4, f += 16, t += 4 * b->to_m) {
      const char *const from[4] = {f, f + b->from_n, f + 2 * b->from_n, f + 3 * b->from_n};
      char *const to[4] = {t, t + b->to_m, t + 2 * b->to_m, t + 3 * b->to_m};
      portable__turn_4(from, to);
    }
  }
  edges(b, 4, copy4, copy4_turned);
}

/* ---- past the caches ---- */

static void stream(char *to, const char *from, int64_t bytes) {
#ifdef __SSE2__
  int64_t head = (int64_t)(-(uintptr_t)to & 63);
  if (bytes < head + 64) {
    memcpy(to, from, (size_t)bytes);
    return;
  }
  memcpy(to, from, (size_t)head);
  for (to += head, from += head, bytes -= head; bytes >= 64; to += 64, from += 64, bytes -= 64) {
    const __m128i *f = (const __m128i *)(const void *)from;
    __builtin_prefetch(from + AHEAD);
    __m128i *t = (__m128i *)(void *)to;
    __m128i a = _mm_loadu_si128(f), b = _mm_loadu_si128(f + 1), c = _mm_loadu_si128(f + 2), d = _mm_loadu_si128(f + 3);
    _mm_stream_si128(t, a);
    _mm_stream_si128(t + 1, b);
    _mm_stream_si128(t + 2, c);
    _mm_stream_si128(t + 3, d);
  }
#endif
  memcpy(to, from, (size_t)bytes);
}

/* ---- a block ---- */

struct copying {
  const struct portable__copy_plan *plan;
  block_function function;
};

static void copy_elements(const struct copying *c, const struct portable__copy_block *b) {
  if (c->function)
    c->function(b);
  else
    copy_any(b, (size_t)c->plan->to_bytes);
}

/* Writes what the buffer holds, of lines of so many bytes. */
static void write_lines(const struct portable__copy_plan *p, const struct portable__copy_block *b, const char *buffer, int64_t line) {
  int64_t lines = b->m, at_once = line;
  if (b->to_m == line && !p->whole) {
    at_once *= lines;
    lines = 1;
  }
  for (int64_t j = 0; j < lines; j++) {
    char *to = b->to + j * b->to_m;
    const char *from = buffer + j * line;
    if (p->whole) {
      const int64_t head = portable__copy_head(b, to);
      stream(to + head, from + head, b->n * b->to_n + portable__copy_tail(b, to) - head);
    } else if (p->streams)
      stream(to, from, at_once);
    else
      memcpy(to, from, (size_t)at_once);
  }
}

static int copy_block(void *context, const struct portable__copy_block *b) {
  const struct copying *c = context;
  const struct portable__copy_plan *p = c->plan;
  _Alignas(64) char buffer[BUFFER];
  if (b->to_n != p->to_bytes) {
    copy_elements(c, b);
    return 1;
  }
  if (b->from_n == p->from_bytes && p->copy.conversion == PORTABLE__COPY_SAME) { /* lines */
    for (int64_t j = 0; j < b->m; j++) {
      if (p->streams)
        stream(b->to + j * b->to_m, b->from + j * b->from_m, b->n * p->to_bytes);
      else
        memcpy(b->to + j * b->to_m, b->from + j * b->from_m, (size_t)(b->n * p->to_bytes));
    }
    return 1;
  }
  if (!p->transposes && !p->streams) {
    copy_elements(c, b);
    return 1;
  }
  const int64_t done = p->streams && p->to_bytes == 8 && p->copy.conversion == PORTABLE__COPY_SAME ? portable__copy_stream8(p, b) : 0;
  if (done == b->m) return 1;
  /* A block may be larger than the buffer. Its pieces are blocks then, with pieces before and after them. */
  struct portable__copy_block part = *b;
  const int64_t line = 64 / p->to_bytes, room = BUFFER / p->to_bytes;
  const int64_t most = !p->whole || (b->n <= room && portable__copy_is_even(b)) ? 0 : line - 1;
  const int64_t n = b->n < room - most ? b->n : room - most, m = p->transposes && n > 0 ? room / (n + (n < b->n || most < b->after ? most : b->after)) : 1;
  if (n == 0) {
    copy_elements(c, b);
    return 1;
  }
  for (int64_t j = done; j < b->m; j += m)
    for (int64_t i = 0; i < b->n; i += n) {
      part.from = b->from + i * b->from_n + j * b->from_m;
      part.to = b->to + i * b->to_n + j * b->to_m;
      part.n = b->n - i < n ? b->n - i : n;
      part.m = b->m - j < m ? b->m - j : m;
      part.before = b->before + i;
      part.after = b->after + b->n - i - part.n;
      struct portable__copy_block into = part;
      into.n += most < part.after ? most : part.after;
      into.to = buffer;
      into.to_m = into.n * p->to_bytes;
      if (p->transposes && b->from_m == p->from_bytes && p->copy.conversion == PORTABLE__COPY_SAME && (p->to_bytes == 8 || p->to_bytes == 4))
        p->to_bytes == 8 ? transpose8(&into) : transpose4(&into);
      else
        copy_elements(c, &into);
      write_lines(p, &part, buffer, into.to_m);
    }
  return 1;
}

void portable__copy_units(const struct portable__copy_plan *plan, int64_t first, int64_t end) {
  struct copying c = {plan, function_of(plan)};
  portable__copy_walk(plan, first, end, copy_block, &c);
#ifdef __SSE2__
  if (plan->streams) _mm_sfence();
#endif
}
