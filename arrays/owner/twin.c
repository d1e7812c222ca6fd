/* twin.c - twins: one array in two places, made, held, and made the same. In C because a sync is a launch. Not in this file: marks, and what is
 * refused because of them (twin_check.c). Threads: any; a twin is under portable__twin_lock, which is not held while elements are copied. */
#include "../../exec/device/devices.h"
#include "../../internal/edge/environment.h"
#include "twin.h"

#include <stdlib.h>
#include <string.h>

#include "layout.h"

struct portable__slot_table portable__twins = PORTABLE__SLOT_TABLE(PORTABLE__KIND_TWIN, struct portable__twin);
pthread_mutex_t portable__twin_lock = PTHREAD_MUTEX_INITIALIZER;
_Atomic int64_t portable__twins_live;

static const portable_array none;

static portable_status no_twin(const char *function, portable_twin twin) {
  return portable__fail(PORTABLE_ERR_HANDLE, "%s: %#llx is not a twin, or the twin was released by all", function, (unsigned long long)twin);
}

/* ---- making ---- */

static portable_status read_config(const char *function, const char *label, const portable_twin_config *given, portable_twin_config *config) {
  static const portable_twin_config init = PORTABLE_TWIN_CONFIG_INIT;
  *config = init;
  if (given && (given->struct_size < sizeof(uint32_t) || given->struct_size > sizeof *config))
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': config.struct_size is %u; begin with PORTABLE_TWIN_CONFIG_INIT", function, label,
                          (unsigned)given->struct_size);
  if (given) memcpy(config, given, given->struct_size);
  const char *outside = portable__getenv("PORTABLE_TWINS"); /* Go has warned of what makes no sense */
  if (outside && strcmp(outside, "separate") == 0) config->separate = 1;
  return PORTABLE_OK;
}

/* From the lowest address of the elements on. */
static void reach(struct portable__twin_side *s) {
  const portable_array *a = &s->array;
  s->lowest = s->end = (uintptr_t)a->data;
  if (portable_array_size(a) == 0) return;
  for (int32_t d = 0; d < a->rank; d++) {
    int64_t steps = (a->extent[d] - 1) * a->stride[d] * (int64_t)a->element_bytes;
    if (steps < 0)
      s->lowest -= (uintptr_t)-steps;
    else
      s->end += (uintptr_t)steps;
  }
  s->end += a->element_bytes;
}

/* Takes over both arrays. */
static portable_status publish(const char *function, portable_array *host, portable_array *device, int one_memory, portable_twin *twin_out) {
  struct portable__twin *t = portable__slot_take(&portable__twins);
  if (!t)
    return portable__fail(PORTABLE_ERR_NOMEM, "%s of '%s': there are %d twins, or no memory for more", function, host->label, PORTABLE__SLOTS_MAX);
  memset((char *)t + sizeof t->slot, 0, sizeof *t - sizeof t->slot);
  t->holders = 1;
  t->one_memory = one_memory;
  t->side[PORTABLE__HOST_SIDE].array = *host;
  t->side[PORTABLE__HOST_SIDE].array.flags |= PORTABLE_ARRAY_HOST_SIDE;
  t->side[PORTABLE__DEVICE_SIDE].array = *device;
  t->side[PORTABLE__DEVICE_SIDE].array.flags |= PORTABLE_ARRAY_DEVICE_SIDE;
  for (int32_t side = 0; side < 2; side++) reach(&t->side[side]);
  pthread_mutex_lock(&portable__twin_lock);
  *twin_out = portable__slot_publish(&portable__twins, t);
  for (int32_t side = 0; side < 2; side++) portable__array_twin_set(&t->side[side].array, *twin_out);
  pthread_mutex_unlock(&portable__twin_lock);
  atomic_fetch_add(&portable__twins_live, 1);
  return PORTABLE_OK;
}

static int lie_alike(const portable_array *a, const portable_array *b) {
  for (int32_t d = 0; d < a->rank; d++)
    if (a->extent[d] > 1 && a->stride[d] != b->stride[d]) return 0;
  return a->order == b->order;
}

/* The side of the device, to a side of the host. */
static portable_status other_side(const char *function, const portable_array *host, const portable_array_config *given,
                                  const portable_twin_config *config, portable_pool host_pool, int zero, portable_array *device, int *one_memory) {
  portable_array_config c;
  struct portable__layout_room room;
  uint64_t bytes = 0;
  *one_memory = 0;
  *device = none;
  portable_status status = portable__array_config(function, host->label, given, &c);
  if (status != PORTABLE_OK) return status;
  for (int32_t d = 0; c.lower && d < host->rank; d++)
    if (c.lower[d] != host->lower[d])
      return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': dimension %d begins at %lld on the host side and at %lld on the device side; both have the same "
                            "bounds, those of the host side", function, host->label, (int)d + 1, (long long)host->lower[d], (long long)c.lower[d]);
  c.lower = host->lower;
  c.zero = zero;
  c.end = NULL;
  const int32_t asked = c.space;
  if (asked == PORTABLE_SPACE_HOST && !c.pool) c.space = portable__device_room(config->of);
  status = portable__layout_resolve(host->label, asked >= PORTABLE_SPACE_DEVICE(0) ? PORTABLE__LAYOUT_FAR : config->of, host->rank, &c, &room);
  if (status != PORTABLE_OK) return status;
  status = portable__array_describe(function, host->label, host->kind, host->element_bytes, host->rank, host->extent, NULL, &c, device, &bytes);
  if (status != PORTABLE_OK) return status;
  *one_memory = !config->separate && c.space == host->space && c.pool == host_pool && lie_alike(host, device);
  if (*one_memory) {
    *device = *host;
    return portable_array_retain(host);
  }
  status = portable_array_create(host->label, host->kind, host->element_bytes, host->rank, host->extent, &c, device);
  return portable__array_named(status, function, host->label);
}

