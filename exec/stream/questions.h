/* questions.h - questions of this room to Go; capi/questions.c fills the table, else it is empty.
 * Asked between portable__cross_in and portable__cross_out, if no comment differs. */
#ifndef PORTABLE__STREAM_QUESTIONS_H
#define PORTABLE__STREAM_QUESTIONS_H

#include "../../internal/edge/base.h"

/* Facts of a call that Go cannot see; exec/streams.go has the same numbers and describes them. */
enum {
  PORTABLE__NAMES_STREAM = 1 << 0,
  PORTABLE__STREAM_LIVE = 1 << 1,
  PORTABLE__ENDS_STREAM = 1 << 2,
  PORTABLE__OWN_STREAM = 1 << 3,
  PORTABLE__STREAM_ENDS = 1 << 4,
  PORTABLE__NAMES_EVENT = 1 << 5,
  PORTABLE__EVENT_LIVE = 1 << 6,
  PORTABLE__CIRCLE = 1 << 7,
  PORTABLE__BUSY_INSIDE = 1 << 8,
  PORTABLE__NO_RECORD = 1 << 9,
};

/* A call of a stream or an event that is not ordinary, as far as C has checked it. */
struct portable__stream_asked {
  portable__text call, missing; /* missing: the argument that is NULL; NULL: none */
  portable_stream stream;
  portable_event event;
  uint32_t facts;
  int32_t default_of; /* the device whose internal default stream it is; 0: of none */
};

struct portable__stream_go {
  portable_status (*refuse)(struct portable__stream_asked *asked);
  portable_status (*no_thread)(portable_stream stream, int32_t reason);
  /* native: the program's stream of the driver, of a CUDA device; 0: a new one. */
  portable_status (*create)(int32_t device, int32_t kind, uintptr_t native, portable_stream *stream_out);
  portable_status (*create_default)(portable__text call, int32_t device, portable_stream *stream_out);
  /* device: 1 where the count lags behind a device, which must be asked. */
  void (*depend)(void *stream, uint64_t *done, int32_t device, uint64_t number, uintptr_t *addresses, size_t count);
  portable_status (*depend_open)(void *stream, uint64_t *done, int32_t device, portable_stream handle, uintptr_t address);
};
extern const struct portable__stream_go portable__stream_go;

/* Lets Go refuse the call; `otherwise` is its status where Go does not run. Without the lock of a stream. */
portable_status portable__stream_refused(struct portable__stream_asked asked, portable_status otherwise) PORTABLE__COLD;
#define PORTABLE__STREAM_REFUSED(otherwise, ...) portable__stream_refused((struct portable__stream_asked){__VA_ARGS__}, otherwise)

#endif
