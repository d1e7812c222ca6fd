// words.h - CUDA's words on the processor: qualifiers, indices, barriers, warps, atomics, and how a kernel is called. For kernels that the fake NVRTC compiles
// (device.h) and for programs that are compiled as nvcc would (nvcc.h). Not in this file: mathematics (device_math.h). No header of C or C++ is included.
// C++11. Static shared memory is the thread's own storage: one thread runs all, so it is shared, and libcuda fills it with rubbish before each block.
#pragma GCC system_header
#include "face.h"

#define __device__
#define __host__
#define __global__ __attribute__((visibility("default")))
#define __constant__ __attribute__((visibility("default")))
#define __managed__ __attribute__((visibility("default")))
#define __shared__ static __thread
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __maxnreg__(n)
#define __grid_constant__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_assume(e) ((void)0)

struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return uint3{x, y, z}; }
};

static struct {
  fake_index thread, block, block_size, grid_size;
  const fake_runtime *runtime;
} fake_now;
static const uint3 &threadIdx = reinterpret_cast<const uint3 &>(fake_now.thread), &blockIdx = reinterpret_cast<const uint3 &>(fake_now.block);
static const dim3 &blockDim = reinterpret_cast<const dim3 &>(fake_now.block_size), &gridDim = reinterpret_cast<const dim3 &>(fake_now.grid_size);
#if !defined(FAKE_HIP)
#define FAKE_WARP 32
#else
#define FAKE_WARP FAKE_HIP
#endif
static int fake_warp_size = FAKE_WARP;
static const int &warpSize = fake_warp_size;  // no constant, as in NVRTC
alignas(128) static char fake_dynamic_shared[232448];

// ---- barriers and fences; a fence has nothing to do where one thread runs at a time, but to keep the compiler from moving things ----

static inline void fake_fence() { asm volatile("" ::: "memory"); }
static inline int fake_barrier(int kind, int value) {
  fake_fence();
  int result = fake_now.runtime->block(kind, value);
  fake_fence();
  return result;
}
static inline void __syncthreads() { fake_barrier(fake_block_sync, 0); }
static inline int __syncthreads_count(int value) { return fake_barrier(fake_block_count, value); }
static inline int __syncthreads_and(int value) { return fake_barrier(fake_block_and, value); }
static inline int __syncthreads_or(int value) { return fake_barrier(fake_block_or, value); }
static inline void __threadfence() { fake_fence(); }
static inline void __threadfence_block() { fake_fence(); }
static inline void __threadfence_system() { fake_fence(); }
static inline void __nanosleep(unsigned) { fake_now.runtime->yield(), fake_fence(); }
static inline void __trap() { fake_now.runtime->stop(719); }
// The macros of the processor are not there (-undef).
#if __has_builtin(__builtin_ia32_rdtsc)
static inline long long clock64() { return (long long)__builtin_ia32_rdtsc(); }
#else
static inline long long clock64() {
  long long ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
}
#endif

// ---- warps ----

static inline unsigned long long fake_warp(int kind, unsigned mask, unsigned long long value, int source) {
  fake_fence();
  unsigned long long result = fake_now.runtime->warp(kind, mask, value, source);
  fake_fence();
  return result;
}
#if !defined(FAKE_HIP)
static inline void __syncwarp(unsigned mask = 0xffffffffu) { fake_warp(fake_warp_sync, mask, 0, 0); }
static inline unsigned __ballot_sync(unsigned mask, int predicate) { return (unsigned)fake_warp(fake_warp_ballot, mask, predicate != 0, 0); }
static inline int __any_sync(unsigned mask, int predicate) { return __ballot_sync(mask, predicate) != 0; }
static inline int __all_sync(unsigned mask, int predicate) { return __ballot_sync(mask, !predicate) == 0; }
static inline int fake_lane() { return int((threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32); }
static inline unsigned __activemask() { return 1u << fake_lane(); }  // no more is promised
template <class T>
static inline T fake_shuffle(unsigned mask, T value, int source) {
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof value);
  bits = fake_warp(fake_warp_shuffle, mask, bits, source);
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}
#define FAKE_SHUFFLES(T)                                                                             \
  static inline T __shfl_sync(unsigned mask, T v, int source, int width = 32) {                      \
    int lane = fake_lane();                                                                          \
    return fake_shuffle(mask, v, lane / width * width + (source & (width - 1)));                     \
  }                                                                                                  \
  static inline T __shfl_up_sync(unsigned mask, T v, unsigned delta, int width = 32) {               \
    int lane = fake_lane(), source = lane - (int)delta;                                              \
    return fake_shuffle(mask, v, source < lane / width * width ? lane : source);                     \
  }                                                                                                  \
  static inline T __shfl_down_sync(unsigned mask, T v, unsigned delta, int width = 32) {             \
    int lane = fake_lane(), source = lane + (int)delta;                                              \
    return fake_shuffle(mask, v, source >= (lane / width + 1) * width ? lane : source);              \
  }                                                                                                  \
  static inline T __shfl_xor_sync(unsigned mask, T v, int bits, int width = 32) {                    \
    int lane = fake_lane(), source = lane ^ bits;                                                    \
    return fake_shuffle(mask, v, source >= (lane / width + 1) * width ? lane : source);              \
  }
