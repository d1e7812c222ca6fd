// opencl.h - CUDA's words for devices of OpenCL. rewrite.go turns the marks portable__global and
// portable__shared into clang's words, bitcode.go the calls of portable__rmw_..., portable__cas_...
// and portable__fence into LLVM's instructions. Warps are 32 threads that exchange values through
// shared memory: so all threads of a block must come to each shuffle and ballot, as they must to
// __syncthreads.
#ifndef PORTABLE__OPENCL_PRELUDE
#define PORTABLE__OPENCL_PRELUDE
#undef __HIP__
#undef __HIPCC__
#undef __HIP_DEVICE_COMPILE__
#pragma clang force_cuda_host_device begin
// Drivers look for shared memory and barriers in entries, so all functions go into these; and they
// optimize for themselves, some of them wrongly what clang has optimized before.
#pragma clang attribute push(__attribute__((always_inline)), apply_to = function)

#define __CUDACC__ 1
#define __CUDACC_RTC__ 1
#define PORTABLE_ON_OPENCL 1
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __global__ portable__global
#define __shared__ portable__shared
#define __constant__ __attribute__((constant))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __grid_constant__
#define __align__(n) __attribute__((aligned(n)))
#define PORTABLE__DEVICE static __attribute__((device, always_inline, unused)) inline
#define PORTABLE__CL(...) __attribute__((device)) __VA_ARGS__

typedef unsigned long size_t;
typedef long ptrdiff_t;

// ---- functions of OpenCL; C++ gives them the names that OpenCL's drivers expect ----

PORTABLE__CL(size_t) get_local_id(unsigned) __attribute__((const));
PORTABLE__CL(size_t) get_group_id(unsigned) __attribute__((const));
PORTABLE__CL(size_t) get_local_size(unsigned) __attribute__((const));
PORTABLE__CL(size_t) get_num_groups(unsigned) __attribute__((const));
PORTABLE__CL(void) barrier(unsigned) __attribute__((convergent));

struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x, y, z;
  PORTABLE__CL() constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};
#define PORTABLE__INDEX(name, get) \
  PORTABLE__DEVICE uint3 name() { return uint3{(unsigned)get(0), (unsigned)get(1), (unsigned)get(2)}; }
PORTABLE__INDEX(portable__thread_index, get_local_id)
PORTABLE__INDEX(portable__block_index, get_group_id)
PORTABLE__INDEX(portable__block_size, get_local_size)
PORTABLE__INDEX(portable__grid_size, get_num_groups)
#define threadIdx portable__thread_index()
#define blockIdx portable__block_index()
#define blockDim portable__block_size()
#define gridDim portable__grid_size()
#define warpSize 32

struct float2 { float x, y; };
struct alignas(8) int2 { int x, y; };
struct alignas(16) double2 { double x, y; };
struct alignas(16) float4 { float x, y, z, w; };
struct alignas(16) int4 { int x, y, z, w; };

// ---- barriers and fences ----

extern "C" __attribute__((device)) void portable__fence();
PORTABLE__DEVICE void __syncthreads() { barrier(3); }
PORTABLE__DEVICE void __threadfence() { portable__fence(); }
PORTABLE__DEVICE void __threadfence_block() { portable__fence(); }
PORTABLE__DEVICE void __threadfence_system() { portable__fence(); }

// ---- warps ----

