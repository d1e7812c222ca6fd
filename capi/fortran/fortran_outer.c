/* fortran_outer.c - parallel_outer and parallel_blocks for the Fortran modules: labels without an
 * end, arguments in a list. */
#include "../../exec/launch/blocks.h"
#include "../../exec/launch/kernel.h"
#include "../../exec/launch/launch.h"

#include <inttypes.h>

static portable_status negative_scratch(const char *call, const char *label, int64_t scratch_bytes) {
  return portable__fail(PORTABLE_ERR_ARG, "%s '%s': %" PRId64 " bytes of scratch are asked for; it is 0 or more", call, label, scratch_bytes);
}

portable_status portable__fortran_parallel_outer_arguments(int32_t version, const char *label, size_t label_bytes, const portable_bounds *bounds,
                                                           portable_team_function kernel, const void *context,
                                                           const struct portable__fortran_argument *args, int32_t count, int64_t scratch_bytes,
                                                           const portable_launch_config *config, int32_t integer_bytes, int32_t wide) {
  char name[PORTABLE__LABEL_MAX + 1];
  portable_status status = portable__check_version(version);
  if (status != PORTABLE_OK) return status;
  portable__copy_text(name, sizeof name, label, label_bytes);
  if (scratch_bytes < 0) return negative_scratch("parallel_outer", name, scratch_bytes);
  if (PORTABLE__UNLIKELY(portable__arguments_count(config))) {
    const struct portable__host_version host = {.team = kernel, .context = context, .integer_bytes = integer_bytes, .flags = wide,
                                                .scratch_bytes = (size_t)scratch_bytes};
    return portable__launch_arguments(name, bounds, args, count, config, &host);
  }
  return portable__outer(name[0] ? name : NULL, bounds, kernel, context, 0, (size_t)scratch_bytes, config, integer_bytes, wide);
}

portable_status portable__fortran_parallel_outer(int32_t version, const char *label, size_t label_bytes,
                                                 const portable_bounds *bounds, portable_team_function kernel, const void *block,
                                                 size_t block_bytes, int64_t scratch_bytes, const portable_launch_config *config,
                                                 int32_t integer_bytes, int32_t wide) {
  char name[PORTABLE__LABEL_MAX + 1];
  portable_status status = portable__check_version(version);
  if (status != PORTABLE_OK) return status;
  portable__copy_text(name, sizeof name, label, label_bytes);
  if (scratch_bytes < 0) return negative_scratch("parallel_outer", name, scratch_bytes);
  return portable__outer(name[0] ? name : NULL, bounds, kernel, block, block_bytes, (size_t)scratch_bytes, config, integer_bytes, wide);
}

portable_status portable__fortran_parallel_blocks(int32_t version, const char *label, size_t label_bytes, const portable_bounds *bounds, const int32_t *threads,
                                                  int32_t count, portable_block_function kernel, const void *block, size_t block_bytes,
                                                  const struct portable__fortran_argument *args, int32_t listed, int64_t scratch_bytes,
                                                  const portable_launch_config *config, int32_t integer_bytes, int32_t flags) {
  char name[PORTABLE__LABEL_MAX + 1];
  int32_t size;
  portable_status status = portable__check_version(version);
  if (status != PORTABLE_OK) return status;
  portable__copy_text(name, sizeof name, label, label_bytes);
  if (scratch_bytes < 0) return negative_scratch("parallel_blocks", name, scratch_bytes);
  if (bounds->rank != count)
    return portable__fail(PORTABLE_ERR_ARG, "parallel_blocks '%s': threads has the size %d, and the bounds have the rank %d; give a number for each dimension", name,
                          (int)count, (int)bounds->rank);
  if (kernel && (listed >= 0 || block_bytes) && PORTABLE__UNLIKELY(portable__arguments_count(config)) && (uint64_t)scratch_bytes <= PORTABLE_SCRATCH_MAX &&
      portable__block_is_ordinary(bounds, threads, &size)) {
    const struct portable__host_version host = {.block = kernel, .threads = threads, .context = block, .context_bytes = block_bytes,
                                                .integer_bytes = integer_bytes, .flags = flags, .scratch_bytes = (size_t)scratch_bytes};
    if (listed >= 0) return portable__launch_arguments(name, bounds, args, listed, config, &host);
    if (portable__launch_with_code(name, bounds, &host, config, &status)) return status;
  }
  return portable__parallel_blocks(name[0] ? name : NULL, bounds, threads, kernel, block, block_bytes, (size_t)scratch_bytes, config, integer_bytes, flags);
}
