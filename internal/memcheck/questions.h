/* questions.h - this room's questions to Go. capi/questions.c fills the table when the archive is
 * linked; in a program of this room alone it is empty. Private. Call it only between
 * portable__cross_in and portable__cross_out, unless a question says otherwise. */
#ifndef PORTABLE__MEMCHECK_QUESTIONS_H
#define PORTABLE__MEMCHECK_QUESTIONS_H

#include "../edge/base.h"

struct portable__memcheck_go {
  portable_status (*pool_default)(portable_pool *out);
  void (*left)(void); /* tells portable__memcheck_left of all */
  int32_t (*holds)(uintptr_t addr); /* 1: a live block of any pool holds it */
  portable_status (*pool_find)(portable_pool pool, uintptr_t addr, portable_block *out, char *label, size_t room);
  /* 1: the address is in a slab of a pool, whose name goes into name[room], but in no live block. */
  int32_t (*freed)(uintptr_t addr, char *name, size_t room);
};
extern const struct portable__memcheck_go portable__memcheck_go;

#endif
