/* map.c - sets of integers: a batch is sorted, made unique and merged. Main function:
 * portable_map_insert. Not here: the search of one key (portable_particles.h). Invariant: a map
 * is written when nothing can fail any more. Threads: any; a map that grows is one thread's. */
#include "work.h"

#define UNIT 8192 /* keys of an iteration of a launch; fewer are the calling thread's */

struct adding {
  struct portable__work w;
  const portable_index_map *old;
  portable_index_map made;
  const void *given;
  int32_t bytes;
  int64_t count, fresh;         /* fresh: keys that are new */
  char *keys, *place;           /* [count]: the batch in order, and where each key was in it */
  char *added, *numbers;        /* [fresh]: new keys, and their numbers */
  int64_t *sums;                /* of each unit: how many are new, then how many are before it */
  uint8_t *is_new, *is_new_out; /* of keys in order; of the batch, or NULL */
  struct portable__there there;
};

static void copy_kernel(const portable_tile *t, void *args) {
  struct adding *a = args;
  int64_t from, to;
  portable__work_range(&a->w, t, &from, &to);
  memcpy(a->keys + from * a->bytes, (const char *)a->given + from * a->bytes, (size_t)((to - from) * a->bytes));
  for (int64_t i = from; i < to; i++) portable__work_put(a->place, a->bytes, i, i);
}

static void new_kernel(const portable_tile *t, void *args) {
  struct adding *a = args;
  for (int64_t unit = t->lower[0]; unit <= t->upper[0]; unit++) {
    const int64_t from = unit * a->w.unit, to = from + a->w.unit < a->count ? from + a->w.unit : a->count;
    int64_t sum = 0;
    for (int64_t i = from; i < to; i++) {
      const int64_t key = portable__work_get(a->keys, a->bytes, i);
      const int is_new = (i == 0 || portable__work_get(a->keys, a->bytes, i - 1) != key) && portable_map_at(a->old, key) < 0;
      a->is_new[i] = (uint8_t)is_new;
      sum += is_new;
    }
    a->sums[unit] = sum;
  }
}

static void pack_kernel(const portable_tile *t, void *args) {
  struct adding *a = args;
  for (int64_t unit = t->lower[0]; unit <= t->upper[0]; unit++) {
    const int64_t from = unit * a->w.unit, to = from + a->w.unit < a->count ? from + a->w.unit : a->count;
    int64_t at = a->sums[unit];
    for (int64_t i = from; i < to; i++) {
      if (a->is_new_out) a->is_new_out[portable__work_get(a->place, a->bytes, i)] = a->is_new[i];
      if (!a->is_new[i]) continue;
      portable__work_put(a->added, a->bytes, at, portable__work_get(a->keys, a->bytes, i));
      portable__work_put(a->numbers, a->bytes, at, a->old->count + at + a->old->lower);
      at++;
    }
  }
}

/* A block for the keys and numbers of the map. */
static portable_status take(struct adding *a) {
  const size_t each = ((size_t)a->made.count * (size_t)a->bytes + 63) / 64 * 64;
  const portable_status status = portable__rename_unless_ok(portable__made_alloc(&a->there, 2 * each + 8, a->w.label, &a->made.memory), a->w.call);
  a->made.keys = a->made.memory;
  a->made.number = (char *)a->made.memory + each;
  return status;
}

static portable_status merge(struct adding *a) {
  portable_merge_options options = PORTABLE_MERGE_OPTIONS_INIT;
  options.launch = &a->w.config;
  a->made.count = a->old->count + a->fresh;
  if (a->bytes == 4 && a->made.count >= INT32_MAX)
    return PORTABLE__WORK_FAIL(&a->w, PORTABLE_ERR_OVERFLOW, "%" PRId64 " keys do not fit int32; take PORTABLE_KIND_INT64, in Fortran index_map64", a->made.count);
  portable_status status = take(a);
  if (status == PORTABLE_OK && a->there.place.index < 0) status = portable__work_launch(&a->w, pack_kernel, a, a->count, UNIT, UNIT);
  if (status != PORTABLE_OK) return status;
  status = portable_merge_by_key(a->w.label, a->made.kind, a->old->keys, a->old->number, a->old->count, a->added, a->numbers, a->fresh, (size_t)a->bytes, &options, a->made.keys,
                                 a->made.number);
  return status == PORTABLE_OK ? status : portable__rename_error(status, a->w.call);
}

