/* pools.c - the public functions of pools that other rooms of C call too: alloc, free, default, find, of a space. Each checks its pointers,
 * crosses into Go, and comes back. In C because they are entries. Threads: any. Not here: the other entries of pools (capi/portable.c), magazines. */
#include "front.h"
#include "questions.h"
#include "../../internal/edge/above.h"
#include "../../internal/guard/guard.h"
#include "../../internal/observe/tools.h"
#include "../../internal/edge/calls.h"
#include "../../internal/memcheck/memcheck.h"
#include "../../internal/team/team.h"

#include <string.h>

_Atomic uint32_t portable__unfenced;

/* Runs a call of Go between cross_in and cross_out; `status` is its answer. */
#define CROSS(call)                                             \
  do {                                                          \
    struct portable__crossing crossing;                         \
    status = portable__cross_in(&crossing);                     \
    if (status == PORTABLE_OK) status = (call), portable__cross_out(&crossing); \
  } while (0)

static portable_status null_out(const char *function) {
  return portable__fail(PORTABLE_ERR_ARG, "%s: an out pointer is NULL", function);
}

portable_status portable_pool_default(portable_pool *pool_out) {
  portable_status status;
  if (!pool_out) return null_out("portable_pool_default");
  *pool_out = 0;
  CROSS(portable__front_go.pool_default(pool_out));
  return status;
}

/* space 0: from the pool; else from that of the kind of memory, which *pool is then. */
static portable_status alloc(int32_t space, portable_pool *pool, size_t bytes, const char *label, void **ptr_out) {
  portable_status status;
  uintptr_t address = 0;
  int picked = portable__guard_options.picks && portable__guard_pick();
  *ptr_out = NULL;
  size_t room = portable__tool ? portable__tool_room(bytes) : bytes;
  PORTABLE__CALL("portable_pool_alloc"); /* an observer may fill the block */
  if (PORTABLE__UNLIKELY(portable__recording) && portable__above_graph.recording()) {
    portable__guard_picked = 0;
    return portable__above_graph.refuse("portable_pool_alloc", NULL, PORTABLE__GRAPH_ALLOCATION);
  }
  CROSS(portable__front_go.pool_alloc(space, pool, bytes, room, label, label ? strlen(label) : 0, &address));
  *ptr_out = (void *)address;
  if (portable__tool && address) portable__tool_alloc(*ptr_out, bytes);
  portable__guard_picked = 0;
  if ((atomic_load(&portable__watching_memory) || picked) && address)
    portable__watch_alloc(*pool, *ptr_out, bytes, label, label ? strlen(label) : 0);
  if (status == PORTABLE_OK && space >= PORTABLE_SPACE_DEVICE(0)) portable__crash_handlers(); /* as in portable_pool_of_space */
  return status;
}

portable_status portable_pool_alloc(portable_pool pool, size_t bytes, const char *label, void **ptr_out) {
  return ptr_out ? alloc(0, &pool, bytes, label, ptr_out) : null_out("portable_pool_alloc");
}

portable_status portable__fortran_space_alloc(int32_t space, size_t bytes, const char *label, portable_pool *pool_out, void **ptr_out) {
  *pool_out = 0;
  return alloc(space, pool_out, bytes, label, ptr_out);
}

/* In a crossing. */
static portable_status pool_free(portable_pool pool, void *ptr) {
  if (portable__tool) portable__tool_free(pool, ptr);
  return portable__front_go.pool_free(pool, (uintptr_t)ptr);
}

portable_status portable_pool_free(portable_pool pool, void *ptr) {
  portable_status status = PORTABLE_OK;
  if (ptr && pool && portable__watches(ptr)) portable__watch_free(pool, ptr);
  if (ptr) portable__free_begins(ptr);
  if (ptr) CROSS(pool_free(pool, ptr));
  if (status == PORTABLE_ERR_POINTER) portable__memcheck_bad_free(pool, ptr);
  return status == PORTABLE_ERR_FORK ? PORTABLE_OK : status;
}

portable_status portable_pool_find(portable_pool pool, const void *ptr, portable_block *block_out) {
  portable_status status;
  if (!block_out) return null_out("portable_pool_find");
  memset(block_out, 0, sizeof *block_out);
  block_out->struct_size = (uint32_t)sizeof *block_out;
  block_out->label = "";
  struct portable__thread *t = portable__thread_get();
  if (!t) return portable__fail(PORTABLE_ERR_FORK, "portable_pool_find: a forked child, or no memory for the thread's state");
  CROSS(portable__front_go.pool_find(pool, (uintptr_t)ptr, block_out, t->found, sizeof t->found));
  block_out->label = status == PORTABLE_OK ? t->found : "";
  return status;
}

portable_status portable__pool_of_memory(int32_t space, portable_pool *pool_out) {
  portable_status status;
  CROSS(portable__front_go.pool_of_space(space, pool_out));
  if (status == PORTABLE_OK && space >= PORTABLE_SPACE_DEVICE(0)) portable__crash_handlers(); /* an access on the host is reported by name */
  return status;
}

portable_status portable_pool_of_space(int32_t space, portable_pool *pool_out) {
  if (!pool_out) return portable__fail(PORTABLE_ERR_ARG, "portable_pool_of_space: pool_out is NULL");
  *pool_out = 0;
  if (space < 0)
    return portable__fail(PORTABLE_ERR_ARG, "portable_pool_of_space: space is %d; it is PORTABLE_SPACE_HOST, _PINNED, _MANAGED or _DEVICE(k)", (int)space);
  return portable__pool_of_memory(space, pool_out);
}

portable_status portable__give(void *ptr) {
  if (PORTABLE__LIKELY(ptr != NULL)) return portable__free(ptr);
  portable__fail(PORTABLE_ERR_POINTER, "the pointer is null: it was never allocated, or was deallocated and nullified already");
  portable__memcheck_bad_free(0, ptr);
  return PORTABLE_ERR_POINTER;
}
