/* fortran_section.h - sections of Fortran's arrays, as arguments of C's array calls. Threads:
 * any. */
#ifndef PORTABLE__FORTRAN_SECTION_H
#define PORTABLE__FORTRAN_SECTION_H

#include "../../internal/edge/base.h"

/* Byte strides. Without a second element, `next` has the address of the first. */
static inline void portable__section_strides(const struct portable__fortran_section *s, int64_t *strides) {
  for (int32_t d = 0; d < s->rank; d++) strides[d] = (int64_t)((uintptr_t)s->next[d] - (uintptr_t)s->data);
}

/* ERR_ARG with Go's text if an extent of s, which texts call `name`, is not that of `array`. */
portable_status portable__section_shape(const char *call, const char *label, const char *name, const struct portable__fortran_section *s,
                                        const struct portable__fortran_section *array);

#endif
