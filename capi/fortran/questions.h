/* questions.h - questions of this room to Go; capi/questions.c fills the table, else it is empty.
 * Asked between portable__cross_in and portable__cross_out, if no comment differs. */
#ifndef PORTABLE__FORTRAN_QUESTIONS_H
#define PORTABLE__FORTRAN_QUESTIONS_H

#include "../../arrays/owner/array.h"
#include "../../internal/edge/base.h"

struct portable__capi_fortran_go {
  portable_status (*reassigned)(uintptr_t addr, portable__text label, size_t label_bytes);
  /* Plans a section for a pointer of Fortran. *origin_out: its first element, from the array's first. */
  portable_status (*array_section)(portable__array_in array, struct portable__fortran_view *view_out, int64_t *origin_out);
  /* Refuses a section whose extent differs from the array's. */
  portable_status (*extent_refused)(portable__text call, portable__text label, portable__text name, int32_t dim, int64_t has, int64_t array);
};
extern const struct portable__capi_fortran_go portable__capi_fortran_go;

#endif
