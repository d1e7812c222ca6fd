/* array_contents.c - what is in arrays: fill, copy, comparison, checksum, and new arrays like old ones. In C because launches are; which
 * elements belong together is planned in Go (array.h), in one call. Threads: any, at any time; who writes what is read races. */
#include "array.h"

#include <string.h>

/* ---- walks ---- */

/* What is done with a line of elements along the first axis of a plan: count of them, so many bytes apart. */
typedef void (*line_function)(void *context, char *from, int64_t from_step, char *to, int64_t to_step, int64_t count);

static void walk(const struct portable__array_plan *p, void *from_data, int64_t from_bytes, void *to_data, int64_t to_bytes, line_function line,
                 void *context) {
  int64_t index[PORTABLE_ARRAY_RANK] = {0};
  char *from = from_data, *to = to_data;
  if (p->elements == 0) return;
  for (;;) {
    line(context, from, p->rank ? p->axis[0].from * from_bytes : 0, to, p->rank ? p->axis[0].to * to_bytes : 0, p->rank ? p->axis[0].extent : 1);
    int32_t k = 1;
    for (; k < p->rank; k++) {
      from += p->axis[k].from * from_bytes;
      to += p->axis[k].to * to_bytes;
      if (++index[k] < p->axis[k].extent) break;
      from -= p->axis[k].extent * p->axis[k].from * from_bytes;
      to -= p->axis[k].extent * p->axis[k].to * to_bytes;
      index[k] = 0;
    }
    if (k >= p->rank) return;
  }
}

static void copy_line(void *context, char *from, int64_t from_step, char *to, int64_t to_step, int64_t count) {
  size_t bytes = *(size_t *)context;
  if (from_step == (int64_t)bytes && to_step == (int64_t)bytes) {
    memcpy(to, from, bytes * (size_t)count);
    return;
  }
  for (int64_t i = 0; i < count; i++) memcpy(to + i * to_step, from + i * from_step, bytes);
}

static void widen_line(void *context, char *from, int64_t from_step, char *to, int64_t to_step, int64_t count) {
  (void)context;
  for (int64_t i = 0; i < count; i++) *(double *)(void *)(to + i * to_step) = *(float *)(void *)(from + i * from_step);
}

static void narrow_line(void *context, char *from, int64_t from_step, char *to, int64_t to_step, int64_t count) {
  (void)context;
  for (int64_t i = 0; i < count; i++) *(float *)(void *)(to + i * to_step) = (float)*(double *)(void *)(from + i * from_step);
}

struct comparison {
  size_t bytes;
  int32_t equal;
};

static void compare_line(void *context, char *from, int64_t from_step, char *to, int64_t to_step, int64_t count) {
  struct comparison *c = context;
  for (int64_t i = 0; i < count && c->equal; i++) c->equal = memcmp(to + i * to_step, from + i * from_step, c->bytes) == 0;
}

struct sum {
  size_t bytes;
  uint64_t sum;
};

/* Elements are added up, so their order does not count; the number of each, which is in the place of an address, does. */
static void sum_line(void *context, char *from, int64_t from_step, char *number, int64_t number_step, int64_t count) {
  struct sum *s = context;
  for (int64_t i = 0; i < count; i++) {
    uint64_t h = 14695981039346656037u ^ ((uint64_t)(uintptr_t)number + (uint64_t)(i * number_step));
    const unsigned char *p = (const unsigned char *)from + i * from_step;
    for (size_t b = 0; b < s->bytes; b++) h = (h ^ p[b]) * 1099511628211u;
    s->sum += h ^ h >> 29;
  }
}

static portable_status pair(const char *function, const portable_array *from, const portable_array *to, struct portable__array_plan *plan) {
  struct portable__crossing crossing;
  portable_status status = portable__cross_in(&crossing);
  if (status != PORTABLE_OK) return status;
  status = portable__go_array_pair(from, to, plan);
  portable__cross_out(&crossing);
  return portable__array_named(status, function, from->label);
}

/* ---- public ---- */

static int converts(const portable_array *from, const portable_array *to) {
  return (from->kind == PORTABLE_KIND_REAL32 && to->kind == PORTABLE_KIND_REAL64) || (from->kind == PORTABLE_KIND_REAL64 && to->kind == PORTABLE_KIND_REAL32);
}

portable_status portable_array_copy(const portable_array *from, const portable_array *to, const portable_launch_config *launch) {
  static const char function[] = "portable_array_copy";
  struct portable__array_plan plan;
  (void)launch;
  portable_status status = portable__array_reached(function, from);
  if (status == PORTABLE_OK) status = portable__array_reached(function, to);
  if (status != PORTABLE_OK) return status;
  if ((from->kind != to->kind || from->element_bytes != to->element_bytes) && !converts(from, to))
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s' to '%s': the elements are of the kind %s (%llu bytes) and %s (%llu bytes); both have the same, or "
                          "one real32 and the other real64", function, from->label, to->label, portable__array_kind(from->kind),
                          (unsigned long long)from->element_bytes, portable__array_kind(to->kind), (unsigned long long)to->element_bytes);
  if ((status = pair(function, from, to, &plan)) != PORTABLE_OK) return status;
  size_t bytes = from->element_bytes;
  walk(&plan, from->data, (int64_t)from->element_bytes, to->data, (int64_t)to->element_bytes,
       from->kind == to->kind ? copy_line : from->kind == PORTABLE_KIND_REAL32 ? widen_line : narrow_line, &bytes);
  return PORTABLE_OK;
}

