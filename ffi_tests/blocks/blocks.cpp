// blocks.cpp - block kernels with lambdas: tiles with the bits of loops, indices in both orders, exceptions of threads, handlers that wait at barriers,
// streams, and a kernel of PORTABLE_BLOCK_KERNEL. Not in this file: refusals (refused.c).
#include <portable_blocks.hpp>

#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

using namespace portable;
using portable::c::Bounds;

static int failures = 0;
#define CHECK(what) ((what) ? (void)0 : (void)(failures++, std::printf("FAILED: %s:%d: %s\n", __FILE__, __LINE__, #what)))

static void transposed() {
  const int n = 40, tile = 8;
  std::vector<double> x(n * n), y(n * n, -1.0);
  for (int i = 0; i < n * n; i++) x[static_cast<std::size_t>(i)] = 1.0 / (i + 1);
  const double *from = x.data();
  double *to = y.data();
  parallel_blocks("transposed", Bounds<2>(n / tile, n / tile), {tile, tile}, [=](int bi, int bj, BlockHandler b) {
    double *line = b.scratch<double>(tile * tile);
    line[b.thread(0) * tile + b.thread(1)] = from[(bi * tile + b.thread(0)) * n + bj * tile + b.thread(1)];
    b.barrier();
    to[(bj * tile + b.thread(0)) * n + bi * tile + b.thread(1)] = line[b.thread(1) * tile + b.thread(0)];
  }, OuterConfig().set_scratch(tile * tile * sizeof(double)));
  int wrong = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) wrong += std::memcmp(&x[static_cast<std::size_t>(i * n + j)], &y[static_cast<std::size_t>(j * n + i)], sizeof(double)) != 0;
  CHECK(wrong == 0);
}

template <Order order> static void indices() {
  std::vector<int> seen(2 * 3 * 4 * 5 * 2 * 3);
  int *times = seen.data();
  parallel_blocks("indices", BasicBounds<3, 0, order, int>(2, 3, 4), {5, 2, 3}, [=](int i, int j, int k, BlockHandler b) {
    const int member = order == Order::last_fastest ? (b.thread(0) * 2 + b.thread(1)) * 3 + b.thread(2) : (b.thread(2) * 2 + b.thread(1)) * 5 + b.thread(0);
    if (b.member() == member && b.size() == 30) times[((i * 3 + j) * 4 + k) * 30 + member]++;
  });
  int wrong = 0;
  for (int t : seen) wrong += t != 1;
  CHECK(wrong == 0);
}

struct Counted {
  int *n;
  explicit Counted(int *count) : n(count) { ++*n; }
  ~Counted() { --*n; }
};

// Each thread's handler holds its own exception over a barrier; objects on stacks are destroyed.
static void exceptions() {
  int alive = 0, wrong = 0, *living = &alive, *bad = &wrong;
  parallel_blocks("handlers", Bounds<1>(1), {16}, [=](int, BlockHandler b) {
    Counted counted(living);
    try {
      throw b.thread();
    } catch (int mine) {
      b.barrier();
      try {
        throw;
      } catch (int again) {
        if (again != b.thread() || mine != again) ++*bad;
      }
      b.barrier();
    }
    b.barrier();
  });
  CHECK(wrong == 0 && alive == 0);
  std::string what;
  try {
    parallel_blocks("throws", Bounds<1>(3), {8}, [=](int block, BlockHandler b) {
      Counted counted(living);
      b.barrier();
      if (block == 1 && b.thread() == 3) throw std::runtime_error("thread 3");
      b.barrier();
    });
  } catch (const std::runtime_error &e) {
    what = e.what();
  }
  CHECK(what == "thread 3");
  what.clear();
  try {
    parallel_blocks("left", Bounds<1>(1), {4}, [](int, BlockHandler b) {
      if (b.thread() != 2) b.barrier();
    });
  } catch (const Error &e) {
    what = e.what();
  }
  CHECK(what.find("not all threads of block (0) come to the barrier at") != std::string::npos && what.find("blocks.cpp:" + std::to_string(__LINE__ - 5)) != std::string::npos);
  what.clear();
  try {
    parallel_blocks("scratch", Bounds<1>(1), {4}, [](int, BlockHandler b) { b.scratch<double>(3)[0] = 0; }, OuterConfig().set_scratch(16));
  } catch (const Error &e) {
    what = e.what();
  }
  CHECK(what.find("3 elements of 8 bytes from byte 0 on do not fit") != std::string::npos);
}

