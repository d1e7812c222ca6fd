// plain.cu - the rows of rows.h in plain CUDA C++, by nvcc: the peer of portable.c. It prints the
// same rows under the same names, then its results, which are compared with portable.c's. Build:
// nvcc -O3 -std=c++17 -arch=native plain.cu -lcuda. Usage: plain [small]
#include <cuda.h>
#include <cuda_runtime.h>

#include <cub/cub.cuh>
#include <cstdlib>
#include <vector>

#include "rows.h"

static void check(cudaError_t code, const char *what) {
  if (code == cudaSuccess) return;
  std::fprintf(stderr, "plain: %s: %s\n", what, cudaGetErrorString(code));
  std::exit(1);
}
#define CHECK(call) check(call, #call)

__global__ void empty(int64_t) {}

__global__ void triad(double *__restrict__ a, const double *__restrict__ b, const double *__restrict__ c, double s, int64_t n) {
  for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < n; i += (int64_t)gridDim.x * blockDim.x) a[i] = b[i] + s * c[i];
}

__global__ void stencil(double *__restrict__ to, const double *__restrict__ from, int n, double f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x + 1, j = blockIdx.y * blockDim.y + threadIdx.y + 1, k = blockIdx.z + 1;
  if (i > n || j > n || k > n) return;
  const int64_t row = n + 2, plane = row * (n + 2), at = k * plane + j * row + i;
  to[at] = from[at] + f * (from[at - 1] + from[at + 1] + from[at - row] + from[at + row] + from[at - plane] + from[at + plane] - 6 * from[at]);
}

__global__ void product(double *__restrict__ c, const double *__restrict__ a, const double *__restrict__ b, int n) {
  __shared__ double at[TILE][TILE], bt[TILE][TILE];
  const int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * TILE + x, line = blockIdx.y * TILE + y;
  double sum = 0;
  for (int k = 0; k < n; k += TILE) {
    at[y][x] = a[(int64_t)line * n + k + x];
    bt[y][x] = b[(int64_t)(k + y) * n + column];
    __syncthreads();
    for (int m = 0; m < TILE; m++) sum += at[y][m] * bt[m][x];
    __syncthreads();
  }
  c[(int64_t)line * n + column] = sum;
}

__global__ void fill(double *x, int64_t n, int64_t period, double first) {
  for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < n; i += (int64_t)gridDim.x * blockDim.x) x[i] = first + (double)(i % period);
}

struct StepOf {
  const double *h, *u, *v;
  __device__ double operator()(int64_t i) const {
    const double wave = sqrt(9.81 * h[i]);
    return fmin(50 / (fabs(u[i]) + wave + 1e-15), 45 / (fabs(v[i]) + wave + 1e-15));
  }
};

static double *field(int64_t n, int64_t period, double first) {
  double *x;
  CHECK(cudaMalloc(&x, n * sizeof *x));
  fill<<<1024, 256>>>(x, n, period, first);
  CHECK(cudaDeviceSynchronize());
  return x;
}

static void launches(cudaStream_t stream) {
  cudaFunction_t f;
  CHECK(cudaGetFuncBySymbol(&f, (const void *)empty));
  int64_t n = 1;
  void *params[] = {&n};
  double least = 1e30, both = 1e30;
  for (int round = 0; round < REPEATS; round++) { // what the calling thread pays, without what it waits
    CHECK(cudaStreamSynchronize(stream));
    double begin = seconds();
    for (int i = 0; i < QUEUED; i++) cuLaunchKernel((CUfunction)f, 1, 1, 1, 64, 1, 1, 0, (CUstream)stream, params, nullptr);
    least = fmin(least, (seconds() - begin) / QUEUED);
    CHECK(cudaStreamSynchronize(stream));
    both = fmin(both, (seconds() - begin) / QUEUED);
  }
  row("launch, queued", least, 0);
  row("launch, until it is done, one after the other", both, 0);
  MEASURE("launch and wait", 1, 0, (cuLaunchKernel((CUfunction)f, 1, 1, 1, 64, 1, 1, 0, (CUstream)stream, params, nullptr), cudaStreamSynchronize(stream)));
}

