// device_vector.cpp - vectors that kernels append to: all elements are there once, those without room are counted and reported after the launch, copies append to
// one block. Run on each device of the host, and with the fake driver, where kernels are the CUDA C below. With an argument: an element that is
// appended to a block that was released, for a test of the checks of memory. Not in this file: nvcc's kernels (../cuda/yakl/vectors.cpp).
#include "check.hpp"

#include <algorithm>
#include <vector>

using portable::Array;
using portable::device_vector;
using portable::memDevice;
using portable::c::Bounds;

namespace {

struct Pair {
  double x;
  int k;
};
struct alignas(64) Wide {
  int k;
};

// Both versions of the kernel: each third index is appended, and its place kept.
const char source[] = R"(#include <portable_device.h>
struct pair { double x; int k; };
struct append_args { portable_vector<pair> v; portable_vector<pair> same; int *place; };
PORTABLE_KERNEL(append, append_args, a) {
  PORTABLE_FOR_1(i) {
    const pair p = {0.5 * i, (int)i};
    a->place[i] = i % 3 ? -2 : (int)(i % 2 ? a->v : a->same).push_back(p);
  }
}
)";
const auto append = [](int i, const portable_vector<Pair> &v, const portable_vector<Pair> &same, int *place) {
  place[i] = i % 3 ? -2 : static_cast<int>((i % 2 ? v : same).push_back({0.5 * i, i}));
};

// Kernels that are lambdas run on the host, so they need memory that it reaches.
bool near() {
  const device_vector<int> probe("probe", 1);
  return portable_reach(probe.view().data) == PORTABLE_REACH_HOST;
}

// n / 3 elements, rounded up, to room for `capacity`.
void test_kernel(const portable::Kernel &kernel, int n, int capacity) {
  device_vector<Pair> v("pairs", capacity);
  const device_vector<Pair> same = v;
  Array<int, 1, memDevice> place("place", n);
  for (int round = 0; round < 2; round++) {
    kernel.launch(Bounds<1>(n), append, v, same, portable::device_ptr<int>(place));
    const int all = (n + 2) / 3;
    CHECK(v.pushed() == all && same.pushed() == all && v.capacity() == capacity);
    const auto at = place.createHostCopy();
    std::vector<int> index(static_cast<std::size_t>(std::min(all, capacity)), -1);
    int without = 0;
    bool good = true;
    for (int i = 0; i < n; i++) {
      if (i % 3) {
        good = good && at(i) == -2;
      } else if (at(i) == -1) {
        without++;
      } else {
        good = good && at(i) >= 0 && at(i) < static_cast<int>(index.size()) && index[static_cast<std::size_t>(at(i))] == -1;
        if (good) index[static_cast<std::size_t>(at(i))] = i;
      }
    }
    CHECK(good && without == std::max(0, all - capacity));
    if (all <= capacity) {
      const std::vector<Pair> got = v.to_vector();
      CHECK(v.size() == all && got.size() == index.size() && v.span().size() == all && v.array().size() == all);
      for (std::size_t k = 0; good && k < got.size(); k++) good = got[k].k == index[k] && got[k].x >= 0.5 * index[k] && got[k].x <= 0.5 * index[k];
      CHECK(good);
    } else {
      const std::string text = "device_vector 'pairs': size: " + std::to_string(all) + " elements were appended, and there is room for " + std::to_string(capacity) +
                               ": " + std::to_string(all - capacity) + " did not fit; reset(" + std::to_string(all) + ") makes room";
      CHECK(checks::has(checks::error_of([&] { v.size(); }), text.c_str()));
      CHECK(checks::has(checks::error_of([&] { same.span(); }), "': span: "));
      CHECK(checks::has(checks::error_of([&] { same.array(); }), "': array: "));
      CHECK(checks::has(checks::error_of([&] { v.to_vector(); }), "': to_vector: "));
      try {
        v.size();
      } catch (const portable::Error &e) {
        CHECK(e.status() == PORTABLE_ERR_OVERFLOW);
      }
    }
    same.clear();
    CHECK(v.pushed() == 0 && v.size() == 0 && v.to_vector().empty());
  }
  v.reset((n + 2) / 3);
  kernel.launch(Bounds<1>(n), append, v, v, portable::device_ptr<int>(place));
  CHECK(v.size() == (n + 2) / 3 && same.pushed() == 0 && same.capacity() == capacity && std::string(v.label()) == "pairs");
}

