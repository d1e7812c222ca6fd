/* fortran_launch.c - the functions of portable_core_mod for launches: labels and texts without an
 * end. */
#include <string.h>

#include "../../exec/launch/launch.h"
#include "../../exec/launch/kernel.h"

#define LABEL_BYTES 256 /* with its end */

portable_status portable__fortran_parallel_for(int32_t version, const char *label, size_t label_bytes,
                                               const portable_bounds *bounds, portable_kernel_function kernel,
                                               const void *block, size_t block_bytes, const portable_launch_config *config,
                                               int32_t integer_bytes, int32_t flags) {
  char name[LABEL_BYTES];
  portable_status status = portable__check_version(version);
  if (status != PORTABLE_OK) return status;
  portable__copy_text(name, sizeof name, label, label_bytes);
  if (block_bytes && PORTABLE__UNLIKELY(portable__arguments_count(config))) {
    const struct portable__host_version host = {
        .function = kernel, .context = block, .context_bytes = block_bytes, .integer_bytes = integer_bytes, .flags = flags};
    if (portable__launch_with_code(name, bounds, &host, config, &status)) return status;
  }
  return portable__launch(name[0] ? name : NULL, bounds, kernel, block, block_bytes, config, integer_bytes, flags, NULL);
}

void portable__fortran_kernel_fail(const portable_tile *tile, int32_t code, const char *text, size_t text_bytes) {
  char copy[PORTABLE__FAIL_TEXT];
  portable__copy_text(copy, sizeof copy, text, text_bytes);
  portable_kernel_fail(tile, code, copy);
}
