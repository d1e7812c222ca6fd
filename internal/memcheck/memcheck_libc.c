/* memcheck_libc.c - finds the block of ours that was passed to libc: by free(), delete, or
 * Fortran's own DEALLOCATE of a pool's pointer. libc aborts, and need not have kept the pointer.
 * The caller has loaded it just before the call and not changed it, and Fortran clears it after; so
 * the instructions around the call are read. Their result counts only if a live block begins there.
 * A tail call, which leaves no frame, is not found. Runs in signal handlers. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "../guard/guard_decode.h"
#include "../tracing/found.h"
#include "memcheck.h"
#include "../stacks/stack.h"
#include "../tracing/trace.h"

int portable__memcheck_in_libc(uintptr_t address) {
  const struct portable__module *libc = portable__module_of((uintptr_t)(void *)abort, 0), *own = portable__module_of((uintptr_t)(void *)portable__memcheck_in_libc, 0);
  return libc && libc != own && address >= libc->start && address < libc->end;
}

/* How many of the innermost frames are libc's; in a static program, up to free. 0: none. */
static int32_t frames_of_libc(const uintptr_t *pcs, int32_t n) {
  int32_t i = 0;
  while (i < n && portable__memcheck_in_libc(pcs[i] - (i > 0))) i++;
  for (int32_t k = i; k < n && k < 10; k++)
    if (pcs[k] - (uintptr_t)(void *)free < 512) i = k + 1;
  return i;
}

/* The stack from where libc was called: what it does inside says nothing to the program's author. */
uint32_t portable__memcheck_caller(void *context) {
  uintptr_t pcs[PORTABLE__STACK_MOST];
  int32_t n = portable__stack_walk(context, pcs, PORTABLE__STACK_MOST, NULL), i = frames_of_libc(pcs, n);
  return i > 0 && i < n ? portable__stack_keep(pcs + i, n - i, 0) : portable__stack_of(context);
}

#if defined(__x86_64__) || defined(__aarch64__)

enum { NEAR = 32, FAR = 256 }; /* bytes of code that are read: around the call; before it, for where the first argument comes from */

/* The processor's number of the first argument; DWARF's of the stack pointer; bytes between instructions; of the shortest move. */
#if defined(__x86_64__)
enum { FIRST = 7, STACK = 7, STEP = 1, SHORTEST = 3, REGISTERS = 16 };
#else
enum { FIRST = 0, STACK = 31, STEP = 4, SHORTEST = 4, REGISTERS = 32 };
#endif

static int is_block(uintptr_t word, struct portable__known *k) {
  return word && portable__blocks_find(word, k) && atomic_load(&k->state) == PORTABLE__BLOCK_LIVE;
}

/* The register that the instruction at p sets, and the value that it sets. -1: it is no `mov` of 8 bytes to a register, or ends behind `end`. */
static int moved(const unsigned char *p, const unsigned char *end, const uintptr_t *of, uintptr_t *value_out) {
  struct portable__move m;
  int kind = portable__guard_move(p, of, &m);
  if ((kind != PORTABLE__MOVE_REGISTER && kind != PORTABLE__MOVE_LOAD) || m.end > end) return -1;
  if (kind == PORTABLE__MOVE_LOAD) return portable__stack_read(m.address, value_out) ? m.to : -1;
  *value_out = of[m.from];
  return m.to;
}

/* Reads the memory that the instruction at p overwrites with 0, as DEALLOCATE does with its pointer. */
static int cleared(const unsigned char *p, const uintptr_t *of, uintptr_t *value_out) {
  struct portable__move m;
  return portable__guard_move(p, of, &m) == PORTABLE__MOVE_ZERO && portable__stack_read(m.address, value_out);
}

/* The one block that the caller's variables point to; of several the right one is not known. */
static int only_one(uintptr_t from, uintptr_t to, struct portable__known *k) {
  struct portable__known other = {0};
  uintptr_t start = 0, word;
  for (uintptr_t at = from; at < to && to - from < ((uintptr_t)1 << 16) && portable__stack_read(at, &word); at += 8) {
    if (word == start || !is_block(word, start ? &other : k)) continue;
    if (start) return 0;
    start = word;
  }
  return start != 0;
}