FAKE_SHUFFLES(int)
FAKE_SHUFFLES(unsigned)
FAKE_SHUFFLES(long)
FAKE_SHUFFLES(unsigned long)
FAKE_SHUFFLES(long long)
FAKE_SHUFFLES(unsigned long long)
FAKE_SHUFFLES(float)
FAKE_SHUFFLES(double)
#define FAKE_WARP_REDUCTION(name, T, expression)                                                          \
  static inline T name(unsigned mask, T v) {                                                              \
    T result = v;                                                                                         \
    bool first = true;                                                                                    \
    for (int i = 0; i < 32; i++) {                                                                        \
      T other = __shfl_sync(mask, v, i), old = result;                                                    \
      if (mask >> i & 1) result = first ? other : (expression), first = false;                            \
    }                                                                                                     \
    return result;                                                                                        \
  }
#define FAKE_WARP_REDUCTIONS(T)                                                  \
  FAKE_WARP_REDUCTION(__reduce_add_sync, T, old + other)                         \
  FAKE_WARP_REDUCTION(__reduce_min_sync, T, other < old ? other : old)           \
  FAKE_WARP_REDUCTION(__reduce_max_sync, T, old < other ? other : old)
FAKE_WARP_REDUCTIONS(int)
FAKE_WARP_REDUCTIONS(unsigned)
template <class T> static inline unsigned __match_any_sync(unsigned mask, T v) {
  unsigned result = 0;
  for (int i = 0; i < 32; i++)
    if (fake_shuffle(mask, v, i) == v && (mask >> i & 1)) result |= 1u << i;
  return result;
}

#endif

// ---- atomics: one thread runs at a time; the types are those that CUDA has, no more ----

#define FAKE_ATOMIC(name, T, expression)                                          \
  static inline T name(T *p, T v) {                                               \
    fake_fence();                                                                 \
    T old = *p;                                                                   \
    *p = (expression);                                                            \
    fake_fence();                                                                 \
    return old;                                                                   \
  }                                                                               \
  static inline T name##_block(T *p, T v) { return name(p, v); }                  \
  static inline T name##_system(T *p, T v) { return name(p, v); }
#define FAKE_CAS(T)                                                               \
  static inline T atomicCAS(T *p, T compare, T v) {                               \
    fake_fence();                                                                 \
    T old = *p;                                                                   \
    if (old == compare) *p = v;                                                   \
    fake_fence();                                                                 \
    return old;                                                                   \
  }                                                                               \
  static inline T atomicCAS_block(T *p, T c, T v) { return atomicCAS(p, c, v); }  \
  static inline T atomicCAS_system(T *p, T c, T v) { return atomicCAS(p, c, v); }
