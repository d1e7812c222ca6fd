/* fortran_mesh.c - the functions of portable_mesh_mod. The old rows of a descriptor are freed when
 * the new ones are made. Not here: rows and reductions (exec/mesh). Threads: any. */
#include <inttypes.h>
#include <string.h>

#include "../include/mesh/portable_mesh.h"
#include "../../internal/kernels/reduction/partial.h"
#include "fortran_section.h"

#define ARRAYS 32 /* of one call */

/* Sets name and options. */
static portable_status prepare(int32_t version, const char *call, const char *label, size_t label_bytes, const struct portable_launch_config *config,
                               portable_csr_options *options, char name[PORTABLE__LABEL_MAX + 1]) {
  const portable_status status = portable__check_version(version);
  if (status != PORTABLE_OK) return status;
  portable__copy_text(name, PORTABLE__LABEL_MAX + 1, label, label_bytes);
  if (!name[0]) portable__copy_text(name, PORTABLE__LABEL_MAX + 1, call, strlen(call));
  options->lower = 1;
  options->launch = config;
  return PORTABLE_OK;
}

/* A list whose old memory cannot be freed stays. */
static portable_status replace(portable_status status, portable_csr *csr, portable_csr *made) {
  if (status != PORTABLE_OK) return status;
  if ((status = portable_csr_free(csr)) == PORTABLE_OK)
    *csr = *made;
  else
    portable_csr_free(made);
  return status;
}

portable_status portable__fortran_csr_build(int32_t version, const char *label, size_t label_bytes, int32_t kind, const void *row_of, int64_t items,
                                            int64_t each, int64_t rows, const struct portable_launch_config *config, portable_csr *csr) {
  char name[PORTABLE__LABEL_MAX + 1];
  portable_csr_options options = PORTABLE_CSR_OPTIONS_INIT;
  portable_csr made = PORTABLE_CSR_INIT;
  portable_status status = prepare(version, "csr_build", label, label_bytes, config, &options, name);
  if (status != PORTABLE_OK) return status;
  if (each > INT32_MAX) return portable__fail(PORTABLE_ERR_OVERFLOW, "csr_build '%s': the first extent of row_of is %" PRId64 "; it is at most %d", name, each, INT32_MAX);
  return replace(portable_csr_build(name, kind, row_of, items, (int32_t)each, rows, &options, &made), csr, &made);
}

portable_status portable__fortran_csr_counts(int32_t version, const char *label, size_t label_bytes, int32_t kind, const void *counts, int64_t rows,
                                             const struct portable_launch_config *config, portable_csr *csr) {
  char name[PORTABLE__LABEL_MAX + 1];
  portable_csr_options options = PORTABLE_CSR_OPTIONS_INIT;
  portable_csr made = PORTABLE_CSR_INIT;
  const portable_status status = prepare(version, "csr_build", label, label_bytes, config, &options, name);
  return status == PORTABLE_OK ? replace(portable_csr_counts(name, kind, counts, rows, &options, &made), csr, &made) : status;
}

portable_status portable__fortran_csr_transpose(int32_t version, const char *label, size_t label_bytes, const portable_csr *from, int64_t columns,
                                                const struct portable_launch_config *config, portable_csr *csr) {
  char name[PORTABLE__LABEL_MAX + 1];
  portable_csr_options options = PORTABLE_CSR_OPTIONS_INIT;
  portable_csr made = PORTABLE_CSR_INIT;
  const portable_status status = prepare(version, "csr_transpose", label, label_bytes, config, &options, name);
  return status == PORTABLE_OK ? replace(portable_csr_transpose(name, from, columns, &options, &made), csr, &made) : status;
}

portable_status portable__fortran_csr_free(portable_csr *csr) { return portable_csr_free(csr); }

