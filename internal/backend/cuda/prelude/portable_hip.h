/* portable_hip.h - device code of CUDA C as hiprtc takes it: the text before each source for an
 * AMD device. Waves have 64 lanes or 32. A warp of 32 lanes, on which sources count, is a wave
 * or a half of one: the lanes of a half run together, so it needs no barrier of the hardware. */
#ifndef PORTABLE_HIP_H
#define PORTABLE_HIP_H

#define __grid_constant__

static __device__ inline unsigned portable__hip_half() { return __lane_id() & 32u; }
static __device__ inline unsigned portable__hip_ballot(int here) { return (unsigned)(__ballot(here) >> portable__hip_half()); }
#define __ballot_sync(mask, here) (portable__hip_ballot((here) ? 1 : 0) & (unsigned)(mask))
#define __any_sync(mask, here) (__ballot_sync(mask, here) != 0)
#define __all_sync(mask, here) (__ballot_sync(mask, !(here)) == 0)
#define __activemask() portable__hip_ballot(1)

/* A value of 1, 2, 4 or 8 bytes, or several of 4: hiprtc shuffles numbers of its own list of types. */
template <typename T> static __device__ inline T __shfl_sync(unsigned, T x, int lane, int width = 32) { return __shfl(x, lane, width); }
template <typename T> static __device__ inline T __shfl_up_sync(unsigned, T x, unsigned by, int width = 32) { return __shfl_up(x, by, width); }
template <typename T> static __device__ inline T __shfl_down_sync(unsigned, T x, unsigned by, int width = 32) { return __shfl_down(x, by, width); }
template <typename T> static __device__ inline T __shfl_xor_sync(unsigned, T x, int with, int width = 32) { return __shfl_xor(x, with, width); }

/* The lanes of a wave run in step; memory that they share is in order after it. */
static __device__ inline void __syncwarp(unsigned = 0xffffffffu) {
  __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
  __builtin_amdgcn_wave_barrier();
}

/* hiprtc has these for some types only, and which ones depends on its version. */
template <typename T, typename V> static __device__ inline T portable__hip_min(T *at, V x) {
  return __hip_atomic_fetch_min(at, (T)x, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
template <typename T, typename V> static __device__ inline T portable__hip_max(T *at, V x) {
  return __hip_atomic_fetch_max(at, (T)x, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
#define atomicMin portable__hip_min
#define atomicMax portable__hip_max

/* Headers of the library and sources of users ask by these names whether they are compiled for a device. */
#define __CUDACC__ 1
#define __CUDACC_RTC__ 1
#define __CUDA_ARCH__ 700

/* Functions without a qualifier are for the device, as by NVRTC's -default-device. */
#pragma clang force_cuda_host_device begin

#endif