#if defined(__x86_64__)

/* The call that returns there; NULL: it has another form. */
static const unsigned char *call_before(const unsigned char *end) { return end[-5] == 0xe8 ? end - 5 : end[-6] == 0xff && end[-5] == 0x15 ? end - 6 : NULL; }

static uintptr_t in_frame(const uintptr_t *dwarf, int i) {
  static const unsigned char order[REGISTERS] = {0, 2, 1, 3, 7, 6, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15}; /* DWARF's numbers of rax, rcx, rdx, ... */
  return dwarf[order[i]];
}

#else

static const unsigned char *call_before(const unsigned char *end) {
  uint32_t word;
  memcpy(&word, end - 4, sizeof word);
  return (word & 0xfc000000u) == 0x94000000u || (word & 0xfffffc1fu) == 0xd63f0000u ? end - 4 : NULL; /* bl, blr */
}

static uintptr_t in_frame(const uintptr_t *dwarf, int i) { return dwarf[i]; }

#endif

/* The arguments of the caller, whose call returns to `back`; `dwarf` are its registers. */
static int given(uintptr_t back, const uintptr_t *dwarf, struct portable__known *k) {
  const unsigned char *end = (const unsigned char *)back, *call = call_before(end);
  uintptr_t of[REGISTERS], value;
  if (!call) return 0;
  for (int i = 0; i < REGISTERS; i++) of[i] = in_frame(dwarf, i);
  for (int any = 0; any < 2; any++) /* the first argument itself, or what it was made of */
    for (const unsigned char *p = call - SHORTEST; p >= call - NEAR; p -= STEP) {
      int r = moved(p, call, of, &value);
      if (r >= 0 && (r == FIRST || any) && is_block(value, k)) return 1;
    }
  for (const unsigned char *p = end; p < end + NEAR; p += STEP)
    if (cleared(p, of, &value) && is_block(value, k)) return 1;
  for (const unsigned char *p = call - NEAR; p >= call - FAR; p -= STEP)
    if (moved(p, call, of, &value) == FIRST && is_block(value, k)) return 1;
  return 0;
}

/* Whether a frame is of what libc gives blocks back by. The functions are short: what else aborts - assert, a strict library - is elsewhere. */
static int gives_back(uintptr_t pc) { return pc - (uintptr_t)free < 1024 || pc - (uintptr_t)realloc < 2048 || pc - (uintptr_t)reallocarray < 512; }

int portable__memcheck_libc_free(void *context) {
  struct portable__known k = {0};
  uintptr_t pcs[16], registers[PORTABLE__STACK_REGISTERS], above[PORTABLE__STACK_REGISTERS], code;
  int32_t n = portable__stack_walk(context, pcs, 16, NULL), inside = frames_of_libc(pcs, n);
  if (inside < 1 || inside >= n || !gives_back(pcs[inside - 1])) return 0; /* an abort of the program's own */
  if (!portable__stack_read(pcs[inside] - FAR - 16, &code) || !portable__stack_read(pcs[inside] + NEAR + 16, &code) ||
      !portable__stack_frame(context, inside, registers))
    return 0;
  if (!given(pcs[inside], registers, &k) &&
      !(portable__stack_frame(context, inside + 1, above) && only_one(registers[STACK], above[STACK], &k)))
    return 0;
  uintptr_t start = atomic_load(&k.start);
  struct portable__found f = {.kind = PORTABLE__FOUND_LIBC_FREE, .address = start, .block_start = start, .block_bytes = k.bytes,
                              .alloc = k.alloc_stack, .label = k.label, .here = portable__memcheck_caller(context)};
  portable__finding_of(&f);
  return 1;
}

#else

int portable__memcheck_libc_free(void *context) {
  (void)context;
  return 0;
}

#endif
