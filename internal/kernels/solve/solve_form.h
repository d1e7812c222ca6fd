/* solve_form.h - a group of systems as lanes of vectors, for one kind of real; solve.c includes this file once for each kind and set of
 * instructions. T is the type, I the integer of its size, WIDE(name) the name, TARGET the attribute of the instructions, VECTOR the bytes of
 * their vectors. OF_NEAR(name), if it is defined: the name of the same function for other vectors, which is taken where rows were brought
 * together. In this file: what surrounds elimination and back substitution (solve_rows.h). Threads: any. */

typedef T WIDE(lanes) __attribute__((vector_size(VECTOR), aligned(sizeof(T)), may_alias));
typedef I WIDE(bits) __attribute__((vector_size(VECTOR), aligned(sizeof(T)), may_alias));
#define V WIDE(lanes)
#define FORM TARGET __attribute__((always_inline)) static inline
#define LANES(at, g) (((V *)(void *)(at))[g])
#define ROW(k, i) (in[k] + (i) * pitch[k])
#define SLOT(row, k, g) LANES((row) + (k) * width, g)

/* A pivot of 0 becomes NaN, so that nothing is divided by 0, and is noted. Where a branch can ask for it, the next division need not wait for
 * the mask. */
#define MASK_PIVOT(p, seen)                                                         \
  do {                                                                              \
    const WIDE(bits) is_zero = (WIDE(bits))((p) == (T)0);                           \
    (seen) |= is_zero;                                                              \
    (p) = (V)(((WIDE(bits))(p) & ~is_zero) | (is_zero & (I)NOT_A_NUMBER));          \
  } while (0)
#if defined(ANY_ZERO)
#define PIVOT(p, seen)                                                              \
  do {                                                                              \
    if (__builtin_expect(ANY_ZERO(p), 0)) MASK_PIVOT(p, seen);                      \
  } while (0)
#else
#define PIVOT(p, seen) MASK_PIVOT(p, seen)
#endif

/* The sum of the coefficients of row `row` that belong to unknown `unknown`; `from` has its diagonals. */
#define WRAPPED(sum, row, unknown, from)                                            \
  do {                                                                              \
    (sum) = (V){0};                                                                 \
    for (int64_t o = -band; o <= band; o++)                                         \
      if ((((row) + o) % c->n + c->n) % c->n == (unknown)) (sum) = (sum) + (from);  \
  } while (0)
#define LAST_OF(r) SLOT(state, LAST + PORTABLE__SOLVE_BANDS * (r) + o + band, g)

#if !defined(OF_NEAR)
/* Reads the rows of the border, which b->in points to, and begins the elimination. */
FORM void WIDE(begin)(const struct cut *c, const int band, const struct bands *b, T *state) {
  const int64_t width = c->width, groups = width * (int64_t)sizeof(T) / VECTOR;
  for (int r = 0; r < c->borders; r++)
    for (int64_t g = 0; g < groups; g++) {
      V x;
      for (int k = 0; k <= 2 * band; k++) SLOT(state, LAST + PORTABLE__SOLVE_BANDS * r + k, g) = LANES(b->in[k] + r * b->pitch[k], g);
      for (int k = 0; k < c->borders; k++) {
        WRAPPED(x, c->m + r, c->m + k, LAST_OF(r));
        SLOT(state, BLOCK + 2 * r + k, g) = x;
      }
      for (int k = 0; k < band; k++) {
        WRAPPED(x, c->m + r, k, LAST_OF(r));
        SLOT(state, SIDE + 2 * r + k, g) = x;
      }
    }
}
#endif

#if defined(OF_NEAR)
#define ALWAYS_IN_PLACE 1 /* so there is a next group to ask for */
#else
#define ALWAYS_IN_PLACE 0
#endif
#define KEEPS 0
#define PLACE(name) WIDE(name)
#include "solve_rows.h"
#undef KEEPS
#undef PLACE
#if !defined(OF_NEAR) && VECTOR > 16
#define KEEPS 1
#define PLACE(name) WIDE(name##_near)
#include "solve_rows.h"
#undef KEEPS
#undef PLACE
#endif

/* The forms that solve.c calls. */
#define ELIMINATE(name, body, band, periodic, one)                                                                                         \
  TARGET static int WIDE(name)(const struct cut *c, int64_t from, int64_t to, const struct bands *b, const struct rows *d, void *factors,  \
                               void *state) {                                                                                              \
    return body(c, band, periodic, one, from, to, b, d, factors, state);                                                                   \
  }
#define SUBSTITUTE(name, body, band, periodic, one)                                                                                        \
  TARGET static void WIDE(name)(const struct cut *c, const struct rows *d, const void *factors, const void *state) {                       \
    body(c, band, periodic, one, d, factors, state);                                                                                       \
  }
#define FORMS(name, band, periodic)                               \
  ELIMINATE(name##_eliminate, WIDE(eliminate), band, periodic, 0) \
  SUBSTITUTE(name##_each, WIDE(substitute), band, periodic, 0)    \
  SUBSTITUTE(name##_one, WIDE(substitute), band, periodic, 1)
FORMS(three, 1, 0)
FORMS(three_round, 1, 1)
FORMS(five, 2, 0)
FORMS(five_round, 2, 1)
#if !defined(OF_NEAR)
#define OWN_FORMS
#define OF_NEAR(name) WIDE(name)
#define BEGIN(name, band, periodic)                                                                                                  \
  TARGET static void WIDE(name##_begin)(const struct cut *c, const struct bands *b, void *state) { WIDE(begin)(c, band, b, state); } \
  ELIMINATE(name##_factor, WIDE(eliminate), band, periodic, 1)
BEGIN(three, 1, 0)
BEGIN(three_round, 1, 1)
BEGIN(five, 2, 0)
BEGIN(five_round, 2, 1)
#undef BEGIN
#if VECTOR > 16
ELIMINATE(three_eliminate_near, WIDE(eliminate_near), 1, 0, 0)
SUBSTITUTE(three_each_near, WIDE(substitute_near), 1, 0, 0)
ELIMINATE(five_eliminate_near, WIDE(eliminate_near), 2, 0, 0)
SUBSTITUTE(five_each_near, WIDE(substitute_near), 2, 0, 0)
#endif
#endif

#define FORM_OF(name, near)                                                                                              \
  {OF_NEAR(name##_begin), {WIDE(name##_eliminate), OF_NEAR(name##_eliminate##near)}, OF_NEAR(name##_factor),             \
   {{WIDE(name##_each), OF_NEAR(name##_each##near)}, {WIDE(name##_one), OF_NEAR(name##_one)}}}
static const struct form WIDE(forms)[2][2] = {
#if VECTOR > 16
    {FORM_OF(three, _near), FORM_OF(three_round, )}, {FORM_OF(five, _near), FORM_OF(five_round, )}};
#else
    {FORM_OF(three, ), FORM_OF(three_round, )}, {FORM_OF(five, ), FORM_OF(five_round, )}};
#endif

#undef V
#undef FORM
#undef LANES
#undef ROW
#undef SLOT
#undef PIVOT
#undef MASK_PIVOT
#undef WRAPPED
#undef LAST_OF
#undef ALWAYS_IN_PLACE
#if defined(OWN_FORMS)
#undef OF_NEAR
#undef OWN_FORMS
#endif
#undef FORMS
#undef ELIMINATE
#undef SUBSTITUTE
#undef FORM_OF
