/* fft.c - see fft.h: groups of lines, and where their numbers are. Main function: portable__fft_range. A contiguous line is cut into lanes if
 * its length allows it (fft_line.h); other lines are brought together, a vector of lines at a time. The passes are in fft_form.h, their
 * butterflies in portable_device_fft.h. Threads: any. */
#include "fft.h"

#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "../../../capi/include/device/portable_device_fft.h"
#include "../base/least.h"
#include "../base/processor.h"
#include "../base/shuffle.h"

#if defined(__clang__)
#pragma clang fp contract(off)
#elif defined(__GNUC__)
#pragma GCC optimize("O2", "fp-contract=off")
#endif

#define CACHED (512 << 10) /* bytes of a group: they stay in the second-level cache */
#define WIDEST 32          /* lines of a group */
#define GROUPS_ENOUGH 4    /* for each thread */
#define SHORT 64           /* numbers of a line that is worth cutting */
#define TOGETHER 32        /* numbers of real lines whose vectors lie together */
#define PAGE 64            /* alignment */
#define RADIX 9

#define PORTABLE__FFT_V V
#define PORTABLE__FFT_T T
#define PORTABLE__FFT_PRODUCT(a, b) ((a) * (b)) /* contraction is off */

/* Lines that are brought together. */
struct lines {
  int64_t count, width; /* lines; lanes of all vectors */
  int64_t apart[2];     /* bytes from each line to the next; 0: not the same for all */
  int64_t pitch, step;  /* bytes from a vector of lines to the next one, and from each element of it to the next */
  int64_t offset[WIDEST][2];
};

/* One side of a line: its complex numbers. */
struct view {
  char *at;
  int64_t count, step, part; /* bytes between numbers, and between the parts of a number */
  int side;                  /* 0: from, 1: to */
  int lone;                  /* the imaginary parts are 0, and are not in memory */
  int exchanged;             /* the parts are exchanged in lanes */
};

typedef void (*pass)(const void *in, void *out, int64_t ls, int64_t m, const void *table);
struct form {
  int lanes, bytes;
  pass first[RADIX], pass[RADIX]; /* by their radix */
  void (*to_real)(const void *in, void *out, int64_t m, int64_t w, const void *turns);
  void (*from_real)(const void *in, void *out, int64_t m, int64_t w, const void *turns);
  void (*complete)(void *x, int64_t n, int64_t w);
  void (*times_chirp)(void *x, int64_t m, const void *w);
  void (*times_spectrum)(void *x, int64_t m, const void *w);
  void (*times_last)(void *x, int64_t m, const void *w);
};
struct line_form {
  int joined; /* lanes that a line is cut into */
  void (*first[RADIX])(const char *from, void *out, int64_t m, int exchanged);
  void (*last)(const void *in, char *to, int64_t ls, const void *table, int exchanged);
  void (*planes)(const void *in, char *to, int64_t ls, const void *table, int64_t planes);
  void (*to_real)(const void *planes, int64_t pitch, char *to, int64_t m, const void *turns);
  void (*from_real)(const char *from, void *out, int64_t m, const void *turns);
};
/* Passes between lanes and lines, which are as many as the lanes: contiguous ones, `step` bytes apart, or (rows) side by side with numbers `step` bytes apart. */
struct end_form {
  void (*first[RADIX])(char *from, int64_t step, void *out, int64_t m, int exchanged, int rows);
  void (*last[RADIX])(const void *in, char *to, int64_t step, int64_t ls, const void *table, int exchanged, int rows);
  void (*only[RADIX])(char *from, int64_t from_step, char *to, int64_t to_step, int64_t vectors, int exchanged, int rows);
  /* Contiguous real lines of so many numbers to half of their transforms; NULL: there is no such function. */
  void (*reals[RADIX])(char *from, int64_t from_step, char *to, int64_t to_step, int64_t vectors, const void *turns);
};

#define TARGET
#define VECTOR 16
#define T double
#define BYTES 8
#define WIDE(name) name##_64
#include "fft_form.h"
#if defined(__aarch64__)
#include "fft_16.h"
#endif
#undef WIDE
#undef BYTES
#undef T
#define T float
#define BYTES 4
#define WIDE(name) name##_32
#include "fft_form.h"
#if defined(__aarch64__)
#include "fft_16.h"
#endif
#undef WIDE
#undef BYTES
#undef T

