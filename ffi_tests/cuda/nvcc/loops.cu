// loops.cu - loops whose bodies nvcc compiles, on the device that there is: `auto` takes a GPU, else threads. Each index once, in all ranks, orders and
// strides, with its values; lambdas, function objects, arguments, streams, errors. C++14. Not in this file: what must not compile (refused.cu).
#include <portable_cuda.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace cuda = portable::cuda;

static int failed;
#define CHECK(x) ((x) ? (void)0 : (void)(failed = 1, std::fprintf(stderr, "loops.cu:%d: %s\n", __LINE__, #x)))

// Counts the visits of each index, and keeps which one it was.
struct Visit {
  int *hits;
  portable_bounds b;
  template <class... I> __host__ __device__ void operator()(I... i) const {
    const long long at[] = {(long long)i...};
    long long offset = 0;
    for (int d = 0; d < b.rank; d++) {
      const long long n = (b.upper[d] - b.lower[d]) / b.stride[d] + 1, q = (at[d] - b.lower[d]) / b.stride[d];
      if (q < 0 || q >= n || b.lower[d] + q * b.stride[d] != at[d]) return;
      offset = offset * n + q;
    }
    hits[offset] += 1;
  }
};

template <int N, class Index> void visit(int32_t order, portable_launch_config config, int *hits) {
  int64_t lower[8], upper[8], stride[8];
  portable_bounds b;
  for (int d = 0; d < N; d++) {
    lower[d] = d - 2;
    stride[d] = d % 3 + 1;
    upper[d] = lower[d] + stride[d] * (N == 1 ? 999 : N == 2 ? 40 + d : 2 + d % 2) + (stride[d] - 1);
  }
  portable::check(portable_bounds_make(N, order, lower, upper, stride, &b));
  const int64_t count = portable_bounds_count(&b);
  std::memset(hits, 0, size_t(count) * sizeof *hits);
  cuda::parallel_for("visit", cuda::Bounds<N, Index>(b), Visit{hits, b}, config);
  portable::check(portable_fence());
  bool once = true;
  for (int64_t k = 0; k < count; k++) once = once && hits[k] == 1;
  CHECK(once);
}

struct OnlyDevice {
  double *x;
  __device__ void operator()(int i) const { x[i] = threadIdx.x; }
};

struct Add {
  __host__ __device__ void operator()(int j, int i, double a, const portable_view<double, 2> &y) const { y(j, i) += a; }
};

template <class F> static std::string refusal(const F &f) {
  try {
    f();
  } catch (const portable::Error &e) {
    return e.what();
  }
  return "";
}

int main() {
  setenv("PORTABLE_DEVICE", "auto", 0);
  portable::check(portable_init(nullptr));
  const bool gpu = portable_default_device() > 2;
  const int n = 100;
  void *memory = nullptr, *counts = nullptr;
  portable::check(portable_alloc(n * n * sizeof(double), "x", &memory));
  portable::check(portable_alloc(20000 * sizeof(int), "hits", &counts));
  double *x = static_cast<double *>(memory);
  int *hits = static_cast<int *>(counts);
  portable_stream stream = 0;
  portable::check(portable_stream_create(portable_default_device(), PORTABLE_STREAM_ASYNC, &stream));
  for (int round = 0; round < 2; round++) {
    portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
    config.stream = round ? stream : 0;
    for (int32_t order : {PORTABLE_ORDER_C, PORTABLE_ORDER_FORTRAN}) {
      visit<1, int>(order, config, hits);
      visit<2, int>(order, config, hits);
      visit<3, long long>(order, config, hits);
      visit<8, int>(order, config, hits);
    }
    // Two in a stream, one after the other; the lambda is destroyed when the second one runs.
    cuda::parallel_for("set", cuda::Bounds<2>(n, n), PORTABLE_LAMBDA(int j, int i) { x[i + n * j] = i + 100 * j; }, config);
    cuda::parallel_for("add", cuda::Bounds<1>(n * n), PORTABLE_LAMBDA(int i) { x[i] += 1; }, config);
    portable::check(portable_fence());
    bool right = true;
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++) right = right && x[i + n * j] == i + 100 * j + 1;
    CHECK(right);
  }
  const int64_t extents[] = {n, n};
  portable_view<double, 2> view;
  portable::check(portable_view_make(x, 2, PORTABLE_ORDER_C, nullptr, extents, &view, sizeof view));
  cuda::device_parallel_for("arguments", cuda::Bounds<2>(n, n), Add{}, 0.5, view);
  cuda::parallel_for("none", cuda::Bounds<1>(0), PORTABLE_LAMBDA(int i) { x[i] = -1; });
  portable::check(portable_fence());
  CHECK(x[3] == 4.5 && x[n * n - 1] == 9999 + 1.5);
  // A body for devices only.
  const std::string no_host = refusal([&] { cuda::parallel_for("only", cuda::Bounds<1>(n), cuda::device_only(OnlyDevice{x})); });
  CHECK(gpu ? no_host.empty() : no_host.find("'only': the kernel is compiled for CUDA devices only") != std::string::npos);
  CHECK(gpu == refusal([&] { cuda::parallel_for("lambda", cuda::Bounds<1>(n), PORTABLE_DEVICE_LAMBDA(int i) { x[i] = 1; }); }).empty());
  CHECK(refusal([] { cuda::Bounds<2> b(portable_bounds_1(3)); }).find("rank 1") != std::string::npos);
  CHECK(refusal([] { cuda::Bounds<1> b(int64_t(1) << 40); }).find("does not fit the loop's integer") != std::string::npos);
  cuda::Bounds<1> one(n), copy(one);
  CHECK(copy.c_bounds().upper[0] == n - 1);
  portable_launch_config large = PORTABLE_LAUNCH_CONFIG_INIT;
  large.device = 99;
  CHECK(!refusal([&] { cuda::parallel_for("nowhere", cuda::Bounds<1>(n), Visit{hits, portable_bounds_1(n)}, large); }).empty());
  portable::check(portable_fence());
  portable::check(portable_stream_destroy(stream));
  portable_free(x);
  portable_free(hits);
  portable::check(portable_finalize());
  std::printf("%s on %s\n", failed ? "failed" : "passed", gpu ? "a GPU" : "the host");
  return failed;
}
