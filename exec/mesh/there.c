/* there.c - calls on CUDA devices: place, scratch memory, numbers that kernels find, and memory of
 * what calls make. Main function: portable__there_choose. Not here: planning of a call (its own
 * file), launches (exec/device). Threads: any; no lock. */
#include "there.h"

#include <string.h>

#include "../../gator/front/front.h"
#include "../../internal/backend/cuda/memory.h"
#include "../device/devices.h"

portable_status portable__there_choose(struct portable__there *t, const char *call, const char *label, const portable_launch_config *config,
                                       const struct portable__memory *memory, int32_t count, int32_t makes) {
  memset(t, 0, sizeof *t);
  t->place.index = -1;
  int32_t arrays = 0;
  for (int32_t i = 0; i < count; i++) arrays += memory[i].at != NULL;
  if (!portable__on_device_matters() || !arrays) return PORTABLE_OK;
  const portable_status status = portable__place(call, label, config, memory, count, 1, &t->place);
  if (status != PORTABLE_OK || t->place.index < 0 || !makes || portable__device_room(t->place.device) == PORTABLE_SPACE_HOST) return status;
  for (int32_t i = 0; i < count && !t->own; i++) t->own = memory[i].at && portable__cuda_foreign_space((uintptr_t)memory[i].at) >= PORTABLE_SPACE_DEVICE(0);
  if (!t->own) t->place.index = -1;
  return PORTABLE_OK;
}

void portable__there_begin(struct portable__there *t) {
  struct portable__workspace *const w = &t->block[t->blocks];
  t->status = portable__workspace_take(&t->place, PORTABLE__FOUND * sizeof *t->found, 1, w);
  if (t->status != PORTABLE_OK) return;
  t->blocks++;
  t->found = w->at;
  for (int i = 0; i < PORTABLE__FOUND; i++) t->found[i] = INT64_MAX;
}

void *portable__there_take(struct portable__there *t, int64_t bytes) {
  struct portable__workspace *const w = &t->block[t->blocks];
  if (t->status != PORTABLE_OK || !bytes) return NULL;
  t->status = portable__workspace_take(&t->place, (size_t)bytes, 0, w);
  if (t->status == PORTABLE_OK) t->blocks++;
  return w->at;
}

void portable__there_run(struct portable__there *t, uint32_t list, const int64_t *threads, int32_t steps, const void *block, size_t bytes) {
  if (t->status == PORTABLE_OK) t->status = portable__place_chain(&t->place, list, threads, steps, block, bytes);
}

void portable__there_element(const struct portable__there *t, const void *from, size_t bytes, void *to) {
  memset(to, 0, bytes);
  if (t->place.index < 0)
    memcpy(to, from, bytes);
  else
    (void)portable__place_fetch(&t->place, from, bytes, to);
}

int64_t portable__there_get(const struct portable__there *t, const void *at, int32_t bytes, int64_t k) {
  int32_t narrow = 0;
  int64_t wide = 0;
  portable__there_element(t, (const char *)at + k * bytes, (size_t)bytes, bytes == 4 ? (void *)&narrow : &wide);
  return bytes == 4 ? narrow : wide;
}

portable_status portable__there_end(struct portable__there *t) {
  while (t->blocks > 0) portable__workspace_give(&t->place, &t->block[--t->blocks], t->status == PORTABLE_OK);
  return t->status;
}

/* ---- what calls make ---- */

portable_status portable__made_alloc(const struct portable__there *t, size_t bytes, const char *label, void **block) {
  portable_pool pool = 0;
  if (!t || !t->own) return portable__alloc(bytes, label, strlen(label), block);
  const portable_status status = portable_pool_of_space(PORTABLE_SPACE_DEVICE(t->place.index), &pool);
  return status == PORTABLE_OK ? portable_pool_alloc(pool, bytes, label, block) : status;
}

portable_status portable__made_free(void *block) {
  portable_pool pool = 0;
  const int32_t space = portable__on_device_matters() ? portable__cuda_foreign_space((uintptr_t)block) : 0;
  if (space < PORTABLE_SPACE_DEVICE(0)) return portable__free(block);
  const portable_status status = portable_pool_of_space(space, &pool);
  return status == PORTABLE_OK ? portable_pool_free(pool, block) : status;
}
