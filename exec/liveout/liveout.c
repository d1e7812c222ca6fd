/* liveout.c - live-outs: a value in a block of the default pool, known by a handle. In C because a reduction that leaves its
 * result in one must not enter Go for it.
 *
 * The block makes the pool list a live-out that was forgotten; and it is gone with the pool, so a handle counts only in the run of
 * the library that it was made in. */
#include <string.h>

#include "liveout.h"
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

static portable_status no_liveout(const char *function, portable_liveout handle) {
  if (!handle) return portable__fail(PORTABLE_ERR_HANDLE, "%s: the live-out was not created, or it was destroyed; portable_liveout_create makes it", function);
  return portable__fail(PORTABLE_ERR_HANDLE, "%s: %#llx is not a live-out, or it was destroyed, or the library was stopped since", function,
                        (unsigned long long)handle);
}

portable_status portable__liveout_find(const char *function, portable_liveout liveout, int32_t kind, void **to_out) {
  struct liveout *l = find(liveout);
  if (!l) return no_liveout(function, liveout);
  if (l->kind != kind)
    return portable__fail(PORTABLE_ERR_ARG, "%s: the live-out is of the kind %s, not %s", function, portable__kind_name(l->kind),
                          portable__kind_name(kind));
  *to_out = l->value;
  return PORTABLE_OK;
}

portable_status portable__liveout_at(const char *function, portable_liveout liveout, void **to_out) {
  struct liveout *l = find(liveout);
  if (!l) return no_liveout(function, liveout);
  *to_out = l->value;
  return PORTABLE_OK;
}

/* Whoever reads or writes on the host comes after all launches; a kernel comes in the middle of its own. */
static portable_status wait_for_launches(void) { return portable__running_job || portable__queue_inside() ? PORTABLE_OK : portable__above_stream.fence(); }

/* Slots of earlier runs of the library, whose blocks are gone. */
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
  void *value = NULL;
  if (!label) label = "liveout";
  if (!liveout_out) return portable__fail(PORTABLE_ERR_ARG, "portable_liveout_create of '%s': liveout_out is NULL", label);
  *liveout_out = 0;
  PORTABLE__CALL("portable_liveout_create");
  size_t bytes = portable__kind_bytes(kind);
  if (bytes == 0) return portable__fail(PORTABLE_ERR_ARG, "portable_liveout_create of '%s': there is no kind %d", label, (int)kind);
  portable_status status = portable__alloc(BYTES, label, strlen(label), &value);
  if (status != PORTABLE_OK) {
    portable__name_error("portable_liveout_create", label, strlen(label));
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
  return portable__fail(PORTABLE_ERR_NOMEM, "portable_liveout_create of '%s': there are %d live-outs, or no memory for more", label,
                        PORTABLE__SLOTS_MAX);
}

portable_status portable_liveout_destroy(portable_liveout liveout) {
  if (!liveout) return PORTABLE_OK;
  PORTABLE__CALL("portable_liveout_destroy"); /* the run that find has seen goes on until the block is freed */
  if (!find(liveout)) return no_liveout("portable_liveout_destroy", liveout);
  portable_status status = wait_for_launches();
  struct liveout *l = portable__slot_retract(&table, liveout);
  if (!l) return no_liveout("portable_liveout_destroy", liveout); /* another thread was faster */
  void *value = l->value;
  portable__slot_give(&table, l);
  portable_status freed = portable__free(value);
  return status == PORTABLE_OK ? freed : status;
}

static portable_status copy(const char *function, portable_liveout liveout, int32_t kind, const void *from, void *to) {
  PORTABLE__CALL(function);
  void *value = NULL;
  if (!from && !to)
    return portable__fail(PORTABLE_ERR_ARG, "%s: the value's address is NULL", function);
  portable_status status = portable__liveout_find(function, liveout, kind, &value);
  if (status == PORTABLE_OK) status = wait_for_launches();
  if (status == PORTABLE_OK) memcpy(to ? to : value, to ? value : from, portable__kind_bytes(kind));
  return status;
}

portable_status portable_liveout_host_read(portable_liveout liveout, int32_t kind, void *value_out) {
  return copy("portable_liveout_host_read", liveout, kind, NULL, value_out);
}

portable_status portable_liveout_host_write(portable_liveout liveout, int32_t kind, const void *value) {
  return copy("portable_liveout_host_write", liveout, kind, value, NULL);
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
  if (!pointer_out) return portable__fail(PORTABLE_ERR_ARG, "portable_liveout_pointer: pointer_out is NULL");
  *pointer_out = NULL;
  return portable__liveout_find("portable_liveout_pointer", liveout, kind, pointer_out);
}
