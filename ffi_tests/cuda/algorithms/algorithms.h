/* algorithms.h - what the programs of this room share: values, and the same call on the host and on the device, compared bit by bit. */
#ifndef ALGORITHMS_H
#define ALGORITHMS_H

#include <math.h>
#include <stdint.h>

#include "check.h"
#include "gpu.h"

static portable_launch_config on_host = PORTABLE_LAUNCH_CONFIG_INIT, on_device = PORTABLE_LAUNCH_CONFIG_INIT;
static int32_t own_space; /* of the device's own memory */
static const int64_t kind_bytes[] = {0, 1, 2, 4, 8, 4, 8, 8, 16, 1, 2, 4, 8};

/* TEST_SECOND_GPU: the device is of another driver than the first one, to which managed and pinned memory belong. */
static inline void begin(void) {
  const char *const second = getenv("TEST_SECOND_GPU");
  portable_device first;
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_device_find("threads", &on_host.device), PORTABLE_OK);
  CHECK_STATUS(portable_device_find(gpu(""), &first), PORTABLE_OK);
  CHECK_STATUS(portable_device_find(second ? second : gpu(""), &on_device.device), PORTABLE_OK);
  own_space = second ? portable_space_of_device(on_device.device) : PORTABLE_SPACE_DEVICE(0);
  CHECK(!second || own_space == PORTABLE_SPACE_DEVICE(on_device.device - first));
}

static inline uint64_t chance(void) {
  static uint64_t x = 88172645463325252u;
  x ^= x << 13;
  x ^= x >> 7;
  return x ^= x << 17;
}

/* Managed memory, as the default device is cuda. */
static inline void *take(int64_t bytes) {
  void *p = NULL;
  CHECK_STATUS(portable_alloc((size_t)bytes, "algorithms", &p), PORTABLE_OK);
  return p;
}

/* Copies by the device, which may access memory that the host cannot. */
static inline void copy_there(void *to, const void *from, int64_t bytes) {
  portable_array a, b;
  memset(&a, 0, sizeof a);
  memset(&b, 0, sizeof b);
  CHECK_STATUS(portable_array_wrap("from", PORTABLE_KIND_INT8, 1, (void *)(uintptr_t)from, 1, &bytes, NULL, NULL, &a), PORTABLE_OK);
  CHECK_STATUS(portable_array_wrap("to", PORTABLE_KIND_INT8, 1, to, 1, &bytes, NULL, NULL, &b), PORTABLE_OK);
  CHECK_STATUS(portable_array_copy(&a, &b, &on_device), PORTABLE_OK);
  portable_array_deallocate(&a);
  portable_array_deallocate(&b);
}

enum { PLAIN, EQUAL, SPECIAL, STYLES };

/* SPECIAL: NaN of one pattern, zeros of both signs, infinities. EQUAL: few values. */
static inline double real(int style) {
  const uint64_t x = chance();
  if (style == EQUAL) return (double)(x % 3) - 1;
  if (style == SPECIAL && x % 4 == 0) return (double)NAN;
  if (style == SPECIAL && x % 4 == 1) return x & 64 ? 0.0 : -0.0;
  return (double)(int64_t)x * 0x1p-62;
}

static inline void fill(void *to, int64_t count, int32_t kind, int style) {
  const int64_t bytes = kind_bytes[kind];
  for (int64_t i = 0; i < count; i++) {
    const uint64_t x = kind >= PORTABLE_KIND_LOGICAL8 ? chance() % 3 / 2 : style == EQUAL ? chance() % 3 : chance();
    char *at = (char *)to + i * bytes;
    if (kind == PORTABLE_KIND_REAL32) *(float *)(void *)at = (float)real(style);
    else if (kind == PORTABLE_KIND_REAL64) *(double *)(void *)at = real(style);
    else if (kind == PORTABLE_KIND_COMPLEX32) ((float *)(void *)at)[0] = (float)real(style == EQUAL), ((float *)(void *)at)[1] = (float)real(PLAIN);
    else if (kind == PORTABLE_KIND_COMPLEX64) ((double *)(void *)at)[0] = real(style == EQUAL), ((double *)(void *)at)[1] = real(PLAIN);
    else memcpy(at, &x, (size_t)bytes);
  }
}

/* Says what differs; once is enough. */
static inline void same(const char *what, const void *a, const void *b, size_t bytes, int32_t op, int32_t kind, int64_t count) {
  static int told;
  if (memcmp(a, b, bytes) == 0) return;
  check_failures++;
  if (told++ < 20) {
    size_t i = 0;
    while (((const char *)a)[i] == ((const char *)b)[i]) i++;
    printf("%s: operation %d of kind %d, %lld elements: byte %zu of %zu is %02x on the host, %02x on the device\n", what, (int)op, (int)kind,
           (long long)count, i, bytes, ((const unsigned char *)a)[i], ((const unsigned char *)b)[i]);
  }
}

#endif