PORTABLE__DEVICE int portable__linear() { return (int)(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)); }
// A word of each thread. Each use ends with a barrier, so the next may write at once.
PORTABLE__DEVICE unsigned long long *portable__words() {
  portable__shared unsigned long long words[1024];
  return words;
}
template <class T> PORTABLE__DEVICE T portable__exchange(T value, int source) {
  union bits {
    unsigned long long all;
    T value;
    __attribute__((device)) bits() {}
  } own, other;
  static_assert(sizeof(T) <= 8, "shuffles move up to 8 bytes");
  own.all = 0;
  own.value = value;
  unsigned long long *const words = portable__words();
  words[portable__linear()] = own.all;
  barrier(3);
  other.all = words[source];
  barrier(3);
  return other.value;
}
PORTABLE__DEVICE unsigned __ballot_sync(unsigned mask, int predicate) {
  const int me = portable__linear(), first = me / 32 * 32, size = (int)(blockDim.x * blockDim.y * blockDim.z);
  unsigned long long *const words = portable__words();
  unsigned all = 0;
  words[me] = predicate != 0;
  barrier(3);
  for (int i = 0; i < 32; i++)
    if (first + i < size && words[first + i]) all |= 1u << i;
  barrier(3);
  return all & mask;
}
PORTABLE__DEVICE int __any_sync(unsigned mask, int predicate) { return __ballot_sync(mask, predicate) != 0; }
PORTABLE__DEVICE int __all_sync(unsigned mask, int predicate) { return (__ballot_sync(mask, !predicate)) == 0; }
PORTABLE__DEVICE void __syncwarp(unsigned mask = 0xffffffffu) { (void)mask, barrier(3); }
PORTABLE__DEVICE int portable__source(int lane, int group_end) {
  const int me = portable__linear(), size = (int)(blockDim.x * blockDim.y * blockDim.z), at = me / 32 * 32 + lane;
  return lane < 0 || lane >= group_end || at >= size ? me : at;
}
template <class T> PORTABLE__DEVICE T __shfl_sync(unsigned, T v, int source, int width = 32) {
  const int lane = portable__linear() % 32;
  return portable__exchange(v, portable__source(lane / width * width + (source & (width - 1)), 32));
}
template <class T> PORTABLE__DEVICE T __shfl_up_sync(unsigned, T v, unsigned delta, int width = 32) {
  const int lane = portable__linear() % 32, source = lane - (int)delta;
  return portable__exchange(v, portable__source(source < lane / width * width ? lane : source, 32));
}
template <class T> PORTABLE__DEVICE T __shfl_down_sync(unsigned, T v, unsigned delta, int width = 32) {
  const int lane = portable__linear() % 32;
  return portable__exchange(v, portable__source(lane + (int)delta, (lane / width + 1) * width));
}
template <class T> PORTABLE__DEVICE T __shfl_xor_sync(unsigned, T v, int bits, int width = 32) {
  const int lane = portable__linear() % 32;
  return portable__exchange(v, portable__source(lane ^ bits, (lane / width + 1) * width));
}
PORTABLE__DEVICE int __syncthreads_count(int predicate) {
  const int size = (int)(blockDim.x * blockDim.y * blockDim.z);
  unsigned long long *const words = portable__words();
  int n = 0;
  words[portable__linear()] = predicate != 0;
  barrier(3);
  for (int i = 0; i < size; i++) n += (int)words[i];
  barrier(3);
  return n;
}
PORTABLE__DEVICE int __syncthreads_or(int predicate) { return __syncthreads_count(predicate) != 0; }
PORTABLE__DEVICE int __syncthreads_and(int predicate) { return __syncthreads_count(!predicate) == 0; }

// ---- atomic operations: those of LLVM, on global and on shared memory ----

