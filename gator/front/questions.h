/* questions.h - what this room asks Go. capi/questions.c fills the table, when the archive is linked; in a program of this room alone it is empty.
 * Private. Only between portable__cross_in and portable__cross_out, where nothing else is said. */
#ifndef PORTABLE__FRONT_QUESTIONS_H
#define PORTABLE__FRONT_QUESTIONS_H

#include "../../internal/edge/base.h"

struct portable__front_go {
  int32_t (*strict)(void);
  int32_t (*serve)(void);
  int32_t (*serve_watch)(void); /* 1: memory is checked */
  void (*served)(void);
  portable_status (*alloc)(size_t bytes, size_t room, portable__text label, size_t label_bytes, uintptr_t *out);
  portable_status (*free)(uintptr_t addr);
  uint32_t (*label)(portable__text label, size_t label_bytes);
  void (*spill)(int32_t shelf, int32_t class_number);
  portable_status (*pool_default)(portable_pool *out);
  portable_status (*pool_of_space)(int32_t space, portable_pool *pool_out);
  portable_status (*pool_alloc)(int32_t space, portable_pool *pool, size_t bytes, size_t room, portable__text label, size_t label_bytes, uintptr_t *out);
  portable_status (*pool_free)(portable_pool pool, uintptr_t addr);
  portable_status (*pool_find)(portable_pool pool, uintptr_t addr, portable_block *out, char *label, size_t room);
};
extern const struct portable__front_go portable__front_go;

#endif
