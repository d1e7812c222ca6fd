/* questions.h - questions of this room to Go; capi/questions.c fills the table, else it is empty.
 * Asked between portable__cross_in and portable__cross_out, if no comment differs. */
#ifndef PORTABLE__TIMER_QUESTIONS_H
#define PORTABLE__TIMER_QUESTIONS_H

#include "../../internal/edge/base.h"

struct portable__timer_asked;
struct portable__timer_report;
typedef const struct portable__timer_asked *portable__timer_asked_in; /* cgo drops const from a bare one */
typedef const struct portable__timer_report *portable__timer_report_in;

struct portable__timer_go {
  portable_status (*refused)(portable__timer_asked_in asked);
  portable_status (*report)(portable__timer_report_in report);
};
extern const struct portable__timer_go portable__timer_go;

#endif