#if defined(__x86_64__)
#undef TARGET
#undef VECTOR
#define TARGET __attribute__((target("avx2")))
#define VECTOR 32
#define T float
#define BYTES 4
#define WIDE(name) name##_32_avx2
#include "fft_form.h"
#include "fft_avx2.h"
#undef WIDE
#undef BYTES
#undef T
#define T double
#define BYTES 8
#define WIDE(name) name##_64_avx2
#include "fft_form.h"
#include "fft_avx2.h"
#undef WIDE
#undef BYTES
#undef T
#endif

/* The code for a kind of real on this processor. */
struct code {
  const struct form *form;
  const struct line_form *line; /* NULL: lines are not cut */
  const struct end_form *ends;  /* NULL: there are none */
  int (*move)(const struct view *v, const struct lines *l, char *region, int writes);
  const unsigned char *order;   /* line l of a vector is lane order[l] */
};

static struct code code_of(int32_t bytes) {
#if defined(__aarch64__)
  return bytes == 8 ? (struct code){&form_64, &line_form_64, &end_form_64, move_64, order_64}
                    : (struct code){&form_32, &line_form_32, &end_form_32, move_32, order_32};
#else
  static const unsigned char same[] = {0, 1, 2, 3};
#if defined(__x86_64__)
  if (portable__processor_has(PORTABLE__AVX2))
    return bytes == 8 ? (struct code){&form_64_avx2, &line_form_64_avx2, &end_form_64_avx2, move_64_avx2, order_64_avx2}
                      : (struct code){&form_32_avx2, &line_form_32_avx2, &end_form_32_avx2, move_32_avx2, order_32_avx2};
#endif
  return (struct code){bytes == 8 ? &form_64 : &form_32, NULL, NULL, NULL, same};
#endif
}

static const struct portable__fft_numbers *numbers_of(const struct portable__fft_plan *p, int32_t bytes) { return &p->numbers[bytes == 8]; }

static const void *number(const struct portable__fft_numbers *t, int64_t at, int bytes) { return (const char *)t->at + at * bytes; }

static int is_even_real(const struct portable__fft_plan *p) { return p->real && p->m < p->n; }

/* ---- lanes and memory ---- */

static struct view view_of(const struct portable__fft *f, int side) {
  const struct portable__fft_plan *const p = f->plan;
  const struct portable__fft_side *const s = &f->side[side];
  const int reals = p->real && side == f->backward;
  struct view v = {.at = s->at, .count = p->n, .step = s->step, .part = s->part, .side = side, .exchanged = f->backward && (!p->real || side == 1)};
  if (reals && p->m < p->n) { /* two real numbers are one complex number */
    v.count = p->m;
    v.part = s->step;
    v.step = 2 * s->step;
  } else if (reals) {
    v.lone = 1;
  } else if (p->real) {
    v.count = p->n / 2 + 1;
  }
  return v;
}

void portable__fft_copy(char *to, int64_t to_step, const char *from, int64_t from_step, int64_t count, int bytes) {
  if (bytes == 8)
    for (int64_t i = 0; i < count; i++, to += to_step, from += from_step) memcpy(to, from, 8);
  else
    for (int64_t i = 0; i < count; i++, to += to_step, from += from_step) memcpy(to, from, 4);
}

/* Lines to lanes, or back; lanes without a line get 0. */
static void move_lines(const struct code *c, const struct view *v, const struct lines *l, char *region, int writes) {
  const int lanes = c->form->lanes, bytes = c->form->bytes;
  const int64_t element = l->step;
  if (c->move && c->move(v, l, region, writes)) return;
  for (int64_t line = 0; line < l->width; line++) {
    char *const lane = region + line / lanes * l->pitch + c->order[line % lanes] * bytes;
    char *const re = lane + (v->exchanged ? lanes * bytes : 0), *const im = lane + (v->exchanged ? 0 : lanes * bytes);
    char *const at = v->at + l->offset[line < l->count ? line : 0][v->side];
    static const double zero;
    if (writes) {
      if (line >= l->count) return;
      portable__fft_copy(at, v->step, re, element, v->count, bytes);
      if (!v->lone) portable__fft_copy(at + v->part, v->step, im, element, v->count, bytes);
    } else {
      const int there = line < l->count;
      portable__fft_copy(re, element, there ? at : (const char *)&zero, there ? v->step : 0, v->count, bytes);
      portable__fft_copy(im, element, there && !v->lone ? at + v->part : (const char *)&zero, there && !v->lone ? v->step : 0, v->count, bytes);
    }
  }
}

