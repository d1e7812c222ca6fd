/* hip.c - AMD's driver under the names of NVIDIA's. Main function: portable__hip_function. Most
 * functions have a twin with the same arguments; the others are adapted here. Types and
 * constants are facts of HIP 5 to 7, and no structure is used whose layout differs between them:
 * hence no hipDeviceProp_t, and copies with gaps take the calls of HIP's runtime. In C because
 * launches and copies call them. Not in this file: attributes of devices, whose numbers Go maps
 * (open_cuda.go). */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

#include "cuda.h"
#include "shim.h"

struct twin {
  const char *name, *hip;
};

static const struct twin twins[] = {
    {"cuInit", "hipInit"},
    {"cuDriverGetVersion", "hipRuntimeGetVersion"},
    {"cuDeviceGetCount", "hipGetDeviceCount"},
    {"cuDeviceGet", "hipDeviceGet"},
    {"cuDeviceGetName", "hipDeviceGetName"},
    {"cuDeviceTotalMem_v2", "hipDeviceTotalMem"},
    {"cuDeviceGetUuid", "hipDeviceGetUuid"},
    {"cuDeviceGetAttribute", "hipDeviceGetAttribute"},
    {"cuDevicePrimaryCtxRetain", "hipDevicePrimaryCtxRetain"},
    {"cuDevicePrimaryCtxRelease_v2", "hipDevicePrimaryCtxRelease"},
    {"cuCtxGetCurrent", "hipCtxGetCurrent"},
    {"cuCtxSetCurrent", "hipCtxSetCurrent"},
    {"cuMemGetInfo_v2", "hipMemGetInfo"},
    {"cuMemAlloc_v2", "hipMalloc"},
    {"cuMemFree_v2", "hipFree"},
    {"cuMemAllocManaged", "hipMallocManaged"},
    {"cuMemHostAlloc", "hipHostMalloc"},
    {"cuMemFreeHost", "hipHostFree"},
    {"cuMemHostGetDevicePointer_v2", "hipHostGetDevicePointer"},
    {"cuMemAllocAsync", "hipMallocAsync"},
    {"cuMemFreeAsync", "hipFreeAsync"},
    {"cuMemcpyHtoDAsync_v2", "hipMemcpyHtoDAsync"},
    {"cuMemsetD8Async", "hipMemsetD8Async"},
    {"cuMemsetD16Async", "hipMemsetD16Async"},
    {"cuMemsetD32Async", "hipMemsetD32Async"},
    {"cuModuleLoadDataEx", "hipModuleLoadDataEx"},
    {"cuModuleUnload", "hipModuleUnload"},
    {"cuModuleGetFunction", "hipModuleGetFunction"},
    {"cuFuncGetAttribute", "hipFuncGetAttribute"},
    {"cuStreamCreate", "hipStreamCreateWithFlags"},
    {"cuStreamDestroy_v2", "hipStreamDestroy"},
    {"cuStreamSynchronize", "hipStreamSynchronize"},
    {"cuStreamQuery", "hipStreamQuery"},
    {"cuStreamWaitEvent", "hipStreamWaitEvent"},
    {"cuEventCreate", "hipEventCreateWithFlags"},
    {"cuEventDestroy_v2", "hipEventDestroy"},
    {"cuEventRecord", "hipEventRecord"},
    {"cuEventSynchronize", "hipEventSynchronize"},
    {"cuEventQuery", "hipEventQuery"},
    {"cuStreamBeginCapture_v2", "hipStreamBeginCapture"},
    {"cuStreamEndCapture", "hipStreamEndCapture"},
    {"cuStreamGetCaptureInfo_v2", "hipStreamGetCaptureInfo_v2"},
    {"cuGraphInstantiate_v2", "hipGraphInstantiate"},
    {"cuGraphLaunch", "hipGraphLaunch"},
    {"cuGraphDestroy", "hipGraphDestroy"},
    {"cuGraphExecDestroy", "hipGraphExecDestroy"},
};

/* ---- functions with other arguments ---- */

static struct {
  const char *(*error_name)(int), *(*error_text)(int);
  int (*launch)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void **, void **);
  int (*copy)(void *, const void *, size_t, int, CUstream);
  int (*copy_rows)(void *, size_t, const void *, size_t, size_t, size_t, int, CUstream);
  int (*copy_slices)(const void *, CUstream);
  int (*pointer)(void *, int, CUdeviceptr);
  int (*change)(CUgraphExec, CUgraphNode, const void *);
  int since_6; /* 1: of HIP 6 or newer, which counts kinds of memory differently */
} hip;

#define BY_ADDRESS 4                     /* hipMemcpyDefault: the addresses say in which direction */
#define END_OF_PARAMETERS ((void *)0x03) /* HIP_LAUNCH_PARAM_END */

/* CUDA's list of parameters with HIP's last word. */
#define PARAMETERS(extra) {(extra)[0], (extra)[1], (extra)[2], (extra)[3], END_OF_PARAMETERS}