#define PORTABLE__RMW(T, width, least, most)                                                       \
  extern "C" __attribute__((device)) T portable__rmw_add_##T(T *, T);                              \
  extern "C" __attribute__((device)) T portable__rmw_sub_##T(T *, T);                              \
  extern "C" __attribute__((device)) T portable__rmw_and_##T(T *, T);                              \
  extern "C" __attribute__((device)) T portable__rmw_or_##T(T *, T);                               \
  extern "C" __attribute__((device)) T portable__rmw_xor_##T(T *, T);                              \
  extern "C" __attribute__((device)) T portable__rmw_xchg_##T(T *, T);                             \
  extern "C" __attribute__((device)) T portable__rmw_##least##_##T(T *, T);                        \
  extern "C" __attribute__((device)) T portable__rmw_##most##_##T(T *, T);                         \
  extern "C" __attribute__((device)) T portable__cas_##T(T *, T, T);                               \
  PORTABLE__DEVICE T atomicAdd(T *p, T v) { return portable__rmw_add_##T(p, v); }                  \
  PORTABLE__DEVICE T atomicSub(T *p, T v) { return portable__rmw_sub_##T(p, v); }                  \
  PORTABLE__DEVICE T atomicAnd(T *p, T v) { return portable__rmw_and_##T(p, v); }                  \
  PORTABLE__DEVICE T atomicOr(T *p, T v) { return portable__rmw_or_##T(p, v); }                    \
  PORTABLE__DEVICE T atomicXor(T *p, T v) { return portable__rmw_xor_##T(p, v); }                  \
  PORTABLE__DEVICE T atomicExch(T *p, T v) { return portable__rmw_xchg_##T(p, v); }                \
  PORTABLE__DEVICE T atomicMin(T *p, T v) { return portable__rmw_##least##_##T(p, v); }            \
  PORTABLE__DEVICE T atomicMax(T *p, T v) { return portable__rmw_##most##_##T(p, v); }             \
  PORTABLE__DEVICE T atomicCAS(T *p, T compare, T v) { return portable__cas_##T(p, compare, v); }
typedef long long portable__i64;
typedef unsigned portable__u32;
typedef unsigned long long portable__u64;
PORTABLE__RMW(int, i32, min, max)
PORTABLE__RMW(portable__u32, i32, umin, umax)
PORTABLE__RMW(portable__i64, i64, min, max)
PORTABLE__RMW(portable__u64, i64, umin, umax)

#define __int_as_float(x) __builtin_bit_cast(float, (int)(x))
#define __uint_as_float(x) __builtin_bit_cast(float, (unsigned)(x))
#define __float_as_int(x) __builtin_bit_cast(int, (float)(x))
#define __float_as_uint(x) __builtin_bit_cast(unsigned, (float)(x))
#define __longlong_as_double(x) __builtin_bit_cast(double, (long long)(x))
#define __double_as_longlong(x) __builtin_bit_cast(long long, (double)(x))

#define PORTABLE__FLOAT_ADD(T, word)                                                               \
  PORTABLE__DEVICE T atomicAdd(T *p, T v) {                                                        \
    word old = *(volatile word *)p, seen;                                                          \
    do {                                                                                           \
      seen = old;                                                                                  \
      old = atomicCAS((word *)p, seen, __builtin_bit_cast(word, (T)(__builtin_bit_cast(T, seen) + v))); \
    } while (old != seen);                                                                         \
    return __builtin_bit_cast(T, old);                                                             \
  }
PORTABLE__FLOAT_ADD(float, portable__u32)
PORTABLE__FLOAT_ADD(double, portable__u64)

// ---- loads with a hint ----

template <class T> PORTABLE__DEVICE T __ldg(const T *p) { return *p; }
template <class T> PORTABLE__DEVICE T __ldcg(const T *p) { return *p; }

// ---- integers ----

PORTABLE__DEVICE int __popc(unsigned x) { return __builtin_popcount(x); }
PORTABLE__DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
PORTABLE__DEVICE int __ffs(int x) { return __builtin_ffs(x); }
PORTABLE__DEVICE int __ffsll(long long x) { return __builtin_ffsll(x); }
PORTABLE__DEVICE int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
PORTABLE__DEVICE int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
PORTABLE__DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  const unsigned long long al = (unsigned)a, ah = a >> 32, bl = (unsigned)b, bh = b >> 32, middle = ah * bl + (al * bl >> 32), other = al * bh + (unsigned)middle;
  return ah * bh + (middle >> 32) + (other >> 32);
}
PORTABLE__DEVICE unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }

// ---- mathematics ----

#define PORTABLE__MATH1(name)                                              \
  __attribute__((device)) double name(double) __attribute__((const));      \
  __attribute__((device)) float name(float) __attribute__((const));        \
  PORTABLE__DEVICE float name##f(float x) { return name(x); }              \
  PORTABLE__DEVICE double name(int x) { return name((double)x); }          \
  PORTABLE__DEVICE double name(long x) { return name((double)x); }         \
  PORTABLE__DEVICE double name(long long x) { return name((double)x); }
#define PORTABLE__MATH2(name)                                              \
  __attribute__((device)) double name(double, double) __attribute__((const)); \
  __attribute__((device)) float name(float, float) __attribute__((const)); \
  PORTABLE__DEVICE float name##f(float x, float y) { return name(x, y); }  \
  PORTABLE__DEVICE double name(double x, float y) { return name(x, (double)y); } \
  PORTABLE__DEVICE double name(float x, double y) { return name((double)x, y); } \
  PORTABLE__DEVICE double name(double x, int y) { return name(x, (double)y); } \
  PORTABLE__DEVICE double name(int x, double y) { return name((double)x, y); } \
  PORTABLE__DEVICE double name(int x, int y) { return name((double)x, (double)y); }
PORTABLE__MATH1(sin) PORTABLE__MATH1(cos) PORTABLE__MATH1(tan) PORTABLE__MATH1(asin) PORTABLE__MATH1(acos) PORTABLE__MATH1(atan)
PORTABLE__MATH1(sinh) PORTABLE__MATH1(cosh) PORTABLE__MATH1(tanh) PORTABLE__MATH1(asinh) PORTABLE__MATH1(acosh) PORTABLE__MATH1(atanh)
PORTABLE__MATH1(exp) PORTABLE__MATH1(exp2) PORTABLE__MATH1(exp10) PORTABLE__MATH1(expm1) PORTABLE__MATH1(log) PORTABLE__MATH1(log2)
PORTABLE__MATH1(log10) PORTABLE__MATH1(log1p) PORTABLE__MATH1(sqrt) PORTABLE__MATH1(rsqrt) PORTABLE__MATH1(cbrt) PORTABLE__MATH1(fabs)
PORTABLE__MATH1(floor) PORTABLE__MATH1(ceil) PORTABLE__MATH1(trunc) PORTABLE__MATH1(round) PORTABLE__MATH1(rint) PORTABLE__MATH1(erf)
PORTABLE__MATH1(erfc) PORTABLE__MATH1(tgamma) PORTABLE__MATH1(lgamma)
PORTABLE__MATH2(atan2) PORTABLE__MATH2(pow) PORTABLE__MATH2(fmod) PORTABLE__MATH2(hypot) PORTABLE__MATH2(copysign) PORTABLE__MATH2(fmin)
PORTABLE__MATH2(fmax) PORTABLE__MATH2(fdim) PORTABLE__MATH2(remainder) PORTABLE__MATH2(nextafter)
__attribute__((device)) double fma(double, double, double) __attribute__((const));
__attribute__((device)) float fma(float, float, float) __attribute__((const));
PORTABLE__DEVICE float fmaf(float x, float y, float z) { return fma(x, y, z); }
__attribute__((device)) double ldexp(double, int) __attribute__((const));
__attribute__((device)) float ldexp(float, int) __attribute__((const));
PORTABLE__DEVICE float ldexpf(float x, int n) { return ldexp(x, n); }
PORTABLE__DEVICE double scalbn(double x, int n) { return ldexp(x, n); }
PORTABLE__DEVICE double nearbyint(double x) { return rint(x); }
PORTABLE__DEVICE float nearbyint(float x) { return rint(x); }
PORTABLE__DEVICE long lrint(double x) { return (long)rint(x); }
PORTABLE__DEVICE long long llrint(double x) { return (long long)rint(x); }
PORTABLE__DEVICE long lround(double x) { return (long)round(x); }
PORTABLE__DEVICE long lround(float x) { return (long)round(x); }
PORTABLE__DEVICE long long llround(double x) { return (long long)round(x); }
PORTABLE__DEVICE long long llround(float x) { return (long long)round(x); }
PORTABLE__DEVICE long long llroundf(float x) { return (long long)round(x); }
PORTABLE__DEVICE void sincos(double x, double *s, double *c) { *s = sin(x), *c = cos(x); }
PORTABLE__DEVICE void sincosf(float x, float *s, float *c) { *s = sin(x), *c = cos(x); }
PORTABLE__DEVICE double __dmul_rn(double a, double b) { return a * b; }
PORTABLE__DEVICE double __dadd_rn(double a, double b) { return a + b; }
PORTABLE__DEVICE double __dsqrt_rn(double a) { return sqrt(a); }
PORTABLE__DEVICE double __ddiv_rn(double a, double b) { return a / b; }
PORTABLE__DEVICE double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
PORTABLE__DEVICE float __fmul_rn(float a, float b) { return a * b; }
PORTABLE__DEVICE float __fadd_rn(float a, float b) { return a + b; }
PORTABLE__DEVICE float __fmaf_rn(float a, float b, float c) { return fma(a, b, c); }
PORTABLE__DEVICE float __fsqrt_rn(float a) { return sqrt(a); }

#define PORTABLE__CLASS(name, T)                                                             \
  PORTABLE__DEVICE bool isnan(T x) { return x != x; }                                        \
  PORTABLE__DEVICE bool isinf(T x) { return __builtin_isinf(x) != 0; }                       \
  PORTABLE__DEVICE bool isfinite(T x) { return __builtin_isfinite(x) != 0; }                 \
  PORTABLE__DEVICE bool signbit(T x) { return __builtin_signbit(x) != 0; }
PORTABLE__CLASS(double, double)
PORTABLE__CLASS(float, float)

PORTABLE__DEVICE int abs(int x) { return x < 0 ? -x : x; }
PORTABLE__DEVICE long abs(long x) { return x < 0 ? -x : x; }
PORTABLE__DEVICE long long abs(long long x) { return x < 0 ? -x : x; }
PORTABLE__DEVICE long labs(long x) { return x < 0 ? -x : x; }
PORTABLE__DEVICE long long llabs(long long x) { return x < 0 ? -x : x; }
PORTABLE__DEVICE double abs(double x) { return fabs(x); }
PORTABLE__DEVICE float abs(float x) { return fabs(x); }
#define PORTABLE__CHOICE(T)                                              \
  PORTABLE__DEVICE T min(T a, T b) { return b < a ? b : a; }             \
  PORTABLE__DEVICE T max(T a, T b) { return a < b ? b : a; }
PORTABLE__CHOICE(int) PORTABLE__CHOICE(unsigned) PORTABLE__CHOICE(long) PORTABLE__CHOICE(unsigned long) PORTABLE__CHOICE(long long)
PORTABLE__CHOICE(unsigned long long)
#define PORTABLE__CHOICE_MIXED(A, B, T)                                        \
  PORTABLE__DEVICE T min(A a, B b) { return min((T)a, (T)b); }                 \
  PORTABLE__DEVICE T min(B a, A b) { return min((T)a, (T)b); }                 \
  PORTABLE__DEVICE T max(A a, B b) { return max((T)a, (T)b); }                 \
  PORTABLE__DEVICE T max(B a, A b) { return max((T)a, (T)b); }
PORTABLE__CHOICE_MIXED(int, unsigned, unsigned) PORTABLE__CHOICE_MIXED(int, long, long) PORTABLE__CHOICE_MIXED(int, long long, long long)
PORTABLE__DEVICE double min(double a, double b) { return fmin(a, b); }
PORTABLE__DEVICE double max(double a, double b) { return fmax(a, b); }
PORTABLE__DEVICE float min(float a, float b) { return fmin(a, b); }
PORTABLE__DEVICE float max(float a, float b) { return fmax(a, b); }

extern "C" __attribute__((device)) void *memcpy(void *, const void *, size_t);
extern "C" __attribute__((device)) void *memset(void *, int, size_t);
PORTABLE__DEVICE void __trap() { __builtin_trap(); }

// ---- how an entry is called: its parameters are in a buffer, each at its natural alignment ----

template <class... A> struct portable__layout {
  static constexpr __attribute__((device)) size_t end(size_t at) { return at; }
};
template <class T, class... A> struct portable__layout<T, A...> {
  static constexpr __attribute__((device)) size_t begin(size_t at) { return (at + alignof(T) - 1) / alignof(T) * alignof(T); }
  static constexpr __attribute__((device)) size_t end(size_t at) { return portable__layout<A...>::end(begin(at) + sizeof(T)); }
};
template <class F, F f, size_t at, class... A> struct portable__parameters;
template <class F, F f, size_t at> struct portable__parameters<F, f, at> {
  template <class... Done> static __attribute__((device)) inline void call(const char *, char *shared, const Done &...done) { f(done..., shared); }
};
template <class F, F f, size_t at, class T, class... A> struct portable__parameters<F, f, at, T, A...> {
  template <class... Done> static __attribute__((device)) inline void call(const char *p, char *shared, const Done &...done) {
    constexpr size_t begin = portable__layout<T>::begin(at);
    portable__parameters<F, f, begin + sizeof(T), A...>::call(p, shared, done..., *(const T *)(p + begin));
  }
};
// The last parameter of each entry, which rewrite.go adds, is the block's dynamic shared memory.
template <class... A> struct portable__list {};
template <class Front, class... A> struct portable__front;
template <class... B, class Last> struct portable__front<portable__list<B...>, Last> { typedef portable__list<B...> type; };
template <class... B, class T, class U, class... A> struct portable__front<portable__list<B...>, T, U, A...> : portable__front<portable__list<B..., T>, U, A...> {};
template <class F, F f, class L> struct portable__of_list;
template <class F, F f, class... A> struct portable__of_list<F, f, portable__list<A...>> {
  static constexpr size_t bytes = portable__layout<A...>::end(0);
  static __attribute__((device)) inline void call(const char *p, char *shared) { portable__parameters<F, f, 0, A...>::call(p, shared); }
};
template <class F, F f> struct portable__called;
template <class... A, void (*f)(A...)> struct portable__called<void (*)(A...), f> : portable__of_list<void (*)(A...), f, typename portable__front<portable__list<>, A...>::type> {};

#endif