/* ---- a vector of lines ---- */

/* The lines of a vector, for passes that take and give numbers there. */
struct ends {
  const struct end_form *form;
  char *from, *to;  /* the first line; NULL: the numbers are in lanes */
  int64_t step[2];  /* bytes from one line to the next */
  int exchanged;    /* on the way out; on the way in, if both sides are complex */
};

/* All passes from `*x`, which gets the place of the result; *spare that of the other memory. ends: or NULL. w: vectors that lie together. */
static void run_passes(const struct form *form, const struct portable__fft_numbers *t, const struct ends *ends, int64_t w, char **x, char **spare) {
  int64_t ls = 1, m = t->passes.n * w;
  const int32_t last = t->passes.count - 1;
  for (int32_t i = 0; i <= last; i++) {
    const int32_t radix = t->passes.radix[i];
    const void *const table = number(t, t->passes.table[i], form->bytes);
    char *const from = *x;
    m /= radix;
    if (i == 0 && ends && ends->from) {
      if (last == 0 && ends->to) {
        ends->form->only[radix](ends->from, ends->step[0], ends->to, ends->step[1], 1, ends->exchanged, 0);
        return;
      }
      ends->form->first[radix](ends->from, ends->step[0], *spare, m, ends->exchanged, 0);
    } else if (i == last && ends && ends->to) {
      ends->form->last[radix](from, ends->to, ends->step[1], ls, table, ends->exchanged, 0);
      return;
    } else {
      (i ? form->pass : form->first)[radix](from, *spare, ls, m, table);
    }
    *x = *spare, *spare = from;
    ls *= radix;
  }
}

static void transform(const struct portable__fft_plan *p, const struct form *form, int backward, const struct ends *ends, int64_t w, char **x, char **spare) {
  const struct portable__fft_numbers *const t = numbers_of(p, form->bytes);
  const int vector = form->lanes * form->bytes;
  char *const from = *x;
  if (p->real && backward && is_even_real(p)) {
    form->from_real(from, *spare, p->m, w, number(t, t->turns, form->bytes));
    *x = *spare, *spare = from;
  } else if (p->real && backward) {
    form->complete(from, p->n, w);
  }
  if (p->padded) {
    form->times_chirp(*x, p->m, number(t, t->chirp, form->bytes));
    memset(*x + 2 * p->m * vector, 0, (size_t)(2 * (p->padded - p->m) * vector));
    run_passes(form, t, NULL, 1, x, spare);
    form->times_spectrum(*x, p->padded, number(t, t->spectrum, form->bytes));
    run_passes(form, t, NULL, 1, x, spare);
    form->times_last(*x, p->m, number(t, t->chirp, form->bytes));
  } else {
    run_passes(form, t, ends, w, x, spare);
  }
  if (is_even_real(p) && !backward) {
    char *const z = *x;
    form->to_real(z, *spare, p->m, w, number(t, t->turns, form->bytes));
    *x = *spare, *spare = z;
  }
}

static int64_t up(int64_t bytes) { return (bytes + PAGE - 1) / PAGE * PAGE; }

/* Bytes of a vector of lines; -1: too many. One line more than the numbers, for the last number of real lines. */
static int64_t region_bytes(const struct portable__fft *f, const struct code *c) {
  const int64_t vector = 2 * c->form->lanes * f->bytes;
  const int64_t numbers = f->plan->padded > f->plan->n ? f->plan->padded : f->plan->n;
  return numbers >= INT64_MAX / vector - 64 ? -1 : up((numbers + 1) * vector);
}

static int is_contiguous(const struct view *v, int bytes) { return !v->lone && v->part == bytes && v->step == 2 * bytes; }

