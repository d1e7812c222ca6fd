/* questions.h - what this room asks Go. capi/questions.c fills the table, when the archive is linked; in a program of this room alone it is empty.
 * Private. Only between portable__cross_in and portable__cross_out, where nothing else is said. */
#ifndef PORTABLE__LAUNCH_QUESTIONS_H
#define PORTABLE__LAUNCH_QUESTIONS_H

#include "../../internal/edge/base.h"
#include "../../internal/team/team.h"

struct portable__launch_go {
  portable_status (*launch)(int32_t device, struct portable__job *job);
  portable_status (*device_find)(portable__text name, int32_t *number_out);
  portable_status (*device_set_default)(int32_t number);
  portable_status (*set_threads)(int32_t n);
  portable_status (*fallback_print)(void);
  int32_t (*holds)(uintptr_t addr); /* 1: a live block of any pool holds it */
};
extern const struct portable__launch_go portable__launch_go;

#endif
