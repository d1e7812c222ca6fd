/* twin.c - makes, holds and queries twins: one array in two memories. Go plans both sides
 * (arrays/twin.go). Not here: marks (twin_check.c), syncs (twin_sync.c). Lock: portable__twin_lock,
 * not held during copies. */
#include "../../internal/edge/environment.h"
#include "questions.h"
#include "twin.h"

#include <stdlib.h>
#include <string.h>

#include "../../internal/edge/calls.h"

struct portable__slot_table portable__twins = PORTABLE__SLOT_TABLE(PORTABLE__KIND_TWIN, struct portable__twin);
pthread_mutex_t portable__twin_lock = PTHREAD_MUTEX_INITIALIZER;
_Atomic int64_t portable__twins_live;

static const portable_array none;

portable_status portable__twin_none(const char *function, portable_twin twin) {
  return portable__array_unfit(function, "", PORTABLE__UNFIT_TWIN, twin, PORTABLE_ERR_HANDLE);
}

/* ---- making: Go plans both sides (arrays/twin.go) ---- */

/* The byte span of the elements. */
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

/* Makes the twin, which becomes the holder of both arrays. */
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

/* Allocates the memory of a planned side. */
static portable_status allocate(const char *function, const struct portable__array_making *m, portable_array *a, int zero) {
  portable_array_config c;
  PORTABLE__CALL(function); /* block and owner are of one run of the library */
  portable__array_config(m->given, m->pool, &c);
  c.end = NULL;
  portable_status status = portable__array_allocate(function, &c, m->bytes, a);
  if (status == PORTABLE_OK && zero && (status = portable__array_zero(a, m->bytes)) != PORTABLE_OK) portable_array_release(a);
  return status;
}

/* Plans both sides; zero_out: 1 if the bytes must be 0. */
static portable_status plan(const char *function, const char *label, struct portable__twin_making *m, portable_array *host, portable_array *device,
                            int *zero_out) {
  portable_status status;
  const char *outside = portable__getenv("PORTABLE_TWINS"); /* Go has warned of invalid values */
  m->separate = outside && strcmp(outside, "separate") == 0;
  *host = *device = none;
  portable__array_begin(host, label, m->side[PORTABLE__HOST_SIDE].kind);
  portable__array_begin(device, label, m->side[PORTABLE__HOST_SIDE].kind);
  PORTABLE__ARRAY_PLANNED(&status, function, label, portable__owner_go.twin_make(m, host, device));
  if (status != PORTABLE_OK) return status;
  portable_array_config c;
  portable__array_config(m->side[PORTABLE__HOST_SIDE].given, 0, &c);
  *zero_out = c.zero != 0;
  return PORTABLE_OK;
}

/* Adds the device side. The twin becomes the holder of the host side; after a failure, that side is released. */
static portable_status finish(const char *function, const struct portable__twin_making *m, portable_array *host, portable_array *device, int zero,
                              portable_twin *twin_out) {
  portable_status status;
  if (m->one_memory) {
    *device = *host;
    status = portable_array_retain(host);
  } else {
    status = allocate(function, &m->side[PORTABLE__DEVICE_SIDE], device, zero);
  }
  if (status == PORTABLE_OK && (status = publish(function, host, device, m->one_memory, twin_out)) != PORTABLE_OK) portable_array_release(device);
  if (status != PORTABLE_OK) portable_array_release(host);
  return portable__array_named(status, function, host->struct_size ? host->label : device->label);
}

