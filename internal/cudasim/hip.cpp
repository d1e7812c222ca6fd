/* hip.cpp - a libamdhip64.so.5 for tests: the fake driver under the names of AMD's, with the arguments, constants and structures of HIP 5.2 written down a second
 * time on purpose. FAKE_HIP_ARCHITECTURE names the device's architecture, gfx90a where it is not set; FAKE_CUDA_ATTRIBUTE must have its warp_size. Not here:
 * hiprtc (hiprtc.cpp). Names of errors are CUDA's, so that one test serves both. */
#include <stdlib.h>
#include <string.h>

#include "fake.h"

namespace {

enum { by_address = 4 };
const auto end_of_parameters = reinterpret_cast<void *>(3);

/* hipDeviceAttribute_t, and what the driver below calls it. */
const int attributes[][2] = {{0, 32}, {2, 40}, {4, 91}, {5, 13}, {6, 20}, {7, 90}, {9, 89}, {10, 95}, {16, 18}, {19, 38}, {23, 75}, {24, 83},
                             {25, 106}, {26, 2}, {27, 3}, {28, 4}, {29, 5}, {30, 6}, {31, 7}, {56, 1}, {57, 39}, {59, 37}, {60, 36}, {61, 76}, {63, 16},
                             {65, 88}, {66, 100}, {67, 33}, {68, 34}, {69, 50}, {71, 12}, {72, 82}, {74, 8}, {85, 41}, {87, 10}, {88, 115}, {10002, 81}};

struct side {
  void *array;
  size_t at[3];
  void *start;
  size_t pitch, width, height;
};
struct slices {
  side from, to;
  size_t extent[3];
  int kind;
};

struct node {
  unsigned block[3];
  void **extra, *function;
  unsigned grid[3];
  void **parameters;
  unsigned shared;
};

/* The driver's list of parameters; false: HIP would refuse it. */
bool cuda_list(void **extra, void *(&list)[5]) {
  if (!extra || extra[0] != PARAM_POINTER || extra[2] != PARAM_SIZE || extra[4] != end_of_parameters) return false;
  for (int i = 0; i < 4; i++) list[i] = extra[i];
  return list[4] = PARAM_END, true;
}

}  // namespace

extern "C" {
CUresult cuInit(unsigned);
CUresult cuDeviceGetCount(int *);
CUresult cuDeviceGet(int *, int);
CUresult cuDeviceGetName(char *, int, int);
CUresult cuDeviceGetUuid(CUuuid *, int);
CUresult cuDeviceTotalMem_v2(size_t *, int);
CUresult cuDeviceGetAttribute(int *, int, int);
CUresult cuGetErrorName(CUresult, const char **);
CUresult cuGetErrorString(CUresult, const char **);
CUresult cuDevicePrimaryCtxRetain(void **, int);
CUresult cuDevicePrimaryCtxRelease_v2(int);
CUresult cuCtxGetCurrent(void **);
CUresult cuCtxSetCurrent(void *);
CUresult cuMemGetInfo_v2(size_t *, size_t *);
CUresult cuMemAlloc_v2(CUdeviceptr *, size_t);
CUresult cuMemFree_v2(CUdeviceptr);
CUresult cuMemAllocManaged(CUdeviceptr *, size_t, unsigned);
CUresult cuMemHostAlloc(void **, size_t, unsigned);
CUresult cuMemFreeHost(void *);
CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *, void *, unsigned);
CUresult cuMemAllocAsync(CUdeviceptr *, size_t, void *);
CUresult cuMemFreeAsync(CUdeviceptr, void *);
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr, const void *, size_t, void *);
CUresult cuMemcpyAsync(CUdeviceptr, CUdeviceptr, size_t, void *);
CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *, void *);
CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *, void *);
CUresult cuMemsetD8Async(CUdeviceptr, unsigned char, size_t, void *);
CUresult cuMemsetD16Async(CUdeviceptr, unsigned short, size_t, void *);
CUresult cuMemsetD32Async(CUdeviceptr, unsigned, size_t, void *);
CUresult cuPointerGetAttribute(void *, int, CUdeviceptr);
CUresult cuModuleLoadDataEx(void **, const void *, unsigned, int *, void **);
CUresult cuModuleUnload(void *);
CUresult cuModuleGetFunction(void **, void *, const char *);
CUresult cuFuncGetAttribute(int *, int, void *);
CUresult cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
CUresult cuCtxSynchronize(void);
CUresult cuStreamCreate(void **, unsigned);
CUresult cuStreamDestroy_v2(void *);
CUresult cuStreamSynchronize(void *);
CUresult cuStreamQuery(void *);
CUresult cuStreamWaitEvent(void *, void *, unsigned);
CUresult cuEventCreate(void **, unsigned);
CUresult cuEventDestroy_v2(void *);
CUresult cuEventRecord(void *, void *);
CUresult cuEventSynchronize(void *);
CUresult cuEventQuery(void *);
CUresult cuStreamBeginCapture_v2(void *, int);
CUresult cuStreamEndCapture(void *, void **);
CUresult cuStreamGetCaptureInfo_v2(void *, int *, uint64_t *, void **, void *const **, size_t *);
CUresult cuGraphInstantiate_v2(void **, void *, void **, char *, size_t);
CUresult cuGraphLaunch(void *, void *);
CUresult cuGraphDestroy(void *);
CUresult cuGraphExecDestroy(void *);
CUresult cuGraphExecKernelNodeSetParams(void *, void *, const kernel_node_params *);
}