static portable_status add(struct adding *a) {
  portable_sort_options options = PORTABLE_SORT_OPTIONS_INIT;
  options.launch = &a->w.config;
  portable_status status = portable__work_launch(&a->w, copy_kernel, a, a->count, UNIT, UNIT);
  if (status != PORTABLE_OK) return status;
  status = portable_sort_by_key(a->w.label, a->made.kind, a->keys, a->place, (size_t)a->bytes, a->count, &options);
  if (status != PORTABLE_OK) return portable__rename_error(status, a->w.call);
  status = portable__work_launch(&a->w, new_kernel, a, a->count, UNIT, UNIT);
  if (status != PORTABLE_OK) return status;
  const int64_t units = (a->count - 1) / a->w.unit + 1;
  for (int64_t unit = 0; unit < units; unit++) {
    const int64_t here = a->sums[unit];
    a->sums[unit] = a->fresh;
    a->fresh += here;
  }
  return merge(a);
}

static portable_status add_there(struct adding *a) {
  struct portable__there *const t = &a->there;
  portable_sort_options sorts = PORTABLE_SORT_OPTIONS_INIT;
  portable_scan_options scans = PORTABLE_SCAN_OPTIONS_INIT;
  sorts.launch = scans.launch = &a->w.config;
  portable__there_begin(t);
  struct portable__cuda_map w = {.map = *a->old, .given = a->given, .is_new = a->is_new_out, .found = t->found, .count = a->count, .bytes = a->bytes};
  w.keys = portable__there_take(t, a->count * a->bytes);
  w.place = portable__there_take(t, a->count * a->bytes);
  w.added = a->added = portable__there_take(t, a->count * a->bytes);
  w.numbers = a->numbers = portable__there_take(t, a->count * a->bytes);
  w.sums = portable__there_take(t, a->count * (int64_t)sizeof *w.sums);
  portable__there_run(t, PORTABLE__MESH_LIST(PORTABLE__MESH_MAP_BEGIN), &a->count, 1, &w, sizeof w);
  if (t->status == PORTABLE_OK)
    t->status = portable__rename_unless_ok(portable_sort_by_key(a->w.label, a->made.kind, w.keys, w.place, (size_t)a->bytes, a->count, &sorts), a->w.call);
  portable__there_run(t, PORTABLE__MESH_LIST(PORTABLE__MESH_MAP_NEW), &a->count, 1, &w, sizeof w);
  if (t->status == PORTABLE_OK)
    t->status = portable__rename_unless_ok(portable_scan(a->w.label, PORTABLE_REDUCE_SUM, PORTABLE_KIND_INT64, w.sums, 1, &a->count, &scans, w.sums), a->w.call);
  portable__there_run(t, PORTABLE__MESH_LIST(PORTABLE__MESH_MAP_PACK), &a->count, 1, &w, sizeof w);
  if (t->status == PORTABLE_OK) {
    a->fresh = t->found[0];
    t->status = merge(a);
  }
  return portable__there_end(t);
}

/* Scratch memory for a batch. */
static portable_status scratch(struct adding *a, void **block) {
  const size_t each = ((size_t)a->count * (size_t)a->bytes + 63) / 64 * 64, units = (size_t)a->count / UNIT + 1;
  const portable_status status = portable__work_alloc(&a->w, 4 * each + 8 * units + (size_t)a->count, block);
  char *at = *block;
  a->keys = at;
  a->place = at + each;
  a->added = at + 2 * each;
  a->numbers = at + 3 * each;
  a->sums = (int64_t *)(void *)(at + 4 * each);
  a->is_new = (uint8_t *)(a->sums + units);
  return status;
}