portable_status portable_twin_create(const char *label, int32_t kind, size_t element_bytes, int32_t rank, const int64_t *extents,
                                     const portable_twin_config *config, portable_twin *twin_out) {
  static const char function[] = "portable_twin_create";
  struct portable__twin_making m = {.given = config, .side = {{.element_bytes = element_bytes, .extents = extents, .kind = kind, .rank = rank}}};
  portable_array host, device;
  int zero = 0;
  if (!label || !label[0]) label = "array";
  if (!twin_out) return portable__array_missing(function, label, "twin_out");
  *twin_out = 0;
  m.side[PORTABLE__HOST_SIDE].label = label;
  portable_status status = plan(function, label, &m, &host, &device, &zero);
  if (status == PORTABLE_OK) status = portable__array_named(allocate(function, &m.side[PORTABLE__HOST_SIDE], &host, zero), function, label);
  return status == PORTABLE_OK ? finish(function, &m, &host, &device, zero, twin_out) : status;
}

/* The end of a host side that wraps an array: releases the array. */
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
  struct portable__twin_making m = {.given = config, .wrapped = array};
  portable_array_config end = PORTABLE_ARRAY_CONFIG_INIT;
  portable_array host, device;
  int zero = 0;
  if (twin_out) *twin_out = 0;
  portable_status status = portable__array_live(function, array);
  if (status != PORTABLE_OK) return status;
  if (!twin_out) return portable__array_missing(function, array->label, "twin_out");
  if (array->flags & PORTABLE__ARRAY_SIDE && is_there(portable__array_twin(array)))
    return portable__array_unfit(function, array->label, PORTABLE__UNFIT_SIDE, 0, PORTABLE_ERR_ARG);
  m.side[PORTABLE__HOST_SIDE].label = array->label;
  m.side[PORTABLE__HOST_SIDE].kind = array->kind;
  if ((status = plan(function, array->label, &m, &host, &device, &zero)) != PORTABLE_OK) return status;
  portable_array *held = malloc(sizeof *held);
  if (!held) return portable__fail(PORTABLE_ERR_NOMEM, "%s of '%s': no memory", function, array->label);
  *held = *array;
  if ((status = portable_array_retain(held)) != PORTABLE_OK) {
    free(held);
    return portable__array_named(status, function, array->label);
  }
  host.data = array->data;
  end.end = end_held;
  end.payload = held;
  if ((status = portable__array_own(function, &end, NULL, &host)) != PORTABLE_OK) {
    end_held(NULL, 0, held);
    return status;
  }
  status = finish(function, &m, &host, &device, 0, twin_out);
  if (status != PORTABLE_OK) return status;
  pthread_mutex_lock(&portable__twin_lock);
  struct portable__twin *t = portable__slot_find(&portable__twins, *twin_out);
  portable__twin_mark(t, PORTABLE__HOST_SIDE, "there when the twin was made by portable_twin_wrap", "", NULL);
  pthread_mutex_unlock(&portable__twin_lock);
  return PORTABLE_OK;
}

/* ---- holding ---- */

portable_status portable_twin_retain(portable_twin twin) {
  pthread_mutex_lock(&portable__twin_lock);
  struct portable__twin *t = portable__slot_find(&portable__twins, twin);
  if (t) t->holders++;
  pthread_mutex_unlock(&portable__twin_lock);
  return t ? PORTABLE_OK : portable__twin_none("portable_twin_retain", twin);
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
  if (!t) return portable__twin_none("portable_twin_release", twin);
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
  if (!array_out) return portable__array_missing(function, "", "array_out");
  *array_out = none;
  pthread_mutex_lock(&portable__twin_lock);
  struct portable__twin *t = portable__slot_find(&portable__twins, twin);
  portable_status status;
  if (!t)
    status = portable__twin_none(function, twin);
  else if (access < PORTABLE_TWIN_READ || access > PORTABLE_TWIN_OVERWRITE)
    status = portable__twin_refuse(function, t, side, access);
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
  if (!state_out) return portable__array_missing(function, "", "state_out");
  if (state_out->struct_size < sizeof(uint32_t) || state_out->struct_size > sizeof *state_out)
    return portable__array_unfit(function, "", PORTABLE__UNFIT_STATE, 0, PORTABLE_ERR_ARG);
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
  return t ? PORTABLE_OK : portable__twin_none(function, twin);
}
