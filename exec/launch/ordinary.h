/* ordinary.h - the predicates of a launch; 1: nothing refuses it. Go repeats the checks in their
 * order for the text (exec/launch.go); a fuzz test compares the verdicts. Main function:
 * portable__space_is_ordinary. Threads: any. */
#ifndef PORTABLE__ORDINARY_H
#define PORTABLE__ORDINARY_H

#include <string.h>

#include "../../internal/edge/base.h"
#include "../../internal/team/cut.h"

/* The arguments of portable_bounds_make. */
static inline int portable__bounds_are_ordinary(int32_t rank, int32_t order) {
  return rank >= 1 && rank <= PORTABLE_LOOP_RANK && (order == PORTABLE_ORDER_C || order == PORTABLE_ORDER_FORTRAN);
}

/* 1: the configuration has the size of a version. It is copied over *copy, which is PORTABLE_LAUNCH_CONFIG_INIT before. */
static inline int portable__config_read(const portable_launch_config *config, portable_launch_config *copy) {
  if (config->struct_size < sizeof(uint32_t) || config->struct_size > sizeof *copy) return 0;
  memcpy(copy, config, config->struct_size);
  return 1;
}

/* 1: a signed integer of that size holds all bounds; 0 bytes: not tested. */
static inline int portable__bounds_fit(const portable_bounds *b, int32_t bytes) {
  if (bytes == 0 || bytes >= 8) return 1;
  const int64_t most = (INT64_C(1) << (8 * bytes - 1)) - 1;
  for (int32_t d = 0; d < b->rank; d++)
    if (b->lower[d] < -most - 1 || b->lower[d] > most || b->upper[d] > most || b->upper[d] < -most - 1 || b->stride[d] > most) return 0;
  return 1;
}

/* Completes the configuration, and fills rank, count and axes of the cut. strided: the kernel uses the stride, whatever the
 * configuration says. integer_bytes: of the integers that hold the bounds; 0: any. */
static inline int portable__space_is_ordinary(const portable_bounds *bounds, const portable_launch_config *config, int32_t strided,
                                              int32_t integer_bytes, portable_launch_config *copy, struct portable__cut *cut) {
  if (config && PORTABLE__UNLIKELY(!portable__config_read(config, copy))) return 0;
  if (PORTABLE__UNLIKELY(portable__cut_space(bounds, cut))) return 0;
  if (!copy->strided && !strided)
    for (int32_t d = 0; d < bounds->rank; d++)
      if (PORTABLE__UNLIKELY(bounds->stride[d] != 1)) return 0;
  if (PORTABLE__UNLIKELY(!portable__bounds_fit(bounds, integer_bytes))) return 0;
  if (!config) return 1;
  int bad = copy->cut < 0 || copy->reserved != 0 || copy->schedule < PORTABLE_SCHEDULE_DEFAULT || copy->schedule > PORTABLE_SCHEDULE_DYNAMIC;
  for (int32_t d = 0; d < bounds->rank; d++) bad |= copy->tile[d] < 0;
  return !bad;
}

/* 1: the configuration's division is one of these bounds, which portable__cut_space has read. Fills block_size, and the tile of a space. */
int portable__division_is_ordinary(const portable_bounds *bounds, const struct portable__cut *cut, int32_t kind, portable_launch_config *copy);

/* The device of a launch, of its stream first; 0: it does not exist, or the stream is invalid or of another device. of: the device
 * of the stream that the configuration names, 0 if there is no such stream. */
static inline int32_t portable__launch_device(const portable_launch_config *config, int32_t of, int32_t devices, int32_t by_default) {
  int32_t device = config->device;
  if (config->stream) {
    if (PORTABLE__UNLIKELY(of == 0 || (device && device != of))) return 0;
    device = of;
  }
  if (device == 0) device = by_default;
  return device < 1 || device > devices ? 0 : device;
}

#endif