/* Short real lines of all vectors of a group go through a pass in one call. */
static int lie_together(const struct portable__fft *f) { return f->plan->real && !f->plan->padded && f->plan->n <= TOGETHER; }

static void work_together(const struct portable__fft *f, const struct code *c, struct lines *l, char *scratch) {
  const int64_t w = l->width / c->form->lanes;
  const struct view from = view_of(f, 0), to = view_of(f, 1);
  char *x = scratch, *spare = scratch + w * region_bytes(f, c);
  l->pitch = 2 * c->form->lanes * f->bytes;
  l->step = w * l->pitch;
  move_lines(c, &from, l, x, 0);
  transform(f->plan, c->form, f->backward, NULL, w, &x, &spare);
  move_lines(c, &to, l, x, 1);
}

static void work_on_lines(const struct portable__fft *f, const struct code *c, struct lines *l, char *scratch) {
  const int64_t pitch = l->pitch = region_bytes(f, c);
  const struct view from = view_of(f, 0), to = view_of(f, 1);
  const int32_t passes = numbers_of(f->plan, f->bytes)->passes.count;
  /* The first pass takes numbers from contiguous lines, the last one gives them, if nothing is done before or afterwards. */
  const int whole = c->ends && !f->plan->padded && l->count == l->width && passes;
  const int takes = whole && l->apart[0] && is_contiguous(&from, f->bytes) && !(f->plan->real && f->backward);
  const int gives = whole && l->apart[1] && is_contiguous(&to, f->bytes) && !(f->plan->real && !f->backward) && (passes > 1 || takes);
  char *spare = scratch, *results = NULL;
  struct ends ends = {.form = c->ends, .step = {l->apart[0], l->apart[1]}, .exchanged = to.exchanged};
  l->step = 2 * c->form->lanes * f->bytes;
  if (!takes) move_lines(c, &from, l, scratch + pitch, 0);
  for (int64_t g = 0; g < l->width / c->form->lanes; g++) { /* the result stays in its region, or all results are a region before */
    char *x = scratch + (g + 1) * pitch;
    if (takes) ends.from = from.at + l->offset[g * c->form->lanes][0];
    if (gives) ends.to = to.at + l->offset[g * c->form->lanes][1];
    transform(f->plan, c->form, f->backward, &ends, 1, &x, &spare);
    if (!g) results = x;
  }
  if (!gives) move_lines(c, &to, l, results, 1);
}

enum short_lines { NOT_SHORT, ALONG, ROWS, REALS }; /* contiguous lines; lines side by side; contiguous lines of real numbers */

/* Whether the lines lie well, and are complex and take one or two passes, or are real and have a function of their own. */
static enum short_lines is_short(const struct portable__fft *f, const struct code *c) {
  const struct portable__fft_plan *const p = f->plan;
  const int32_t passes = numbers_of(p, f->bytes)->passes.count, bytes = f->bytes;
  const struct portable__fft_side *const s = f->side;
  if (!c->ends || p->padded || !f->axes || s[1].part != bytes) return NOT_SHORT;
  if (p->real)
    return !f->backward && p->n < RADIX && c->ends->reals[p->n] && s[0].step == bytes && s[1].step == 2 * bytes ? REALS : NOT_SHORT;
  if ((passes != 1 && passes != 2) || s[0].part != bytes) return NOT_SHORT;
  if (s[0].step == 2 * bytes && s[1].step == 2 * bytes) return ALONG;
  return f->axis[0].step[0] == 2 * bytes && f->axis[0].step[1] == 2 * bytes ? ROWS : NOT_SHORT;
}

