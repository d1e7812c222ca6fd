/* questions.h - questions of this room to Go; capi/questions.c fills the table, else it is empty.
 * Asked between portable__cross_in and portable__cross_out, if no comment differs. */
#ifndef PORTABLE__RACE_QUESTIONS_H
#define PORTABLE__RACE_QUESTIONS_H

#include "race.h"

struct portable__race_go {
  /* A launch is checked: the stamp of its first iteration; 0: it has too many. */
  int64_t (*begin)(portable__text label, size_t label_bytes, int64_t iterations);
  void (*cells)(struct portable__race_array *arrays, int32_t count); /* gives those their cells that have none */
  /* 1: no two iterations of the space race by the references (portable__race_apart). */
  int32_t (*apart)(struct portable__race_array *arrays, int32_t count, struct portable__race_reference *references, int32_t references_count,
                   struct portable__cut *space);
  /* Reports a race that is new in this launch, and gives the number of its pair of lines. text: of a race that is new in this run, else "". */
  int32_t (*found)(struct portable__race_found *f, char *text, size_t room);
  void (*counted)(int32_t number, int64_t elements); /* at the end of a launch */
  void (*unchecked)(portable__text label, size_t label_bytes);
};
extern const struct portable__race_go portable__race_go;

#endif
