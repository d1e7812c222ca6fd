/* solvers.h - problems of the tests of solvers: systems of random numbers in arrays of any layout. C only. Needs check.h. */
#ifndef SOLVERS_H
#define SOLVERS_H

#include <portable_solvers.h>

#define RHS 5
#define OPERANDS 6
#define MEMORY (400 << 10)
#define ROWS_MOST 256
#define STYLES 4 /* of strides: contiguous; every second element; backwards; the dimensions in another order */
#define ASIDE 4  /* one more: contiguous, 16 bytes past the beginning */

struct problem {
  int band, periodic, one, bytes; /* as in portable__solve */
  int rank, dim, order, style, same; /* same: one array is lower and upper */
  int64_t n, systems, extents[8], strides[OPERANDS][8];
  char *memory[OPERANDS], *first[OPERANDS];
  const portable_launch_config *launch;
};

static void make(struct problem *p) {
  memset(p, 0, sizeof *p);
  for (int k = 0; k < OPERANDS; k++) {
    void *to = NULL;
    CHECK_STATUS(portable_alloc(MEMORY, "problem", &to), PORTABLE_OK);
    p->memory[k] = to;
  }
}

static void unmake(struct problem *p) {
  for (int k = 0; k < OPERANDS; k++) CHECK_STATUS(portable_free(p->memory[k]), PORTABLE_OK);
}

static double number(void) {
  static uint64_t state = 1;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (double)(state >> 11) / 9007199254740992.0 - 0.5;
}

/* Where row i of a system, in array element order, has its number. */
static char *place_of(const struct problem *p, int k, int64_t system, int64_t i) {
  const int dim = p->dim ? p->dim - 1 : 0;
  if (k != RHS && p->one) return p->first[k] + i * p->strides[k][0];
  char *at = p->first[k] + i * p->strides[k][dim];
  for (int r = 0; r < p->rank; r++) {
    const int d = p->order ? r : p->rank - 1 - r;
    if (d == dim) continue;
    at += system % p->extents[d] * p->strides[k][d];
    system /= p->extents[d];
  }
  return at;
}

/* form: a bit each of five diagonals, periodic, real64, one matrix. */
static inline void begin(struct problem *p, int form, int rank, const int64_t *extents, int dim, int order, int style) {
  int64_t elements = 1;
  p->band = 1 + (form & 1);
  p->periodic = form >> 1 & 1;
  p->bytes = form & 4 ? 8 : 4;
  p->one = form >> 3;
  p->rank = rank;
  p->dim = dim;
  p->order = order;
  p->style = style;
  p->n = extents[dim ? dim - 1 : 0];
  for (int d = 0; d < rank; d++) elements *= p->extents[d] = extents[d];
  p->systems = p->n ? elements / p->n : 0;
  for (int k = 0; k < OPERANDS; k++) {
    int64_t step = p->bytes * (style == 1 ? 2 : 1);
    p->first[k] = p->memory[k] + (style == 1 ? 3 : style == ASIDE ? 16 : 0); /* 3: not even aligned */
    for (int r = 0; r < rank; r++) {
      const int fast = style == 3 ? (r + 1) % rank : r, d = order ? fast : rank - 1 - fast;
      p->strides[k][d] = step;
      step *= extents[d];
      if (style == 2 && !(k != RHS && p->one)) {
        p->first[k] += p->strides[k][d] * (extents[d] - 1);
        p->strides[k][d] = -p->strides[k][d];
      }
    }
    if (k != RHS && p->one) {
      p->strides[k][0] = p->bytes * (style == 2 ? -1 : style == 1 ? 2 : 1);
      if (style == 2) p->first[k] += p->bytes * (p->n - 1);
    }
    for (int64_t b = 0; b + 8 <= MEMORY; b += 8) memcpy(p->memory[k] + b, &(double){0}, 8);
    for (int64_t system = 0; system < p->systems; system++)
      for (int64_t i = 0; i < p->n; i++) {
        const double x = number() + (k == p->band ? 3 : 0);
        const float y = (float)x;
        memcpy(place_of(p, k, system, i), p->bytes == 8 ? (const void *)&x : (const void *)&y, (size_t)p->bytes);
        if (k != RHS && p->one && system) break;
      }
  }
}

static inline portable_status solve(const struct problem *p) {
  portable_solve_options o = PORTABLE_SOLVE_OPTIONS_INIT;
  const int32_t kind = p->bytes == 8 ? PORTABLE_KIND_REAL64 : PORTABLE_KIND_REAL32;
  const int upper = p->same ? 0 : 2;
  o.flags = (p->periodic ? PORTABLE_SOLVE_PERIODIC : 0) | (p->one ? PORTABLE_SOLVE_ONE : 0);
  o.order = p->order;
  o.dim = p->dim;
  o.launch = p->launch;
  o.rhs_strides = p->style ? p->strides[RHS] : NULL;
  if (p->band == 1) {
    if (p->style) o.lower_strides = p->strides[0], o.diag_strides = p->strides[1], o.upper_strides = p->strides[2];
    return portable_solve_tridiagonal("systems", kind, p->first[0], p->first[1], p->first[upper], p->first[RHS], p->rank, p->extents, &o);
  }
  if (p->style) {
    o.lower2_strides = p->strides[0], o.lower_strides = p->strides[1], o.diag_strides = p->strides[2];
    o.upper_strides = p->strides[3], o.upper2_strides = p->strides[4];
  }
  return portable_solve_pentadiagonal("systems", kind, p->first[0], p->first[1], p->first[2], p->first[3], p->first[4], p->first[RHS], p->rank, p->extents, &o);
}

#endif
