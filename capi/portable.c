/* portable.c - the public functions that start and stop the library, make pools and query them.
 * Each checks its pointers, crosses into Go, and returns. Not here: pools for other rooms
 * (gator/front/pools.c), the fast path (magazine.c). */
#include "entry.h"
#include "questions.h"
#include "../exec/graph/graph.h"
#include "../exec/stream/stream.h"
#include "../exec/timer/timer.h"
#include "../gator/front/front.h"
#include "../internal/memcheck/memcheck.h"
#include "../internal/edge/calls.h"
#include "../exec/stream/uses.h"
#include "../internal/observe/watch.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Runs a call of Go between cross_in and cross_out; `status` is its answer. */
#define CROSS(call)                                             \
  do {                                                          \
    struct portable__crossing crossing;                         \
    status = portable__cross_in(&crossing);                     \
    if (status == PORTABLE_OK) {                                \
      status = (call);                                          \
      portable__cross_out(&crossing);                           \
    }                                                           \
  } while (0)

static portable_status null_out(const char *function) {
  return portable__fail(PORTABLE_ERR_ARG, "%s: an out pointer is NULL", function);
}

/* A worker of the team gets its state, and so its signal stack, before its first kernel can overflow the other one. */
static void thread_begins(void) { portable__thread_get(); }

static void team_is_short(int32_t wanted, int32_t made, int reason) {
  char text[256];
  int n = snprintf(text, sizeof text, "portable: warning: of %d threads for launches only %d could be made, the launching one included "
                   "(error %d, %s); see ulimit -u, ulimit -v and PORTABLE_STACKSIZE", (int)wanted, (int)made, reason, strerror(reason));
  if (n > 0 && portable_local_rank() <= 0) portable__print(text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1); /* once on a node */
}

portable_status portable__start(int32_t gator, const portable_config *config) {
  portable_status status;
  portable_config copy;
  if (config) {
    if (config->struct_size < 2 * sizeof(uint32_t) || config->struct_size > sizeof copy)
      return portable__fail(PORTABLE_ERR_ARG, "portable_init: config.struct_size is %u; begin with PORTABLE_CONFIG_INIT",
                            (unsigned)config->struct_size);
    memset(&copy, 0, sizeof copy);
    memcpy(&copy, config, config->struct_size);
    status = portable__check_version(copy.version);
    if (status != PORTABLE_OK) return status;
  }
  portable__thread_get();
  portable__team_thread_begins = thread_begins;
  portable__team_is_short = team_is_short;
  portable__team_kernel_left = portable__call_kernel_left;
  portable__fix_handlers();
  CROSS(portable__go_init(gator, config ? &copy : NULL));
  portable__watch_running();
  return status;
}

/* 1: in a kernel, or in a callback of a call in progress, which would wait for itself. */
static int inside_call(void) {
  return portable__calls_here() || portable__running_job;
}

portable_status portable__end(int32_t gator) {
  portable_status status;
  const char *name = gator ? "gator_finalize" : "portable_finalize";
  if (!atomic_load(&portable__forked) && inside_call())
    return portable__fail(PORTABLE_ERR_STATE, "%s: called inside a kernel, or in a callback of another call of the library; call it where nothing of the library "
                          "runs on this thread", name);
  do { /* without the lock of the instance, which a kernel in a stream may take; so new work may enter meanwhile */
    status = portable__streams_drain();
    if (status != PORTABLE_OK) return status;
    CROSS(portable__go_finalize(gator));
  } while (status == PORTABLE__BUSY);
  if (status == PORTABLE_OK) portable__timers_finalize();
  portable__watch_running();
  if (status == PORTABLE_OK) portable__graphs_give_up();
  return status;
}

portable_status portable_init(const portable_config *config) { return portable__start(0, config); }

portable_status portable_finalize(void) { return portable__end(0); }

/* Called at the exit of a program without portable_init. Inside a kernel it is refused; the exit ends the kernel. */
static void end_ensured(void) {
  if (portable_is_initialized()) portable_finalize();
}

portable_status portable_ensure(void) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static int ends;
  if (PORTABLE__LIKELY(portable_is_initialized())) return PORTABLE_OK;
  pthread_mutex_lock(&lock);
  portable_status status = portable_is_initialized() ? PORTABLE_OK : portable_init(NULL);
  if (status == PORTABLE_OK && !ends) ends = atexit(end_ensured) == 0;
  pthread_mutex_unlock(&lock);
  return status;
}

void portable__break(void) {
  atomic_store(&portable__broken, 1);
  atomic_store(&portable__slab_count, 0);
}

/* A new run of the library has new numbers for labels. */
void portable__set_running(int32_t running) {
  atomic_fetch_add(&portable__label_epoch, 1);
  if (!running) portable__hash_run_ends();
  atomic_store(&portable__running, running);
  portable__timers_running(running);
}

portable_status portable__fortran_init(int32_t version, const portable_config *config) {
  portable_status status = portable__check_version(version);
  return status == PORTABLE_OK ? portable__start(1, config) : status;
}

portable_status portable__fortran_finalize(void) { return portable__end(1); }

uint32_t portable_run_number(void) { return portable_is_initialized() ? atomic_load(&portable__label_epoch) : 0; }

portable_status portable_set_rank(int32_t rank, int32_t local_rank) {
  portable_status status;
  CROSS(portable__go_set_rank(rank, local_rank));
  if (status == PORTABLE_OK) atomic_store(&portable__crash_rank, rank);
  return status;
}

