/* liveout.c - live-outs: finds the address of a value, creates and destroys its block of the
 * default pool, reads and writes it on the host. Main function: portable__liveout_find.
 * exec/liveouts.go has their life and refusals. Lock: one for the release of slots of earlier runs.
 * Threads: any. */
#include <string.h>

#include "liveout.h"
#include "questions.h"
#include "../../gator/front/front.h"
#include "../../internal/team/team.h"
#include "../../internal/kernels/reduction/partial.h"
#include "../../internal/edge/calls.h"
#include "../../internal/handle/slots.h"

#define BYTES 64 /* a cache line, so that two live-outs never share one */

struct liveout {
  struct portable__slot_head head;
  int32_t kind;
  uint32_t run; /* of the library */
  void *value;
};

static struct portable__slot_table table = PORTABLE__SLOT_TABLE(PORTABLE__KIND_LIVEOUT, struct liveout);

static uint32_t this_run(void) { return atomic_load_explicit(&portable__label_epoch, memory_order_relaxed); }

static struct liveout *find(portable_liveout handle) {
  struct liveout *l = portable__slot_find(&table, handle);
  return l && l->run == this_run() ? l : NULL;
}

static PORTABLE__COLD portable_status refused(struct portable__liveout_asked asked, portable_status otherwise) {
  portable_status status;
  asked.kind_name = portable__kind_name(asked.kind);
  asked.of_name = portable__kind_name(asked.of);
  PORTABLE__EXPLAINED(&status, asked.call, asked.label, otherwise, portable__liveout_go.refuse(&asked));
  return status;
}
#define REFUSED(otherwise, ...) refused((struct portable__liveout_asked){__VA_ARGS__}, otherwise)

portable_status portable__liveout_find(const char *function, portable_liveout liveout, int32_t kind, void **to_out) {
  struct liveout *l = find(liveout);
  if (PORTABLE__UNLIKELY(!l || l->kind != kind))
    return REFUSED(l ? PORTABLE_ERR_ARG : PORTABLE_ERR_HANDLE, .call = function, .liveout = liveout, .kind = kind, .of = l ? l->kind : 0,
                   .facts = PORTABLE__LIVEOUT_KIND | (l ? PORTABLE__LIVEOUT_LIVE : 0));
  *to_out = l->value;
  return PORTABLE_OK;
}

portable_status portable__liveout_at(const char *function, portable_liveout liveout, void **to_out) {
  struct liveout *l = find(liveout);
  if (PORTABLE__UNLIKELY(!l)) return REFUSED(PORTABLE_ERR_HANDLE, .call = function, .liveout = liveout);
  *to_out = l->value;
  return PORTABLE_OK;
}

/* The host reads and writes after all launches; a kernel is in the middle of its own stream. */
static portable_status wait_for_launches(void) {
  return portable__running_job || portable__queue_inside() ? PORTABLE_OK : portable__above_stream.fence();
}

/* Releases slots of earlier runs of the library, which has released their blocks. */
static void forget_earlier_runs(void) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static uint32_t swept;
  portable_liveout handle;
  pthread_mutex_lock(&lock);
  for (uint32_t i = 0; swept != this_run() && i < portable__slot_count(&table); i++) {
    struct liveout *l = portable__slot_at(&table, i, &handle);
    if (l && l->run != this_run() && portable__slot_retract(&table, handle)) portable__slot_give(&table, l);
  }
  swept = this_run();
  pthread_mutex_unlock(&lock);
}