static portable_status begin(struct portable__work *w, const char *call, const char *label, const portable_index_map *map, const void *keys, int64_t count,
                             const portable_launch_config *launch, int32_t *bytes) {
  w->call = call;
  w->label = label ? label : "unlabelled";
  if (!map) return PORTABLE__WORK_FAIL(w, PORTABLE_ERR_ARG, "%s is NULL", "map");
  const portable_status status = portable__work_begin(w, call, label, launch);
  if (status != PORTABLE_OK) return status;
  *bytes = portable__index_bytes(map->kind);
  if (!*bytes || (map->lower != 0 && map->lower != 1) || map->count < 0 || (map->count && (!map->keys || !map->number)))
    return PORTABLE__WORK_FAIL(w, PORTABLE_ERR_ARG, "%s", "map is not a map; begin with PORTABLE_INDEX_MAP_INIT");
  if (count < 0) return PORTABLE__WORK_FAIL(w, PORTABLE_ERR_ARG, "the count of keys is %" PRId64 "; it is 0 or more", count);
  if (count && !keys) return PORTABLE__WORK_FAIL(w, PORTABLE_ERR_ARG, "%s is NULL", "keys");
  if (count > INT64_MAX / 64 || map->count > INT64_MAX / 64) return PORTABLE__WORK_FAIL(w, PORTABLE_ERR_OVERFLOW, "%" PRId64 " keys are more bytes than are counted", count);
  return PORTABLE_OK;
}

/* Refuses results that share memory with keys, or with the map. */
static portable_status apart(const struct portable__work *w, const portable_index_map *map, const void *keys, int64_t keys_bytes, const char *name, const void *out, int64_t bytes) {
  const int64_t each = map->count * portable__index_bytes(map->kind);
  const char *const shared = portable__work_meet(out, bytes, keys, keys_bytes)                                                             ? "keys"
                             : portable__work_meet(out, bytes, map->keys, each) || portable__work_meet(out, bytes, map->number, each) ? "the map"
                                                                                                                                         : NULL;
  return shared ? PORTABLE__WORK_FAIL(w, PORTABLE_ERR_ARG, "%s shares memory with %s; give another array", name, shared) : PORTABLE_OK;
}

portable_status portable_map_insert(const char *label, portable_index_map *map, const void *keys, int64_t count, const struct portable_launch_config *launch,
                                    uint8_t *new_out) {
  PORTABLE__CALL("portable_map_insert");
  struct adding a = {.old = map, .given = keys, .count = count, .is_new_out = new_out};
  void *block = NULL;
  portable_status status = begin(&a.w, "map_insert", label, map, keys, count, launch, &a.bytes);
  if (status != PORTABLE_OK) return status;
  if (a.bytes == 4 && count > INT32_MAX) /* places in the batch are numbers of the map's kind */
    return PORTABLE__WORK_FAIL(&a.w, PORTABLE_ERR_OVERFLOW, "%" PRId64 " keys are more than int32 counts; insert them in several batches", count);
  if (new_out && (status = apart(&a.w, map, keys, count * a.bytes, "new_out", new_out, count)) != PORTABLE_OK) return status;
  const void *const arrays[4] = {count ? keys : NULL, count ? new_out : NULL, map->count ? map->keys : NULL, map->count ? map->number : NULL};
  if ((status = portable__work_ready(&a.w, arrays, 4, 1, &a.there)) != PORTABLE_OK || !count) return status;
  a.made.kind = map->kind;
  a.made.lower = map->lower;
  if (a.there.place.index >= 0) {
    status = add_there(&a);
  } else {
    if ((status = scratch(&a, &block)) != PORTABLE_OK) return status;
    status = add(&a);
    portable__free(block);
  }
  if (status == PORTABLE_OK && map->memory) status = portable__made_free(map->memory);
  if (status == PORTABLE_OK)
    *map = a.made;
  else if (a.made.memory)
    portable__made_free(a.made.memory);
  return status;
}