portable_status portable_array_fill(const portable_array *array, const void *value, const portable_launch_config *launch) {
  static const char function[] = "portable_array_fill";
  struct portable__array_plan plan;
  portable_array one;
  (void)launch;
  portable_status status = portable__array_reached(function, array);
  if (status != PORTABLE_OK) return status;
  /* A copy of one element, for which all indices stand. */
  one = *array;
  memset(one.stride, 0, sizeof one.stride);
  static const char zeroes[65536];
  if (!value && array->element_bytes > sizeof zeroes)
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': value is NULL, and an element has more than %zu bytes", function, array->label, sizeof zeroes);
  if ((status = pair(function, &one, array, &plan)) != PORTABLE_OK) return status;
  size_t bytes = array->element_bytes;
  walk(&plan, (void *)(uintptr_t)(value ? value : zeroes), (int64_t)bytes, array->data, (int64_t)bytes, copy_line, &bytes);
  return PORTABLE_OK;
}

portable_status portable_array_equal(const portable_array *a, const portable_array *b, int32_t *equal_out) {
  static const char function[] = "portable_array_equal";
  struct portable__array_plan plan;
  struct portable__crossing crossing;
  if (!equal_out) return portable__fail(PORTABLE_ERR_ARG, "%s: equal_out is NULL", function);
  *equal_out = 0;
  portable_status status = portable__array_reached(function, a);
  if (status == PORTABLE_OK) status = portable__array_reached(function, b);
  if (status != PORTABLE_OK) return status;
  if (a->kind != b->kind || a->element_bytes != b->element_bytes) return PORTABLE_OK;
  if ((status = portable__cross_in(&crossing)) != PORTABLE_OK) return status;
  int32_t same = portable__go_array_same(a, b);
  if (same) status = portable__go_array_pair(a, b, &plan);
  portable__cross_out(&crossing);
  if (!same || status != PORTABLE_OK) return status;
  struct comparison c = {a->element_bytes, 1};
  walk(&plan, a->data, (int64_t)a->element_bytes, b->data, (int64_t)b->element_bytes, compare_line, &c);
  *equal_out = c.equal;
  return PORTABLE_OK;
}

portable_status portable_array_checksum(const portable_array *array, uint64_t *checksum_out) {
  static const char function[] = "portable_array_checksum";
  struct portable__array_plan plan;
  struct portable__crossing crossing;
  if (!checksum_out) return portable__fail(PORTABLE_ERR_ARG, "%s: checksum_out is NULL", function);
  *checksum_out = 0;
  portable_status status = portable__array_reached(function, array);
  if (status != PORTABLE_OK || (status = portable__cross_in(&crossing)) != PORTABLE_OK) return status;
  portable__go_array_numbered(array, &plan);
  portable__cross_out(&crossing);
  struct sum s = {array->element_bytes, (uint64_t)array->kind};
  walk(&plan, array->data, (int64_t)array->element_bytes, NULL, 1, sum_line, &s);
  *checksum_out = s.sum;
  return PORTABLE_OK;
}

/* ---- arrays like others ---- */

/* Devices of this version compute in the host's memory, so that an object for one is an object for the other. */
static portable_status like(const char *function, const portable_array *array, int copies, portable_array *array_out) {
  static const portable_array none;
  static const portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  struct portable__crossing crossing;
  portable_array a;
  uint64_t bytes = 0;
  portable_status status = copies ? portable__array_reached(function, array) : portable__array_live(function, array);
  if (status != PORTABLE_OK) return status;
  if (!array_out || array_out == array)
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': array_out is %s", function, array->label, array_out ? "the array itself" : "NULL");
  *array_out = none;
  a = *array;
  a.space = PORTABLE_SPACE_HOST;
  if ((status = portable__cross_in(&crossing)) != PORTABLE_OK) return status;
  status = portable__go_array_compact(&a, &bytes);
  portable__cross_out(&crossing);
  if (status != PORTABLE_OK) return portable__array_named(status, function, array->label);
  a.owner = 0;
  status = portable__array_allocate(function, &config, bytes, &a);
  if (status != PORTABLE_OK) return status;
  if (copies && (status = portable_array_copy(array, &a, NULL)) != PORTABLE_OK) {
    portable_array_release(&a);
    return status;
  }
  *array_out = a;
  return PORTABLE_OK;
}

portable_status portable_array_host_copy(const portable_array *array, portable_array *array_out) {
  return like("portable_array_host_copy", array, 1, array_out);
}
portable_status portable_array_device_copy(const portable_array *array, portable_array *array_out) {
  return like("portable_array_device_copy", array, 1, array_out);
}
portable_status portable_array_host_object(const portable_array *array, portable_array *array_out) {
  return like("portable_array_host_object", array, 0, array_out);
}
portable_status portable_array_device_object(const portable_array *array, portable_array *array_out) {
  return like("portable_array_device_object", array, 0, array_out);
}
