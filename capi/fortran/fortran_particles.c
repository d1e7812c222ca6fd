/* fortran_particles.c - the functions of portable_particles_mod: labels, extents, lower bounds.
 * Not here: cells, merges and maps (exec/mesh). Threads: any. */
#include <inttypes.h>
#include <string.h>

#include "../include/mesh/portable_particles.h"
#include "fortran_section.h"

static portable_status prepare(int32_t version, const char *call, const char *label, size_t label_bytes, char name[PORTABLE__LABEL_MAX + 1]) {
  const portable_status status = portable__check_version(version);
  if (status != PORTABLE_OK) return status;
  portable__copy_text(name, PORTABLE__LABEL_MAX + 1, label, label_bytes);
  if (!name[0]) portable__copy_text(name, PORTABLE__LABEL_MAX + 1, call, strlen(call));
  return PORTABLE_OK;
}

static portable_status sizes_agree(const char *call, const char *name, int32_t rank, const int64_t *sizes) {
  for (int32_t d = 1; d < rank; d++)
    if (sizes[d] != sizes[0])
      return portable__fail(PORTABLE_ERR_ARG, "%s '%s': %s has %" PRId64 " elements, and x has %" PRId64, call, name, d == 1 ? "y" : "z", sizes[d], sizes[0]);
  return PORTABLE_OK;
}

portable_status portable__fortran_cell_list(int32_t version, const char *label, size_t label_bytes, int32_t kind, int32_t rank, const void *const *position,
                                            const int64_t *sizes, double cutoff, const double *box, const int32_t *periodic,
                                            const struct portable_launch_config *config, portable_cell_list *cells) {
  char name[PORTABLE__LABEL_MAX + 1];
  portable_cell_list_options options = PORTABLE_CELL_LIST_OPTIONS_INIT;
  portable_status status = prepare(version, "cell_list_build", label, label_bytes, name);
  if (status != PORTABLE_OK) return status;
  if (rank < 1) return portable__fail(PORTABLE_ERR_ARG, "cell_list_build '%s': lower, upper and periodic have as many elements as there are dimensions", name);
  if ((status = sizes_agree("cell_list_build", name, rank, sizes)) != PORTABLE_OK) return status;
  for (int32_t d = 0; d < rank; d++) options.periodic[d] = periodic[d];
  options.lower = 1;
  options.launch = config;
  return portable_cell_list_build(name, kind, rank, position, sizes[0], cutoff, box, box + 3, &options, cells);
}

portable_status portable__fortran_neighbours(int32_t version, const char *label, size_t label_bytes, const portable_cell_list *cells, int32_t kind,
                                             int32_t rank, const void *const *position, const int64_t *sizes, int32_t list_kind, int32_t half, double cutoff,
                                             const struct portable_launch_config *config, portable_csr *list) {
  char name[PORTABLE__LABEL_MAX + 1];
  portable_neighbour_options options = PORTABLE_NEIGHBOUR_OPTIONS_INIT;
  portable_status status = prepare(version, "neighbour_list", label, label_bytes, name);
  if (status != PORTABLE_OK) return status;
  if ((status = sizes_agree("neighbour_list", name, rank, sizes)) != PORTABLE_OK) return status;
  if (cells->rank && (rank != cells->rank || sizes[0] != cells->particles))
    return portable__fail(PORTABLE_ERR_ARG, "neighbour_list '%s': there are %" PRId64 " particles in %d dimensions, but the cells have %" PRId64 " in %d", name, sizes[0], (int)rank,
                          cells->particles, (int)cells->rank);
  options.half = half;
  options.cutoff = cutoff;
  options.launch = config;
  return portable_neighbour_list(name, cells, kind, position, list_kind, &options, list);
}

portable_status portable__fortran_merge(int32_t version, const char *label, size_t label_bytes, int32_t kind, int32_t descending, const void *const *arrays,
                                        const int64_t *sizes, int64_t value_bytes, const struct portable_launch_config *config, void *keys, void *values) {
  static const char *const names[] = {"ka", "kb", "kc", "va", "vb", "vc"};
  const char *const call = value_bytes ? "merge_by_key" : "merge_sorted";
  char name[PORTABLE__LABEL_MAX + 1];
  portable_merge_options options = PORTABLE_MERGE_OPTIONS_INIT;
  const portable_status status = prepare(version, call, label, label_bytes, name);
  if (status != PORTABLE_OK) return status;
  if (sizes[2] != sizes[0] + sizes[1])
    return portable__fail(PORTABLE_ERR_ARG, "%s '%s': the result has %" PRId64 " elements, and both arrays together have %" PRId64, call, name, sizes[2], sizes[0] + sizes[1]);
  for (int i = 0; i < 3 && value_bytes; i++)
    if (sizes[i + 3] != sizes[i])
      return portable__fail(PORTABLE_ERR_ARG, "%s '%s': %s has %" PRId64 " elements, and %s has %" PRId64, call, name, names[i + 3], sizes[i + 3], names[i], sizes[i]);
  options.flags = descending ? PORTABLE_SORT_DESCENDING : 0;
  options.launch = config;
  if (!value_bytes) return portable_merge_sorted(name, kind, arrays[0], sizes[0], arrays[1], sizes[1], &options, keys);
  return portable_merge_by_key(name, kind, arrays[0], arrays[2], sizes[0], arrays[1], arrays[3], sizes[1], (size_t)value_bytes, &options, keys, values);
}

portable_status portable__fortran_map_insert(int32_t version, const char *label, size_t label_bytes, portable_index_map *map, const void *keys, int64_t count,
                                             const struct portable_launch_config *config, uint8_t *is_new, int64_t flags) {
  char name[PORTABLE__LABEL_MAX + 1];
  const portable_status status = prepare(version, "map_insert", label, label_bytes, name);
  if (status != PORTABLE_OK) return status;
  if (flags != count) return portable__fail(PORTABLE_ERR_ARG, "map_insert '%s': there are %" PRId64 " keys, but new has %" PRId64 " elements", name, count, flags);
  return portable_map_insert(name, map, keys, count, config, is_new);
}

portable_status portable__fortran_map_find(int32_t version, const char *label, size_t label_bytes, const portable_index_map *map, const void *keys,
                                           int64_t count, int64_t numbers, const struct portable_launch_config *config, void *numbers_out) {
  char name[PORTABLE__LABEL_MAX + 1];
  const portable_status status = prepare(version, "map_lookup", label, label_bytes, name);
  if (status != PORTABLE_OK) return status;
  if (numbers != count) return portable__fail(PORTABLE_ERR_ARG, "map_lookup '%s': there are %" PRId64 " keys, but at has %" PRId64 " elements", name, count, numbers);
  return portable_map_find(name, map, keys, count, config, numbers_out);
}