/* Whole vectors of `count` short lines along the first axis. Gives how many lines are done. */
static int64_t work_on_short_lines(const struct portable__fft *f, const struct code *c, enum short_lines way, char *from, char *to, int64_t count,
                                   char *scratch) {
  const struct portable__fft_numbers *const t = numbers_of(f->plan, f->bytes);
  const struct portable__fft_passes *const p = &t->passes;
  const int rows = way == ROWS;
  const int64_t *const next = f->axis[0].step, lanes = c->form->lanes, vectors = count / lanes;
  const int64_t step[2] = {rows ? f->side[0].step : next[0], rows ? f->side[1].step : next[1]};
  if (way == REALS) {
    c->ends->reals[f->plan->n](from, step[0], to, step[1], vectors, number(t, t->turns, f->bytes));
  } else if (p->count == 1) {
    c->ends->only[p->radix[0]](from, step[0], to, step[1], vectors, f->backward, rows);
  } else {
    const void *const table = number(t, p->table[1], f->bytes);
    for (int64_t v = 0; v < vectors; v++, from += lanes * next[0], to += lanes * next[1]) {
      c->ends->first[p->radix[0]](from, step[0], scratch, p->radix[1], f->backward, rows);
      c->ends->last[p->radix[1]](scratch, to, step[1], p->radix[0], table, f->backward, rows);
    }
  }
  return vectors * lanes;
}

/* ---- a line cut into lanes ---- */

/* 1: the lines can be cut: the last pass joins as many parts as there are lanes. */
static int is_cut(const struct portable__fft *f, const struct code *c) {
  const struct portable__fft_passes *const p = &numbers_of(f->plan, f->bytes)->passes;
  const struct view from = view_of(f, 0), to = view_of(f, 1);
  return c->line && !f->plan->padded && p->n >= SHORT && p->count > 1 && p->radix[p->count - 1] == c->line->joined && (!f->plan->real || f->plan->m % c->line->joined == 0) &&
         is_contiguous(&from, f->bytes) && is_contiguous(&to, f->bytes);
}

static int64_t line_bytes(const struct portable__fft *f) { return f->plan->m >= INT64_MAX / 64 - 64 ? -1 : up((f->plan->m + 2 * PAGE) * 2 * f->bytes); }

static void work_on_line(const struct portable__fft *f, const struct code *c, const char *from, char *to, char *scratch) {
  const struct portable__fft_plan *const plan = f->plan;
  const struct portable__fft_numbers *const t = numbers_of(plan, f->bytes);
  const struct portable__fft_passes *const p = &t->passes;
  const int joined = c->line->joined, bytes = f->bytes, last = p->count - 1;
  const int64_t elements = plan->m / joined, w = joined / c->form->lanes, pitch = line_bytes(f);
  int64_t ls = p->radix[0], m = elements / ls;
  char *x = scratch, *spare = scratch + pitch;
  if (plan->real && f->backward) {
    c->line->from_real(from, spare, plan->m, number(t, t->turns, bytes));
    c->form->first[ls](spare, x, 1, m * w, NULL);
  } else {
    c->line->first[ls](from, x, m * w, f->backward);
  }
  for (int32_t i = 1; i < last; i++) {
    char *const before = x;
    m /= p->radix[i];
    c->form->pass[p->radix[i]](before, spare, ls, m * w, number(t, p->table[i], bytes));
    ls *= p->radix[i];
    x = spare, spare = before;
  }
  const void *const table = number(t, p->table[last], bytes);
  if (plan->real && !f->backward) {
    const int64_t planes = plan->m + PAGE;
    c->line->planes(x, spare, elements, table, planes);
    memcpy(spare + plan->m * bytes, spare, (size_t)bytes);
    memcpy(spare + (planes + plan->m) * bytes, spare + planes * bytes, (size_t)bytes);
    c->line->to_real(spare, planes, to, plan->m, number(t, t->turns, bytes));
  } else {
    c->line->last(x, to, elements, table, f->backward);
  }
}

/* ---- ranges ---- */

static int is_vendors(const struct portable__fft *f) { return f->plan->vendor[f->bytes == 8] != NULL; }

void portable__fft_cut(struct portable__fft *f, int32_t threads) {
  const struct code c = code_of(f->bytes);
  const int64_t region = region_bytes(f, &c);
  if (is_vendors(f) || is_cut(f, &c)) {
    f->width = 1;
    return;
  }
  f->width = c.form->lanes;
  while (f->width < WIDEST && region > 0 && region <= CACHED / (2 * f->width / c.form->lanes + 1) && f->lines / (2 * f->width) >= (int64_t)threads * GROUPS_ENOUGH)
    f->width *= 2;
}

