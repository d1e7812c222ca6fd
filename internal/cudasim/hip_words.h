// hip_words.h - HIP's words on the processor, where they differ from CUDA's: waves of FAKE_HIP lanes, 64 or 32, whose operations have no mask. Part of device.h.
// Names and types are those of hiprtc 5.2.
#pragma GCC system_header

// hiprtc declares these, int64_t as long long.
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned uint32_t;
typedef unsigned long long uint64_t;

#define __HIP_MEMORY_SCOPE_AGENT 4

static inline unsigned __lane_id() { return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % FAKE_HIP; }
static inline unsigned long long __ballot(int predicate) { return fake_warp(fake_wave_ballot, 0, predicate != 0, 0); }
static inline void __builtin_amdgcn_wave_barrier() { fake_warp(fake_wave_sync, 0, 0, 0); }
static inline void __builtin_amdgcn_fence(unsigned, const char *) { fake_fence(); }
template <class T> static inline T fake_shuffle(T value, int source) {
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof value);
  bits = fake_warp(fake_wave_shuffle, 0, bits, source);
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}
#define FAKE_SHUFFLES(T)                                                                      \
  static inline T __shfl(T v, int source, int width = warpSize) {                             \
    int lane = (int)__lane_id();                                                              \
    return fake_shuffle(v, lane / width * width + (source & (width - 1)));                    \
  }                                                                                           \
  static inline T __shfl_up(T v, unsigned delta, int width = warpSize) {                      \
    int lane = (int)__lane_id(), source = lane - (int)delta;                                  \
    return fake_shuffle(v, source < lane / width * width ? lane : source);                    \
  }                                                                                           \
  static inline T __shfl_down(T v, unsigned delta, int width = warpSize) {                    \
    int lane = (int)__lane_id(), source = lane + (int)delta;                                  \
    return fake_shuffle(v, source >= (lane / width + 1) * width ? lane : source);             \
  }                                                                                           \
  static inline T __shfl_xor(T v, int bits, int width = warpSize) {                           \
    int lane = (int)__lane_id(), source = lane ^ bits;                                        \
    return fake_shuffle(v, source >= (lane / width + 1) * width ? lane : source);             \
  }
FAKE_SHUFFLES(int)
FAKE_SHUFFLES(unsigned)
FAKE_SHUFFLES(long)
FAKE_SHUFFLES(unsigned long)
FAKE_SHUFFLES(long long)
FAKE_SHUFFLES(unsigned long long)
FAKE_SHUFFLES(float)
FAKE_SHUFFLES(double)
template <class T> static inline T __hip_atomic_fetch_min(T *p, T v, int, int) {
  T old = *p;
  fake_fence();
  if (v < old) *p = v;
  fake_fence();
  return old;
}
template <class T> static inline T __hip_atomic_fetch_max(T *p, T v, int, int) {
  T old = *p;
  fake_fence();
  if (old < v) *p = v;
  fake_fence();
  return old;
}