API hipInit(unsigned flags) { return cuInit(flags); }
API hipRuntimeGetVersion(int *version) { return *version = 50221153, OK; }
API hipGetDeviceCount(int *count) { return cuDeviceGetCount(count); }
API hipDeviceGet(int *device, int i) { return cuDeviceGet(device, i); }
API hipDeviceGetName(char *name, int bytes, int device) { return cuDeviceGetName(name, bytes, device); }
API hipDeviceGetUuid(CUuuid *uuid, int device) { return cuDeviceGetUuid(uuid, device); }
API hipDeviceTotalMem(size_t *bytes, int device) { return cuDeviceTotalMem_v2(bytes, device); }
API hipDeviceGetAttribute(int *value, int attribute, int device) {
  for (const auto &pair : attributes)
    if (pair[0] == attribute) return cuDeviceGetAttribute(value, pair[1], device);
  fake::violation("hipDeviceGetAttribute: the fake has no attribute %d", attribute);
  return INVALID_VALUE;
}
/* Fills in only the architecture's name. */
API hipGetDeviceProperties(char *properties, int device) {
  const char *said = fake::setting("FAKE_HIP_ARCHITECTURE");
  if (device < 0 || device >= fake::device_count()) return INVALID_DEVICE;
  memset(properties, 0xA5, 792);
  strcpy(properties + 396, *said ? said : "gfx90a:sramecc+:xnack-");
  return OK;
}
extern "C" __attribute__((visibility("default"))) const char *hipGetErrorName(int code) {
  const char *text = nullptr;
  return cuGetErrorName(code, &text) == OK ? text : nullptr;
}
extern "C" __attribute__((visibility("default"))) const char *hipGetErrorString(int code) {
  const char *text = nullptr;
  return cuGetErrorString(code, &text) == OK ? text : nullptr;
}
API hipDevicePrimaryCtxRetain(void **context, int device) { return cuDevicePrimaryCtxRetain(context, device); }
API hipDevicePrimaryCtxRelease(int device) { return cuDevicePrimaryCtxRelease_v2(device); }
API hipCtxGetCurrent(void **context) { return cuCtxGetCurrent(context); }
API hipCtxSetCurrent(void *context) { return cuCtxSetCurrent(context); }
API hipMemGetInfo(size_t *free, size_t *all) { return cuMemGetInfo_v2(free, all); }
API hipMalloc(CUdeviceptr *p, size_t bytes) { return cuMemAlloc_v2(p, bytes); }
API hipFree(CUdeviceptr p) { return cuMemFree_v2(p); }
API hipMallocManaged(CUdeviceptr *p, size_t bytes, unsigned flags) { return cuMemAllocManaged(p, bytes, flags); }
API hipHostMalloc(void **p, size_t bytes, unsigned flags) { return cuMemHostAlloc(p, bytes, flags); }
API hipHostFree(void *p) { return cuMemFreeHost(p); }
API hipHostGetDevicePointer(CUdeviceptr *to, void *p, unsigned flags) { return cuMemHostGetDevicePointer_v2(to, p, flags); }
API hipMallocAsync(CUdeviceptr *p, size_t bytes, void *stream) { return cuMemAllocAsync(p, bytes, stream); }
API hipFreeAsync(CUdeviceptr p, void *stream) { return cuMemFreeAsync(p, stream); }
API hipMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes, void *stream) { return cuMemcpyHtoDAsync_v2(to, from, bytes, stream); }
API hipMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, int kind, void *stream) {
  return kind == by_address ? cuMemcpyAsync(to, from, bytes, stream) : INVALID_VALUE;
}
API hipMemcpy2DAsync(CUdeviceptr to, size_t to_pitch, CUdeviceptr from, size_t from_pitch, size_t width, size_t height, int kind, void *stream) {
  CUDA_MEMCPY2D m = {};
  m.srcMemoryType = m.dstMemoryType = MEMORY_UNIFIED;
  m.srcDevice = from, m.dstDevice = to, m.srcPitch = from_pitch, m.dstPitch = to_pitch, m.WidthInBytes = width, m.Height = height;
  return kind == by_address ? cuMemcpy2DAsync_v2(&m, stream) : INVALID_VALUE;
}
API hipMemcpy3DAsync(const slices *s, void *stream) {
  CUDA_MEMCPY3D m = {};
  if (s->from.array || s->to.array || s->kind != by_address) return INVALID_VALUE;
  m.srcMemoryType = m.dstMemoryType = MEMORY_UNIFIED;
  m.srcDevice = reinterpret_cast<CUdeviceptr>(s->from.start), m.srcPitch = s->from.pitch, m.srcHeight = s->from.height;
  m.dstDevice = reinterpret_cast<CUdeviceptr>(s->to.start), m.dstPitch = s->to.pitch, m.dstHeight = s->to.height;
  m.WidthInBytes = s->extent[0], m.Height = s->extent[1], m.Depth = s->extent[2];
  return cuMemcpy3DAsync_v2(&m, stream);
}
API hipMemsetD8Async(CUdeviceptr p, unsigned char x, size_t n, void *stream) { return cuMemsetD8Async(p, x, n, stream); }
API hipMemsetD16Async(CUdeviceptr p, unsigned short x, size_t n, void *stream) { return cuMemsetD16Async(p, x, n, stream); }
API hipMemsetD32Async(CUdeviceptr p, unsigned x, size_t n, void *stream) { return cuMemsetD32Async(p, x, n, stream); }
/* Kinds of memory of HIP 5: host is 0, device 1. */
API hipPointerGetAttribute(void *out, int attribute, CUdeviceptr p) {
  CUresult code = cuPointerGetAttribute(out, attribute, p);
  if (code == OK && attribute == 2) *static_cast<unsigned *>(out) -= 1;
  return code;
}
API hipModuleLoadDataEx(void **module, const void *image, unsigned count, int *options, void **values) { return cuModuleLoadDataEx(module, image, count, options, values); }
API hipModuleUnload(void *module) { return cuModuleUnload(module); }
API hipModuleGetFunction(void **function, void *module, const char *name) { return cuModuleGetFunction(function, module, name); }
API hipFuncGetAttribute(int *value, int attribute, void *function) { return cuFuncGetAttribute(value, attribute, function); }
API hipModuleLaunchKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, void *stream, void **parameters, void **extra) {
  void *list[5];
  for (uint64_t threads : {uint64_t(gx) * bx, uint64_t(gy) * by, uint64_t(gz) * bz})
    if (threads > UINT32_MAX) return fake::violation("hipModuleLaunchKernel: %llu threads along an axis", (unsigned long long)threads), INVALID_VALUE;
  if (!extra) return cuLaunchKernel(f, gx, gy, gz, bx, by, bz, shared, stream, parameters, nullptr);
  if (!cuda_list(extra, list)) return fake::violation("hipModuleLaunchKernel: extra is not HIP's list"), INVALID_VALUE;
  return cuLaunchKernel(f, gx, gy, gz, bx, by, bz, shared, stream, parameters, list);
}
API hipDeviceSynchronize(void) { return cuCtxSynchronize(); }
API hipStreamCreateWithFlags(void **stream, unsigned flags) { return cuStreamCreate(stream, flags); }
API hipStreamDestroy(void *stream) { return cuStreamDestroy_v2(stream); }
API hipStreamSynchronize(void *stream) { return cuStreamSynchronize(stream); }
API hipStreamQuery(void *stream) { return cuStreamQuery(stream); }
API hipStreamWaitEvent(void *stream, void *event, unsigned flags) { return cuStreamWaitEvent(stream, event, flags); }
API hipEventCreateWithFlags(void **event, unsigned flags) { return cuEventCreate(event, flags); }
API hipEventDestroy(void *event) { return cuEventDestroy_v2(event); }
API hipEventRecord(void *event, void *stream) { return cuEventRecord(event, stream); }
API hipEventSynchronize(void *event) { return cuEventSynchronize(event); }
API hipEventQuery(void *event) { return cuEventQuery(event); }
API hipStreamBeginCapture(void *stream, int mode) { return cuStreamBeginCapture_v2(stream, mode); }
API hipStreamEndCapture(void *stream, void **graph) { return cuStreamEndCapture(stream, graph); }
API hipStreamGetCaptureInfo_v2(void *stream, int *status, uint64_t *id, void **graph, void *const **last, size_t *count) {
  return cuStreamGetCaptureInfo_v2(stream, status, id, graph, last, count);
}
API hipGraphInstantiate(void **exec, void *graph, void **bad, char *log, size_t bytes) { return cuGraphInstantiate_v2(exec, graph, bad, log, bytes); }
API hipGraphLaunch(void *exec, void *stream) { return cuGraphLaunch(exec, stream); }
API hipGraphDestroy(void *graph) { return cuGraphDestroy(graph); }
API hipGraphExecDestroy(void *exec) { return cuGraphExecDestroy(exec); }
API hipGraphExecKernelNodeSetParams(void *exec, void *of, const node *n) {
  void *list[5];
  if (!cuda_list(n->extra, list)) return fake::violation("hipGraphExecKernelNodeSetParams: extra is not HIP's list"), INVALID_VALUE;
  const kernel_node_params p = {n->function, {n->grid[0], n->grid[1], n->grid[2]}, {n->block[0], n->block[1], n->block[2]}, n->shared, nullptr, list};
  return cuGraphExecKernelNodeSetParams(exec, of, &p);
}
