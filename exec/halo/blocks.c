/* blocks.c - own cells of fields as blocks of the whole domain, for files: packed, unpacked, with a
 * hash that does not depend on the number of ranks. Not here: HDF5 (portable_hdf5.h), shapes and
 * names (internal/halo). Threads: one user of a halo and its fields at a time. */
#include <stdlib.h>
#include <string.h>

#include "../../internal/team/devices.h"
#include "../device/device_algorithm.h"
#include "../launch/launch.h"
#include "exchange.h"
#include "questions.h"

#define SMALL 32768 /* bytes of a tile, about */

struct blocks {
  portable__blocks face;
  struct portable__halo halo; /* a copy without messenger: data is memory of the host */
  struct portable__fields *fields;
  struct portable__exchange *x;
};

/* ---- the hash: a sum over 8-byte words of mix(word, its number in the whole field) ---- */

struct hashing {
  const portable__block *block;
  const char *data;
  uint64_t sum;
  int64_t rows, unit;
};

static inline uint64_t mix(uint64_t word, uint64_t number) {
  __extension__ const unsigned __int128 product = (unsigned __int128)(word ^ 0x9e3779b97f4a7c15u) * (number * 0xd6e8feb86659fd93u + 0xa0761d6478bd642fu);
  return (uint64_t)(product >> 64) ^ (uint64_t)product;
}

#define ROW(type)                                                          \
  for (int64_t i = 0; i < count; i++) {                                    \
    type element;                                                          \
    memcpy(&element, at + i * (int64_t)sizeof element, sizeof element);    \
    sum += mix(element, number + (uint64_t)i);                             \
  }                                                                        \
  return sum

/* A row of elements whose first one has this number in the whole field. An element is words of its own. */
static uint64_t hash_row(const char *at, int64_t count, int64_t bytes, uint64_t number) {
  uint64_t sum = 0;
  switch (bytes) {
    case 1: ROW(uint8_t);
    case 2: ROW(uint16_t);
    case 4: ROW(uint32_t);
    case 8: ROW(uint64_t);
    default: break;
  }
  const uint64_t words = ((uint64_t)bytes + 7) / 8;
  for (int64_t i = 0; i < count; i++)
    for (uint64_t k = 0; k < words; k++) {
      const size_t rest = (size_t)bytes - 8 * (size_t)k;
      uint64_t word = 0;
      memcpy(&word, at + i * bytes + 8 * (int64_t)k, rest < 8 ? rest : 8);
      sum += mix(word, (number + (uint64_t)i) * words + k);
    }
  return sum;
}

static void kernel(const portable_tile *t, void *args) {
  struct hashing *const h = args;
  const portable__block *const b = h->block;
  const int64_t count = b->count[b->rank - 1], from = t->lower[0] * h->unit;
  int64_t to = (t->upper[0] + 1) * h->unit;
  uint64_t sum = 0;
  if (to > h->rows) to = h->rows;
  for (int64_t row = from; row < to; row++) {
    int64_t rest = row, number = b->first[b->rank - 1], step = b->global[b->rank - 1];
    for (int32_t d = b->rank - 2; d >= 0; d--) {
      number += (b->first[d] + rest % b->count[d]) * step;
      rest /= b->count[d];
      step *= b->global[d];
    }
    sum += hash_row(h->data + row * count * b->element_bytes, count, b->element_bytes, (uint64_t)number);
  }
  __atomic_fetch_add(&h->sum, sum, __ATOMIC_RELAXED); /* integers: any order gives the same */
}

static portable_status hash(const struct blocks *b, const portable__block *block, uint64_t *hash_out) {
  struct hashing h = {block, b->face.data, 0, 0, 1};
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  if (portable__on_device_matters()) config.device = PORTABLE__THREADS; /* data is memory of the host, whatever the default device is */
  if (block->elements) {
    const int64_t count = block->count[block->rank - 1];
    h.rows = block->elements / count;
    h.unit = SMALL / (count * block->element_bytes) + 1;
    const portable_bounds units = portable_bounds_1((h.rows - 1) / h.unit + 1);
    const portable_status status = portable__launch(b->halo.label, &units, kernel, &h, 0, &config, 0, PORTABLE__WAITS | PORTABLE__OURS, NULL);
    if (status != PORTABLE_OK) return status;
  }
  *hash_out = h.sum;
  return PORTABLE_OK;
}

