/* questions.h - this room's questions to Go. capi/questions.c fills the table when the archive is
 * linked; in a program of this room alone it is empty. Private. Call it only between
 * portable__cross_in and portable__cross_out, unless a question says otherwise. */
#ifndef PORTABLE__EDGE_QUESTIONS_H
#define PORTABLE__EDGE_QUESTIONS_H

#include "base.h"

struct portable__edge_go {
  int32_t (*rank)(int32_t local);
};
extern const struct portable__edge_go portable__edge_go;

#endif