portable_status portable_liveout_create(const char *label, int32_t kind, const void *initial, portable_liveout *liveout_out) {
  static const char function[] = "portable_liveout_create";
  void *value = NULL;
  if (!label) label = "liveout";
  if (!liveout_out) return REFUSED(PORTABLE_ERR_ARG, .call = function, .label = label, .missing = "liveout_out", .facts = PORTABLE__LIVEOUT_NEW);
  *liveout_out = 0;
  PORTABLE__CALL(function);
  size_t bytes = portable__kind_bytes(kind);
  if (bytes == 0) return REFUSED(PORTABLE_ERR_ARG, .call = function, .label = label, .kind = kind, .facts = PORTABLE__LIVEOUT_NEW);
  portable_status status = portable__alloc(BYTES, label, strlen(label), &value);
  if (status != PORTABLE_OK) {
    portable__name_error(function, label, strlen(label));
    return status;
  }
  memset(value, 0, BYTES);
  if (initial) memcpy(value, initial, bytes);
  forget_earlier_runs();
  struct liveout *l = portable__slot_take(&table);
  if (l) {
    l->kind = kind;
    l->run = this_run();
    l->value = value;
    *liveout_out = portable__slot_publish(&table, l);
  }
  if (l) return PORTABLE_OK;
  portable__free(value);
  return REFUSED(PORTABLE_ERR_NOMEM, .call = function, .label = label, .kind = kind, .facts = PORTABLE__LIVEOUT_NEW | PORTABLE__LIVEOUT_NONE);
}

portable_status portable_liveout_destroy(portable_liveout liveout) {
  if (!liveout) return PORTABLE_OK;
  static const char function[] = "portable_liveout_destroy";
  PORTABLE__CALL(function); /* keeps the library running until the block is freed */
  if (!find(liveout)) return REFUSED(PORTABLE_ERR_HANDLE, .call = function, .liveout = liveout);
  portable_status status = wait_for_launches();
  struct liveout *l = portable__slot_retract(&table, liveout);
  if (!l) return REFUSED(PORTABLE_ERR_HANDLE, .call = function, .liveout = liveout); /* another thread was faster */
  void *value = l->value;
  portable__slot_give(&table, l);
  portable_status freed = portable__free(value);
  return status == PORTABLE_OK ? freed : status;
}

static portable_status copy(const char *function, const char *missing, portable_liveout liveout, int32_t kind, const void *from, void *to) {
  PORTABLE__CALL(function);
  void *value = NULL;
  if (!from && !to) return REFUSED(PORTABLE_ERR_ARG, .call = function, .missing = missing);
  portable_status status = portable__liveout_find(function, liveout, kind, &value);
  if (status == PORTABLE_OK) status = wait_for_launches();
  if (status == PORTABLE_OK) memcpy(to ? to : value, to ? value : from, portable__kind_bytes(kind));
  return status;
}

portable_status portable_liveout_host_read(portable_liveout liveout, int32_t kind, void *value_out) {
  return copy("portable_liveout_host_read", "value_out", liveout, kind, NULL, value_out);
}

portable_status portable_liveout_host_write(portable_liveout liveout, int32_t kind, const void *value) {
  return copy("portable_liveout_host_write", "value", liveout, kind, value, NULL);
}

#define TYPED(name, type, number) \
  portable_status portable_liveout_host_read_##name(portable_liveout liveout, type *value_out) { \
    return portable_liveout_host_read(liveout, number, value_out); \
  } \
  portable_status portable_liveout_host_write_##name(portable_liveout liveout, type value) { \
    return portable_liveout_host_write(liveout, number, &value); \
  }
TYPED(int32, int32_t, PORTABLE_KIND_INT32)
TYPED(int64, int64_t, PORTABLE_KIND_INT64)
TYPED(real32, float, PORTABLE_KIND_REAL32)
TYPED(real64, double, PORTABLE_KIND_REAL64)

portable_status portable_liveout_pointer(portable_liveout liveout, int32_t kind, void **pointer_out) {
  if (!pointer_out) return REFUSED(PORTABLE_ERR_ARG, .call = "portable_liveout_pointer", .missing = "pointer_out");
  *pointer_out = NULL;
  return portable__liveout_find("portable_liveout_pointer", liveout, kind, pointer_out);
}
