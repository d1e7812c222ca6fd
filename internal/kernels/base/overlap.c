/* overlap.c - see overlap.h. Two arrays share a byte where the difference of two addresses, a sum of multiples of strides, falls into
 * a small interval. The multiples are tried from the longest stride on; what the shorter ones can reach, and their common divisor,
 * leave one or two to try in arrays as programs have them. */
#include "overlap.h"

#include <stddef.h>

#define RANK PORTABLE__LYING_RANK
#define TRIES 20000 /* after which it is too hard to tell */

/* stride * (0..most); strides fall. */
struct term {
  int64_t stride, most;
};

struct search {
  struct term term[2 * RANK];
  int64_t reach[2 * RANK + 1], divisor[2 * RANK + 1]; /* of this term and those after it */
  int32_t terms, tries;
};

static int64_t divisor(int64_t a, int64_t b) {
  while (b) {
    int64_t c = a % b;
    a = b;
    b = c;
  }
  return a;
}

static int64_t quotient_up(int64_t a, int64_t b) { return a / b + (a % b > 0); }

/* Whether the terms from k on have a sum from low to high. */
static int has_sum(struct search *s, int32_t k, int64_t low, int64_t high) {
  if (low < 0) low = 0;
  if (high > s->reach[k]) high = s->reach[k];
  if (low > high) return PORTABLE__APART;
  if (k == s->terms) return PORTABLE__SHARED;
  int64_t step = s->divisor[k];
  if (high / step * step < low) return PORTABLE__APART;
  if (k == s->terms - 1) return PORTABLE__SHARED; /* the multiple that is between them */
  const struct term *t = &s->term[k];
  int64_t first = low > s->reach[k + 1] ? quotient_up(low - s->reach[k + 1], t->stride) : 0, last = high / t->stride;
  if (last > t->most) last = t->most;
  for (int64_t j = last; j >= first; j--) {
    if (++s->tries > TRIES) return PORTABLE__UNKNOWN;
    int found = has_sum(s, k + 1, low - j * t->stride, high - j * t->stride);
    if (found != PORTABLE__APART) return found;
  }
  return PORTABLE__APART;
}

static void add_term(struct search *s, int64_t stride, int64_t most) {
  int32_t k = 0;
  if (stride == 0 || most == 0) return;
  while (k < s->terms && s->term[k].stride > stride) k++;
  if (k < s->terms && s->term[k].stride == stride) {
    s->term[k].most += most;
    return;
  }
  for (int32_t i = s->terms++; i > k; i--) s->term[i] = s->term[i - 1];
  s->term[k].stride = stride;
  s->term[k].most = most;
}

/* The lowest address, as a number. up: adds the array's terms so that sums run upwards. */
static int64_t spread(const struct portable__lying *x, struct search *s, int64_t *span) {
  int64_t low = 0;
  *span = 0;
  for (int32_t d = 0; d < x->rank; d++) {
    int64_t stride = x->strides[d], most = x->extents[d] - 1;
    if (most == 0) continue; /* whatever the stride is */
    if (stride < 0) {
      low += stride * most;
      stride = -stride;
    }
    *span += stride * most;
    if (s) add_term(s, stride, most);
  }
  return (int64_t)((uintptr_t)x->at + (uintptr_t)low);
}

int portable__lying_fits(const struct portable__lying *x) {
  int64_t span = x->bytes, reach;
  for (int32_t d = 0; d < x->rank; d++) {
    if (x->extents[d] == 1) continue;
    if (x->strides[d] == INT64_MIN || __builtin_mul_overflow(x->strides[d] < 0 ? -x->strides[d] : x->strides[d], x->extents[d] - 1, &reach) ||
        __builtin_add_overflow(span, reach, &span))
      return 0;
  }
  return span <= INT64_MAX / 4; /* differences and sums of two are numbers too */
}

int portable__overlap(const struct portable__lying *a, const struct portable__lying *b) {
  int64_t a_span, b_span, a_low = spread(a, NULL, &a_span), b_low = spread(b, NULL, &b_span);
  if ((uintptr_t)a_low + (uintptr_t)a_span + (uintptr_t)a->bytes <= (uintptr_t)b_low ||
      (uintptr_t)b_low + (uintptr_t)b_span + (uintptr_t)b->bytes <= (uintptr_t)a_low)
    return PORTABLE__APART;
  struct search s; /* not all of which is needed, mostly */
  s.terms = s.tries = 0;
  spread(a, &s, &a_span);
  spread(b, &s, &b_span);
  s.reach[s.terms] = s.divisor[s.terms] = 0;
  /* b's address less a's is b_low - a_low + (b's sum) - (a's sum), and a's sum is a_span less another sum of its terms. */
  int64_t offset = (int64_t)((uintptr_t)b_low - (uintptr_t)a_low) - a_span;
  for (int32_t k = s.terms - 1; k >= 0; k--) {
    s.reach[k] = s.reach[k + 1] + s.term[k].stride * s.term[k].most;
    s.divisor[k] = divisor(s.term[k].stride, s.divisor[k + 1]);
  }
  return has_sum(&s, 0, 1 - b->bytes - offset, a->bytes - 1 - offset);
}

/* Whether each stride is positive and steps over all that the dimensions before it span, as in most arrays of programs. */
static int ascends(const struct portable__lying *a) {
  int64_t within = a->bytes;
  for (int32_t d = 0; d < a->rank; d++) {
    if (a->extents[d] == 1) continue;
    if (a->strides[d] < within) return 0;
    within += a->strides[d] * (a->extents[d] - 1);
  }
  return 1;
}

int portable__overlap_self(const struct portable__lying *a) {
  if (ascends(a)) return PORTABLE__APART;
  struct search s;
  int64_t span, within = a->bytes;
  s.terms = 0;
  spread(a, &s, &span);
  for (int32_t d = 0; d < a->rank; d++)
    if (a->extents[d] > 1 && a->strides[d] == 0) return PORTABLE__SHARED;
  int64_t elements = 1, counted = 1;
  for (int32_t d = 0; d < a->rank; d++) elements *= a->extents[d];
  for (int32_t k = s.terms - 1; k >= 0; k--) {
    if (s.term[k].stride < within) return PORTABLE__SHARED;
    within += s.term[k].stride * s.term[k].most;
    counted *= s.term[k].most + 1;
  }
  return counted == elements ? PORTABLE__APART : PORTABLE__SHARED; /* two dimensions of one stride are one term */
}
