/* solve.c - systems of three and five diagonals on a cuda device have the bits of the host: on memory of the device that the host cannot access, along
 * each dimension, with strides, one matrix, periodic, both kinds; a pivot of 0 names system and row. Not in this file: the host's own results
 * (ffi_tests/solvers). */
#include "algorithms.h"

#define MOST 6000
#define OPERANDS 6

static char *here[OPERANDS], *there[OPERANDS];
static portable_pool pool; /* of the device's own memory */

static void values(int32_t kind, int band) {
  for (int k = 0; k < OPERANDS; k++) {
    fill(here[k], MOST, kind, PLAIN);
    for (int64_t i = 0; i < MOST && k == band; i++) {
      if (kind == PORTABLE_KIND_REAL64)
        ((double *)(void *)here[k])[i] += 6;
      else
        ((float *)(void *)here[k])[i] += 6;
    }
    copy_there(there[k], here[k], MOST * 8);
  }
}

static portable_status solve(char **x, int32_t kind, int band, int32_t rank, const int64_t *extents, portable_solve_options o, const portable_launch_config *where) {
  o.launch = where;
  if (band == 1) return portable_solve_tridiagonal("systems", kind, x[0], x[1], x[2], x[5], rank, extents, &o);
  return portable_solve_pentadiagonal("systems", kind, x[0], x[1], x[2], x[3], x[4], x[5], rank, extents, &o);
}

static void both(int32_t kind, int band, int32_t rank, const int64_t *extents, const portable_solve_options *o, portable_status expected, const char *text) {
  static char back[MOST * 8];
  CHECK_STATUS(solve(here, kind, band, rank, extents, *o, &on_host), expected);
  if (text) CHECK_TEXT(text);
  CHECK_STATUS(solve(there, kind, band, rank, extents, *o, &on_device), expected);
  if (text) CHECK_TEXT(text);
  copy_there(back, there[5], MOST * 8);
  same("solve", here[5], back, MOST * 8, band, kind, (int64_t)o->flags);
}

static void forms(void) {
  static const int64_t shapes[][3] = {{17, 9, 5}, {1, 40, 3}, {2, 7, 9}, {3, 5, 300}, {64, 70, 1}, {100, 1, 1}};
  for (int32_t kind = PORTABLE_KIND_REAL32; kind <= PORTABLE_KIND_REAL64; kind++)
    for (int band = 1; band <= 2; band++)
      for (uint32_t flags = 0; flags < 4; flags++)
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
          for (int32_t dim = 1; dim <= 3; dim++) {
            portable_solve_options o = PORTABLE_SOLVE_OPTIONS_INIT;
            o.flags = flags;
            o.dim = dim;
            o.order = (int32_t)(s + flags) % 2;
            int64_t extents[3], rest = 1;
            for (int d = 0; d < 3; d++) extents[d] = d == dim - 1 ? shapes[s][0] : shapes[s][rest++];
            values(kind, band);
            both(kind, band, 3, extents, &o, PORTABLE_OK, NULL);
          }
}

/* Backwards, and not even aligned. */
static void strides(void) {
  for (int band = 1; band <= 2; band++) {
    const int64_t extents[2] = {20, 30}, back[2] = {-8, -160}, across[2] = {240, 8};
    portable_solve_options o = PORTABLE_SOLVE_OPTIONS_INIT;
    char *h[OPERANDS], *t[OPERANDS];
    static char result[MOST * 8];
    o.dim = 2;
    o.rhs_strides = back;
    o.diag_strides = o.upper2_strides = across;
    values(PORTABLE_KIND_REAL64, band);
    for (int k = 0; k < OPERANDS; k++) h[k] = here[k] + 3 + (k == 5) * 599 * 8, t[k] = there[k] + 3 + (k == 5) * 599 * 8;
    for (int64_t i = 0; i < 600; i++) { /* numbers at these places */
      const double x = 1 + 0.001 * (double)i, y = 7;
      for (int k = 0; k < OPERANDS; k++) memcpy(here[k] + 3 + 8 * i, k == band ? &y : &x, 8);
    }
    for (int k = 0; k < OPERANDS; k++) copy_there(there[k], here[k], MOST * 8);
    CHECK_STATUS(solve(h, PORTABLE_KIND_REAL64, band, 2, extents, o, &on_host), PORTABLE_OK);
    CHECK_STATUS(solve(t, PORTABLE_KIND_REAL64, band, 2, extents, o, &on_device), PORTABLE_OK);
    copy_there(result, there[5], MOST * 8);
    same("strides", here[5], result, MOST * 8, band, PORTABLE_KIND_REAL64, 0);
  }
}

static void faults(void) {
  for (int band = 1; band <= 2; band++)
    for (uint32_t flags = 0; flags < 2; flags++) {
      const int64_t extents[3] = {10, 7, 30};
      portable_solve_options o = PORTABLE_SOLVE_OPTIONS_INIT;
      o.dim = 2;
      o.flags = flags;
      o.order = PORTABLE_ORDER_FORTRAN;
      values(PORTABLE_KIND_REAL64, band);
      for (int n = 0; n < 2; n++)
        for (int k = 0; k <= 2 * band; k++) ((double *)(void *)here[k])[n ? 3 + 10 * 0 + 70 * 8 : 9 + 10 * 0 + 70 * 8] = 0; /* systems (4,:,9), (10,:,9) */
      for (int k = 0; k < OPERANDS; k++) copy_there(there[k], here[k], MOST * 8);
      both(PORTABLE_KIND_REAL64, band, 3, extents, &o, PORTABLE_ERR_ARG, "in system (4,:,9) the pivot of row 1 is 0");
    }
}

int main(void) {
  begin();
  CHECK_STATUS(portable_pool_of_space(own_space, &pool), PORTABLE_OK);
  for (int k = 0; k < OPERANDS; k++) {
    void *p = NULL;
    here[k] = calloc(MOST, 8);
    CHECK_STATUS(portable_pool_alloc(pool, MOST * 8, "there", &p), PORTABLE_OK);
    there[k] = p;
  }
  forms();
  strides();
  faults();
  for (int k = 0; k < OPERANDS; k++) {
    free(here[k]);
    CHECK_STATUS(portable_pool_free(pool, there[k]), PORTABLE_OK);
  }
  return check_end();
}