int64_t portable__fft_scratch_bytes(const struct portable__fft *f) {
  const struct code c = code_of(f->bytes);
  if (is_vendors(f)) return portable__fft_vendor_bytes(f);
  if (is_cut(f, &c)) {
    const int64_t line = line_bytes(f);
    return line < 0 || line > INT64_MAX / 4 ? -1 : 2 * line;
  }
  const int64_t region = region_bytes(f, &c), vectors = f->width / c.form->lanes, regions = lie_together(f) ? 2 * vectors : vectors + 1;
  return region < 0 || region > INT64_MAX / regions ? -1 : region * regions;
}

int64_t portable__fft_locate(const struct portable__fft *f, int64_t line, int64_t *offset) {
  int64_t left = 1;
  offset[0] = offset[1] = 0;
  for (int32_t a = 0; a < f->axes; a++) {
    const struct portable__fft_axis *const axis = &f->axis[a];
    const int64_t i = a == f->axes - 1 ? line : line % axis->extent;
    if (a == 0) left = axis->extent - i;
    if (a < f->axes - 1) line /= axis->extent;
    for (int k = 0; k < 2; k++) offset[k] += i * axis->step[k];
  }
  return left;
}

/* The lines of a group, from line `from` on. */
static void gather(const struct portable__fft *f, int64_t from, int64_t to, struct lines *l) {
  const int64_t count = l->count = least(f->width, to - from), step[2] = {f->axes ? f->axis[0].step[0] : 0, f->axes ? f->axis[0].step[1] : 0};
  for (int k = 0; k < 2; k++) l->apart[k] = step[k];
  for (int64_t i = 0; i < count;) {
    int64_t at[2];
    const int64_t end = i + least(portable__fft_locate(f, from + i, at), count - i);
    for (int k = 0; k < 2 && i; k++)
      if (at[k] - l->offset[i - 1][k] != step[k]) l->apart[k] = 0;
    for (; i < end; i++, at[0] += step[0], at[1] += step[1]) l->offset[i][0] = at[0], l->offset[i][1] = at[1];
  }
}

void portable__fft_range(const struct portable__fft *f, int64_t from, int64_t to, void *scratch) {
  const struct code c = code_of(f->bytes);
  const int cut = is_cut(f, &c), together = lie_together(f);
  const enum short_lines brief = cut ? NOT_SHORT : is_short(f, &c);
  struct lines l;
  if (is_vendors(f)) {
    portable__fft_vendor_range(f, from, to, scratch);
    return;
  }
  for (; from < to; from += l.count) {
    if (brief) {
      int64_t at[2];
      const int64_t run = least(portable__fft_locate(f, from, at), to - from);
      from += work_on_short_lines(f, &c, brief, f->side[0].at + at[0], f->side[1].at + at[1], run, scratch);
      if (run >= c.form->lanes) {
        l.count = 0;
        continue;
      }
    }
    gather(f, from, to, &l);
    l.width = (l.count + c.form->lanes - 1) / c.form->lanes * c.form->lanes;
    if (cut)
      work_on_line(f, &c, f->side[0].at + l.offset[0][0], f->side[1].at + l.offset[0][1], scratch);
    else if (together)
      work_together(f, &c, &l, scratch);
    else
      work_on_lines(f, &c, &l, scratch);
  }
}

/* ---- plans ---- */

int portable__fft_spectrum(const struct portable__fft_plan *plan, double *at) {
  const int64_t n = plan->padded, vector = 2 * form_64.lanes;
  double *const memory = malloc((size_t)(2 * n * vector) * sizeof *memory);
  if (!memory) return 0;
  char *x = (char *)memory, *spare = (char *)(memory + n * vector);
  memset(memory, 0, (size_t)(n * vector) * sizeof *memory);
  for (int64_t k = 0; k < n; k++) {
    memory[k * vector] = at[k];
    memory[k * vector + form_64.lanes] = at[n + k];
  }
  run_passes(&form_64, &plan->numbers[1], NULL, 1, &x, &spare);
  for (int64_t k = 0; k < n; k++) {
    at[k] = ((double *)(void *)x)[k * vector];
    at[n + k] = ((double *)(void *)x)[k * vector + form_64.lanes];
  }
  free(memory);
  return 1;
}
