/* questions.h - what this room asks Go. capi/questions.c fills the table, when the archive is linked; in a program of this room alone it is empty.
 * Private. Only between portable__cross_in and portable__cross_out, where nothing else is said. */
#ifndef PORTABLE__FORTRAN_QUESTIONS_H
#define PORTABLE__FORTRAN_QUESTIONS_H

#include "../../arrays/owner/array.h"
#include "../../internal/edge/base.h"

struct portable__capi_fortran_go {
  portable_status (*reassigned)(uintptr_t addr, portable__text label, size_t label_bytes);
  /* The first element of what Fortran points to lies *origin_out elements from the array's. */
  portable_status (*array_section)(portable__array_in array, struct portable__fortran_view *view_out, int64_t *origin_out);
  /* A section's extent is not that of the array that a call works on. */
  portable_status (*extent_refused)(portable__text call, portable__text label, portable__text name, int32_t dim, int64_t has, int64_t array);
};
extern const struct portable__capi_fortran_go portable__capi_fortran_go;

#endif