static void pool(cudaStream_t stream) {
  cudaMemPool_t p;
  uint64_t keep = UINT64_MAX; // or each wait would give the memory back to the system
  CHECK(cudaDeviceGetDefaultMemPool(&p, 0));
  CHECK(cudaMemPoolSetAttribute(p, cudaMemPoolAttrReleaseThreshold, &keep));
  std::vector<void *> live(64, nullptr);
  MEASURE("allocate and free, one size", PAIRS, 0, {
    for (int i = 0; i < PAIRS; i++) {
      void *x;
      cudaMallocAsync(&x, 1 << 20, stream);
      cudaFreeAsync(x, stream);
    }
  });
  MEASURE("allocate and free, mixed sizes, 64 live", PAIRS, 0, {
    for (int i = 0; i < PAIRS; i++) {
      void *&x = live[i % 64];
      if (x) cudaFreeAsync(x, stream);
      cudaMallocAsync(&x, block_bytes(i), stream);
    }
  });
  for (void *x : live)
    if (x) cudaFreeAsync(x, stream);
  CHECK(cudaStreamSynchronize(stream));
}

static double reduced;

template <class In, class Op> static void reduce(cudaStream_t stream, In in, int64_t n, Op op, double initial, void *room, size_t bytes, double *to) {
  CHECK(cub::DeviceReduce::Reduce(room, bytes, in, to, (int)n, op, initial, stream));
  CHECK(cudaMemcpyAsync(&reduced, to, sizeof reduced, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
}

int main(int argc, char **) {
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  small = argc > 1;
  launches(stream);
  pool(stream);
  double *a = field(ELEMENTS, 7, 1), *b = field(ELEMENTS, 5, 2), *c = field(ELEMENTS, 3, 3), *to;
  CHECK(cudaMalloc(&to, sizeof *to));
  MEASURE("triad", 1, 24.0 * ELEMENTS, (triad<<<(unsigned)(ELEMENTS / 256), 256, 0, stream>>>(a, b, c, 3, ELEMENTS), cudaStreamSynchronize(stream)));
  size_t bytes = 0;
  void *room;
  CHECK(cub::DeviceReduce::Reduce(nullptr, bytes, a, to, (int)ELEMENTS, cub::Sum(), 0.0, stream));
  CHECK(cudaMalloc(&room, bytes));
  MEASURE("sum of an array", 1, 8.0 * ELEMENTS, reduce(stream, a, ELEMENTS, cub::Sum(), 0.0, room, bytes, to));
  std::printf("# sum %.17g\n", reduced);
  /* The bandwidth of writes, next to which random numbers are held. */
  MEASURE("random_fill, real64", 1, 8.0 * ELEMENTS, (cudaMemsetAsync(a, 0, 8 * ELEMENTS, stream), cudaStreamSynchronize(stream)));
  cudaFree(room);
  cudaFree(a), cudaFree(b), cudaFree(c);

  const int64_t points = (int64_t)(CUBE + 2) * (CUBE + 2) * (CUBE + 2);
  double *from = field(points, 11, 0), *into = field(points, 11, 0);
  const dim3 block(64, 4, 1), grid((CUBE + 63) / 64, (CUBE + 3) / 4, CUBE);
  MEASURE("7-point stencil", 1, 16.0 * CUBE * CUBE * CUBE, (stencil<<<grid, block, 0, stream>>>(into, from, CUBE, 0.1), cudaStreamSynchronize(stream)));
  cudaFree(from), cudaFree(into);

  const int64_t cells = (int64_t)PLANE * PLANE;
  StepOf step = {field(cells, 7, 10), field(cells, 5, -2), field(cells, 3, -2)};
  cub::CountingInputIterator<int64_t> numbers(0);
  cub::TransformInputIterator<double, StepOf, decltype(numbers)> steps(numbers, step);
  bytes = 0;
  CHECK(cub::DeviceReduce::Reduce(nullptr, bytes, steps, to, (int)cells, cub::Min(), 1e300, stream));
  CHECK(cudaMalloc(&room, bytes));
  MEASURE("max_stable_dt", 1, 24.0 * cells, reduce(stream, steps, cells, cub::Min(), 1e300, room, bytes, to));
  std::printf("# dt %.17g\n", reduced);

  const int64_t entries = (int64_t)MATRIX * MATRIX;
  double *x = field(entries, 10, 0), *y = field(entries, 9, 0), *z = field(entries, 1, 0);
  MEASURE("tiled product of matrices", 1, 2.0 * MATRIX * entries,
          (product<<<dim3(MATRIX / TILE, MATRIX / TILE), dim3(TILE, TILE), 0, stream>>>(z, x, y, MATRIX), cudaStreamSynchronize(stream)));
  double last;
  CHECK(cudaMemcpy(&last, z + entries - 1, sizeof last, cudaMemcpyDeviceToHost));
  std::printf("# product %.17g\n", last);
  return 0;
}