// Arguments of all kinds: captured, in a list, elements that are wide, two kernels at once.
void test_lambdas() {
  const int n = 20000;
  device_vector<int> v("captured", n);
  parallel_for("append", Bounds<1>(n), PORTABLE_LAMBDA(int i) { v.push_back(i); });
  Array<int, 1, memDevice> a = v.array();
  portable::sort("order", a.data(), a.size());
  bool good = a.size() == n;
  for (int i = 0; good && i < n; i++) good = a(i) == i;
  CHECK(good);
  v.clear();
  portable::device_parallel_for("append", Bounds<1>(n), [](int i, const auto &list) { if (i % 2) list.push_back(i); }, v);
  CHECK(v.size() == n / 2);

  device_vector<Wide> wide("wide", 3);
  const struct { portable_vector<Wide> one, two; } views = {wide.view(), wide.view()};
  parallel_for("append", Bounds<1>(4), PORTABLE_LAMBDA(int i) { (i % 2 ? views.one : views.two).push_back({i}); });
  CHECK(wide.pushed() == 4 && reinterpret_cast<std::uintptr_t>(wide.view().data) % 64 == 0);
  device_vector<char> bytes("bytes", 257);
  parallel_for("append", Bounds<1>(257), PORTABLE_LAMBDA(int i) { bytes.push_back(static_cast<char>(i % 3)); });
  const std::vector<char> got = bytes.to_vector();
  CHECK(std::count(got.begin(), got.end(), 1) == 86 && std::count(got.begin(), got.end(), 0) == 86);

  // Two streams at once, and launches inside of a launch.
  v.reset(2 * n);
  {
    portable::Stream one = portable::create_stream(), two = portable::create_stream();
    for (const portable::Stream *s : {&one, &two}) {
      const int from = s == &one ? 0 : n;
      parallel_for("append", Bounds<1>(n), PORTABLE_LAMBDA(int i) { v.push_back(from + i); }, portable::LaunchConfig().set_stream(*s));
    }
    one.fence();
    two.fence();
  }
  std::vector<int> all = v.to_vector();
  std::sort(all.begin(), all.end());
  good = all.size() == 2 * static_cast<std::size_t>(n);
  for (std::size_t i = 0; good && i < all.size(); i++) good = all[i] == static_cast<int>(i);
  CHECK(good);
  v.reset(10);
  parallel_for("outer", Bounds<1>(8), PORTABLE_LAMBDA(int j) {
    parallel_for("inner", Bounds<1>(8), PORTABLE_LAMBDA(int i) { v.push_back(8 * j + i); });
  });
  CHECK(checks::has(checks::error_of([&] { v.size(); }), "64 elements were appended, and there is room for 10: 54 did not fit"));

  device_vector<int> gone = v;
  gone.deallocate();
  CHECK(!gone.initialized() && v.initialized() && v.pushed() == 64);
  CHECK(checks::has(checks::error_of([&] { parallel_for("append", Bounds<1>(8), PORTABLE_LAMBDA(int i) { gone.push_back(i); }); }),
                    "push_back: there is no vector; it was not made, it was deallocated"));
}

void test_refusals() {
  device_vector<double> v("kept", 2), none;
  const auto refused = [&](portable::index_t capacity) { return checks::error_of([&] { v.reset(capacity); }); };
  CHECK(checks::has(refused(-1), "device_vector 'kept': a capacity of -1; it is 0 or more"));
  CHECK(checks::has(refused(INT64_MAX), "device_vector 'kept': 9223372036854775807 elements of 8 bytes are more than memory has"));
  CHECK(!refused((INT64_MAX - 64) / 8).empty()); // what memory does not have
  CHECK(v.capacity() == 2 && v.pushed() == 0);
  CHECK(checks::has(checks::error_of([&] { none.size(); }), "device_vector '': size: there is no vector"));
  CHECK(checks::has(checks::error_of([&] { none.view(); }), "view: there is no vector"));
  CHECK(checks::has(checks::error_of([&] { none.clear(); }), "clear: there is no vector"));
  CHECK(none.capacity() == 0);
  none.reset(3); // which makes its first block
  CHECK(none.initialized() && none.capacity() == 3 && none.size() == 0);
  none.deallocate();
  none.deallocate();
  CHECK(!none.initialized() && checks::has(checks::error_of([&] { none.to_vector(); }), "to_vector: there is no vector"));
}

