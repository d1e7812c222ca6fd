/* fortran_twin.c - the functions of portable_twin_mod that C does not have: labels without an end,
 * orders that count from 1, tests of handles. */
#include <string.h>

#include "../../arrays/owner/array.h"

/* The order of a side; zeros gets its dimensions, counted from 0. */
static portable_status set_order(const char *function, const char *name, int32_t rank, int32_t order, int32_t fastest_rank, const int32_t *fastest,
                                 int32_t *zeros, portable_array_config *config) {
  if (fastest_rank >= 0 && fastest_rank != rank)
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': there are %d extents, but %d dimensions in fastest", function, name, (int)rank, (int)fastest_rank);
  for (int32_t k = 0; k < fastest_rank && k < PORTABLE_ARRAY_RANK; k++) zeros[k] = fastest[k] - 1;
  config->order = fastest_rank >= 0 ? PORTABLE_ORDER_PERMUTED : order;
  config->fastest = fastest_rank >= 0 ? zeros : NULL;
  return PORTABLE_OK;
}

static portable_status held(const char *function, const char *name, portable_twin twin) {
  if (!twin) return PORTABLE_OK;
  return portable__fail(PORTABLE_ERR_STATE, "%s of '%s': the handle holds a twin already; release it first", function, name);
}

portable_status portable__fortran_twin_create(int32_t version, const char *label, size_t label_bytes, int32_t kind, int32_t rank,
                                              const int64_t *extents, int32_t lower_rank, const int64_t *lower, const int32_t *orders,
                                              const int32_t *fastest_ranks, const int32_t *host_fastest, const int32_t *device_fastest,
                                              int32_t zero, int32_t separate, portable_twin *twin) {
  static const char function[] = "portable_twin_create";
  char text[PORTABLE__LABEL_MAX + 1];
  int32_t zeros[2][PORTABLE_ARRAY_RANK];
  int64_t ones[PORTABLE_ARRAY_RANK];
  portable_array_config side[2] = {PORTABLE_ARRAY_CONFIG_INIT, PORTABLE_ARRAY_CONFIG_INIT};
  portable_twin_config config = PORTABLE_TWIN_CONFIG_INIT;
  portable_status status = portable__check_version(version);
  if (status != PORTABLE_OK) return status;
  portable__copy_text(text, sizeof text, label, label_bytes);
  const char *name = text[0] ? text : "array";
  if ((status = held(function, name, *twin)) != PORTABLE_OK) return status;
  if (lower_rank >= 0 && lower_rank != rank)
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': there are %d extents, but %d lower bounds", function, name, (int)rank, (int)lower_rank);
  for (int32_t d = 0; d < PORTABLE_ARRAY_RANK; d++) ones[d] = 1;
  status = set_order(function, name, rank, orders[0], fastest_ranks[0], host_fastest, zeros[0], &side[0]);
  if (status == PORTABLE_OK) status = set_order(function, name, rank, orders[1], fastest_ranks[1], device_fastest, zeros[1], &side[1]);
  if (status != PORTABLE_OK) return status;
  side[0].lower = lower_rank >= 0 ? lower : ones;
  side[0].zero = zero;
  config.host = &side[0];
  config.device = &side[1];
  config.separate = separate;
  return portable_twin_create(name, kind, 0, rank, extents, &config, twin);
}

portable_status portable__fortran_twin_wrap(int32_t version, const portable_array *host, int32_t order, int32_t fastest_rank,
                                            const int32_t *fastest, int32_t separate, portable_twin *twin) {
  static const char function[] = "portable_twin_wrap";
  int32_t zeros[PORTABLE_ARRAY_RANK];
  portable_array_config device = PORTABLE_ARRAY_CONFIG_INIT;
  portable_twin_config config = PORTABLE_TWIN_CONFIG_INIT;
  portable_status status = portable__check_version(version);
  if (status == PORTABLE_OK) status = portable__array_live(function, host);
  if (status == PORTABLE_OK) status = held(function, host->label, *twin);
  if (status == PORTABLE_OK) status = set_order(function, host->label, host->rank, order, fastest_rank, fastest, zeros, &device);
  if (status != PORTABLE_OK) return status;
  if (order >= 0 || fastest_rank >= 0) config.device = &device;
  config.separate = separate;
  return portable_twin_wrap(host, &config, twin);
}

portable_status portable__fortran_twin_modified(int32_t version, portable_twin twin, int32_t side, const char *what, size_t what_bytes) {
  char name[PORTABLE__LABEL_MAX + 1];
  portable_status status = portable__check_version(version);
  if (status != PORTABLE_OK) return status;
  portable__copy_text(name, sizeof name, what, what_bytes);
  return (side == 0 ? portable_twin_modified_host : portable_twin_modified_device)(twin, name[0] ? name : NULL);
}

portable_status portable__fortran_twin_sync(int32_t version, portable_twin twin, int32_t side, portable_stream stream) {
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_status status = portable__check_version(version);
  config.stream = stream;
  if (status != PORTABLE_OK) return status;
  return (side == 0 ? portable_twin_sync_host : portable_twin_sync_device)(twin, stream ? &config : NULL);
}

portable_status portable__fortran_layout_rule(int32_t version, const char *label, size_t label_bytes, const char *device, size_t device_bytes,
                                              const char *layout, size_t layout_bytes, int64_t row_bytes) {
  char text[3][PORTABLE__LABEL_MAX + 1];
  portable_status status = portable__check_version(version);
  if (status != PORTABLE_OK) return status;
  portable__copy_text(text[0], sizeof text[0], label, label_bytes);
  portable__copy_text(text[1], sizeof text[1], device, device_bytes);
  portable__copy_text(text[2], sizeof text[2], layout, layout_bytes);
  return portable_layout_rule(text[0], text[1], text[2][0] ? text[2] : NULL, (uint64_t)row_bytes);
}
