/* small_driver.c - a libcuda.so.1 that is as bad as its environment says, for what goes wrong before there is a device: SMALL_DRIVER is a list of
 * NAME=NUMBER with commas between: devices=2, version=12040, and what a function answers, as cuInit=803. It notes the arguments that
 * come through the trampolines, and how often contexts were retained and released. It runs nothing (internal/cudasim does). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda.h"

/* The arguments of the last call of a kind; looked at by dlsym. */
struct small_driver_seen {
  unsigned int launch[7];
  void *function, *stream, **params, **extra;
  float floats[2];
  void *texture;
  int retained, released, set;
} small_driver_seen;

static __thread CUcontext current;

static long long setting(const char *name, long long otherwise) {
  const char *all = getenv("SMALL_DRIVER");
  size_t n = strlen(name);
  for (const char *p = all; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL)
    if (strncmp(p, name, n) == 0 && p[n] == '=') return atoll(p + n + 1);
  return otherwise;
}

#define ANSWER() do { CUresult answer = (CUresult)setting(__func__, 0); if (answer) return answer; } while (0)

CUresult cuInit(unsigned int flags) { ANSWER(); return flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS; }
CUresult cuDriverGetVersion(int *version) { ANSWER(); *version = (int)setting("version", 12040); return CUDA_SUCCESS; }
CUresult cuDeviceGetCount(int *count) { ANSWER(); *count = (int)setting("devices", 1); return CUDA_SUCCESS; }
CUresult cuDeviceGet(CUdevice *device, int i) { ANSWER(); *device = 10 + i; return CUDA_SUCCESS; }
CUresult cuDeviceGetName(char *name, int room, CUdevice device) { ANSWER(); snprintf(name, (size_t)room, "Small %d", device - 10); return CUDA_SUCCESS; }
CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device) { ANSWER(); *bytes = (size_t)8 << 30 | (size_t)(device - 10); return CUDA_SUCCESS; }
CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device) { ANSWER(); memset(uuid, 0xa0 + device - 10, sizeof *uuid); return CUDA_SUCCESS; }
CUresult cuMemGetInfo(size_t *rest, size_t *all) { ANSWER(); *rest = current ? 1000 : 0; *all = 3000; return CUDA_SUCCESS; }
CUresult cuMemAlloc(CUdeviceptr *p, size_t bytes) { ANSWER(); *p = bytes; return CUDA_SUCCESS; }
CUresult cuMemAllocManaged(CUdeviceptr *p, size_t bytes, unsigned int flags) { /* the default pool's */
  (void)flags;
  ANSWER();
  *p = (CUdeviceptr)(size_t)aligned_alloc(512, (bytes + 511) / 512 * 512);
  return *p ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}
CUresult cuMemFree(CUdeviceptr p) { ANSWER(); free((void *)(size_t)p); return CUDA_SUCCESS; }

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
  ANSWER();
  switch ((int)attribute) {
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: *value = 9; break;
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR: *value = 0; break;
  case CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID: *value = 0; break;
  case CU_DEVICE_ATTRIBUTE_PCI_BUS_ID: *value = 0x3b + device - 10; break;
  case CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID: *value = 0; break;
  case CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED: return CUDA_ERROR_INVALID_VALUE; /* as an older driver */
  default: *value = (int)attribute;
  }
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  ANSWER();
  __atomic_add_fetch(&small_driver_seen.retained, 1, __ATOMIC_RELAXED);
  *context = (CUcontext)(size_t)(0x1000 + device);
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  (void)device;
  ANSWER();
  __atomic_add_fetch(&small_driver_seen.released, 1, __ATOMIC_RELAXED);
  return CUDA_SUCCESS;
}
CUresult cuCtxGetCurrent(CUcontext *context) { ANSWER(); *context = current; return CUDA_SUCCESS; }
CUresult cuCtxSetCurrent(CUcontext context) {
  ANSWER();
  current = context;
  __atomic_add_fetch(&small_driver_seen.set, 1, __ATOMIC_RELAXED);
  return CUDA_SUCCESS;
}

CUresult cuGetErrorName(CUresult code, const char **name) {
  *name = code == CUDA_ERROR_SYSTEM_DRIVER_MISMATCH ? "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH" : code == CUDA_ERROR_OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY" : NULL;
  return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuGetErrorString(CUresult code, const char **text) {
  *text = code == CUDA_ERROR_SYSTEM_DRIVER_MISMATCH ? "parts of the driver do not fit" : NULL;
  return *text ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuLaunchKernel(CUfunction function, unsigned int a, unsigned int b, unsigned int c, unsigned int d, unsigned int e, unsigned int f,
                        unsigned int shared, CUstream stream, void **params, void **extra) {
  unsigned int numbers[7] = {a, b, c, d, e, f, shared};
  memcpy(small_driver_seen.launch, numbers, sizeof numbers);
  small_driver_seen.function = function;
  small_driver_seen.stream = stream;
  small_driver_seen.params = params;
  small_driver_seen.extra = extra;
  return CUDA_SUCCESS;
}
CUresult cuTexRefSetMipmapLevelClamp(CUtexref texture, float least, float most) {
  small_driver_seen.texture = texture;
  small_driver_seen.floats[0] = least;
  small_driver_seen.floats[1] = most;
  return CUDA_SUCCESS;
}