portable_status portable__fortran_segmented(int32_t version, const char *label, size_t label_bytes, int32_t op, int32_t kind, const void *data, int64_t count,
                                            int32_t row_kind, const void *row, int64_t row_count, const void *index, int64_t index_count,
                                            const struct portable_launch_config *config, void *results, int64_t result_count) {
  static const char *const names[] = {"segmented_sum", "segmented_product", "segmented_min", "segmented_max"};
  const char *const call = names[op - PORTABLE_REDUCE_SUM];
  char name[PORTABLE__LABEL_MAX + 1];
  portable_segmented_options options = PORTABLE_SEGMENTED_OPTIONS_INIT;
  portable_csr_options unused = PORTABLE_CSR_OPTIONS_INIT;
  const portable_status status = prepare(version, call, label, label_bytes, config, &unused, name);
  if (status != PORTABLE_OK) return status;
  if (row_count != result_count + 1)
    return portable__fail(PORTABLE_ERR_ARG, "%s '%s': there are %" PRId64 " results, but row has %" PRId64 " elements; it has one more than there are rows", call, name,
                          result_count, row_count);
  options.lower = 1;
  options.index = index;
  options.index_count = index_count;
  options.index_kind = row_kind;
  options.launch = config;
  return portable_segmented_reduce(name, op, kind, data, count, row_kind, row, result_count, &options, results);
}

portable_status portable__fortran_reorder(int32_t version, const char *label, size_t label_bytes, int32_t index_kind, const void *order, int64_t count,
                                          const struct portable__fortran_argument *arrays, int32_t array_count, const struct portable_launch_config *config) {
  char name[PORTABLE__LABEL_MAX + 1];
  portable_csr_options options = PORTABLE_CSR_OPTIONS_INIT;
  portable_reorder_array all[ARRAYS];
  const portable_status status = prepare(version, "reorder", label, label_bytes, config, &options, name);
  if (status != PORTABLE_OK) return status;
  if (array_count > ARRAYS) return portable__fail(PORTABLE_ERR_ARG, "reorder '%s': there are %d arrays; one call takes %d", name, (int)array_count, ARRAYS);
  int32_t n = 0; /* arrays with elements */
  for (int32_t i = 0; i < array_count; i++) {
    const struct portable__fortran_argument *const a = &arrays[i];
    int64_t bytes = (int64_t)portable__kind_bytes(a->kind);
    if (a->rank < 1 || a->rank > 7 || !bytes) return portable__fail(PORTABLE_ERR_ARG, "reorder '%s': argument %d is no array", name, (int)i + 1);
    const int64_t *const last = &a->extent[a->rank - 1];
    if (*last != count)
      return portable__fail(PORTABLE_ERR_ARG, "reorder '%s': order has %" PRId64 " numbers, but the last extent of array %d is %" PRId64, name, count, (int)i + 1, *last);
    int empty = count < 1;
    for (int32_t d = 0; d < a->rank - 1; d++) empty |= a->extent[d] < 1;
    if (empty) continue; /* it has no address either */
    if (!a->data) return portable__fail(PORTABLE_ERR_ARG, "reorder '%s': array %d has no memory", name, (int)i + 1);
    for (int32_t d = 0; d < a->rank - 1; d++) { /* what moves along the last dimension lies together */
      if (a->extent[d] > 1 && a->next[d] - a->data != bytes)
        return portable__fail(PORTABLE_ERR_ARG, "reorder '%s': array %d has gaps along dimension %d; only the last dimension may have them", name, (int)i + 1, (int)d + 1);
      if (__builtin_mul_overflow(bytes, a->extent[d], &bytes)) return portable__fail(PORTABLE_ERR_OVERFLOW, "reorder '%s': array %d has too many bytes", name, (int)i + 1);
    }
    all[n++] = (portable_reorder_array){(void *)(uintptr_t)a->data, (size_t)bytes, count > 1 ? a->next[a->rank - 1] - a->data : bytes};
  }
  return portable_reorder(name, index_kind, order, count, all, n, &options);
}
