// registers.cu - the triad as portable_cuda.hpp launches it, in one and two dimensions, and as one writes it by hand with loops that go on by the size of
// the grid likewise. nvcc.sh compares the registers of what fits 32 bits.
#include <portable_cuda.hpp>

struct Triad1 {
  double *x;
  const double *y, *z;
  double s;
  __host__ __device__ void operator()(int i) const { x[i] = y[i] + s * z[i]; }
};
struct Triad2 {
  double *x;
  const double *y, *z;
  double s;
  int n;
  __host__ __device__ void operator()(int j, int i) const {
    const int at = i + n * j;
    x[at] = y[at] + s * z[at];
  }
};

void launches(const Triad1 &f, const Triad2 &g, int n) {
  portable::cuda::parallel_for("triad", portable::cuda::Bounds<1>(n), f);
  portable::cuda::parallel_for("triad", portable::cuda::Bounds<2>(n, n), g);
}

extern "C" __global__ void by_hand_1(double *x, const double *y, const double *z, double s, int lower, int n, int stride) {
  for (int q = blockIdx.x * blockDim.x + threadIdx.x; q < n; q += gridDim.x * blockDim.x) {
    const int i = lower + q * stride;
    x[i] = y[i] + s * z[i];
  }
}

struct Pair {
  int x, y;
};

extern "C" __global__ void by_hand_2(double *x, const double *y, const double *z, double s, int width, Pair lower, Pair n, Pair stride) {
  for (int q1 = blockIdx.y * blockDim.y + threadIdx.y; q1 < n.y; q1 += gridDim.y * blockDim.y)
    for (int q0 = blockIdx.x * blockDim.x + threadIdx.x; q0 < n.x; q0 += gridDim.x * blockDim.x) {
      const int at = lower.x + q0 * stride.x + width * (lower.y + q1 * stride.y);
      x[at] = y[at] + s * z[at];
    }
}
