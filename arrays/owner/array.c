/* array.c - owners: the holders of an array's memory. Main functions: portable__array_own, retain,
 * release. An owner is a slot (internal/handle/slots.h); each descriptor has its handle, so a stale
 * one is found. The thread that changes `there` from 1 to 0 frees the memory, but only in the run
 * that took it: the pools of an earlier run have ended. Lock: none, all fields that change are
 * atomic. Threads: any. */
#include "../../gator/front/front.h"
#include "../../internal/observe/tools.h"
#include "../../internal/team/team.h"
#include "questions.h"
#include "../../internal/edge/calls.h"

#include "../../internal/team/emulated.h"

#include <string.h>

#include "../../internal/team/hints.h"
#include "../../internal/handle/slots.h"

struct owner {
  struct portable__slot_head head;
  _Atomic int64_t holders;
  _Atomic int32_t there; /* 1: the memory is not freed */
  uint32_t run;          /* of the library; only with a block */
  portable_pool pool;    /* 0: the default one */
  void *block;           /* NULL: the memory is the program's own */
  void *data;
  int64_t elements;
  portable_array_end end;
  void *payload;
  uint64_t twin;         /* the twin with sides in this memory; 0: no twin */
};

#define PIECE_SHIFT 10 /* a million of them */

static struct portable__slot_table owners = PORTABLE__SLOT_TABLE_OF(PORTABLE__KIND_ARRAY, struct owner, PIECE_SHIFT);

static const portable_array none;

static uint32_t this_run(void) { return atomic_load_explicit(&portable__label_epoch, memory_order_relaxed); }

/* The memory can be used or freed. */
static int is_there(struct owner *o) {
  return atomic_load_explicit(&o->there, memory_order_acquire) && (!o->block || o->run == this_run());
}

portable_status portable__array_named(portable_status status, const char *function, const char *label) {
  if (PORTABLE__UNLIKELY(status != PORTABLE_OK)) portable__name_error(function, label, strlen(label));
  return status;
}

/* ---- refusals: Go writes the texts (arrays/refusal.go) ---- */

portable_status portable__array_missing(const char *function, const char *label, const char *argument) {
  portable_status status;
  PORTABLE__ARRAY_EXPLAINED(&status, function, label, PORTABLE_ERR_ARG, portable__owner_go.missing(argument));
  return status;
}

portable_status portable__array_unfit(const char *function, const char *label, int32_t why, uint64_t number, portable_status otherwise) {
  portable_status status;
  PORTABLE__ARRAY_EXPLAINED(&status, function, label, otherwise, portable__owner_go.unfit(why, number));
  return status;
}

int32_t portable__array_owner_state(uint64_t owner) {
  struct owner *o = owner ? portable__slot_find(&owners, owner) : NULL;
  if (!o) return owner ? PORTABLE__OWNER_RELEASED : PORTABLE__OWNER_HELD;
  return is_there(o) ? PORTABLE__OWNER_HELD : atomic_load(&o->there) ? PORTABLE__OWNER_STOPPED : PORTABLE__OWNER_DEALLOCATED;
}

/* far: the code of the call cannot access the elements; device: of a launch, or NULL. */
static PORTABLE__COLD portable_status refuse(const char *function, const portable_array *a, int far, const char *device) {
  struct portable__array_refusal r = {.none = !a, .most = (uint32_t)sizeof *a, .far = far, .device = device};
  portable_status status, otherwise = PORTABLE_ERR_ARG;
  char label[PORTABLE_ARRAY_LABEL] = "";
  if (a && (r.size = a->struct_size) == sizeof *a) {
    r.rank = a->rank;
    r.space = a->space;
    r.owner = portable__array_owner_state(a->owner);
    if (r.owner) otherwise = r.owner == PORTABLE__OWNER_RELEASED ? PORTABLE_ERR_HANDLE : PORTABLE_ERR_STATE;
    if (a->rank >= 0 && a->rank <= PORTABLE_ARRAY_RANK) memcpy(label, a->label, sizeof label - 1);
  }
  PORTABLE__ARRAY_EXPLAINED(&status, function, label, otherwise, portable__owner_go.array_refused(&r));
  return status;
}

static inline int live(const portable_array *a) {
  if (PORTABLE__UNLIKELY(!a || a->struct_size != sizeof *a || a->rank < 0 || a->rank > PORTABLE_ARRAY_RANK)) return 0;
  if (!a->owner) return 1;
  struct owner *o = portable__slot_find(&owners, a->owner);
  return PORTABLE__LIKELY(o && is_there(o));
}

