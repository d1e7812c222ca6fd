/* module.c - loads images on a device, finds their entries, and launches them. In C because
 * launches do not call Go, and because the driver's compiler writes its errors into buffers of C.
 * Not in this file: NVIDIA's compiler of sources (nvrtc.c), the cache of modules (kernels.go). */
#include "module.h"

#include <string.h>

#include "cuda.h"
#include "shim.h"

int portable__cuda_module_load(const void *image, struct portable__cuda_module *r) {
  CUjit_option names[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {r->log, (void *)(uintptr_t)(sizeof r->log - 1)};
  CUmodule module = NULL;
  memset(r, 0, sizeof *r);
  r->call = "cuModuleLoadDataEx";
  CUresult code = cuModuleLoadDataEx(&module, image, sizeof names / sizeof *names, names, values);
  r->module = module;
  return (int)code;
}

void portable__cuda_module_unload(void *module) { cuModuleUnload(module); }

/* Bytes of the parameters, by a function of drivers since CUDA 12.4. */
static int32_t parameters(CUfunction f) {
  CUresult (*info)(CUfunction, size_t, size_t *, size_t *);
  void *symbol = portable__cuda_symbol("cuFuncGetParamInfo");
  size_t end = 0, offset = 0, bytes = 0;
  if (!symbol) return 0;
  memcpy(&info, &symbol, sizeof info);
  for (size_t i = 0; info(f, i, &offset, &bytes) == CUDA_SUCCESS; i++) end = offset + bytes;
  return (int32_t)end;
}

int portable__cuda_module_entry(void *module, const char *name, struct portable__cuda_function *to, const char **call_out) {
  CUfunction f = NULL;
  memset(to, 0, sizeof *to);
  *call_out = "cuModuleGetFunction";
  CUresult code = cuModuleGetFunction(&f, module, name);
  if (code != CUDA_SUCCESS) return (int)code;
  const struct {
    CUfunction_attribute attribute;
    int32_t *value;
  } wanted[] = {{CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &to->max_threads},
                {CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, &to->static_shared},
                {CU_FUNC_ATTRIBUTE_NUM_REGS, &to->registers},
                {CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, &to->local_bytes}};
  *call_out = "cuFuncGetAttribute";
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    int value = 0;
    if ((code = cuFuncGetAttribute(&value, wanted[i].attribute, f)) != CUDA_SUCCESS) return (int)code;
    *wanted[i].value = value;
  }
  to->parameter_bytes = parameters(f);
  to->function = f;
  return CUDA_SUCCESS;
}

int portable__cuda_function_shared(void *function, int32_t bytes) {
  return (int)cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes);
}

int portable__cuda_function_launch(void *native, void *function, const uint32_t grid[3], const uint32_t block[3], uint32_t shared_bytes,
                                   const void *parameters, size_t bytes) {
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, (void *)(uintptr_t)parameters, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  return (int)cuLaunchKernel(function, grid[0], grid[1], grid[2], block[0], block[1], block[2], shared_bytes, native, NULL, extra);
}

int portable__cuda_stage(void *native, int ordered, int waits, const void *from, size_t bytes, uint64_t *to_out, const char **call_out) {
  CUdeviceptr to = 0;
  *to_out = 0;
  *call_out = ordered ? "cuMemAllocAsync" : "cuMemAlloc";
  CUresult code = ordered ? cuMemAllocAsync(&to, bytes, native) : cuMemAlloc(&to, bytes);
  if (code != CUDA_SUCCESS) return (int)code;
  *call_out = "cuMemcpyHtoDAsync";
  code = cuMemcpyHtoDAsync(to, from, bytes, native);
  if (code == CUDA_SUCCESS && waits) {
    *call_out = "cuStreamSynchronize";
    code = cuStreamSynchronize(native);
  }
  if (code != CUDA_SUCCESS) {
    portable__cuda_unstage(native, ordered, (uint64_t)to);
    return (int)code;
  }
  *to_out = (uint64_t)to;
  return CUDA_SUCCESS;
}

int portable__cuda_unstage(void *native, int ordered, uint64_t memory) {
  if (!ordered) {
    const CUresult code = cuStreamSynchronize(native); /* the launch reads it */
    const CUresult freed = cuMemFree((CUdeviceptr)memory);
    return (int)(code != CUDA_SUCCESS ? code : freed);
  }
  return (int)cuMemFreeAsync((CUdeviceptr)memory, native);
}

int portable__cuda_shared_take(size_t bytes, void **to_out) {
  CUdeviceptr seen = 0;
  *to_out = NULL;
  CUresult code = cuMemHostAlloc(to_out, bytes, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP);
  if (code != CUDA_SUCCESS) return (int)code;
  memset(*to_out, 0, bytes);
  code = cuMemHostGetDevicePointer(&seen, *to_out, 0);
  if (code == CUDA_SUCCESS && (uintptr_t)seen == (uintptr_t)*to_out) return CUDA_SUCCESS;
  cuMemFreeHost(*to_out);
  *to_out = NULL;
  return code == CUDA_SUCCESS ? CUDA_ERROR_NOT_SUPPORTED : (int)code;
}

void portable__cuda_shared_give(void *memory) { cuMemFreeHost(memory); }
