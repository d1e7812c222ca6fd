/* array.c - arrays and who holds their memory. In C because retain and release must not cost a call into Go; see array.h.
 *
 * An owner is a slot (slots.h): its handle, in every descriptor of the memory, is recognised when it is gone. The memory is given
 * back by whoever changes `there` from 1 to 0: the last holder, or portable_array_deallocate, and only in the run of the library that
 * it was taken in; the pools of an earlier one are gone. Threads: any; a descriptor is its user's to guard. */
#include "array.h"

#include <string.h>

#include "../internal/kernels/partial.h"
#include "slots.h"

struct owner {
  struct portable__slot_head head;
  _Atomic int64_t holders;
  _Atomic int32_t there; /* 1: the memory was not given back */
  uint32_t run;          /* of the library; counts where there is a block */
  portable_pool pool;    /* 0: the default one */
  void *block;           /* NULL: the memory is the program's own */
  void *data;
  int64_t elements;
  portable_array_end end;
  void *payload;
};

static struct portable__slot_table owners = PORTABLE__SLOT_TABLE_OF(PORTABLE__KIND_ARRAY, struct owner, 10);

#define ZERO_ALONE (1u << 20) /* bytes; more are set on the team, whose threads touch first what they will compute on */

static const portable_array none;

static uint32_t this_run(void) { return atomic_load_explicit(&portable__label_epoch, memory_order_relaxed); }

/* Its memory can be used, or given back. */
static int is_there(struct owner *o) {
  return atomic_load_explicit(&o->there, memory_order_acquire) && (!o->block || o->run == this_run());
}

portable_status portable__array_named(portable_status status, const char *function, const char *label) {
  if (PORTABLE__UNLIKELY(status != PORTABLE_OK)) portable__name_error(function, label, strlen(label));
  return status;
}

const char *portable__array_kind(int32_t kind) { return kind == PORTABLE_KIND_BYTES ? "bytes" : portable__kind_name(kind); }

/* ---- what is wrong with an array ---- */

static PORTABLE__COLD portable_status not_live(const char *function, const portable_array *a) {
  if (!a) return portable__fail(PORTABLE_ERR_ARG, "%s: the array is NULL", function);
  if (a->struct_size == 0)
    return portable__fail(PORTABLE_ERR_ARG, "%s: this is no array: it was never made, or was released; portable_array_create makes one", function);
  if (a->struct_size != sizeof *a || a->rank < 0 || a->rank > PORTABLE_ARRAY_RANK)
    return portable__fail(PORTABLE_ERR_ARG, "%s: this is no portable_array: its struct_size is %u, not %zu, or its rank is none; descriptors are made by "
                          "the functions of portable_array.h", function, (unsigned)a->struct_size, sizeof *a);
  struct owner *o = portable__slot_find(&owners, a->owner);
  if (!o)
    return portable__fail(PORTABLE_ERR_HANDLE, "%s of '%s': the last holder has released this array; who keeps a copy of a descriptor retains it",
                          function, a->label);
  if (!atomic_load(&o->there))
    return portable__fail(PORTABLE_ERR_STATE, "%s of '%s': the memory of this array was given back by portable_array_deallocate, while this holder "
                          "still had it", function, a->label);
  return portable__fail(PORTABLE_ERR_STATE, "%s of '%s': the library was stopped since this array was made, and its memory is gone", function,
                        a->label);
}

static inline int live(const portable_array *a) {
  if (PORTABLE__UNLIKELY(!a || a->struct_size != sizeof *a || a->rank < 0 || a->rank > PORTABLE_ARRAY_RANK)) return 0;
  if (!a->owner) return 1;
  struct owner *o = portable__slot_find(&owners, a->owner);
  return PORTABLE__LIKELY(o && is_there(o));
}

portable_status portable__array_live(const char *function, const portable_array *array) {
  return PORTABLE__LIKELY(live(array)) ? PORTABLE_OK : not_live(function, array);
}

portable_status portable__array_reached(const char *function, const portable_array *array) {
  portable_status status = portable__array_live(function, array);
  if (status == PORTABLE_OK && PORTABLE__UNLIKELY(array->space >= PORTABLE_SPACE_DEVICE(0)))
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': the array is in memory of device %d, which the host does not reach; make a host copy where the "
                          "device is, and use that", function, array->label, (int)(array->space - PORTABLE_SPACE_DEVICE(0)));
  return status;
}

