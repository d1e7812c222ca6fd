/* fortran.c - what gator_mod calls. It differs from the C face in what Fortran has: labels without an end,
 * shapes with bounds, pointers that may be associated already. */
#include <stdio.h>
#include <string.h>

#include "../../internal/edge/text.h"
#include "../edge.h"

portable_status portable__fortran_init(int32_t version, const portable_config *config) {
  portable_status status = portable__check_version(version);
  return status == PORTABLE_OK ? portable__start(1, config) : status;
}

portable_status portable__fortran_finalize(void) { return portable__end(1); }

/* The pointer that an allocation is about to overwrite: an error under GATOR_STRICT=1, at most a warning else. */
static PORTABLE__COLD portable_status reassigned(const void *previous, const char *label, size_t label_bytes) {
  struct portable__crossing crossing;
  portable_status status = portable__cross_in(&crossing);
  if (status != PORTABLE_OK) return status;
  status = portable__go_reassigned((uintptr_t)previous, label, label_bytes);
  portable__cross_out(&crossing);
  return status;
}

/* Without what the text begins with already: who speaks, or which of our own calls it was that failed for the same block. */
static PORTABLE__COLD const char *without_name(const char *text, const char *label, size_t label_bytes) {
  static const char who[] = "portable: ", of[] = " of '", behind[] = "': ";
  if (strncmp(text, who, sizeof who - 1) == 0) return text + sizeof who - 1;
  if (label_bytes == 0 || strncmp(text, "portable_", 9) != 0) return text;
  const char *at = text + strspn(text, "abcdefghijklmnopqrstuvwxyz_");
  if (strncmp(at, of, sizeof of - 1) != 0) return text;
  at += sizeof of - 1;
  if (strncmp(at, label, label_bytes) != 0 || strncmp(at + label_bytes, behind, sizeof behind - 1) != 0) return text;
  return without_name(at + label_bytes + sizeof behind - 1, label, label_bytes);
}

/* A label is cut where the pool cuts it, so that a long one leaves room for what is wrong. */
PORTABLE__COLD void portable__name_error(const char *call, const char *label, size_t label_bytes) {
  char text[PORTABLE__ERROR_TEXT], name[4 * PORTABLE__LABEL_MAX + 1];
  if (label_bytes > PORTABLE__LABEL_MAX) label_bytes = PORTABLE__LABEL_MAX;
  label_bytes = portable__clean(name, sizeof name, label, label_bytes);
  const char *what = without_name(portable_last_error(), name, label_bytes);
  int n = label_bytes > 0 ? snprintf(text, sizeof text, "%s of '%s': %s", call, name, what)
                          : snprintf(text, sizeof text, "%s: %s", call, what);
  portable__set_error(text, n < 0 ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
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
  /* a pointer that was never set is nothing wrong here: it is compared, never followed */
  if (PORTABLE__UNLIKELY(portable__tool)) previous = portable__tool_known(previous);
  while (label_bytes > 0 && label[label_bytes - 1] == ' ') label_bytes--;
  portable_status status = portable__check_version(version);
  if (status == PORTABLE_OK) status = portable_array_bytes(rank, extents, lower_bounds, index_bits, element_bytes, &bytes);
  if (status == PORTABLE_OK && previous) status = reassigned(previous, label, label_bytes);
  if (status == PORTABLE_OK) status = portable__alloc(bytes, label, label_bytes, ptr_out);
  return PORTABLE__LIKELY(status == PORTABLE_OK) ? PORTABLE_OK : named(status, "gator_allocate", label, label_bytes);
}

portable_status portable__give(void *ptr) {
  if (PORTABLE__LIKELY(ptr != NULL)) return portable__free(ptr);
  portable__fail(PORTABLE_ERR_POINTER, "the pointer is null: it was never allocated, or was deallocated and nullified already");
  portable__memcheck_bad_free(0, ptr);
  return PORTABLE_ERR_POINTER;
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