/* ---- blocks ---- */

_Static_assert(PORTABLE__BLOCKS_PACK == PORTABLE__HALO_PACK && PORTABLE__BLOCKS_UNPACK == PORTABLE__HALO_UNPACK, "ways of rows");

void portable__restart_end(portable__blocks *blocks) {
  struct blocks *const b = (struct blocks *)blocks;
  if (!b) return;
  if (b->x) portable__exchange_end(&b->halo, b->x);
  free(b->face.block);
  free(b);
}

static portable_status plan(struct blocks *b, const char *call) {
  struct portable__crossing crossing;
  portable_status status = portable__cross_in(&crossing);
  if (status != PORTABLE_OK) return status;
  status = portable__halo_go.blocks(&b->halo, b->fields, call, &b->x->plan, b->face.block);
  portable__cross_out(&crossing);
  if (status == PORTABLE_OK) status = portable__halo_memory(&b->halo, b->fields, b->x, NULL);
  if (status == PORTABLE_OK) b->face.data = b->x->buffer.data;
  return status;
}

portable_status portable__restart_begin(const char *call, portable_halo halo, portable_fields fields, portable__blocks **blocks_out) {
  portable_status status = PORTABLE_OK;
  *blocks_out = NULL;
  const struct portable__halo *const h = portable__halo_find(call, halo, &status);
  struct portable__fields *const f = h ? portable__fields_find(call, fields, &status) : NULL;
  if (!f) return status;
  if (!portable_is_initialized()) return portable__not_running(call);
  if (f->begun) return portable__fail(PORTABLE_ERR_STATE, "%s: an exchange of '%s' is in progress; call portable_halo_end first", call, f->label);
  struct blocks *const b = calloc(1, sizeof *b);
  if (b) {
    b->halo = *h;
    b->halo.alone = 1;
    b->fields = f;
    b->face.fields = f->count;
    b->face.ranks = h->messenger.ranks;
    b->face.block = calloc((size_t)f->count + 1, sizeof *b->face.block);
    b->x = calloc(1, sizeof *b->x);
  }
  if (!b || !b->x || !b->face.block) status = portable__fail(PORTABLE_ERR_NOMEM, "%s: no memory for a list of %d fields", call, (int)f->count);
  else status = plan(b, call);
  if (status == PORTABLE_OK) *blocks_out = &b->face;
  else if (b) portable__restart_end(&b->face);
  return status;
}

portable_status portable__restart_move(portable__blocks *blocks, int32_t field, int32_t way, uint64_t *hash_out) {
  struct blocks *const b = (struct blocks *)blocks;
  const int64_t *const row = &b->x->plan->group_first[field];
  if (way == PORTABLE__BLOCKS_HASH) return hash(b, &blocks->block[field], hash_out);
  const portable_status status = portable__exchange_fence(&b->halo, b->x, b->fields, NULL);
  return status == PORTABLE_OK ? portable__exchange_move(&b->halo, b->fields, b->x, PORTABLE__HALO_OWN, way, row[0], row[1], NULL) : status;
}

portable_status portable__restart_file(const char *call, const char *file, int32_t action, int64_t bytes, uint64_t *stamp_out) {
  struct portable__crossing crossing;
  portable_status status = portable__cross_in(&crossing);
  if (status != PORTABLE_OK) return status;
  status = portable__halo_go.file(call, file, action, bytes, stamp_out);
  portable__cross_out(&crossing);
  return status;
}

portable_status portable__restart_fail(portable_status status, const char *text) { return portable__fail(status, "%s", text); }