// Threads of a kernel append to a vector without a block: the launch is the error, and another vector gets what was appended before.
void test_without_block() {
  device_vector<int> moved("moved", 100), kept("kept", 1000);
  const device_vector<int> taken = std::move(moved);
  const auto text = checks::error_of([&] {
    parallel_for("append", Bounds<1>(1000), PORTABLE_LAMBDA(int i) {
      kept.push_back(i);
      moved.push_back(i);
    });
  });
  CHECK(checks::has(text, "push_back: there is no vector; it was not made, it was deallocated"));
  CHECK(taken.pushed() == 0 && kept.pushed() > 0 && kept.pushed() <= 1000);
}

// Many threads push far more than there is room for: each place is given once, and nothing behind the block is written.
void test_pressure() {
  const int n = 300000;
  for (const int capacity : {0, 1, 63, 4096}) {
    device_vector<std::int64_t> v("pressure", capacity);
    Array<int, 1, memDevice> given("given", std::max(capacity, 1));
    for (int i = 0; i < std::max(capacity, 1); i++) given(i) = 0;
    int *const times = given.data();
    for (const auto schedule : {portable::Schedule::fixed, portable::Schedule::dynamic}) {
      v.clear();
      parallel_for("press", Bounds<1>(n), PORTABLE_LAMBDA(int i) {
        const auto at = v.push_back(i);
        if (at >= 0) times[at]++; // no other thread has this place
      }, portable::LaunchConfig().set_schedule(schedule));
      CHECK(v.pushed() == n);
      CHECK(checks::has(checks::error_of([&] { v.size(); }), (std::to_string(n) + " elements were appended, and there is room for " + std::to_string(capacity)).c_str()));
    }
    bool good = true;
    for (int i = 0; i < capacity; i++) good = good && given(i) == 2;
    CHECK(good);
  }
}

// The block goes with the last that holds it.
void test_ownership() {
  const std::uint64_t before = checks::blocks();
  const bool own = portable_space_of_device(0) >= PORTABLE_SPACE_DEVICE(0); // whose blocks are in another pool
  Array<int, 1, memDevice> left;
  {
    device_vector<int> v("held", 5), other = v;
    CHECK(own || checks::blocks() == before + 1);
    v = device_vector<int>("second", 5);
    CHECK(own || checks::blocks() == before + 2);
    other.reset(0);
    left = v.array();
    device_vector<int> moved = std::move(other);
    CHECK(moved.initialized() && std::string(moved.label()) == "held");
    CHECK(!other.initialized() && other.capacity() == 0);
    CHECK(checks::has(checks::error_of([&] { other.size(); }), "size: there is no vector"));
    other = std::move(moved);
    device_vector<int> &same = other;
    other = std::move(same);
    CHECK(!moved.initialized() && other.initialized() && other.size() == 0);
    CHECK(checks::has(checks::error_of([&] { moved.clear(); }), "clear: there is no vector"));
    moved = std::move(other);
  }
  CHECK(own || checks::blocks() == before + 1);
  left.deallocate();
  CHECK(checks::blocks() == before);
}

int stale() {
  portable::check(portable_init(nullptr));
  auto v = std::make_unique<device_vector<int>>("early", 100);
  const auto view = v->view();
  v.reset();
  parallel_for("late append", Bounds<1>(1), PORTABLE_LAMBDA(int i) { view.push_back(i); });
  return portable_finalize();
}

} // namespace

int main(int argc, char **) {
  if (argc > 1) return stale();
  auto late = std::make_unique<device_vector<int>>();
  portable::check(portable_init(nullptr));
  *late = device_vector<int>("late", 3);
  const int blocks_left = portable_finalize();
  return checks::run([&] {
    CHECK(blocks_left == PORTABLE_OK || blocks_left == PORTABLE_ERR_LEAK);
    CHECK(checks::has(checks::error_of([&] { late->pushed(); }), "device_vector 'late': pushed: there is no vector"));
    late.reset();
    const portable::Kernel kernel("append", portable::CudaCode::source(source));
    for (const int n : {0, 1, 7, 3000, 100000})
      for (const int capacity : {0, 1, 5, 999, 1000, 1001, 40000}) test_kernel(kernel, n, capacity);
    if (near()) test_lambdas();
    test_refusals();
    if (near()) test_without_block();
    if (near()) test_pressure();
    test_ownership();
  });
}
