/* questions.h - questions of this room to Go; capi/questions.c fills the table, else it is empty.
 * Asked between portable__cross_in and portable__cross_out, if no comment differs. */
#ifndef PORTABLE__LIVEOUT_QUESTIONS_H
#define PORTABLE__LIVEOUT_QUESTIONS_H

#include "../../internal/edge/base.h"

/* Facts of a call that Go cannot see; exec/liveouts.go has the same numbers and describes them. */
enum { PORTABLE__LIVEOUT_NEW = 1 << 0, PORTABLE__LIVEOUT_LIVE = 1 << 1, PORTABLE__LIVEOUT_KIND = 1 << 2, PORTABLE__LIVEOUT_NONE = 1 << 3 };

/* A call of a live-out that is not ordinary, as far as C has checked it. */
struct portable__liveout_asked {
  portable__text call, label, missing; /* NULL: the call has no label; no argument is NULL */
  portable_liveout liveout;
  uint32_t facts;
  int32_t kind, of; /* of the call; of the live-out */
  portable__text kind_name, of_name;
};

struct portable__liveout_go {
  portable_status (*refuse)(struct portable__liveout_asked *asked);
};
extern const struct portable__liveout_go portable__liveout_go;

#endif
