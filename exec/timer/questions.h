/* questions.h - questions of this room to Go; capi/questions.c fills the table, else it is empty.
 * Asked between portable__cross_in and portable__cross_out, if no comment differs. */
#ifndef PORTABLE__TIMER_QUESTIONS_H
#define PORTABLE__TIMER_QUESTIONS_H

#include "../../internal/edge/base.h"

struct portable__timer_asked;
typedef const struct portable__timer_asked *portable__timer_asked_in; /* cgo drops const from a bare one */

struct portable__timer_go {
  portable_status (*refused)(portable__timer_asked_in asked);
  portable_status (*timers_text)(int32_t json, char *text, size_t bytes, size_t *needed);
  portable_status (*timers_print)(portable__text path);
  portable_status (*timers_pack)(void *to, size_t room, size_t *needed);
  portable_status (*timers_merge)(int32_t json, void *packs, size_t bytes, char *text, size_t room, size_t *needed);
  portable_status (*timers_merged_print)(void *packs, size_t bytes, portable__text path);
};
extern const struct portable__timer_go portable__timer_go;

#endif