int32_t portable_array_is_allocated(const portable_array *array) { return live(array) && (array->data || !portable_array_size(array)); }

/* ---- owners ---- */

static struct owner *new_owner(portable_pool pool, void *block, const portable_array_config *config, const portable_array *a,
                               portable_array_owner *owner_out) {
  struct owner *o = portable__slot_take(&owners);
  if (!o) return NULL;
  atomic_store_explicit(&o->holders, 1, memory_order_relaxed);
  atomic_store_explicit(&o->there, 1, memory_order_relaxed);
  o->run = this_run();
  o->pool = pool;
  o->block = block;
  o->data = a->data;
  o->elements = config->end ? portable_array_size(a) : 0;
  o->end = config->end;
  o->payload = config->payload;
  *owner_out = portable__slot_publish(&owners, o);
  return o;
}

static portable_status give_block(portable_pool pool, void *block) { return pool ? portable_pool_free(pool, block) : portable__free(block); }

/* Gives the memory back, once. */
static portable_status give_back(struct owner *o) {
  int32_t there = 1;
  int usable = is_there(o);
  if (!atomic_compare_exchange_strong(&o->there, &there, 0) || !usable) return PORTABLE_OK;
  if (o->end) o->end(o->data, o->elements, o->payload);
  return o->block ? give_block(o->pool, o->block) : PORTABLE_OK;
}

static PORTABLE__COLD portable_status no_owner(const char *function, portable_array_owner owner) {
  return portable__fail(PORTABLE_ERR_HANDLE, "%s: %#llx is nobody's: the last holder has released this array already", function,
                        (unsigned long long)owner);
}

static portable_status retain(const char *function, portable_array_owner owner) {
  if (!owner) return PORTABLE_OK;
  struct owner *o = portable__slot_find(&owners, owner);
  int64_t n = o ? atomic_load_explicit(&o->holders, memory_order_relaxed) : 0;
  while (n > 0)
    if (atomic_compare_exchange_weak_explicit(&o->holders, &n, n + 1, memory_order_relaxed, memory_order_relaxed)) return PORTABLE_OK;
  return no_owner(function, owner);
}

static portable_status release(const char *function, portable_array_owner owner) {
  if (!owner) return PORTABLE_OK;
  struct owner *o = portable__slot_find(&owners, owner);
  int64_t n = o ? atomic_load_explicit(&o->holders, memory_order_relaxed) : 0;
  while (n > 0) {
    if (!atomic_compare_exchange_weak_explicit(&o->holders, &n, n - 1, memory_order_acq_rel, memory_order_relaxed)) continue;
    if (n > 1) return PORTABLE_OK;
    portable_status status = give_back(o);
    portable__slot_retract(&owners, owner);
    portable__slot_give(&owners, o);
    return status;
  }
  return no_owner(function, owner);
}

/* The owner keeps its holders; what it was given back by is one of them no more. */
static portable_status deallocate(const char *function, portable_array_owner owner) {
  if (!owner) return PORTABLE_OK;
  struct owner *o = portable__slot_find(&owners, owner);
  if (!o) return no_owner(function, owner);
  if (!atomic_load(&o->there))
    return portable__fail(PORTABLE_ERR_STATE, "%s: the memory was given back by portable_array_deallocate already; a holder that is left releases", function);
  portable_status status = give_back(o), released = release(function, owner);
  return status == PORTABLE_OK ? released : status;
}

portable_status portable_array_owner_retain(portable_array_owner owner) { return retain("portable_array_owner_retain", owner); }
portable_status portable_array_owner_release(portable_array_owner owner) { return release("portable_array_owner_release", owner); }
portable_status portable_array_owner_deallocate(portable_array_owner owner) { return deallocate("portable_array_owner_deallocate", owner); }

int64_t portable_array_owner_use_count(portable_array_owner owner) {
  struct owner *o = owner ? portable__slot_find(&owners, owner) : NULL;
  return o ? atomic_load_explicit(&o->holders, memory_order_relaxed) : 0;
}