portable_status portable__array_live(const char *function, const portable_array *array) {
  return PORTABLE__LIKELY(live(array)) ? PORTABLE_OK : refuse(function, array, 0, NULL);
}

portable_status portable__array_reached(const char *function, const portable_array *array) {
  portable_status status = portable__array_live(function, array);
  if (status == PORTABLE_OK && PORTABLE__UNLIKELY(array->space >= PORTABLE_SPACE_DEVICE(0)) && !portable__array_emulated(array->space))
    return refuse(function, array, 1, NULL);
  return status;
}

portable_status portable__array_touched(const char *function, const portable_array *array) {
  portable_status status = portable__array_live(function, array);
  if (status == PORTABLE_OK && PORTABLE__UNLIKELY(array->space >= PORTABLE_SPACE_DEVICE(0)) &&
      !(portable__array_emulated(array->space) && portable__emulated_is_open()))
    return refuse(function, array, 1, NULL);
  return status;
}

portable_status portable__array_launched(const char *function, const portable_array *array, const portable_launch_config *config) {
  portable_status status = portable__array_live(function, array);
  if (status != PORTABLE_OK || PORTABLE__LIKELY(array->space < PORTABLE_SPACE_DEVICE(0))) return status;
  if (!portable__array_emulated(array->space)) return portable__array_copied(array->space) ? PORTABLE_OK : refuse(function, array, 1, NULL);
  portable_device device = config && config->stream ? portable_stream_device(config->stream) : config && config->device ? config->device : portable_default_device();
  if (device <= 0 || device == portable__emulated_number()) return PORTABLE_OK; /* the launch refuses an invalid device */
  return refuse(function, array, 1, portable_device_name(device));
}

int32_t portable_array_is_allocated(const portable_array *array) { return live(array) && (array->data || !portable_array_size(array)); }

/* ---- owners ---- */

/* Each thread keeps a spare owner, so that making and releasing a work array takes no lock. */
static struct owner *take(void) {
  struct portable__thread *t = portable__self;
  struct owner *o = t ? t->spare_owner : NULL;
  if (PORTABLE__UNLIKELY(!o)) return portable__slot_take(&owners);
  t->spare_owner = NULL;
  return o;
}

static void give(struct owner *o) {
  struct portable__thread *t = portable__self;
  if (PORTABLE__LIKELY(t && !t->spare_owner && !portable__slot_worn(o)))
    t->spare_owner = o;
  else
    portable__slot_give(&owners, o);
}

portable_status portable__array_own(const char *function, const portable_array_config *config, void *block, portable_array *a) {
  struct owner *o = take();
  if (PORTABLE__UNLIKELY(!o))
    return portable__fail(PORTABLE_ERR_NOMEM, "%s of '%s': there are %d arrays with owners, or no memory for more", function, a->label,
                          PORTABLE__SLOT_PIECES << PIECE_SHIFT);
  atomic_store_explicit(&o->holders, 1, memory_order_relaxed);
  atomic_store_explicit(&o->there, 1, memory_order_relaxed);
  o->run = this_run();
  o->pool = config->pool;
  o->block = block;
  o->data = a->data;
  o->elements = config->end ? portable_array_size(a) : 0;
  o->end = config->end;
  o->payload = config->payload;
  o->twin = 0;
  a->owner = portable__slot_publish(&owners, o);
  return PORTABLE_OK;
}

portable_status portable__array_give_block(portable_pool pool, void *block) {
  return pool ? portable_pool_free(pool, block) : portable__free(block);
}

/* Called before another thread can have the array. */
void portable__array_twin_set(const portable_array *a, uint64_t twin) {
  struct owner *o = portable__slot_find(&owners, a->owner);
  if (o) o->twin = twin;
}

uint64_t portable__array_twin(const portable_array *a) {
  struct owner *o = a->owner ? portable__slot_find(&owners, a->owner) : NULL;
  return o ? o->twin : 0;
}

/* Frees the memory, once. */
static portable_status give_back(struct owner *o) {
  int32_t there = 1;
  int usable = is_there(o);
  if (!atomic_compare_exchange_strong(&o->there, &there, 0) || !usable) return PORTABLE_OK;
  if (o->end) PORTABLE__CALLBACK(o->end(o->data, o->elements, o->payload));
  return o->block ? portable__array_give_block(o->pool, o->block) : PORTABLE_OK;
}

/* The test of the run and the free belong to one call, because a stop of the library ends the pools. A release during a stop is admitted late: a
 * refusal would leak the block. */
static portable_status give_back_block(struct owner *o) {
  __attribute__((cleanup(portable__call_end))) portable__call_scope scope;
  int admitted = portable__call_begin(&scope) || portable__call_begin_late(&scope);
  return admitted ? give_back(o) : PORTABLE_OK;
}

