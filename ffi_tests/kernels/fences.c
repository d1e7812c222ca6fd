/* fences.c - teams of several members on the host (PORTABLE_TEAM_SIZE): a kernel without its fence_inner gives other results, one with it keeps the bits
 * of one member, also with launches and calls of Go inside; members that leave before a fence fail the launch. Without the variable a team has one
 * member, and both kernels agree. Not in this file: threads of a GPU (cuda.kernels). */
#include "check.h"

#include <math.h>

#include "portable_device.h"

enum { ROWS = 40, LENGTH = 301 };

struct rows {
  double (*in)[LENGTH], (*out)[LENGTH];
  int fenced;
};

static int members; /* of the teams here */

/* Each element from those around it, through scratch. */
static void smooth(const portable_team *team, void *args) {
  const struct rows *r = args;
  const double *in = r->in[team->index[0]];
  double *out = r->out[team->index[0]], *copy = team->scratch;
  int64_t from, to;
  if (portable_single_inner(team)) members = team->size;
  portable_inner_range(team, 0, LENGTH - 1, &from, &to);
  for (int64_t k = from; k <= to; k++) copy[k] = sin(in[k]);
  if (r->fenced) portable_fence_inner(team);
  portable_inner_range(team, 1, LENGTH - 2, &from, &to);
  for (int64_t k = from; k <= to; k++) out[k] = 0.25 * copy[k - 1] + 0.5 * copy[k] + 0.25 * copy[k + 1];
}

/* Reads one side only, so that the order of members that hides it is the other one in the next row. */
static void one_sided(const portable_team *team, void *args) {
  const struct rows *r = args;
  double *out = r->out[team->index[0]], *copy = team->scratch;
  const double *in = r->in[team->index[0]];
  PORTABLE_INNER_FOR(team, k, 0, LENGTH - 1) copy[k] = cos(in[k]);
  if (r->fenced) portable_fence_inner(team);
  PORTABLE_INNER_FOR(team, k, 1, LENGTH - 1) out[k] = copy[k] - copy[k - 1];
}

/* Writes what others still read. */
static void overwrites(const portable_team *team, void *args) {
  const struct rows *r = args;
  double *out = r->out[team->index[0]], sum = 0;
  const double *in = r->in[team->index[0]];
  PORTABLE_INNER_FOR(team, k, 0, LENGTH - 1) out[k] = in[k];
  portable_fence_inner(team);
  for (int k = 0; k < LENGTH; k++) sum += out[k];
  if (r->fenced) portable_fence_inner(team);
  PORTABLE_INNER_FOR(team, k, 0, LENGTH - 1) out[k] = sum + (double)k;
}

static void reduced(const portable_team *team, void *args) {
  const struct rows *r = args;
  double *out = r->out[team->index[0]], sum = 0.5, least = 1;
  const double *in = r->in[team->index[0]];
  PORTABLE_INNER_FOR(team, k, 0, LENGTH - 1) out[k] = in[k] * in[k];
  PORTABLE_INNER_SUM(team, double, sum, k, 0, LENGTH - 1, out[k]); /* it is a fence, too */
  PORTABLE_INNER_MIN(team, double, least, k, 0, LENGTH - 1, out[k]);
  PORTABLE_INNER_FOR(team, k, 0, LENGTH - 1) out[k] = sum - least * out[k];
}

static void nothing(const portable_team *team, void *args) {
  (void)args;
  portable_fence_inner(team);
}

/* Launches inside, a call that enters Go, and inner spaces of two dimensions. */
static void inside(const portable_team *team, void *args) {
  const struct rows *r = args;
  const int64_t first[] = {3, 10}, last[] = {15, 22};
  portable_bounds few = portable_bounds_1(3), box;
  portable_tile t;
  void *block = NULL;
  double(*seen)[13] = (double(*)[13])team->scratch;
  CHECK_STATUS(portable_parallel_outer("nothing", &few, nothing, NULL, 0, 128, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_alloc(4096, "inside", &block), PORTABLE_OK);
  portable_free(block);
  check_stats(check_default_pool());
  CHECK_STATUS(portable_bounds_make(2, PORTABLE_ORDER_C, first, last, NULL, &box), PORTABLE_OK);
  if (portable_inner_tile(team, &box, 0, &t))
    for (int64_t i = t.lower[0]; i <= t.upper[0]; i++)
      for (int64_t j = t.lower[1]; j <= t.upper[1]; j++) seen[i - 3][j - 10] = (double)(i * j);
  if (r->fenced) portable_fence_inner(team);
  if (portable_single_inner(team))
    for (int i = 0; i < 13; i++)
      for (int j = 0; j < 13; j++) r->out[team->index[0]][13 * i + j] = seen[12 - i][j];
}

static void leaves(const portable_team *team, void *args) {
  (void)args;
  if (team->member == 1) return;
  portable_fence_inner(team);
}

static double in[ROWS][LENGTH], out[ROWS][LENGTH], wanted[ROWS][LENGTH];

/* The team of one member, without a launch. */
static void serially(portable_team_function kernel) {
  static double scratch[LENGTH];
  struct rows r = {in, wanted, 1};
  memset(wanted, 0, sizeof wanted);
  for (int64_t i = 0; i < ROWS; i++) {
    const portable_team alone = {.index = {i}, .rank = 1, .size = 1, .scratch = scratch, .scratch_bytes = sizeof scratch};
    kernel(&alone, &r);
  }
}

static int agrees(portable_team_function kernel, int fenced) {
  const portable_bounds rows = portable_bounds_1(ROWS);
  const struct rows r = {in, out, fenced};
  memset(out, 0, sizeof out);
  CHECK_STATUS(portable_parallel_outer("fences", &rows, kernel, &r, sizeof r, LENGTH * sizeof(double), NULL), PORTABLE_OK);
  return memcmp(out, wanted, sizeof out) == 0;
}

static void both(portable_team_function kernel) {
  serially(kernel);
  CHECK(agrees(kernel, 1));
  CHECK(agrees(kernel, 0) == (members == 1)); /* the fault shows with several members only */
}

int main(void) {
  const portable_bounds rows = portable_bounds_1(ROWS);
  const struct rows r = {in, out, 1};
  for (int i = 0; i < ROWS; i++)
    for (int k = 0; k < LENGTH; k++) in[i][k] = sin(i + 0.1 * k);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  both(smooth);
  both(one_sided);
  both(overwrites);
  serially(reduced);
  CHECK(agrees(reduced, 1));
  (void)agrees(inside, 1);
  for (int i = 0; i < ROWS; i++)
    for (int k = 0; k < 13 * 13; k++) CHECK(out[i][k] == (double)((15 - k / 13) * (k % 13 + 10)));
  if (members > 1) {
    CHECK_STATUS(portable_parallel_outer("leaves", &rows, leaves, &r, sizeof r, 0, NULL), PORTABLE_ERR_KERNEL);
    CHECK_TEXT(" members of a team wait in fence_inner, and the others have left the kernel");
  }
  CHECK(agrees(smooth, 1) == 0); /* wanted is reduced's: the comparison can fail */
  printf("teams of %d\n", members);
  return check_end();
}
