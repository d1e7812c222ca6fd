// nvcc.h - compiles a program of one file as nvcc would, by g++, in two passes: the host's, and, with FAKE_DEVICE_PASS, the device's, whose shared object is
// the program's device code. In this file: nvcc's macros, the part of the CUDA runtime that the library's headers use, and how a kernel of one pass is found in
// the other one. Not in this file: CUDA's words (words.h), the driver, which runs kernels on the processor. Included before the program by -include. C++17.
//
// A kernel is known by the name that typeid gives to its address as a template argument: both passes have the same one. The device's pass makes an entry of
// each kernel that is launched; the host's loads PROGRAM.device as a module (README.md). A kernel reads globals of the device's pass, as it does on a GPU.
#pragma GCC system_header
#ifndef FAKE_NVCC_H
#define FAKE_NVCC_H

// First, because they have words of their own that CUDA's would change.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <unordered_map>
#include <utility>
#include <vector>

#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_EXTENDED_LAMBDA__ 1
#if defined(FAKE_DEVICE_PASS)
#define __CUDA_ARCH__ 800
#endif

#include "words.h"
#undef __noinline__
#include "bits.h"

// The dynamic shared memory of a block (portable_device_team.h).
#define PORTABLE_SHARED_BYTES(name) [[maybe_unused]] char *const name = fake_dynamic_shared

// A lambda says by its type for which side it is compiled, as nvcc's do.
template <class L> struct fake_both {
  L f;
  template <class... A> auto operator()(A &&...a) const -> decltype(std::declval<const L &>()(static_cast<A &&>(a)...)) { return f(static_cast<A &&>(a)...); }
};
template <class L> struct fake_device {
  L f;
  template <class... A> auto operator()(A &&...a) const -> decltype(std::declval<const L &>()(static_cast<A &&>(a)...)) {
#if !defined(FAKE_DEVICE_PASS)
    fprintf(stderr, "fake cuda: violation: the host calls a kernel of the device\n"), abort();
#endif
    return f(static_cast<A &&>(a)...);
  }
};
struct fake_make_both {
  template <class L> fake_both<L> operator->*(L &&f) const { return {static_cast<L &&>(f)}; }
};
struct fake_make_device {
  template <class L> fake_device<L> operator->*(L &&f) const { return {static_cast<L &&>(f)}; }
};
template <class F> constexpr bool fake_is_both = false;
template <class L> constexpr bool fake_is_both<fake_both<L>> = true;
template <class F> constexpr bool fake_is_device = false;
template <class L> constexpr bool fake_is_device<fake_device<L>> = true;
#define PORTABLE_LAMBDA fake_make_both()->*[=]
#define PORTABLE_DEVICE_LAMBDA fake_make_device()->*[=]
#define PORTABLE_CLASS_LAMBDA fake_make_both()->*[ =, *this ]
#define __nv_is_extended_host_device_lambda_closure_type(F) fake_is_both<F>
#define __nv_is_extended_device_lambda_closure_type(F) fake_is_device<F>

// ---- the runtime ----

typedef int cudaError_t;
typedef struct fake_stream *cudaStream_t;
typedef struct fake_event *cudaEvent_t;
enum { cudaEventDisableTiming = 2 };
enum { cudaSuccess = 0, cudaErrorMemoryAllocation = 2, cudaErrorInvalidDeviceFunction = 98 };
#define cudaStreamLegacy (reinterpret_cast<cudaStream_t>(1))

template <auto kernel> struct fake_key {};

#if defined(FAKE_DEVICE_PASS)

static inline const char *cudaGetErrorName(cudaError_t) { return ""; }
static inline const char *cudaGetErrorString(cudaError_t) { return ""; }
static inline cudaError_t cudaGetLastError() { return 0; }
static inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t *, unsigned) { return 0; }
static inline cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return 0; }
static inline cudaError_t cudaEventSynchronize(cudaEvent_t) { return 0; }
static inline cudaError_t cudaEventDestroy(cudaEvent_t) { return 0; }

// The entries of the module; the constructors of fake_registered fill them when it is loaded.
static fake_entry fake_entries[8192];
static __thread char fake_marker[16] __attribute__((aligned(16)));
static void *fake_touch() { return fake_marker; }
extern "C" {
__attribute__((visibility("default"))) fake_face fake_module = {FAKE_FACE_VERSION, __CUDA_ARCH__ / 10, fake_entries, 0, &fake_now.thread, &fake_now.block, &fake_now.block_size,
                                                                &fake_now.grid_size, fake_dynamic_shared, sizeof fake_dynamic_shared, &fake_now.runtime, fake_touch};
}
static bool fake_add(fake_entry entry, const char *name) {
  entry.lowered = name;
  if (fake_module.count >= sizeof fake_entries / sizeof *fake_entries) abort();
  fake_entries[fake_module.count++] = entry;
  return true;
}
template <auto kernel> struct fake_registered { static const bool made; };
template <auto kernel> const bool fake_registered<kernel>::made = fake_add(fake_kernel(kernel, 0), typeid(fake_key<kernel>).name());

// Never called: it names the kernel.
template <auto kernel> cudaError_t fake_launch(dim3, dim3, size_t, cudaStream_t, void **) { return fake_registered<kernel>::made ? 0 : 1; }
template <auto kernel> cudaError_t fake_shared(size_t) { return 0; }

#else

#include <dlfcn.h>
#include <unistd.h>

cudaError_t fake_launch_named(const char *name, dim3 grid, dim3 block, size_t shared, cudaStream_t stream, void **parameters);
cudaError_t fake_shared_named(const char *name, size_t bytes);
const char *cudaGetErrorName(cudaError_t error);
const char *cudaGetErrorString(cudaError_t error);
cudaError_t cudaGetLastError();
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventDestroy(cudaEvent_t event);
template <auto kernel> cudaError_t fake_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, void **parameters) {
  return fake_launch_named(typeid(fake_key<kernel>).name(), grid, block, shared, stream, parameters);
}
template <auto kernel> cudaError_t fake_shared(size_t bytes) { return fake_shared_named(typeid(fake_key<kernel>).name(), bytes); }

#endif

#define PORTABLE__CUDA_LAUNCH(grid, block, shared, stream, parameters, ...) fake_launch<&__VA_ARGS__>(grid, block, shared, stream, parameters)
#define PORTABLE__CUDA_SHARED(bytes, ...) fake_shared<&__VA_ARGS__>(bytes)

#endif
