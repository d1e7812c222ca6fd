/* runtime.cpp - the CUDA runtime of programs that nvcc.h compiles: it loads the program's device code, a shared object next to the program with the ending
 * .device, into each device's primary context, and launches kernels by their names. In this file: the host's side. Not in this file: what runs (the driver, which
 * PORTABLE_CUDA_LIBRARY names), kernels (nvcc.h). Threads: any; one lock. */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <map>
#include <mutex>
#include <string>

#include "driver.h"

struct dim3 {
  unsigned x, y, z;
};
typedef struct fake_stream *cudaStream_t;
typedef struct fake_event *cudaEvent_t;

namespace {

std::mutex mutex;

template <class F> F call_of(const char *name) {
  static void *library = [] {
    const char *file = getenv("PORTABLE_CUDA_LIBRARY");
    void *opened = dlopen(file ? file : "libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!opened) fprintf(stderr, "fake runtime: %s\n", dlerror()), abort();
    return opened;
  }();
  void *symbol = dlsym(library, name);
  if (!symbol) fprintf(stderr, "fake runtime: the driver has no %s\n", name), abort();
  return reinterpret_cast<F>(symbol);
}

struct Key {
  void *context;
  std::string name;
  bool operator<(const Key &other) const { return context != other.context ? context < other.context : name < other.name; }
};

/* The function of a name in the current context. Locked. */
CUresult find(const char *name, void **function) {
  static auto &modules = *new std::map<void *, void *>;
  static auto &functions = *new std::map<Key, void *>;
  void *context = nullptr;
  if (CUresult code = call_of<CUresult (*)(void **)>("cuCtxGetCurrent")(&context)) return code;
  void *&known = functions[Key{context, name}];
  if (!known) {
    void *&module = modules[context];
    if (!module) {
      CUdevice device;
      void *kept; /* the runtime keeps its contexts, so that modules stay when the library has stopped */
      if (CUresult code = call_of<CUresult (*)(CUdevice *)>("cuCtxGetDevice")(&device)) return code;
      if (CUresult code = call_of<CUresult (*)(void **, CUdevice)>("cuDevicePrimaryCtxRetain")(&kept, device)) return code;
      char path[PATH_MAX];
      ssize_t bytes = readlink("/proc/self/exe", path, sizeof path);
      std::string file = std::string(path, bytes > 0 ? size_t(bytes) : 0) + ".device";
      if (CUresult code = call_of<CUresult (*)(void **, const char *)>("cuModuleLoad")(&module, file.c_str())) {
        fprintf(stderr, "fake runtime: %s is not loaded: %d\n", file.c_str(), code);
        return code;
      }
    }
    if (CUresult code = call_of<CUresult (*)(void **, void *, const char *)>("cuModuleGetFunction")(&known, module, name)) return code == NOT_FOUND ? 98 : code;
  }
  *function = known;
  return OK;
}

thread_local int last;

int answer(int code) { return code ? last = code : 0; }

}  // namespace

int fake_launch_named(const char *name, dim3 grid, dim3 block, size_t shared, cudaStream_t stream, void **parameters) {
  std::lock_guard<std::mutex> lock(mutex);
  void *function;
  if (CUresult code = find(name, &function)) return answer(code);
  return answer(call_of<CUresult (*)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **)>("cuLaunchKernel")(
      function, grid.x, grid.y, grid.z, block.x, block.y, block.z, unsigned(shared), stream, parameters, nullptr));
}

int fake_shared_named(const char *name, size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  void *function;
  if (CUresult code = find(name, &function)) return answer(code);
  return answer(call_of<CUresult (*)(void *, int, int)>("cuFuncSetAttribute")(function, 8, int(bytes)));
}

int cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) { return answer(call_of<CUresult (*)(cudaEvent_t *, unsigned)>("cuEventCreate")(event, flags)); }
int cudaEventRecord(cudaEvent_t event, cudaStream_t stream) { return answer(call_of<CUresult (*)(cudaEvent_t, cudaStream_t)>("cuEventRecord")(event, stream)); }

/* The runtime makes the primary context of its device current where a thread has none. */
static int in_context() {
  void *context = nullptr, *kept;
  if (CUresult code = call_of<CUresult (*)(void **)>("cuCtxGetCurrent")(&context)) return code;
  if (context) return OK;
  if (CUresult code = call_of<CUresult (*)(void **, CUdevice)>("cuDevicePrimaryCtxRetain")(&kept, 0)) return code;
  return call_of<CUresult (*)(void *)>("cuCtxSetCurrent")(kept);
}
int cudaEventSynchronize(cudaEvent_t event) {
  int code = in_context();
  return answer(code ? code : call_of<CUresult (*)(cudaEvent_t)>("cuEventSynchronize")(event));
}
int cudaEventDestroy(cudaEvent_t event) {
  int code = in_context();
  return answer(code ? code : call_of<CUresult (*)(cudaEvent_t)>("cuEventDestroy_v2")(event));
}

int cudaGetLastError() {
  int code = last;
  last = 0;
  return code;
}

const char *cudaGetErrorName(int code) {
  const char *name = nullptr;
  if (code == 98) return "cudaErrorInvalidDeviceFunction";
  return call_of<CUresult (*)(int, const char **)>("cuGetErrorName")(code, &name) == OK ? name : "another";
}

const char *cudaGetErrorString(int code) {
  const char *text = nullptr;
  if (code == 98) return "invalid device function";
  return call_of<CUresult (*)(int, const char **)>("cuGetErrorString")(code, &text) == OK ? text : "another";
}
