/* shallow_water.c - the trace of the dam break of `make demo`: its first 6000 allocations and
 * frees, made from the arrays of one time step. record.sh compares it with a run of the example.
 * Not in this file: other traces (trace.c). */
#include "trace.h"

#include <string.h>

enum { NX = 1000, NY = 20, OPERATIONS = 6000 };

/* An array of real(8), one value per cell; `more` is the number of further rows and columns: faces 1, slopes 2, halo
 * 4. */
struct array {
  const char *label;
  int more;
};

static const struct array state[] = {{"h", 4}, {"hu", 4}, {"hv", 4}, {"b", 4}};
static const struct array rate[] = {{"rate", 0}};
static const struct array old[] = {{"h_old", 0}, {"hu_old", 0}, {"hv_old", 0}};
static const struct array tendency[] = {{"eta", 4}, {"u", 4}, {"v", 4}, {"dh", 0}, {"dqu", 0}, {"dqv", 0}};
static const struct array sweep[] = {{"h_minus", 1}, {"b_minus", 1}, {"n_minus", 1}, {"t_minus", 1}, {"h_plus", 1}, {"b_plus", 1}, {"n_plus", 1},
                                     {"t_plus", 1}, {"flux_h", 1}, {"flux_n_minus", 1}, {"flux_n_plus", 1}, {"flux_t", 1}};
static const struct array slopes[] = {{"slope_h", 2}, {"slope_eta", 2}, {"slope_n", 2}, {"slope_t", 2}};
static const struct array speeds[] = {{"star_minus", 1}, {"star_plus", 1}, {"slowest", 1}, {"fastest", 1}};

/* Allocates the arrays of a routine and gives the number of the first block. The trace ends at OPERATIONS, as the
 * recorder's does. */
static uint32_t begin(struct trace *t, const struct array *arrays, int count, int *good) {
  uint32_t first = t->blocks;
  for (int i = 0; i < count && t->count < OPERATIONS; i++) {
    int32_t label = trace_label(t, arrays[i].label, strlen(arrays[i].label));
    *good = *good && label >= 0 && trace_add(t, t->blocks, label, (uint64_t)8 * (uint64_t)(NX + arrays[i].more) * (uint64_t)(NY + arrays[i].more));
  }
  return first;
}

/* Frees them, the newest first. */
static void end(struct trace *t, uint32_t first, int count, int *good) {
  while (count-- > 0 && t->count < OPERATIONS) *good = *good && trace_add(t, first + (uint32_t)count, -1, 0);
}

#define COUNT(list) (int)(sizeof(list) / sizeof(list)[0])
#define BEGIN(list) begin(t, list, COUNT(list), &good)
#define END(list, first) end(t, first, COUNT(list), &good)

int trace_shallow_water(struct trace *t) {
  int good = 1;
  BEGIN(state);
  while (good && t->count < OPERATIONS) {
    END(rate, BEGIN(rate));
    uint32_t kept = BEGIN(old);
    for (int stage = 0; stage < 2; stage++) {
      uint32_t of_stage = BEGIN(tendency);
      for (int direction = 0; direction < 2; direction++) {
        uint32_t of_sweep = BEGIN(sweep);
        END(slopes, BEGIN(slopes));
        END(speeds, BEGIN(speeds));
        END(sweep, of_sweep);
      }
      END(tendency, of_stage);
    }
    END(old, kept);
  }
  return good && trace_finish(t);
}

void trace_print(const struct trace *t, FILE *out) {
  fputs("op,id,bytes,label\n", out);
  for (size_t i = 0; i < t->count; i++) {
    const struct op *o = &t->ops[i];
    if (o->label < 0) fprintf(out, "f,%u,,\n", o->block + 1);
    else fprintf(out, "a,%u,%llu,%s\n", o->block + 1, (unsigned long long)o->bytes, t->labels[o->label]);
  }
}
