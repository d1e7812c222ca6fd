/* questions.h - this room's questions to Go. capi/questions.c fills the table when the archive is
 * linked; in a program of this room alone it is empty. Private. Call it only between
 * portable__cross_in and portable__cross_out, unless a question says otherwise. */
#ifndef PORTABLE__OBSERVE_QUESTIONS_H
#define PORTABLE__OBSERVE_QUESTIONS_H

#include "../edge/base.h"

struct portable__observe_go {
  void (*settle)(portable_pool pool, uintptr_t addr); /* waits for the streams that the block at addr depends on */
  portable_status (*pool_default)(portable_pool *out);
  portable_status (*pool_find)(portable_pool pool, uintptr_t addr, portable_block *out, char *label, size_t room);
  /* 1: a live block of the pool (0: the default one) begins at the address; *out and label describe it. */
  int32_t (*block_starts)(portable_pool pool, uintptr_t addr, portable_block *out, char *label, size_t room);
  /* 1: the address is in a slab of a pool, whose name goes into name[room], but in no live block. */
  int32_t (*freed)(uintptr_t addr, char *name, size_t room);
  portable_status (*hook_refused)(int32_t has_out, int32_t has_function, uint32_t events); /* portable_hook_add */
  portable_status (*checks_refused)(uint32_t checks); /* portable_set_checks, without what the run has on anyway */
  void (*warn)(portable__text text, size_t bytes);
};
extern const struct portable__observe_go portable__observe_go;

#endif