FAKE_ATOMIC(atomicAdd, int, old + v)
FAKE_ATOMIC(atomicAdd, unsigned, old + v)
FAKE_ATOMIC(atomicAdd, unsigned long long, old + v)
FAKE_ATOMIC(atomicAdd, float, old + v)
FAKE_ATOMIC(atomicAdd, double, old + v)
FAKE_ATOMIC(atomicSub, int, old - v)
FAKE_ATOMIC(atomicSub, unsigned, old - v)
FAKE_ATOMIC(atomicExch, int, v)
FAKE_ATOMIC(atomicExch, unsigned, v)
FAKE_ATOMIC(atomicExch, unsigned long long, v)
FAKE_ATOMIC(atomicExch, float, v)
FAKE_ATOMIC(atomicInc, unsigned, old >= v ? 0 : old + 1)
FAKE_ATOMIC(atomicDec, unsigned, old == 0 || old > v ? v : old - 1)
#define FAKE_ATOMICS(T)                         \
  FAKE_ATOMIC(atomicMin, T, v < old ? v : old)  \
  FAKE_ATOMIC(atomicMax, T, old < v ? v : old)  \
  FAKE_ATOMIC(atomicAnd, T, old & v)            \
  FAKE_ATOMIC(atomicOr, T, old | v)             \
  FAKE_ATOMIC(atomicXor, T, old ^ v)
FAKE_ATOMICS(int)
FAKE_ATOMICS(unsigned)
FAKE_ATOMICS(long long)
FAKE_ATOMICS(unsigned long long)
FAKE_CAS(int)
FAKE_CAS(unsigned)
FAKE_CAS(unsigned long long)
FAKE_CAS(unsigned short)

// ---- loads and stores with a hint ----

template <class T> static inline T __ldg(const T *p) { return *p; }
template <class T> static inline T __ldcg(const T *p) { return *p; }
template <class T> static inline T __ldca(const T *p) { return *p; }
template <class T> static inline T __ldcs(const T *p) { return *p; }
template <class T> static inline void __stcg(T *p, T v) { *p = v; }
template <class T> static inline void __stcs(T *p, T v) { *p = v; }
template <class T> static inline void __stwb(T *p, T v) { *p = v; }

// ---- how a kernel is called: its parameters are read from the buffer of a launch, at their natural alignment ----

template <size_t... I> struct fake_list {};
template <size_t N, size_t... I> struct fake_count : fake_count<N - 1, N - 1, I...> {};
template <size_t... I> struct fake_count<0, I...> { typedef fake_list<I...> list; };
constexpr size_t fake_up(size_t n, size_t to) { return (n + to - 1) / to * to; }
template <class... A> struct fake_layout {
  static constexpr size_t end = 0, most = 1;
  static constexpr size_t at(size_t, size_t from) { return from; }
  static constexpr size_t size(size_t) { return 0; }
  static constexpr size_t total(size_t from) { return from; }
};
template <class T, class... A> struct fake_layout<T, A...> {
  static constexpr size_t at(size_t i, size_t from) {
    return i == 0 ? fake_up(from, alignof(T)) : fake_layout<A...>::at(i - 1, fake_up(from, alignof(T)) + sizeof(T));
  }
  static constexpr size_t size(size_t i) { return i == 0 ? sizeof(T) : fake_layout<A...>::size(i - 1); }
  static constexpr size_t total(size_t from) { return fake_layout<A...>::total(fake_up(from, alignof(T)) + sizeof(T)); }
  static constexpr size_t most = alignof(T) > fake_layout<A...>::most ? alignof(T) : fake_layout<A...>::most;
};
template <class L, class... A> struct fake_caller;
template <size_t... I, class... A> struct fake_caller<fake_list<I...>, A...> {
  static const fake_parameter parameters[sizeof...(A) + 1];
  static void call(void (*f)(), const char *p) { ((void (*)(A...))f)(*(A *)(p + fake_layout<A...>::at(I, 0))...); }
};
template <size_t... I, class... A>
const fake_parameter fake_caller<fake_list<I...>, A...>::parameters[sizeof...(A) + 1] = {
    {(unsigned)fake_layout<A...>::at(I, 0), (unsigned)fake_layout<A...>::size(I)}..., {0, 0}};
template <class... A> static inline fake_entry fake_kernel(void (*f)(A...), unsigned max_threads) {
  typedef fake_caller<typename fake_count<sizeof...(A)>::list, A...> caller;
  return fake_entry{(void (*)())f, &caller::call, caller::parameters, (unsigned)sizeof...(A), (unsigned)fake_layout<A...>::total(0), (unsigned)fake_layout<A...>::most, max_threads, 0};
}
