/* questions.h - questions of this room to Go; capi/questions.c fills the table, else it is empty.
 * Asked between portable__cross_in and portable__cross_out, if no comment differs. */
#ifndef PORTABLE__ALGORITHM_QUESTIONS_H
#define PORTABLE__ALGORITHM_QUESTIONS_H

#include "call.h"

struct portable__algorithm_go {
  portable_status (*array_refused)(struct portable__array_call *call);
  portable_status (*reduction_refused)(struct portable__reduction_call *call);
  portable_status (*fft_create)(portable__text label, int32_t type, int64_t n, int32_t dim, portable_fft *plan_out);
};
extern const struct portable__algorithm_go portable__algorithm_go;

#endif