static portable_status finish(const char *function, portable_array *host, const portable_array_config *device_config,
                              const portable_twin_config *config, portable_pool host_pool, int zero, portable_twin *twin_out) {
  portable_array device;
  int one_memory;
  portable_status status = other_side(function, host, device_config, config, host_pool, zero, &device, &one_memory);
  if (status == PORTABLE_OK && (status = publish(function, host, &device, one_memory, twin_out)) != PORTABLE_OK) portable_array_release(&device);
  if (status != PORTABLE_OK) portable_array_release(host);
  return status;
}

portable_status portable_twin_create(const char *label, int32_t kind, size_t element_bytes, int32_t rank, const int64_t *extents,
                                     const portable_twin_config *config, portable_twin *twin_out) {
  static const char function[] = "portable_twin_create";
  portable_twin_config c;
  portable_array_config h;
  struct portable__layout_room room;
  portable_array host;
  if (!label || !label[0]) label = "array";
  if (!twin_out) return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': twin_out is NULL", function, label);
  *twin_out = 0;
  portable_status status = read_config(function, label, config, &c);
  if (status == PORTABLE_OK) status = portable__array_config(function, label, c.host, &h);
  if (status != PORTABLE_OK) return status;
  if (h.end) return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': config.host has an end; that is for arrays", function, label);
  if (!c.device) c.device = c.host;
  status = portable__layout_resolve(label, PORTABLE_LAYOUT_HOST, rank, &h, &room);
  if (status == PORTABLE_OK) status = portable_array_create(label, kind, element_bytes, rank, extents, &h, &host);
  if (status != PORTABLE_OK) return portable__array_named(status, function, label);
  return finish(function, &host, c.device, &c, h.pool, h.zero, twin_out);
}

/* The end of the host side of a twin that has wrapped an array: lets go of that. */
static void end_held(void *data, int64_t elements, void *payload) {
  (void)data;
  (void)elements;
  portable_array_release(payload);
  free(payload);
}

static int is_there(portable_twin twin) {
  pthread_mutex_lock(&portable__twin_lock);
  int there = portable__slot_find(&portable__twins, twin) != NULL;
  pthread_mutex_unlock(&portable__twin_lock);
  return there;
}

portable_status portable_twin_wrap(const portable_array *array, const portable_twin_config *config, portable_twin *twin_out) {
  static const char function[] = "portable_twin_wrap";
  portable_twin_config c;
  portable_array_config h = PORTABLE_ARRAY_CONFIG_INIT, d = PORTABLE_ARRAY_CONFIG_INIT;
  int32_t fastest[PORTABLE_ARRAY_RANK];
  portable_array host;
  if (twin_out) *twin_out = 0;
  portable_status status = portable__array_live(function, array);
  if (status != PORTABLE_OK) return status;
  if (!twin_out) return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': twin_out is NULL", function, array->label);
  if (array->flags & PORTABLE__ARRAY_SIDE && is_there(portable__array_twin(array)))
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': the array is a side of a twin already, or a part of one", function, array->label);
  if ((status = read_config(function, array->label, config, &c)) != PORTABLE_OK) return status;
  const size_t bytes = portable__array_element_bytes(function, array->label, array->kind, array->element_bytes);
  if (bytes == 0) return PORTABLE_ERR_ARG;
  if (bytes != array->element_bytes)
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': element_bytes of the descriptor is %llu; elements of the kind %s have %zu", function,
                          array->label, (unsigned long long)array->element_bytes, portable__array_kind(array->kind), bytes);
  portable_array *held = malloc(sizeof *held);
  if (!held) return portable__fail(PORTABLE_ERR_NOMEM, "%s of '%s': no memory", function, array->label);
  *held = *array;
  if ((status = portable_array_retain(held)) != PORTABLE_OK) {
    free(held);
    return status;
  }
  for (int32_t k = 0; k < array->rank; k++) fastest[k] = array->fastest[k];
  h.order = d.order = array->rank < 2 ? array->order : PORTABLE_ORDER_PERMUTED;
  h.fastest = d.fastest = fastest;
  h.lower = array->lower;
  h.space = array->space;
  h.end = end_held;
  h.payload = held;
  status = portable_array_wrap(array->label, array->kind, array->element_bytes, array->data, array->rank, array->extent, array->stride, &h, &host);
  if (status != PORTABLE_OK) {
    end_held(NULL, 0, held);
    return portable__array_named(status, function, array->label);
  }
  status = finish(function, &host, c.device ? c.device : &d, &c, 0, 0, twin_out);
  if (status != PORTABLE_OK) return status;
  pthread_mutex_lock(&portable__twin_lock);
  struct portable__twin *t = portable__slot_find(&portable__twins, *twin_out);
  portable__twin_mark(t, PORTABLE__HOST_SIDE, "there when the twin was made by portable_twin_wrap", NULL);
  pthread_mutex_unlock(&portable__twin_lock);
  return PORTABLE_OK;
}

