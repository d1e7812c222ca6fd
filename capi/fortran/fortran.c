/* fortran.c - the functions of gator_mod: labels without an end, shapes with bounds, and pointers
 * that may be associated already. */
#include <stdio.h>
#include <string.h>

#include "questions.h"
#include "../../gator/front/front.h"
#include "../../internal/observe/tools.h"

/* Reports a pointer that an allocation would overwrite: an error under GATOR_STRICT=1, else at most a warning. */
static PORTABLE__COLD portable_status reassigned(const void *previous, const char *label, size_t label_bytes) {
  struct portable__crossing crossing;
  portable_status status = portable__cross_in(&crossing);
  if (status != PORTABLE_OK) return status;
  status = portable__capi_fortran_go.reassigned((uintptr_t)previous, label, label_bytes);
  portable__cross_out(&crossing);
  return status;
}

static PORTABLE__COLD portable_status named(portable_status status, const char *call, const char *label, size_t label_bytes) {
  portable__name_error(call, label, label_bytes);
  return status;
}

portable_status portable__fortran_allocate(int32_t version, int32_t rank, const int64_t *extents,
                                           const int64_t *lower_bounds, int32_t index_bits, size_t element_bytes,
                                           const char *label, size_t label_bytes, const void *previous, void **ptr_out) {
  size_t bytes = 0;
  *ptr_out = NULL;
  /* the pointer may be undefined: it is compared, never followed */
  if (PORTABLE__UNLIKELY(portable__tool)) previous = portable__tool_known(previous);
  while (label_bytes > 0 && label[label_bytes - 1] == ' ') label_bytes--;
  portable_status status = portable__check_version(version);
  if (status == PORTABLE_OK) status = portable_array_bytes(rank, extents, lower_bounds, index_bits, element_bytes, &bytes);
  if (status == PORTABLE_OK && previous) status = reassigned(previous, label, label_bytes);
  if (status == PORTABLE_OK) status = portable__alloc(bytes, label, label_bytes, ptr_out);
  return PORTABLE__LIKELY(status == PORTABLE_OK) ? PORTABLE_OK : named(status, "gator_allocate", label, label_bytes);
}

portable_status portable__fortran_deallocate(void *ptr) {
  portable_status status = portable__give(ptr);
  return PORTABLE__LIKELY(status == PORTABLE_OK) ? PORTABLE_OK : named(status, "gator_deallocate", NULL, 0);
}

void portable__fortran_fill(void *ptr, const void *pattern, size_t pattern_bytes, size_t count) {
  char *to = ptr;
  for (size_t i = 0; i < count; i++, to += pattern_bytes) memcpy(to, pattern, pattern_bytes);
}

int32_t portable__fortran_strict(void) { return portable__strict(); }