portable_status portable_alloc(size_t bytes, const char *label, void **ptr_out) {
  if (!ptr_out) return null_out("portable_alloc");
  return portable__alloc(bytes, label, label ? strlen(label) : 0, ptr_out);
}

portable_status portable_free(void *ptr) { return ptr ? portable__free(ptr) : PORTABLE_OK; }

portable_status portable_pool_create(const portable_pool_config *config, portable_pool *pool_out) {
  portable_status status;
  portable_pool_config copy;
  if (!pool_out) return null_out("portable_pool_create");
  *pool_out = 0;
  memset(&copy, 0, sizeof copy);
  if (config) {
    if (config->struct_size < sizeof(uint32_t) || config->struct_size > sizeof copy)
      return portable__fail(PORTABLE_ERR_ARG, "portable_pool_create: config.struct_size is %u; begin with "
                            "PORTABLE_POOL_CONFIG_INIT", (unsigned)config->struct_size);
    memcpy(&copy, config, config->struct_size);
  }
  if (copy.space < 0 || (copy.space && copy.alloc) || copy.reserved_2 != 0)
    return portable__fail(PORTABLE_ERR_ARG, "portable_pool_create: config.space is %d%s; it is PORTABLE_SPACE_HOST, _PINNED, _MANAGED or _DEVICE(k) of a pool "
                          "without functions of its own; begin with PORTABLE_POOL_CONFIG_INIT", (int)copy.space, copy.alloc ? " together with alloc" : "");
  if (copy.reserved != 0)
    return portable__fail(PORTABLE_ERR_ARG, "portable_pool_create: config.reserved is %u; it is 0 in this version: begin with "
                          "PORTABLE_POOL_CONFIG_INIT", (unsigned)copy.reserved);
  if (!copy.alloc != !copy.free)
    return portable__fail(PORTABLE_ERR_ARG, "portable_pool_create: %s is NULL and the other is not; give both, or none for "
                          "memory of the host", copy.alloc ? "free" : "alloc");
  CROSS(portable__go_pool_create(&copy, pool_out));
  if (portable__watched_by() && status == PORTABLE_OK && copy.alloc) portable__hash_foreign(*pool_out);
  if (portable__watched_by() && status == PORTABLE_OK) portable__watch_pool(1, *pool_out, copy.name ? copy.name : "pool");
  return status;
}

portable_status portable_pool_destroy(portable_pool pool) {
  portable_status status = PORTABLE_OK;
  if (pool && atomic_load(&portable__unfenced) & PORTABLE__NOTED) portable__uses_tell();
  const int watched = pool && portable__watched_by();
  const int hidden = PORTABLE__UNLIKELY(watched) && portable__hash_pool_ends(pool);
  if (pool) CROSS(portable__go_pool_destroy(pool, portable__streams_inside()));
  if (PORTABLE__UNLIKELY(hidden) && status != PORTABLE_OK) portable__hash_pool_stays(pool);
  if (portable__watched_by() && pool && status == PORTABLE_OK) portable__watch_pool(0, pool, NULL);
  return status;
}

portable_status portable_pool_of(const void *address, portable_pool *pool_out) {
  portable_status status;
  if (!pool_out) return null_out("portable_pool_of");
  *pool_out = 0;
  CROSS(portable__go_pool_of((uintptr_t)address, pool_out));
  return status;
}

portable_status portable_pool_trim(portable_pool pool, uint64_t *released_out) {
  portable_status status;
  uint64_t released = 0;
  CROSS(portable__go_pool_trim(pool, &released));
  if (released_out) *released_out = status == PORTABLE_OK ? released : 0;
  return status;
}

portable_status portable_pool_check(portable_pool pool) {
  portable_status status;
  CROSS(portable__go_pool_check(pool));
  return status;
}

portable_status portable_pool_stats(portable_pool pool, portable_stats *stats_out) {
  portable_status status;
  portable_stats stats;
  if (!stats_out) return null_out("portable_pool_stats");
  uint32_t size = stats_out->struct_size;
  if (size < sizeof size || size > sizeof stats)
    return portable__fail(PORTABLE_ERR_ARG, "portable_pool_stats: stats.struct_size is %u; set it to sizeof(portable_stats)",
                          (unsigned)size);
  memset(&stats, 0, sizeof stats);
  CROSS(portable__go_pool_stats(pool, &stats));
  stats.struct_size = size;
  memcpy(stats_out, &stats, size);
  return status;
}

portable_status portable_pool_list(portable_pool pool, portable_block_visitor visit, void *payload) {
  portable_status status;
  portable_block *blocks = NULL;
  size_t count = 0;
  if (!visit) return portable__fail(PORTABLE_ERR_ARG, "portable_pool_list: visit is NULL");
  CROSS(portable__go_pool_list(pool, &blocks, &count));
  for (size_t i = 0; i < count; i++) /* outside Go, so that the visitor may call the library */
    if (visit(&blocks[i], payload)) break;
  free(blocks);
  return status;
}

portable_status portable_pool_report(portable_pool pool, char *text, size_t bytes, size_t *needed_out) {
  portable_status status;
  size_t needed = 0;
  if (bytes > 0) {
    if (!text) return null_out("portable_pool_report");
    text[0] = '\0';
  }
  CROSS(portable__go_pool_report(pool, text, bytes, &needed));
  if (needed_out) *needed_out = needed;
  return status;
}

const struct portable__above_capi portable__above_capi = {.tell_fault = portable__tell_fault};
