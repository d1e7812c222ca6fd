/* fortran_random.c - the function of portable_random_fill_mod: a section of Fortran, the
 * distribution by its text. Threads: any. */
#include <string.h>

#include "../include/kernel/portable_random.h"
#include "../../internal/kernels/reduction/partial.h"
#include "fortran_section.h"

portable_status portable__fortran_random_fill(int32_t version, const char *label, size_t label_bytes, const portable_random_key *key,
                                              const struct portable__fortran_section *array, int64_t first, int32_t draw,
                                              const char *distribution, size_t distribution_bytes) {
  char name[PORTABLE__LABEL_MAX + 1], text[32];
  int64_t strides[PORTABLE_LOOP_RANK];
  portable_random_options options = PORTABLE_RANDOM_OPTIONS_INIT;
  portable_status status = portable__check_version(version);
  if (status != PORTABLE_OK) return status;
  portable__copy_text(name, sizeof name, label, label_bytes);
  if (!name[0]) strcpy(name, "random_fill");
  portable__copy_text(text, sizeof text, distribution, distribution_bytes);
  if (text[0] && strcmp(text, "uniform") && strcmp(text, "normal"))
    return portable__fail(PORTABLE_ERR_ARG, "random_fill '%s': there is no distribution \"%s\"; there are uniform and normal", name, text);
  portable__section_strides(array, strides);
  options.order = PORTABLE_ORDER_FORTRAN;
  options.distribution = strcmp(text, "normal") ? PORTABLE_RANDOM_UNIFORM : PORTABLE_RANDOM_NORMAL;
  options.draw = draw;
  options.first = first;
  options.strides = strides;
  options.launch = array->launch;
  return portable_random_fill(name, array->kind, *key, (void *)(uintptr_t)array->data, array->rank, array->extent, &options);
}