/* ---- search ---- */

struct finding {
  struct portable__work w;
  const portable_index_map *map;
  const void *keys;
  void *numbers;
  int32_t bytes;
};

#define TOGETHER 16 /* keys that are searched side by side: a step waits for memory */

/* The numbers of TOGETHER keys, or less. All searches take the same steps. */
#define FIND(name, type)                                                                       \
  static void name(const portable_index_map *map, const type *keys, int64_t count, type *numbers) { \
    const type *const all = map->keys, *const number = map->number;                            \
    int64_t at[TOGETHER] = {0};                                                                \
    for (int64_t n = map->count, half; n > 1; n -= half) {                                     \
      half = n / 2;                                                                            \
      for (int64_t i = 0; i < count; i++) at[i] += (all[at[i] + half] <= keys[i]) * half;      \
    }                                                                                          \
    for (int64_t i = 0; i < count; i++) {                                                      \
      const int there = map->count > 0 && all[at[i]] == keys[i];                               \
      numbers[i] = there ? number[at[i]] : (type)(map->lower - 1);                             \
    }                                                                                          \
  }
FIND(find_int32, int32_t)
FIND(find_int64, int64_t)
#undef FIND

static void find_kernel(const portable_tile *t, void *args) {
  struct finding *f = args;
  int64_t from, to;
  portable__work_range(&f->w, t, &from, &to);
  for (int64_t n; from < to; from += n) {
    n = to - from < TOGETHER ? to - from : TOGETHER;
    if (f->bytes == 4)
      find_int32(f->map, (const int32_t *)f->keys + from, n, (int32_t *)f->numbers + from);
    else
      find_int64(f->map, (const int64_t *)f->keys + from, n, (int64_t *)f->numbers + from);
  }
}

portable_status portable_map_find(const char *label, const portable_index_map *map, const void *keys, int64_t count,
                                  const struct portable_launch_config *launch, void *numbers_out) {
  PORTABLE__CALL("portable_map_find");
  struct finding f = {.map = map, .keys = keys, .numbers = numbers_out};
  portable_status status = begin(&f.w, "map_find", label, map, keys, count, launch, &f.bytes);
  if (status != PORTABLE_OK) return status;
  if (count && !numbers_out) return PORTABLE__WORK_FAIL(&f.w, PORTABLE_ERR_ARG, "%s is NULL", "numbers_out");
  if ((status = apart(&f.w, map, keys, count * f.bytes, "numbers_out", numbers_out, count * f.bytes)) != PORTABLE_OK) return status;
  const void *const arrays[4] = {count ? keys : NULL, count ? numbers_out : NULL, map->count ? map->keys : NULL, map->count ? map->number : NULL};
  struct portable__there t;
  if ((status = portable__work_ready(&f.w, arrays, 4, 0, &t)) != PORTABLE_OK) return status;
  if (t.place.index >= 0 && count) {
    const struct portable__cuda_map w = {.map = *map, .given = keys, .numbers = numbers_out, .count = count, .bytes = f.bytes};
    portable__there_run(&t, PORTABLE__MESH_LIST(PORTABLE__MESH_MAP_FIND), &count, 1, &w, sizeof w);
    return t.status;
  }
  return portable__work_launch(&f.w, find_kernel, &f, count, UNIT, 512);
}

portable_status portable_map_free(portable_index_map *map) {
  PORTABLE__CALL("portable_map_free");
  if (!map) return PORTABLE_OK;
  const portable_status status = map->memory ? portable__made_free(map->memory) : PORTABLE_OK;
  if (status != PORTABLE_OK) return status;
  map->count = 0;
  map->keys = map->number = map->memory = NULL;
  return PORTABLE_OK;
}
