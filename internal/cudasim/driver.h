/* driver.h - the binary interface of libcuda.so.1 as far as the fake has it, written down a second time on purpose: what the library's own
 * cuda.h has wrong shows here. In this file: types, codes, attribute numbers. Not in this file: the fake itself (fake.h). */
#ifndef FAKE_DRIVER_H
#define FAKE_DRIVER_H

#include <stddef.h>
#include <stdint.h>

typedef int CUresult;
typedef int CUdevice;
typedef uint64_t CUdeviceptr;

enum {
  OK = 0,
  INVALID_VALUE = 1,
  OUT_OF_MEMORY = 2,
  NOT_INITIALIZED = 3,
  DEINITIALIZED = 4,
  NO_DEVICE = 100,
  INVALID_DEVICE = 101,
  INVALID_IMAGE = 200,
  INVALID_CONTEXT = 201,
  NO_BINARY_FOR_GPU = 209,
  INVALID_PTX = 218,
  FILE_NOT_FOUND = 301,
  INVALID_HANDLE = 400,
  NOT_FOUND = 500,
  NOT_READY = 600,
  ILLEGAL_ADDRESS = 700,
  LAUNCH_OUT_OF_RESOURCES = 701,
  PEER_ALREADY = 704,
  PEER_NOT_ENABLED = 705,
  CONTEXT_IS_DESTROYED = 709,
  ASSERT = 710,
  HOST_ALREADY_REGISTERED = 712,
  HOST_NOT_REGISTERED = 713,
  LAUNCH_FAILED = 719,
  NOT_PERMITTED = 800,
  NOT_SUPPORTED = 801,
  CAPTURE_UNSUPPORTED = 900,
  CAPTURE_UNJOINED = 904,
  CAPTURE_ISOLATION = 905,
  UNKNOWN = 999
};

/* CUDA_KERNEL_NODE_PARAMS of CUDA 10 and 11. */
struct kernel_node_params {
  void *function;
  unsigned grid[3], block[3], shared;
  void **parameters, **extra;
};

enum { MEMORY_HOST = 1, MEMORY_DEVICE = 2, MEMORY_ARRAY = 3, MEMORY_UNIFIED = 4 };
enum { EVENT_BLOCKING_SYNC = 1, EVENT_DISABLE_TIMING = 2, EVENT_INTERPROCESS = 4 };
enum { STREAM_NON_BLOCKING = 1 };

/* Attributes of a device whose numbers the fake itself looks at. */
enum {
  ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
  ATTRIBUTE_SHARED_PER_BLOCK = 8,
  ATTRIBUTE_WARP_SIZE = 10,
  ATTRIBUTE_MULTIPROCESSORS = 16,
  ATTRIBUTE_THREADS_PER_MULTIPROCESSOR = 39,
  ATTRIBUTE_MAJOR = 75,
  ATTRIBUTE_MINOR = 76,
  ATTRIBUTE_MANAGED_MEMORY = 83,
  ATTRIBUTE_CONCURRENT_MANAGED = 89,
  ATTRIBUTE_COOPERATIVE = 95,
  ATTRIBUTE_SHARED_OPTIN = 97,
  ATTRIBUTE_POOLS = 115
};

typedef struct CUuuid {
  char bytes[16];
} CUuuid;

typedef struct CUDA_MEMCPY2D {
  size_t srcXInBytes, srcY;
  unsigned srcMemoryType;
  const void *srcHost;
  CUdeviceptr srcDevice;
  void *srcArray;
  size_t srcPitch;
  size_t dstXInBytes, dstY;
  unsigned dstMemoryType;
  void *dstHost;
  CUdeviceptr dstDevice;
  void *dstArray;
  size_t dstPitch;
  size_t WidthInBytes, Height;
} CUDA_MEMCPY2D;

typedef struct CUDA_MEMCPY3D {
  size_t srcXInBytes, srcY, srcZ, srcLOD;
  unsigned srcMemoryType;
  const void *srcHost;
  CUdeviceptr srcDevice;
  void *srcArray;
  void *reserved0;
  size_t srcPitch, srcHeight;
  size_t dstXInBytes, dstY, dstZ, dstLOD;
  unsigned dstMemoryType;
  void *dstHost;
  CUdeviceptr dstDevice;
  void *dstArray;
  void *reserved1;
  size_t dstPitch, dstHeight;
  size_t WidthInBytes, Height, Depth;
} CUDA_MEMCPY3D;

#define PARAM_END ((void *)0)
#define PARAM_POINTER ((void *)1)
#define PARAM_SIZE ((void *)2)

#endif
