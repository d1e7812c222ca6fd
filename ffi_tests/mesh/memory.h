/* memory.h - memory of the programs of this room: that of the default pool, which a cuda device can access where it is the default device. So the
 * device does the calls there. Not in this file: what they check. */
#ifndef MESH_MEMORY_H
#define MESH_MEMORY_H

#include "check.h"
#include "gpu.h"

static inline void *take(size_t bytes) {
  void *block = NULL;
  CHECK_STATUS(portable_alloc(bytes, "mesh", &block), PORTABLE_OK);
  return block;
}

static inline void give(void *block) { CHECK_STATUS(portable_free(block), PORTABLE_OK); }

/* A count of elements: a tenth of it on a simulated device, which runs one thread at a time. */
static inline int64_t sized(int64_t n) { return n / (is_gpu(portable_device_name(portable_default_device())) ? 10 : 1); }

static inline int32_t by_the_host(const portable_fallback *f, void *count) {
  const int counts = f->iterations > 0 && strcmp(f->label, "empty");
  if (counts) printf("the host ran '%s' for the device\n", f->label);
  *(int *)count += counts;
  return 0;
}

/* At the end: no call for a cuda device was done by the host, but those of the label `empty`, which have no arrays. */
static inline void all_there(void) {
  int count = 0;
  CHECK_STATUS(portable_fallback_list(by_the_host, &count), PORTABLE_OK);
  CHECK(count == 0);
}

#endif