typedef struct { int *sum; } plain_args;
PORTABLE_BLOCK_KERNEL(plain, plain_args, b, a) {
  PORTABLE_SHARED(b, int, line, 8);
  line[b->thread[0]] = b->thread[0];
  portable_block_barrier(b);
  if (b->thread[0] == 0)
    for (int k = 0; k < 8; k++) a->sum[b->index[0]] += line[k];
}

static void others() {
  int sums[3] = {0, 0, 0};
  const plain_args args = {sums};
  const std::int32_t threads[] = {8};
  const portable_bounds grid = portable_bounds_1(3);
  CHECK(portable_parallel_blocks("plain", &grid, threads, plain, &args, sizeof args, 0, nullptr) == PORTABLE_OK);
  CHECK(sums[0] == 28 && sums[1] == 28 && sums[2] == 28);
  Stream stream(StreamKind::asynchronous, find_device("threads"));
  int *to = sums;
  for (int k = 0; k < 3; k++)
    parallel_blocks("stream", Bounds<1>(3), {8}, [=](int block, BlockHandler b) {
      b.barrier();
      if (b.thread() == 7) to[block] += 1;
    }, LaunchConfig().set_stream(stream));
  stream.fence();
  CHECK(sums[0] == 31 && sums[1] == 31 && sums[2] == 31);
}

// An exception that leaves a kernel of C leaves the launch, on its thread, and the scratch of the block is free again. Threads of the block that wait
// end without their destructors.
typedef struct { void **scratch; int thrower, waits; } throws_args;
PORTABLE_BLOCK_KERNEL(throws, throws_args, b, a) {
  *a->scratch = b->scratch;
  for (int k = 0; k < a->waits; k++) portable_block_barrier(b);
  if (b->member == a->thrower) throw b->member;
  for (int k = 0; k < a->waits; k++) portable_block_barrier(b);
}

static void left_by_exception() {
  void *scratch = nullptr, *first = nullptr;
  const std::int32_t threads[] = {8};
  const portable_bounds grid = portable_bounds_1(1);
  for (int waits = 0; waits < 3; waits++)
    for (int thrower = 0; thrower < 9; thrower++) {
      const throws_args args = {&scratch, thrower, waits};
      int thrown = -1;
      try {
        CHECK(portable_parallel_blocks("throws", &grid, threads, throws, &args, sizeof args, 4096, nullptr) == PORTABLE_OK);
      } catch (int of) {
        thrown = of;
      }
      CHECK(thrown == (thrower < 8 ? thrower : -1));
      if (!first) first = scratch;
      CHECK(scratch == first);
    }
}

#if defined(__aarch64__)
// The frame that catches has its own d8 to d15 again, which a function keeps for its caller; the kernel has used them.
typedef struct { int unused; } keeps_args;
PORTABLE_BLOCK_KERNEL(uses_registers, keeps_args, b, a) {
  (void)a;
  __asm__ volatile("movi d8, #0\n\tmovi d11, #0\n\tmovi d15, #0" : : : "v8", "v11", "v15");
  if (b->member == 1) throw b->member; // on a stack of its own, which begins with zeros in these registers
  portable_block_barrier(b);
}

static void registers_of_caller() {
  const std::int32_t threads[] = {4};
  const portable_bounds grid = portable_bounds_1(1);
  const keeps_args args = {0};
  std::uint64_t kept[3] = {0, 0, 0};
  try {
    __asm__ volatile("fmov d8, %0\n\tfmov d11, %1\n\tfmov d15, %2" : : "r"(std::uint64_t{8}), "r"(std::uint64_t{11}), "r"(std::uint64_t{15}) : "v8", "v11", "v15");
    portable_parallel_blocks("uses_registers", &grid, threads, uses_registers, &args, sizeof args, 0, nullptr);
    CHECK(false);
  } catch (int) {
    __asm__ volatile("fmov %0, d8\n\tfmov %1, d11\n\tfmov %2, d15" : "=r"(kept[0]), "=r"(kept[1]), "=r"(kept[2]));
  }
  CHECK(kept[0] == 8 && kept[1] == 11 && kept[2] == 15);
}
#endif

int main() {
  init();
#if defined(__aarch64__)
  registers_of_caller();
#endif
  for (int again = 0; again < 2; again++) {
    transposed();
    indices<Order::last_fastest>();
    indices<Order::first_fastest>();
    exceptions();
    others();
    left_by_exception();
  }
  finalize();
  std::printf("%d failures\n", failures);
  return failures != 0;
}
