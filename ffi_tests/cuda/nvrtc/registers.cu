// registers.cu - the same kernels twice: by PORTABLE_KERNEL, whose loops go on by the size of the grid over any bounds, or a range, and as one writes them by
// hand, with a loop that goes on likewise. CMakeLists.txt compares how many registers a thread has.
#include <portable_device.h>

struct triad_args {
  double *x;
  const double *y, *z;
  double s;
};

PORTABLE_KERNEL(triad, triad_args, a) {
  PORTABLE_FOR_1(i) { a->x[i] = a->y[i] + a->s * a->z[i]; }
}

extern "C" __global__ void triad_by_hand(double *x, const double *y, const double *z, double s, int lower, int n, int stride) {
  for (int q = blockIdx.x * blockDim.x + threadIdx.x; q < n; q += gridDim.x * blockDim.x) {
    int i = lower + q * stride;
    x[i] = y[i] + s * z[i];
  }
}

extern "C" __global__ void triad_range(double *x, const double *y, const double *z, double s, int n) {
  for (int i : portable::grid_stride(0, n)) x[i] = y[i] + s * z[i];
}

extern "C" __global__ void triad_stride_by_hand(double *x, const double *y, const double *z, double s, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] = y[i] + s * z[i];
}

struct triad2_args {
  double *x;
  const double *y, *z;
  double s;
  int n;
};

PORTABLE_KERNEL(triad2, triad2_args, a) {
  PORTABLE_FOR_2(j, i) {
    const int at = int(i) + a->n * int(j);
    a->x[at] = a->y[at] + a->s * a->z[at];
  }
}

struct pair {
  int x, y;
};

extern "C" __global__ void triad2_by_hand(double *x, const double *y, const double *z, double s, int width, pair lower, pair n, pair stride) {
  for (int q1 = blockIdx.y * blockDim.y + threadIdx.y; q1 < n.y; q1 += gridDim.y * blockDim.y)
    for (int q0 = blockIdx.x * blockDim.x + threadIdx.x; q0 < n.x; q0 += gridDim.x * blockDim.x) {
      const int at = lower.x + q0 * stride.x + width * (lower.y + q1 * stride.y);
      x[at] = y[at] + s * z[at];
    }
}

struct stencil_args {
  double *v;
  const double *u;
  int nx, ny;
  double r;
};

#define STENCIL(v, u, at, nx, nxy, r) \
  v[at] = u[at] + r * (u[at - 1] + u[at + 1] + u[at - nx] + u[at + nx] + u[at - nxy] + u[at + nxy] - 6 * u[at])

PORTABLE_KERNEL(stencil, stencil_args, a) {
  PORTABLE_FOR_3(k, j, i) {
    int nx = a->nx, nxy = nx * a->ny, at = int(i) + nx * int(j) + nxy * int(k);
    STENCIL(a->v, a->u, at, nx, nxy, a->r);
  }
}

struct triple {
  int x, y, z;
};

extern "C" __global__ void stencil_by_hand(double *v, const double *u, int nx, int ny, double r, triple lower, triple n, triple stride) {
  for (int q2 = blockIdx.z * blockDim.z + threadIdx.z; q2 < n.z; q2 += gridDim.z * blockDim.z)
    for (int q1 = blockIdx.y * blockDim.y + threadIdx.y; q1 < n.y; q1 += gridDim.y * blockDim.y)
      for (int q0 = blockIdx.x * blockDim.x + threadIdx.x; q0 < n.x; q0 += gridDim.x * blockDim.x) {
        int i = lower.x + q0 * stride.x, j = lower.y + q1 * stride.y, k = lower.z + q2 * stride.z;
        int nxy = nx * ny, at = i + nx * j + nxy * k;
        STENCIL(v, u, at, nx, nxy, r);
      }
}