/* ---- holders ---- */

portable_status portable_array_retain(const portable_array *array) {
  if (!array || array->struct_size == 0) return not_live("portable_array_retain", array);
  portable_status status = portable_array_owner_retain(array->owner);
  return portable__array_named(status, "portable_array_retain", array->label);
}

portable_status portable_array_release(portable_array *array) {
  if (!array || array->struct_size == 0) return PORTABLE_OK;
  portable_status status = release("portable_array_release", array->owner);
  if (PORTABLE__UNLIKELY(status != PORTABLE_OK)) return portable__array_named(status, "portable_array_release", array->label);
  *array = none;
  return PORTABLE_OK;
}

int64_t portable_array_use_count(const portable_array *array) { return array ? portable_array_owner_use_count(array->owner) : 0; }

portable_status portable_array_deallocate(portable_array *array) {
  if (!array) return not_live("portable_array_deallocate", array);
  if (array->struct_size == 0) return PORTABLE_OK;
  portable_status status = deallocate("portable_array_deallocate", array->owner);
  if (PORTABLE__UNLIKELY(status != PORTABLE_OK)) return portable__array_named(status, "portable_array_deallocate", array->label);
  *array = none;
  return PORTABLE_OK;
}

/* ---- making ---- */

size_t portable__array_element_bytes(const char *function, const char *label, int32_t kind, size_t element_bytes) {
  size_t bytes = kind == PORTABLE_KIND_BYTES ? element_bytes : kind == PORTABLE_KIND_EXACT ? sizeof(portable_exact) : portable__kind_bytes(kind);
  if (kind == PORTABLE_KIND_BYTES ? bytes == 0 : bytes == 0 || (element_bytes && element_bytes != bytes)) {
    if (kind == PORTABLE_KIND_BYTES || bytes)
      portable__fail(PORTABLE_ERR_ARG, "%s of '%s': element_bytes is %zu; elements of the kind %s have %s", function, label, element_bytes,
                     portable__array_kind(kind), bytes ? "other sizes; give 0" : "1 or more");
    else
      portable__fail(PORTABLE_ERR_ARG, "%s of '%s': there is no kind %d; they are PORTABLE_KIND_BYTES to _EXACT", function, label, (int)kind);
    return 0;
  }
  return bytes;
}

static portable_status read_config(const char *function, const char *label, const portable_array_config *given, portable_array_config *config) {
  static const portable_array_config init = PORTABLE_ARRAY_CONFIG_INIT;
  *config = init;
  if (given && (given->struct_size < sizeof(uint32_t) || given->struct_size > sizeof *config))
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': config.struct_size is %u; begin with PORTABLE_ARRAY_CONFIG_INIT", function, label,
                          (unsigned)given->struct_size);
  if (given) memcpy(config, given, given->struct_size);
  if (config->space < 0)
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': space is %d; it is PORTABLE_SPACE_HOST, _PINNED, _MANAGED or _DEVICE(k)", function, label,
                          (int)config->space);
  return PORTABLE_OK;
}

/* All but data and owner. */
static portable_status describe(const char *function, const char *label, int32_t kind, size_t element_bytes, int32_t rank, const int64_t *extents,
                                const int64_t *strides, const portable_array_config *config, portable_array *array, uint64_t *bytes_out) {
  struct portable__crossing crossing;
  *array = none;
  size_t n = strlen(label);
  memcpy(array->label, label, n < sizeof array->label ? n : sizeof array->label - 1);
  array->struct_size = (uint32_t)sizeof *array;
  array->kind = kind;
  array->space = config->space;
  array->order = config->order;
  if (PORTABLE__UNLIKELY(portable_checks() & PORTABLE_CHECK_ARRAYS)) array->flags = PORTABLE_ARRAY_CHECKED;
  array->element_bytes = portable__array_element_bytes(function, label, kind, element_bytes);
  if (array->element_bytes == 0) return PORTABLE_ERR_ARG;
  if (rank > 0 && !extents) return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': extents is NULL", function, label);
  portable_status status = portable__cross_in(&crossing);
  if (status != PORTABLE_OK) return status;
  status = portable__go_array_layout(array, rank, extents, strides, config->lower, config->fastest, config->row_bytes, bytes_out);
  portable__cross_out(&crossing);
  return portable__array_named(status, function, label);
}

