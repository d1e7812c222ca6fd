/* restart.h - the fields that the tests of restart files write and read: all kinds, several ranks, sections with negative bounds.
 * Not in this file: any test. */
#ifndef RESTART_H
#define RESTART_H

#include "halo.h"

#include <portable_hdf5.h>

#define FIELDS 7

typedef struct state {
  box b;
  portable_halo halo;
  portable_fields fields;
  portable_array array[FIELDS];
} state;

static const char *const field_names[FIELDS] = {"h", "counts", "mask", "spectrum", "tracer", "structs", "bytes"};
static const int32_t field_kinds[FIELDS] = {PORTABLE_KIND_REAL64, PORTABLE_KIND_INT16, PORTABLE_KIND_LOGICAL8, PORTABLE_KIND_COMPLEX64, PORTABLE_KIND_REAL32, PORTABLE_KIND_BYTES, PORTABLE_KIND_INT64};
static const size_t field_bytes[FIELDS] = {8, 2, 1, 16, 4, 24, 8};

/* A domain of rank dimensions; field 4 has one dimension more, field 6 is the reversed view of an array in Fortran's order. */
static inline void state_make(state *s, MPI_Comm comm, int32_t rank, const int64_t *global, int64_t width) {
  portable_halo_box_options o = PORTABLE_HALO_BOX_OPTIONS_INIT;
  int64_t widths[3] = {width, width, width};
  int f, d;
  o.rank = rank;
  o.global = global;
  o.width = widths;
  memset(s, 0, sizeof *s);
  s->b.rank = rank;
  CHECK_STATUS(portable_mpi_halo_box("ghosts", comm, &o, &s->halo), PORTABLE_OK);
  CHECK_STATUS(portable_halo_own(s->halo, s->b.first, s->b.last), PORTABLE_OK);
  CHECK_STATUS(portable_fields_create("state", &s->fields), PORTABLE_OK);
  for (d = 0; d < rank; d++) {
    s->b.global[d] = global[d];
    s->b.width[d] = width;
  }
  for (f = 0; f < FIELDS; f++) {
    portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
    portable_array_range ranges[4] = {PORTABLE_RANGE_ALL, PORTABLE_RANGE_ALL, PORTABLE_RANGE_ALL, PORTABLE_RANGE_ALL};
    int64_t extents[4], lower[4] = {-7, -7, -7, -7};
    int32_t dims[3] = {0, 1, 2}, more = f == 4;
    for (d = 0; d < rank; d++) extents[d] = s->b.last[d] - s->b.first[d] + 1 + 2 * width;
    if (more) { /* before the dimensions that ranks share */
      for (d = rank; d > 0; d--) extents[d] = extents[d - 1], dims[d - 1] = d;
      extents[0] = 3;
    }
    config.order = f % 2 ? PORTABLE_ORDER_FORTRAN : PORTABLE_ORDER_C;
    config.lower = lower;
    config.zero = 1;
    CHECK_STATUS(portable_array_create(field_names[f], field_kinds[f], field_bytes[f], rank + more, extents, &config, &s->array[f]), PORTABLE_OK);
    if (f == 6) {
      const portable_array_range reversed = PORTABLE_RANGE_REVERSED;
      ranges[0] = reversed;
      CHECK_STATUS(portable_array_slice(&s->array[f], ranges, &s->array[f]), PORTABLE_OK);
    }
    CHECK_STATUS(portable_fields_add(s->fields, field_names[f], &s->array[f], more ? rank : 0, more ? dims : NULL), PORTABLE_OK);
  }
}

static inline void state_end(state *s) {
  int f;
  CHECK_STATUS(portable_fields_destroy(s->fields), PORTABLE_OK);
  CHECK_STATUS(portable_halo_destroy(s->halo), PORTABLE_OK);
  for (f = 0; f < FIELDS; f++) CHECK_STATUS(portable_array_release(&s->array[f]), PORTABLE_OK);
}

/* Sets all elements, or counts those that are not as they should be. Ghost cells have the cell -2 - ghost. */
static inline int state_visit(state *s, int sets, int64_t ghost) {
  int f, d, wrong = 0;
  for (f = 0; f < FIELDS; f++) {
    const portable_array *const a = &s->array[f];
    const int more = a->rank - s->b.rank;
    int64_t at[4] = {0}, n = 1, i;
    for (d = 0; d < a->rank; d++) n *= a->extent[d];
    for (i = 0; i < n; i++) {
      unsigned char want[32];
      char *element = (char *)a->data;
      int outside = 0;
      int64_t rest = i, cell = 0;
      for (d = 0; d < a->rank; d++) {
        at[d] = rest % a->extent[d];
        rest /= a->extent[d];
        element += at[d] * a->stride[d] * (int64_t)a->element_bytes;
      }
      for (d = 0; d < s->b.rank; d++) {
        const int64_t x = s->b.first[d] + at[d + more] - s->b.width[d];
        outside += x < s->b.first[d] || x > s->b.last[d];
        cell = cell * s->b.global[d] + x;
      }
      value_of(outside ? -2 - ghost : cell, more ? at[0] : 0, f, (size_t)a->element_bytes, want);
      if (sets) memcpy(element, want, (size_t)a->element_bytes);
      else wrong += memcmp(element, want, (size_t)a->element_bytes) != 0;
    }
  }
  return wrong;
}

#endif