/* Here and below, function and label ("": only a handle is known) are for texts. */
static PORTABLE__COLD portable_status no_owner(const char *function, const char *label, portable_array_owner owner) {
  return portable__array_unfit(function, label, PORTABLE__UNFIT_OWNER, owner, PORTABLE_ERR_HANDLE);
}

static portable_status retain(const char *function, const char *label, portable_array_owner owner) {
  if (!owner) return PORTABLE_OK;
  struct owner *o = portable__slot_find(&owners, owner);
  int64_t n = o ? atomic_load_explicit(&o->holders, memory_order_relaxed) : 0;
  while (n > 0)
    if (atomic_compare_exchange_weak_explicit(&o->holders, &n, n + 1, memory_order_relaxed, memory_order_relaxed)) return PORTABLE_OK;
  return no_owner(function, label, owner);
}

static portable_status release(const char *function, const char *label, portable_array_owner owner) {
  if (!owner) return PORTABLE_OK;
  struct owner *o = portable__slot_find(&owners, owner);
  int64_t n = o ? atomic_load_explicit(&o->holders, memory_order_relaxed) : 0;
  if (o) portable__hint_release(&o->holders, portable__tool);
  while (n > 0) {
    if (!atomic_compare_exchange_weak_explicit(&o->holders, &n, n - 1, memory_order_acq_rel, memory_order_relaxed)) continue;
    if (n > 1) return PORTABLE_OK;
    portable__hint_acquire(&o->holders, portable__tool); /* accesses of other holders come before the free */
    portable_status status = o->block ? give_back_block(o) : give_back(o);
    portable__slot_retract(&owners, owner);
    give(o);
    return status;
  }
  return no_owner(function, label, owner);
}

/* The caller stops being a holder; the owner lives until the other holders release it. */
static portable_status deallocate(const char *function, const char *label, portable_array_owner owner) {
  if (!owner) return PORTABLE_OK;
  struct owner *o = portable__slot_find(&owners, owner);
  if (!o) return no_owner(function, label, owner);
  if (!atomic_load(&o->there))
    return portable__array_unfit(function, label, PORTABLE__UNFIT_GIVEN_BACK, owner, PORTABLE_ERR_STATE);
  portable_status status = o->block ? give_back_block(o) : give_back(o), released = release(function, label, owner);
  return status == PORTABLE_OK ? released : status;
}

portable_status portable_array_owner_retain(portable_array_owner owner) { return retain("portable_array_owner_retain", "", owner); }
portable_status portable_array_owner_release(portable_array_owner owner) { return release("portable_array_owner_release", "", owner); }
portable_status portable_array_owner_deallocate(portable_array_owner owner) { return deallocate("portable_array_owner_deallocate", "", owner); }

int64_t portable_array_owner_use_count(portable_array_owner owner) {
  struct owner *o = owner ? portable__slot_find(&owners, owner) : NULL;
  return o ? atomic_load_explicit(&o->holders, memory_order_relaxed) : 0;
}

/* ---- holders ---- */

portable_status portable_array_retain(const portable_array *array) {
  if (!array || array->struct_size == 0) return refuse("portable_array_retain", array, 0, NULL);
  return retain("portable_array_retain", array->label, array->owner);
}

/* A hold ends also where the block could not be freed, because its pool was destroyed: the handle is free for another array. */
static portable_status released(portable_array *array, int held, portable_status status, const char *function) {
  if (PORTABLE__UNLIKELY(status != PORTABLE_OK)) status = portable__array_named(status, function, array->label);
  if (PORTABLE__LIKELY(status == PORTABLE_OK) || held) *array = none;
  return status;
}

portable_status portable_array_release(portable_array *array) {
  if (!array || array->struct_size == 0) return PORTABLE_OK;
  const int held = portable_array_owner_use_count(array->owner) > 0;
  return released(array, held, release("portable_array_release", array->label, array->owner), "portable_array_release");
}

int64_t portable_array_use_count(const portable_array *array) { return array ? portable_array_owner_use_count(array->owner) : 0; }

portable_status portable_array_deallocate(portable_array *array) {
  if (!array) return refuse("portable_array_deallocate", array, 0, NULL);
  if (array->struct_size == 0) return PORTABLE_OK;
  const int held = portable_array_owner_use_count(array->owner) > 0;
  portable_status status = deallocate("portable_array_deallocate", array->label, array->owner);
  return released(array, held && status != PORTABLE_ERR_STATE, status, "portable_array_deallocate");
}