portable_status portable__array_allocate(const char *function, const portable_array_config *config, uint64_t bytes, portable_array *a) {
  portable_status status = config->pool ? portable_pool_alloc(config->pool, bytes, a->label, &a->data)
                                        : portable__alloc(bytes, a->label, strlen(a->label), &a->data);
  if (PORTABLE__UNLIKELY(status != PORTABLE_OK)) return portable__array_named(status, function, a->label);
  if (PORTABLE__LIKELY(new_owner(config->pool, a->data, config, a, &a->owner) != NULL)) return PORTABLE_OK;
  give_block(config->pool, a->data);
  return portable__fail(PORTABLE_ERR_NOMEM, "%s of '%s': there are %d arrays with owners, or no memory for more", function, a->label,
                        PORTABLE__SLOT_PIECES << 10);
}

/* The label, made sure of; NULL: there is no out pointer, with its text. */
static const char *begin(const char *function, const char *label, portable_array *array_out) {
  if (!label || !label[0]) label = "array";
  if (!array_out) {
    portable__fail(PORTABLE_ERR_ARG, "%s of '%s': array_out is NULL", function, label);
    return NULL;
  }
  *array_out = none;
  return label;
}

portable_status portable_array_create(const char *label, int32_t kind, size_t element_bytes, int32_t rank, const int64_t *extents,
                                      const portable_array_config *config, portable_array *array_out) {
  static const char function[] = "portable_array_create";
  portable_array_config c;
  portable_array a;
  uint64_t bytes = 0;
  if (!(label = begin(function, label, array_out))) return PORTABLE_ERR_ARG;
  portable_status status = read_config(function, label, config, &c);
  if (status != PORTABLE_OK) return status;
  if (c.space != PORTABLE_SPACE_HOST && !c.pool)
    return portable__fail(PORTABLE_ERR_NODEVICE, "%s of '%s': there is no such device: this version has memory of the host only; for space %d give a "
                          "pool of your own (portable_pool_create)", function, label, (int)c.space);
  if (c.zero && c.space >= PORTABLE_SPACE_DEVICE(0))
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': zero is set, but the host does not reach the memory of a device", function, label);
  status = describe(function, label, kind, element_bytes, rank, extents, NULL, &c, &a, &bytes);
  if (status == PORTABLE_OK) status = portable__array_allocate(function, &c, bytes, &a);
  if (status != PORTABLE_OK) return status;
  if (c.zero && bytes <= ZERO_ALONE)
    memset(a.data, 0, bytes);
  else if (c.zero && (status = portable_array_fill(&a, NULL, NULL)) != PORTABLE_OK)
    portable_array_release(&a);
  *array_out = a;
  return status;
}

portable_status portable_array_wrap(const char *label, int32_t kind, size_t element_bytes, void *data, int32_t rank,
                                    const int64_t *extents, const int64_t *strides, const portable_array_config *config,
                                    portable_array *array_out) {
  static const char function[] = "portable_array_wrap";
  portable_array_config c;
  portable_array a;
  uint64_t bytes = 0;
  if (!(label = begin(function, label, array_out))) return PORTABLE_ERR_ARG;
  portable_status status = read_config(function, label, config, &c);
  if (status != PORTABLE_OK) return status;
  if (c.zero || c.row_bytes || c.pool)
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': config has %s; that is for arrays that are created", function, label,
                          c.zero ? "zero" : c.pool ? "a pool" : "row_bytes: give strides");
  status = describe(function, label, kind, element_bytes, rank, extents, strides, &c, &a, &bytes);
  if (status != PORTABLE_OK) return status;
  a.data = data;
  if (!data && portable_array_size(&a) > 0)
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': data is NULL, but the array has %lld elements; was it allocated?", function, label,
                          (long long)portable_array_size(&a));
  if (c.end && !new_owner(0, NULL, &c, &a, &a.owner))
    return portable__fail(PORTABLE_ERR_NOMEM, "%s of '%s': there are %d arrays with owners, or no memory for more", function, label,
                          PORTABLE__SLOT_PIECES << 10);
  *array_out = a;
  return PORTABLE_OK;
}
