/* device.c - exchanges on CUDA devices: the place of a launch, the buffer of the messages, tables
 * that a device can access. Not here: the kernel (exec/device/device_halo.c), rows on the host
 * (pack.c). Threads: one user of a halo at a time. */
#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "../../internal/edge/environment.h"
#include "../device/device_arrays.h"
#include "../device/devices.h"
#include "../launch/kernel_record.h"
#include "../launch/launch.h"
#include "halo.h"

_Static_assert(sizeof(struct portable__cuda_halo_rows) == sizeof(struct portable__halo_rows) &&
               offsetof(struct portable__cuda_halo_rows, first_element) == offsetof(struct portable__halo_rows, first_element) &&
               offsetof(struct portable__cuda_halo_rows, step) == offsetof(struct portable__halo_rows, step) &&
               offsetof(struct portable__cuda_halo_rows, group) == offsetof(struct portable__halo_rows, group), "rows of ghost cells");

/* The place of a launch with all fields, and the buffer if there is one. */
static portable_status place_of(const struct portable__halo *h, const struct portable__fields *f, const struct portable__exchange *x,
                                const portable_launch_config *launch, struct portable__place *place) {
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  struct portable__memory *const memory = calloc((size_t)f->count + 1, sizeof *memory);
  if (!memory) return portable__fail(PORTABLE_ERR_NOMEM, "%s '%s': no memory for a list of %d fields", portable__halo_word(h), h->label, (int)f->count);
  if (launch) memcpy(&config, launch, launch->struct_size);
  for (int32_t i = 0; i < f->count; i++) memory[i] = (struct portable__memory){f->list[i].name, f->list[i].array.data, 0};
  memory[f->count] = (struct portable__memory){"the messages", x->buffer.data, 0};
  const portable_status status = portable__place(portable__halo_word(h), h->label, &config, memory, f->count + 1, 1, place);
  free(memory);
  return status;
}

/* 1: messages may be in the memory of a device: MPI says so, or the user. */
static int sends_from_device(const struct portable__halo *h) {
  const char *const text = portable__getenv("PORTABLE_MPI_DEVICE"); /* Go has warned of invalid values */
  if (h->alone) return 0;
  if (text && (!strcmp(text, "0") || !strcmp(text, "1"))) return text[0] == '1';
  if (h->messenger.device_memory >= 0) return h->messenger.device_memory;
  int (*query)(void) = NULL; /* of Open MPI, MPICH and their relatives */
  *(void **)&query = dlsym(RTLD_DEFAULT, "MPIX_Query_cuda_support");
  return query && query() == 1;
}

/* Tables that point into the copy. */
static void relocate(struct portable__halo_plan *copy, const struct portable__halo_plan *plan) {
  const ptrdiff_t by = (const char *)copy - (const char *)plan;
  for (int i = 0; i < PORTABLE__HALO_LISTS; i++) {
    struct portable__halo_list *const list = &copy->list[i];
    list->rows = (void *)((char *)list->rows + by);
    for (int32_t k = 0; k < list->count; k++)
      if (list->rows[k].index) list->rows[k].index = (const void *)((const char *)list->rows[k].index + by);
  }
}

portable_status portable__halo_shared(const struct portable__halo *h, const portable_launch_config *launch, portable_array_config *config) {
  portable_launch_config complete = PORTABLE_LAUNCH_CONFIG_INIT;
  struct portable__place place;
  if (!portable__on_device_matters()) return PORTABLE_OK;
  if (launch) memcpy(&complete, launch, launch->struct_size);
  const portable_status status = portable__place(portable__halo_word(h), h->label, &complete, NULL, 0, 1, &place);
  config->space = PORTABLE_SPACE_PINNED;
  return status == PORTABLE_OK ? portable__pinned_pool(place.index, &config->pool) : status;
}

portable_status portable__halo_memory(const struct portable__halo *h, const struct portable__fields *f, struct portable__exchange *x,
                                      const portable_launch_config *launch) {
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  const int64_t bytes = x->plan->bytes ? x->plan->bytes : 1;
  struct portable__place place = {.index = -1};
  portable_status status = portable__halo_shared(h, launch, &config);
  if (status == PORTABLE_OK && portable__on_device_matters()) {
    status = portable_array_create(h->label, PORTABLE_KIND_BYTES, 1, 1, &x->plan->size, &config, &x->tables);
    if (status != PORTABLE_OK) return status;
    memcpy(x->tables.data, x->plan, (size_t)x->plan->size);
    relocate(x->tables.data, x->plan);
    status = place_of(h, f, x, launch, &place);
    if (place.index >= 0 && sends_from_device(h)) config.space = PORTABLE_SPACE_DEVICE(place.index), config.pool = 0;
  }
  return status == PORTABLE_OK ? portable_array_create(h->label, PORTABLE_KIND_BYTES, 1, 1, &bytes, &config, &x->buffer) : status;
}

portable_status portable__halo_device(const struct portable__halo *h, const struct portable__fields *f, const struct portable__exchange *x, int32_t which,
                                      int32_t way, int64_t from, int64_t to, const portable_launch_config *launch) {
  const struct portable__halo_plan *const tables = x->tables.data;
  struct portable__place place;
  const portable_status status = place_of(h, f, x, launch, &place);
  if (status != PORTABLE_OK || place.index < 0 || !tables) return status == PORTABLE_OK ? PORTABLE__NOT_HERE : status;
  if (from == to) return PORTABLE_OK;
  const struct portable__halo_list *const list = &tables->list[which];
  struct portable__cuda_halo w = {.rows = (const void *)list->rows, .buffer = x->buffer.data, .from = 0, .to = list->elements, .rows_count = list->count, .way = way};
  for (int32_t k = 0; k < list->count; k++) { /* groups begin and end with rows of the list */
    if (list->rows[k].first == from) w.from = list->rows[k].first_element;
    if (list->rows[k].first == to) w.to = list->rows[k].first_element;
  }
  return portable__device_halo(&place, &w);
}
