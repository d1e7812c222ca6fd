/* fortran_overlap.c - tests whether arguments of a launch share elements, as pointers and targets
 * may. It compares pairs that may overlap, if the kernel writes one of the two
 * (internal/kernels/base). */
#include "fortran_block.h"

#include <stdio.h>

#include "../../internal/kernels/base/overlap.h"
#include "../../internal/kernels/reduction/partial.h"

/* The extent of an argument; 0: it has no elements, or no note that it may overlap. */
static int lies(const struct portable__fortran_argument *a, struct portable__lying *to) {
  if (!(a->notes & PORTABLE__MAY_OVERLAP) || !a->data || (a->form != PORTABLE__VIEW && a->form != PORTABLE__ADDRESS)) return 0;
  const int64_t bytes = (int64_t)portable__kind_bytes(a->kind);
  int64_t contiguous = bytes;
  *to = (struct portable__lying){.at = a->data, .bytes = bytes, .rank = a->rank};
  for (int32_t d = 0; d < a->rank; d++) {
    if (a->extent[d] < 1) return 0;
    to->extents[d] = a->extent[d];
    to->strides[d] = a->notes & PORTABLE__DENSE || a->extent[d] == 1 ? contiguous : a->next[d] - a->data;
    contiguous *= a->extent[d];
  }
  return 1;
}

static const char *name_of(const struct portable__fortran_argument *a, int32_t i, char *text, size_t room) {
  char name[sizeof a->name + 1];
  portable__copy_text(name, sizeof name, a->name, sizeof a->name);
  if (name[0])
    snprintf(text, room, "'%s'", name);
  else
    snprintf(text, room, "argument %d", (int)i + 1);
  return text;
}

PORTABLE__COLD static portable_status overlap(const char *label, const struct portable__fortran_argument *args, int32_t i, int32_t k) {
  char one[64], other[64], written[64];
  const int32_t w = args[k].access & PORTABLE_ACCESS_WRITE ? k : i;
  name_of(&args[i], i, one, sizeof one);
  name_of(&args[k], k, other, sizeof other);
  name_of(&args[w], w, written, sizeof written);
  return portable__fail(PORTABLE_ERR_ARG, "parallel_for '%s': cannot run this loop in parallel: %s and %s overlap, loop '%s' writes %s; give it arrays "
                        "that share no element, or run it serially", label, one, other, label, written);
}

portable_status portable__arguments_apart(const char *label, const struct portable__fortran_argument *args, int32_t count) {
  struct portable__lying lying[PORTABLE__ARGUMENTS_MOST];
  int32_t number[PORTABLE__ARGUMENTS_MOST], n = 0;
  for (int32_t i = 0; i < count; i++) {
    if (PORTABLE__LIKELY(!(args[i].notes & PORTABLE__MAY_OVERLAP)) || !lies(&args[i], &lying[n])) continue;
    for (int32_t k = 0; k < n; k++)
      if ((args[i].access | args[number[k]].access) & PORTABLE_ACCESS_WRITE && portable__overlap(&lying[k], &lying[n]) != PORTABLE__APART)
        return overlap(label, args, number[k], i);
    number[n++] = i;
  }
  return PORTABLE_OK;
}

int32_t portable__fortran_overlap(const struct portable__fortran_argument *args, int32_t count) {
  return count > 0 && count <= PORTABLE__ARGUMENTS_MOST && portable__arguments_apart("", args, count) != PORTABLE_OK;
}