/* ---- holding ---- */

portable_status portable_twin_retain(portable_twin twin) {
  pthread_mutex_lock(&portable__twin_lock);
  struct portable__twin *t = portable__slot_find(&portable__twins, twin);
  if (t) t->holders++;
  pthread_mutex_unlock(&portable__twin_lock);
  return t ? PORTABLE_OK : no_twin("portable_twin_retain", twin);
}

portable_status portable_twin_release(portable_twin twin) {
  portable_array sides[2];
  portable_status status = PORTABLE_OK;
  int last = 0;
  if (!twin) return PORTABLE_OK;
  pthread_mutex_lock(&portable__twin_lock);
  struct portable__twin *t = portable__slot_find(&portable__twins, twin);
  if (t && (last = --t->holders == 0)) {
    for (int32_t side = 0; side < 2; side++) sides[side] = t->side[side].array;
    portable__slot_retract(&portable__twins, twin);
  }
  pthread_mutex_unlock(&portable__twin_lock);
  if (!t) return no_twin("portable_twin_release", twin);
  if (!last) return PORTABLE_OK;
  atomic_fetch_sub(&portable__twins_live, 1);
  portable__slot_give(&portable__twins, t);
  for (int32_t side = 0; side < 2; side++) {
    portable_status released = portable_array_release(&sides[side]);
    if (released != PORTABLE_OK) status = released;
  }
  return status;
}

static portable_status take(const char *function, portable_twin twin, int32_t side, int32_t access, portable_array *array_out) {
  if (!array_out) return portable__fail(PORTABLE_ERR_ARG, "%s: array_out is NULL", function);
  *array_out = none;
  pthread_mutex_lock(&portable__twin_lock);
  struct portable__twin *t = portable__slot_find(&portable__twins, twin);
  portable_status status;
  if (!t)
    status = no_twin(function, twin);
  else if (access < PORTABLE_TWIN_READ || access > PORTABLE_TWIN_OVERWRITE)
    status = portable__fail(PORTABLE_ERR_ARG, "%s of '%s': there is no access %d; there are PORTABLE_TWIN_READ, _UPDATE and _OVERWRITE", function,
                            t->side[side].array.label, (int)access);
  else if ((status = portable__array_live(function, &t->side[side].array)) == PORTABLE_OK &&
           (status = portable__twin_take(function, t, side, access, 1)) == PORTABLE_OK &&
           (status = portable_array_owner_retain(t->side[side].array.owner)) == PORTABLE_OK)
    *array_out = t->side[side].array;
  pthread_mutex_unlock(&portable__twin_lock);
  return status;
}

portable_status portable_twin_host(portable_twin twin, int32_t access, portable_array *array_out) {
  return take("portable_twin_host", twin, PORTABLE__HOST_SIDE, access, array_out);
}
portable_status portable_twin_device(portable_twin twin, int32_t access, portable_array *array_out) {
  return take("portable_twin_device", twin, PORTABLE__DEVICE_SIDE, access, array_out);
}

portable_status portable_twin_query(portable_twin twin, portable_twin_state *state_out) {
  static const char function[] = "portable_twin_query";
  if (!state_out || state_out->struct_size < sizeof(uint32_t) || state_out->struct_size > sizeof *state_out)
    return portable__fail(PORTABLE_ERR_ARG, "%s: state_out %s", function, state_out ? "has another struct_size than portable_twin_state" : "is NULL");
  pthread_mutex_lock(&portable__twin_lock);
  struct portable__twin *t = portable__slot_find(&portable__twins, twin);
  portable_twin_state s = {.struct_size = state_out->struct_size};
  if (t) {
    s.host_newer = t->side[PORTABLE__HOST_SIDE].newer;
    s.device_newer = t->side[PORTABLE__DEVICE_SIDE].newer;
    s.one_memory = t->one_memory;
    s.holders = t->holders;
    memcpy(s.host_since, t->side[PORTABLE__HOST_SIDE].since, sizeof s.host_since);
    memcpy(s.device_since, t->side[PORTABLE__DEVICE_SIDE].since, sizeof s.device_since);
    memcpy(state_out, &s, s.struct_size);
  }
  pthread_mutex_unlock(&portable__twin_lock);
  return t ? PORTABLE_OK : no_twin(function, twin);
}
