/* questions.h - what this room asks Go. capi/questions.c fills the table, when the archive is linked; in a program of this room alone it is empty.
 * Private. Only between portable__cross_in and portable__cross_out, where nothing else is said. */
#ifndef PORTABLE__STREAM_QUESTIONS_H
#define PORTABLE__STREAM_QUESTIONS_H

#include "../../internal/edge/base.h"

struct portable__stream_go {
  portable_status (*stream)(int32_t device, int32_t *number_out, uint64_t *stack_out);
  /* device: 1 where the count lags behind a device, which must be asked. */
  void (*depend)(void *stream, uint64_t *done, int32_t device, uint64_t number, uintptr_t *addresses, size_t count);
  portable_status (*depend_open)(void *stream, uint64_t *done, int32_t device, portable_stream handle, uintptr_t address);
};
extern const struct portable__stream_go portable__stream_go;

#endif
