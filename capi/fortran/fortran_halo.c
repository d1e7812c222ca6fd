/* fortran_halo.c - the functions of portable_fields_mod that C does not have: names without an end,
 * sections as fields, lists with their lengths. Threads: any; a halo has one user at a time. */
#include <inttypes.h>
#include <string.h>

#include "../../arrays/owner/questions.h"
#include "fortran_section.h"
#include "questions.h"

/* Adds to a list, which the first field makes. */
static portable_status add(const char *name, const portable_array *array, int32_t count, const int32_t *dims, portable_fields *fields) {
  const int first = !*fields;
  portable_status status = first ? portable_fields_create(NULL, fields) : PORTABLE_OK;
  if (status == PORTABLE_OK) status = portable_fields_add(*fields, name, array, count, dims);
  if (status != PORTABLE_OK && first) {
    const portable_fields empty = *fields;
    *fields = 0;
    portable_fields_destroy(empty);
  }
  return status;
}

portable_status portable__fortran_fields_add_handle(int32_t version, const char *name, size_t name_bytes, const portable_array *array, int32_t count,
                                                    const int32_t *dims, portable_fields *fields) {
  char text[PORTABLE__LABEL_MAX + 1];
  portable_status status = portable__check_version(version);
  if (status != PORTABLE_OK) return status;
  portable__copy_text(text, sizeof text, name, name_bytes);
  return add(text, array, count, dims, fields);
}

portable_status portable__fortran_fields_add(int32_t version, const char *name, size_t name_bytes, const struct portable__fortran_section *section,
                                             int32_t count, const int32_t *dims, portable_fields *fields) {
  char text[PORTABLE__LABEL_MAX + 1];
  int64_t strides[PORTABLE_LOOP_RANK], contiguous = 1;
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  portable_array array;
  portable_status status = portable__check_version(version);
  if (status != PORTABLE_OK) return status;
  portable__copy_text(text, sizeof text, name, name_bytes);
  const int64_t bytes = (int64_t)portable__array_element_bytes(section->kind, 0);
  portable__section_strides(section, strides);
  for (int32_t d = 0; d < section->rank; d++) {
    if (bytes && strides[d] % bytes)
      return portable__fail(PORTABLE_ERR_ARG, "portable_fields_add '%s': elements lie %" PRId64 " bytes apart, no multiple of their %" PRId64 " bytes", text, strides[d], bytes);
    strides[d] = section->extent[d] > 1 ? strides[d] / bytes : contiguous;
    contiguous = strides[d] * (section->extent[d] > 0 ? section->extent[d] : 1);
  }
  config.order = PORTABLE_ORDER_FORTRAN;
  status = portable_array_wrap(text, section->kind, 0, (void *)(uintptr_t)section->data, section->rank, section->extent, strides, &config, &array);
  return status == PORTABLE_OK ? add(text, &array, count, dims, fields) : status;
}

portable_status portable__fortran_halo_box(int32_t version, const char *label, size_t label_bytes, const portable_messenger *messenger, int32_t rank,
                                           const int64_t *global, const int64_t *width, const int32_t *periodic, const int32_t *grid, int32_t faces,
                                           portable_halo *halo_out) {
  char text[PORTABLE__LABEL_MAX + 1];
  portable_halo_box_options options = PORTABLE_HALO_BOX_OPTIONS_INIT;
  portable_status status = portable__check_version(version);
  if (status != PORTABLE_OK) return status;
  portable__copy_text(text, sizeof text, label, label_bytes);
  options.rank = rank;
  options.global = global;
  options.width = width;
  options.periodic = periodic;
  options.grid = grid;
  options.faces = faces;
  return portable_halo_box(text[0] ? text : NULL, messenger, &options, halo_out);
}

portable_status portable__fortran_halo_lists(int32_t version, const char *label, size_t label_bytes, const portable_messenger *messenger, int32_t neighbours,
                                             const int32_t *neighbour, int64_t send_rows, const int64_t *send_row, int64_t sends, const int64_t *send_index,
                                             int64_t recv_rows, const int64_t *recv_row, int64_t recvs, const int64_t *recv_index, portable_halo *halo_out) {
  char text[PORTABLE__LABEL_MAX + 1];
  portable_halo_lists_options options = PORTABLE_HALO_LISTS_OPTIONS_INIT;
  portable_status status = portable__check_version(version);
  if (status != PORTABLE_OK) return status;
  portable__copy_text(text, sizeof text, label, label_bytes);
  options.neighbours = neighbours;
  options.neighbour = neighbour;
  options.send_row = send_row;
  options.send_index = send_index;
  options.recv_row = recv_row;
  options.recv_index = recv_index;
  options.base = 1;
  /* A list of another length is refused on all ranks: without rows it has none. */
  if (send_rows != neighbours + 1 || (neighbours && send_row[neighbours] != sends + 1)) options.send_row = NULL;
  if (recv_rows != neighbours + 1 || (neighbours && recv_row[neighbours] != recvs + 1)) options.recv_row = NULL;
  return portable_halo_lists(text[0] ? text : NULL, messenger, &options, halo_out);
}

portable_status portable__fortran_particles_migrate(int32_t version, const char *label, size_t label_bytes, const portable_messenger *messenger, const int32_t *owner,
                                                    int64_t count, portable_fields fields, const portable_launch_config *launch, int64_t *count_out) {
  char text[PORTABLE__LABEL_MAX + 1];
  portable_status status = portable__check_version(version);
  if (status != PORTABLE_OK) return status;
  portable__copy_text(text, sizeof text, label, label_bytes);
  return portable_particles_migrate(text[0] ? text : NULL, messenger, owner, count, fields, launch, count_out);
}

portable_status portable__fortran_particles_ghosts(int32_t version, const char *label, size_t label_bytes, const portable_messenger *messenger, int32_t kind,
                                                   int32_t rank, const void *const *position, const int64_t *sizes, double cutoff, const double *box,
                                                   const int32_t *periodic, portable_fields fields, const portable_launch_config *launch, portable_halo *halo,
                                                   int64_t *count_out) {
  char text[PORTABLE__LABEL_MAX + 1];
  portable_ghosts_options options = PORTABLE_GHOSTS_OPTIONS_INIT;
  portable_status status = portable__check_version(version);
  if (status != PORTABLE_OK) return status;
  portable__copy_text(text, sizeof text, label, label_bytes);
  int32_t along = rank < 1 ? PORTABLE__GHOSTS_SIZES : rank;
  for (int32_t d = 0; d < rank; d++) {
    if (along == rank && sizes[d] != sizes[0]) along = PORTABLE__GHOSTS_SIZES + d; /* refused on all ranks */
    options.periodic[d] = periodic[d];
    options.low[d] = box[2 * d];
    options.high[d] = box[2 * d + 1];
  }
  options.launch = launch;
  return portable_particles_ghosts(text[0] ? text : NULL, messenger, kind, along, position, sizes[0], cutoff, &options, fields, halo, count_out);
}
