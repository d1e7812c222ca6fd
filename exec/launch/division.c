/* division.c - makes work divisions (portable_work_divide, portable_work_grid), refuses bad ones,
 * and tests whether one drives a launch (exec/bounds.go says why not). In C because the arithmetic
 * takes 52 ns, and a question to Go takes 206 ns. portable_division.h reads a division. Threads:
 * any. */
#include <inttypes.h>
#include <string.h>

#include "../../internal/edge/base.h"
#include "../../internal/team/cut.h"
#include "launch.h"
#include "ordinary.h"

portable_status portable_work_divide(const portable_bounds *bounds, const int64_t *threads, const int64_t *elements,
                                     portable_work_division *division_out) {
  struct portable__cut cut;
  portable_work_division w;
  int64_t padded = 1;
  int overflow = 0;
  if (!division_out) return portable__fail(PORTABLE_ERR_ARG, "portable_work_divide: division_out is NULL");
  memset(division_out, 0, sizeof *division_out);
  if (!bounds) return portable__fail(PORTABLE_ERR_ARG, "portable_work_divide: bounds is NULL");
  int why = portable__cut_space(bounds, &cut);
  if (why == PORTABLE__BOUNDS_NONE)
    return portable__fail(PORTABLE_ERR_ARG, "portable_work_divide: these bounds were not made by portable_bounds_make");
  if (why == PORTABLE__BOUNDS_STRIDE)
    return portable__fail(PORTABLE_ERR_ARG, "portable_work_divide: a stride of the bounds is below 1");
  memset(&w, 0, sizeof w);
  w.rank = bounds->rank;
  w.order = bounds->order;
  for (int32_t k = 0; k < cut.rank; k++) {
    const struct portable__axis *a = &cut.axis[k];
    const int64_t t = threads ? threads[a->dim] : 1, e = elements ? elements[a->dim] : 1;
    int64_t size, all;
    if (t < 1 || e < 1)
      return portable__fail(PORTABLE_ERR_ARG, "portable_work_divide: dimension %d has blocks of %" PRId64 " threads with %" PRId64
                            " elements each; both are 1 or more", (int)a->dim + 1, t, e);
    overflow |= a->extent < 0 || __builtin_mul_overflow(t, e, &size);
    if (overflow) break;
    w.lower[a->dim] = a->lower;
    w.stride[a->dim] = a->stride;
    w.extent[a->dim] = a->extent;
    w.blocks[a->dim] = a->extent / size + (a->extent % size != 0);
    w.threads[a->dim] = t;
    w.elements[a->dim] = e;
    overflow |= __builtin_mul_overflow(w.blocks[a->dim], size, &all);
    /* An empty dimension makes the count 0, and must not hide that the others are too long to be asked for. */
    overflow |= __builtin_mul_overflow(padded, all == 0 ? 1 : all, &padded);
  }
  if (overflow)
    return portable__fail(PORTABLE_ERR_OVERFLOW, "portable_work_divide: with what the last blocks reach beyond the index space, there are more "
                          "indices than a 64-bit integer counts; make blocks or bounds smaller");
  *division_out = w;
  return PORTABLE_OK;
}

portable_status portable_work_grid(const portable_work_division *division, portable_bounds *bounds_out) {
  int64_t lower[PORTABLE_LOOP_RANK], upper[PORTABLE_LOOP_RANK];
  if (!division || !bounds_out)
    return portable__fail(PORTABLE_ERR_ARG, "portable_work_grid: %s is NULL", division ? "bounds_out" : "division");
  for (int d = 0; d < PORTABLE_LOOP_RANK; d++) {
    lower[d] = division->first;
    upper[d] = lower[d] + division->blocks[d] - 1;
  }
  return portable_bounds_make(division->rank, division->order, lower, upper, NULL, bounds_out);
}

int portable__division_is_ordinary(const portable_bounds *bounds, const struct portable__cut *cut, int32_t kind, portable_launch_config *copy) {
  const portable_work_division *w = copy->division;
  int64_t team = 1;
  if (kind == PORTABLE__DIVIDES_NOT || w->rank != cut->rank || w->order != bounds->order || copy->cut || (w->first & ~1)) return 0;
  for (int32_t k = 0; k < cut->rank; k++) {
    const struct portable__axis *a = &cut->axis[k];
    const int64_t t = w->threads[a->dim], e = w->elements[a->dim], n = w->extent[a->dim];
    int64_t size;
    if (copy->tile[a->dim] || t < 1 || e < 1 || n < 0 || __builtin_mul_overflow(t, e, &size) || __builtin_mul_overflow(team, t, &team) ||
        w->blocks[a->dim] != n / size + (n % size != 0))
      return 0;
    if (kind == PORTABLE__DIVIDES_OUTER ? a->extent != w->blocks[a->dim] || a->stride != 1 || a->lower != w->first
                                        : a->extent != n || a->stride != w->stride[a->dim] || a->lower != w->lower[a->dim])
      return 0;
    if (kind == PORTABLE__DIVIDES_SPACE) copy->tile[a->dim] = size;
  }
  if (team > INT32_MAX || (copy->block_size && copy->block_size != team)) return 0;
  copy->block_size = (int32_t)team;
  return 1;
}