static CUresult error_name(CUresult code, const char **out) {
  *out = hip.error_name((int)code);
  return *out ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult error_text(CUresult code, const char **out) {
  *out = hip.error_text((int)code);
  return *out ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult launch(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, CUstream stream, void **parameters,
                       void **extra) {
  if (!extra) return (CUresult)hip.launch(f, gx, gy, gz, bx, by, bz, shared, stream, parameters, NULL);
  void *own[] = PARAMETERS(extra);
  return (CUresult)hip.launch(f, gx, gy, gz, bx, by, bz, shared, stream, NULL, own);
}

static CUresult copy(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return (CUresult)hip.copy((void *)(uintptr_t)to, (const void *)(uintptr_t)from, bytes, BY_ADDRESS, stream);
}

/* Unified addresses without offsets, which is all that cuda_copy.c asks for. */
static CUresult copy_rows(const CUDA_MEMCPY2D *m, CUstream stream) {
  return (CUresult)hip.copy_rows((void *)(uintptr_t)m->dstDevice, m->dstPitch, (const void *)(uintptr_t)m->srcDevice, m->srcPitch, m->WidthInBytes, m->Height, BY_ADDRESS, stream);
}

/* hipMemcpy3DParms. */
struct slices {
  struct side {
    void *array;
    size_t at[3];
    void *start;
    size_t pitch, width, height;
  } from, to;
  size_t extent[3];
  int kind;
};

static CUresult copy_slices(const CUDA_MEMCPY3D *m, CUstream stream) {
  const struct slices s = {{NULL, {0}, (void *)(uintptr_t)m->srcDevice, m->srcPitch, m->WidthInBytes, m->srcHeight},
                           {NULL, {0}, (void *)(uintptr_t)m->dstDevice, m->dstPitch, m->WidthInBytes, m->dstHeight},
                           {m->WidthInBytes, m->Height, m->Depth}, BY_ADDRESS};
  return (CUresult)hip.copy_slices(&s, stream);
}

/* Attributes have the numbers of CUDA's. Kinds of memory: host and device were 0 and 1, and are 1 and 2 since HIP 6, where 0 is memory that HIP does not
 * know and 3 is managed. */
static CUresult pointer(void *out, CUpointer_attribute attribute, CUdeviceptr address) {
  int kind = -1;
  if (attribute != CU_POINTER_ATTRIBUTE_MEMORY_TYPE) return (CUresult)hip.pointer(out, (int)attribute, address);
  const int result = hip.pointer(&kind, (int)attribute, address);
  if (result) return (CUresult)result;
  if (!hip.since_6) kind++;
  if (kind < 1 || kind > 3) return CUDA_ERROR_INVALID_VALUE;
  *(unsigned int *)out = kind == 1 ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
  return CUDA_SUCCESS;
}

/* A block may have all the shared memory that its multiprocessor has. */
static CUresult attribute(CUfunction f, CUfunction_attribute what, int value) {
  (void)f, (void)value;
  return what == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES ? CUDA_SUCCESS : CUDA_ERROR_NOT_SUPPORTED;
}

/* hipKernelNodeParams. */
struct node {
  unsigned block[3];
  void **extra, *function;
  unsigned grid[3];
  void **parameters;
  unsigned shared;
};

static CUresult change(CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *p) {
  void *own[] = PARAMETERS(p->extra);
  const struct node n = {{p->blockDimX, p->blockDimY, p->blockDimZ}, own, p->func, {p->gridDimX, p->gridDimY, p->gridDimZ}, NULL, p->sharedMemBytes};
  return (CUresult)hip.change(exec, node, &n);
}

static const struct adapted {
  const char *name, *hip;
  void *to, *adapter; /* to: gets the address of HIP's function */
} adapted[] = {
    {"cuGetErrorName", "hipGetErrorName", &hip.error_name, (void *)error_name},
    {"cuGetErrorString", "hipGetErrorString", &hip.error_text, (void *)error_text},
    {"cuLaunchKernel", "hipModuleLaunchKernel", &hip.launch, (void *)launch},
    {"cuMemcpyAsync", "hipMemcpyAsync", &hip.copy, (void *)copy},
    {"cuMemcpy2DAsync_v2", "hipMemcpy2DAsync", &hip.copy_rows, (void *)copy_rows},
    {"cuMemcpy3DAsync_v2", "hipMemcpy3DAsync", &hip.copy_slices, (void *)copy_slices},
    {"cuPointerGetAttribute", "hipPointerGetAttribute", &hip.pointer, (void *)pointer},
    {"cuFuncSetAttribute", "hipFuncGetAttribute", NULL, (void *)attribute},
    {"cuGraphExecKernelNodeSetParams", "hipGraphExecKernelNodeSetParams", &hip.change, (void *)change},
};

void *portable__hip_function(void *library, const char *name) {
  for (size_t i = 0; i < sizeof twins / sizeof *twins; i++)
    if (strcmp(twins[i].name, name) == 0) return dlsym(library, twins[i].hip);
  for (size_t i = 0; i < sizeof adapted / sizeof *adapted; i++) {
    if (strcmp(adapted[i].name, name) != 0) continue;
    void *const found = dlsym(library, adapted[i].hip);
    if (!found) return NULL;
    if (adapted[i].to) memcpy(adapted[i].to, &found, sizeof found);
    hip.since_6 = dlsym(library, "hipGetDevicePropertiesR0600") != NULL;
    return adapted[i].adapter;
  }
  return NULL;
}

/* ---- architectures ---- */

void portable__hip_architecture(int ordinal, char *to, size_t room) {
  static const struct {
    const char *function;
    size_t at; /* of the name of 256 bytes in hipDeviceProp_t */
  } forms[] = {{"hipGetDevicePropertiesR0600", 1160}, {"hipGetDevicePropertiesR0000", 396}, {"hipGetDeviceProperties", 396}};
  char properties[8192]; /* larger than any of its forms */
  to[0] = '\0';
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    int (*get)(void *, int);
    void *const found = portable__cuda_symbol(forms[i].function);
    if (!found) continue;
    memcpy(&get, &found, sizeof get);
    memset(properties, 0, sizeof properties);
    if (get(properties, ordinal) == 0 && strncmp(properties + forms[i].at, "gfx", 3) == 0) {
      const size_t n = strnlen(properties + forms[i].at, room - 1);
      memcpy(to, properties + forms[i].at, n);
      to[n] = '\0';
      return;
    }
  }
}
