/* solves.c - misuse of solves: kinds, dimensions and shapes that do not fit, pointers that are missing or overlap, a pivot of 0. The right-hand
 * side stays as it was, but for the system with that pivot. Not in this file: random numbers (arguments.c), strides (solvers/refused.c). */
#include "misuse.h"

static double lower[12], diag[12], upper[12], rhs[12];
static const int64_t extents[2] = {3, 4};
static portable_solve_options options;

static void begin_systems(void) {
  const portable_solve_options init = PORTABLE_SOLVE_OPTIONS_INIT;
  begin_running();
  options = init;
  options.dim = 1;
  for (int i = 0; i < 12; i++) lower[i] = upper[i] = 0, diag[i] = 2, rhs[i] = i;
}

static void end_systems(void) {
  for (int i = 0; i < 12; i++) MUST(rhs[i] > i - 0.5 && rhs[i] < i + 0.5);
  end_running();
}

static portable_status three(int32_t kind, int32_t rank, const int64_t *e, void *to) {
  return portable_solve_tridiagonal("heat", kind, lower, diag, upper, to, rank, e, &options);
}

/* A kind that has no systems. */
static void solve_kind(void) { ASK(three(PORTABLE_KIND_COMPLEX64, 2, extents, rhs)); }

/* A dimension that the array does not have. */
static void solve_dim(void) {
  options.dim = 3;
  ASK(three(PORTABLE_KIND_REAL64, 2, extents, rhs));
}

/* No dimension, of an array that has two. */
static void solve_no_dim(void) {
  options.dim = 0;
  ASK(three(PORTABLE_KIND_REAL64, 2, extents, rhs));
}

/* Flags that do not exist. */
static void solve_flags(void) {
  options.flags = 4;
  ASK(three(PORTABLE_KIND_REAL64, 2, extents, rhs));
}

/* Options of another size. */
static void solve_options_size(void) {
  options.struct_size = 1;
  ASK(three(PORTABLE_KIND_REAL64, 2, extents, rhs));
}

/* A rank of 0, and a negative extent. */
static void solve_rank(void) { ASK(three(PORTABLE_KIND_REAL64, 0, extents, rhs)); }

static void solve_extent(void) {
  const int64_t negative[2] = {3, -4};
  ASK(three(PORTABLE_KIND_REAL64, 2, negative, rhs));
}

/* A NULL pointer in place of an array. */
static void solve_null_rhs(void) { ASK(three(PORTABLE_KIND_REAL64, 2, extents, NULL)); }

static void solve_null_diagonal(void) {
  ASK(portable_solve_pentadiagonal("heat", PORTABLE_KIND_REAL64, lower, lower, diag, upper, NULL, rhs, 2, extents, &options));
}

/* The right-hand side is a diagonal too. */
static void solve_overlap(void) { ASK(portable_solve_tridiagonal("heat", PORTABLE_KIND_REAL64, lower, rhs, upper, rhs, 2, extents, &options)); }

/* More bytes than can be counted. */
static void solve_huge(void) {
  const int64_t huge[3] = {3, INT64_C(1) << 40, INT64_C(1) << 40};
  ASK(three(PORTABLE_KIND_REAL64, 3, huge, rhs));
}

/* A pivot of 0: that system becomes NaN, other ones are solved. */
static void solve_pivot(void) {
  for (int i = 0; i < 12; i++) rhs[i] *= 2;
  diag[4 + 1] = 0; /* row 2 of system 2 */
  ASK(three(PORTABLE_KIND_REAL64, 2, extents, rhs));
  for (int row = 0; row < 3; row++) {
    MUST(rhs[4 * row + 1] != rhs[4 * row + 1]);
    rhs[4 * row + 1] = 4 * row + 1;
  }
}

static const struct kind kinds_of_solves[] = {
    {KIND(solve_kind), ERROR(ARG, "solve_tridiagonal 'heat': 8 is not a kind of systems; they are PORTABLE_KIND_REAL32 and _REAL64")},
    {KIND(solve_dim), ERROR(ARG, "solve_tridiagonal 'heat': dim is 3; the array has the dimensions 1 to 2")},
    {KIND(solve_no_dim), ERROR(ARG, "solve_tridiagonal 'heat': dim is 0, but the array has 2 dimensions; dim says which one counts the rows")},
    {KIND(solve_flags), ERROR(ARG, "solve_tridiagonal 'heat' && flags is 0x4; there are PORTABLE_SOLVE_PERIODIC and _ONE")},
    {KIND(solve_options_size), ERROR(ARG, "solve_tridiagonal 'heat' && struct_size")},
    {KIND(solve_rank), ERROR(ARG, "solve_tridiagonal 'heat' && rank is 0")},
    {KIND(solve_extent), ERROR(ARG, "solve_tridiagonal 'heat': extent 2 is -4")},
    {KIND(solve_null_rhs), ERROR(ARG, "solve_tridiagonal 'heat': rhs is NULL, but the array has elements")},
    {KIND(solve_null_diagonal), ERROR(ARG, "solve_pentadiagonal 'heat': upper2 is NULL")},
    {KIND(solve_overlap), ERROR(ARG, "solve_tridiagonal 'heat' && overlaps diag")},
    {KIND(solve_huge), ERROR(OVERFLOW, "solve_tridiagonal 'heat' && bytes")},
    {KIND(solve_pivot), ERROR(ARG, "solve_tridiagonal 'heat' && the pivot of && is 0, so its solution is NaN")},
};
const struct table solves_table = TABLE(kinds_of_solves, begin_systems, end_systems);
