/* fft_vendor.c - lines through a plan of a library that the user has chosen. Contiguous lines go to it as they lie; others, and those that
 * it would overwrite, are copied first. Not in this file: libraries and their plans (exec/algorithm/fft_library.c). Threads: any, because executing a plan
 * changes nothing of it. */
#include "fft.h"

#include <string.h>

#define PAGE 64

static int64_t up(int64_t bytes) { return (bytes + PAGE - 1) / PAGE * PAGE; }

/* A buffer for a line of either side. */
static int64_t buffer_bytes(const struct portable__fft *f) { return up(2 * (f->plan->n + 2) * f->bytes); }

int64_t portable__fft_vendor_bytes(const struct portable__fft *f) { return 2 * buffer_bytes(f); }

static int is_real(const struct portable__fft *f, int side) { return f->plan->real && side == f->backward; }

static int64_t length(const struct portable__fft *f, int side) { return f->plan->real && !is_real(f, side) ? f->plan->n / 2 + 1 : f->plan->n; }

static int is_contiguous(const struct portable__fft *f, int side) {
  const struct portable__fft_side *const s = &f->side[side];
  return is_real(f, side) ? s->step == f->bytes : s->step == 2 * f->bytes && s->part == f->bytes;
}

/* A line to the buffer, or back. */
static void move(const struct portable__fft *f, int side, char *line, char *buffer, int writes) {
  const struct portable__fft_side *const s = &f->side[side];
  const int parts = is_real(f, side) ? 1 : 2, bytes = f->bytes;
  for (int k = 0; k < parts; k++) {
    char *const near = buffer + k * bytes, *const far = line + k * s->part;
    if (writes)
      portable__fft_copy(far, s->step, near, parts * bytes, length(f, side), bytes);
    else
      portable__fft_copy(near, parts * bytes, far, s->step, length(f, side), bytes);
  }
}

void portable__fft_vendor_range(const struct portable__fft *f, int64_t from, int64_t to, void *scratch) {
  const int kind = f->bytes == 8;
  const struct portable__fft_vendor *const v = f->plan->vendor[kind];
  void (*const execute)(void *, void *, void *) = !f->plan->real ? v->complex : f->backward ? v->backward : v->forward;
  void *const plan = f->plan->vendor_plan[kind][f->backward];
  const int as_it_lies = is_contiguous(f, 0) && f->side[0].at != f->side[1].at && !(f->plan->real && f->backward), direct = is_contiguous(f, 1);
  char *const in = scratch, *const out = in + buffer_bytes(f);
  for (; from < to; from++) {
    int64_t offset[2];
    portable__fft_locate(f, from, offset);
    char *const line = f->side[0].at + offset[0], *const result = f->side[1].at + offset[1];
    if (!as_it_lies) move(f, 0, line, in, 0);
    execute(plan, as_it_lies ? line : in, direct ? result : out);
    if (!direct) move(f, 1, result, out, 1);
  }
}
