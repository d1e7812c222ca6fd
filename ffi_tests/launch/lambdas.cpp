// lambdas.cpp - parallel_for with lambdas: every index once, in all ranks, orders and forms of bounds; exceptions; errors;
// configuration. Not in this file: what the compiler makes of the loops (inlined.sh), launches from C (launches.c).
#include <portable.hpp>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

std::atomic<int> failures{0};

void check_that(bool ok, const char *what, int line) {
  if (ok) return;
  failures++;
  std::printf("lambdas.cpp:%d: CHECK(%s)  last error: %s\n", line, what, portable_last_error());
}
#define CHECK(condition) check_that((condition), #condition, __LINE__)

using portable::LaunchConfig;
using portable::Order;

// Counts visits in a table over all values that an index of up to eight dimensions may have here.
struct Visits {
  std::vector<std::atomic<int>> times;
  Visits() : times(1 << 16) {}
  template <class... I> void visit(I... i) {
    std::size_t at = 0;
    ((at = at * 4 + static_cast<std::size_t>(i + 1)), ...); // indices are -1 to 2
    times[at]++;
  }
  // How many places were visited, or -1 when one was more than once.
  int places() const {
    int n = 0;
    for (const auto &t : times) {
      if (t > 1) return -1;
      n += t;
    }
    return n;
  }
};

void test_ranks() {
  {
    Visits v;
    portable::c::parallel_for("rank 1", 3, [&](int i) { v.visit(i); });
    CHECK(v.places() == 3 && v.times[1] == 1 && v.times[0] == 0);
  }
  {
    Visits v;
    portable::fortran::parallel_for("rank 1", 2, [&](int i) { v.visit(i); });
    CHECK(v.places() == 2 && v.times[2] == 1 && v.times[1] == 0);
  }
  {
    Visits v;
    portable::c::parallel_for({-1, 2, 3}, [&](int i) { v.visit(i); });
    CHECK(v.places() == 2 && v.times[0] == 1 && v.times[3] == 1);
  }
  {
    Visits v;
    portable::c::Bounds<2> b(3, {-1, 2});
    CHECK(b.count() == 12 && b.lower(1) == -1 && b.upper(0) == 2 && b.stride(0) == 1);
    portable::parallel_for("rank 2", b, [&](int j, int i) { v.visit(j, i); });
    CHECK(v.places() == 12 && v.times[4] == 1 && v.times[0] == 0);
  }
  {
    Visits v;
    portable::fortran::Bounds<3> b(2, {-1, 1, 2}, {0, 2});
    parallel_for("rank 3", b, [&](int k, int j, int i) { v.visit(k, j, i); }, LaunchConfig().set_tile(1, 1, 2)); // by its bounds' namespace
    CHECK(v.places() == 12);
  }
  {
    Visits v;
    portable::c::Bounds<8> b(2, 2, {-1, 1, 2}, 1, 2, 2, 2, {0, 2, 2});
    portable::c::parallel_for(b, [&](int a, int b1, int c, int d, int e, int f, int g, int h) { v.visit(a, b1, c, d, e, f, g, h); },
                              LaunchConfig().set_schedule(portable::Schedule::dynamic));
    CHECK(v.places() == 2 * 2 * 2 * 1 * 2 * 2 * 2 * 2);
  }
  {
    Visits v;
    portable::fortran::Bounds<4, Order::first_fastest> b(2, 2, {-1, 2, 2}, {0, 1});
    portable::fortran::parallel_for("rank 4", b, [&](int i, int j, int k, int l) { v.visit(i, j, k, l); });
    CHECK(v.places() == 16 && v.times[2 * 64 + 2 * 16 + 0 * 4 + 1] == 1);
  }
  {
    int calls = 0;
    portable::c::parallel_for("none", 0, [&](int) { calls++; });
    portable::c::parallel_for("none", -5, [&](int) { calls++; });
    portable::c::parallel_for("none", {5, 4}, [&](int) { calls++; });
    portable::fortran::parallel_for("none", 0, [&](int) { calls++; });
    portable::parallel_for("none", portable::c::Bounds<2>(5, 0), [&](int, int) { calls++; });
    CHECK(calls == 0);
  }
}

// The order of the indices in which one thread goes.
void test_order() {
  portable_device serial = 0;
  CHECK(portable_device_find("serial", &serial) == PORTABLE_OK);
  const LaunchConfig alone = LaunchConfig().set_device(serial);
  std::vector<int> seen;
  portable::parallel_for("order", portable::c::Bounds<2>(2, 3), [&](int j, int i) { seen.push_back(10 * j + i); }, alone);
  CHECK((seen == std::vector<int>{0, 1, 2, 10, 11, 12}));
  seen.clear();
  portable::parallel_for("order", portable::fortran::Bounds<2>(2, 3), [&](int j, int i) { seen.push_back(10 * j + i); }, alone);
  CHECK((seen == std::vector<int>{11, 12, 13, 21, 22, 23}));
  seen.clear();
  portable::parallel_for("order", portable::fortran::Bounds<2, Order::first_fastest>(2, 3),
                         [&](int i, int j) { seen.push_back(10 * i + j); }, alone);
  CHECK((seen == std::vector<int>{11, 21, 12, 22, 13, 23}));
}

void test_wide() {
  const std::int64_t far = 5000000000;
  std::atomic<std::int64_t> sum{0};
  portable::parallel_for("wide", portable::c::Bounds<1, Order::last_fastest, std::int64_t>({far, far + 99}),
                         [&](std::int64_t i) { sum += i - far; });
  CHECK(sum == 4950);
  sum = 0;
  portable::parallel_for("edge", portable::c::Bounds<1>({2147483640, 2147483646}), [&](int i) { sum += i - 2147483639; });
  CHECK(sum == 28);
  portable::parallel_for("edge", portable::c::Bounds<2>({2147483640, 2147483646, 5}, 2), [&](int j, int i) { sum += j - 2147483640 + i; });
  CHECK(sum == 28 + 12);
  try {
    portable::parallel_for("edge", portable::c::Bounds<1>({1, 2147483647}), [&](int) { sum = 0; });
    CHECK(false);
  } catch (const portable::Error &e) {
    CHECK(e.status() == PORTABLE_ERR_OVERFLOW && std::string(e.what()).find("take a wider one") != std::string::npos);
  }
  CHECK(sum == 40);
}

struct Depth : std::runtime_error {
  int at;
  explicit Depth(int i) : std::runtime_error("the depth is negative at " + std::to_string(i)), at(i) {}
};

void test_exceptions() {
  for (int round = 0; round < 50; round++) {
    try {
      portable::c::parallel_for("depth", 1000, [](int i) { if (i == 777) throw Depth(i); });
      CHECK(false);
    } catch (const Depth &d) {
      CHECK(d.at == 777 && std::string(d.what()) == "the depth is negative at 777");
    }
    try { // all at once: one of them comes, the others go
      portable::c::parallel_for("all", 1000, [](int i) { throw Depth(i); });
      CHECK(false);
    } catch (const Depth &d) {
      CHECK(d.at >= 0 && d.at < 1000);
    }
    int after = 0;
    portable::c::parallel_for("one", 1, [&](int) { after++; });
    CHECK(after == 1);
  }
  try { // what is thrown in a launch inside a kernel goes through both
    portable::c::parallel_for("outer", 4, [](int) { portable::c::parallel_for("inner", 4, [](int i) { if (i == 2) throw 5; }); });
    CHECK(false);
  } catch (int five) {
    CHECK(five == 5);
  }
  try {
    portable::c::parallel_for("walk", {1, 10, 0}, [](int) {});
    CHECK(false);
  } catch (const portable::Error &e) {
    CHECK(e.status() == PORTABLE_ERR_ARG && std::strstr(e.what(), "'walk': the stride of dimension 1 is 0"));
  }
  try {
    portable::c::parallel_for("where", 5, [](int) {}, LaunchConfig().set_device(99));
    CHECK(false);
  } catch (const portable::Error &e) {
    CHECK(e.status() == PORTABLE_ERR_NODEVICE);
  }
}

// A kernel that is not trivially copied is not copied at all.
void test_captures() {
  auto shared = std::make_shared<std::vector<double>>(100, 1.0);
  auto kernel = [shared](int i) { (*shared)[static_cast<std::size_t>(i)] += i; };
  portable::c::parallel_for("captures", 100, kernel);
  CHECK(shared.use_count() == 2);
  CHECK((*shared)[99] == 100.0);
  struct Axpy {
    double a, *x, *y;
    void operator()(int i) const { y[i] += a * x[i]; }
  };
  std::vector<double> x(1000, 2.0), y(1000, 1.0);
  portable::c::parallel_for("functor", 1000, Axpy{3.0, x.data(), y.data()});
  CHECK(y[0] == 7.0 && y[999] == 7.0);
  // An array of the kernel's own integers: what it stores may not change what it has captured.
  std::vector<int> n(1000, 0);
  int *p = n.data(), shift = 5;
  portable::c::parallel_for("integers", 1000, [=](int i) { p[i] = i + shift; });
  CHECK(n[0] == 5 && n[999] == 1004);
}

// With PORTABLE_B4B=1, launches that say so are serial, and so in order.
void test_bit_for_bit() {
  if (!std::getenv("PORTABLE_B4B")) return;
  std::vector<int> order;
  portable::c::parallel_for("in order", 1000, [&](int i) { order.push_back(i); }, portable::LaunchConfig().set_bit_for_bit());
  CHECK(order.size() == 1000 && std::is_sorted(order.begin(), order.end()));
}

void test_threads() {
  std::vector<std::thread> threads;
  for (int k = 0; k < 3; k++)
    threads.emplace_back([] {
      for (int round = 0; round < 200; round++) {
        std::atomic<int> sum{0};
        bool thrown = false;
        try {
          portable::c::parallel_for("sum", 100, [&](int i) { sum += i; });
          portable::c::parallel_for("throws", 100, [&](int i) { if (i == 50) throw i; });
        } catch (int i) {
          thrown = i == 50;
        }
        CHECK(sum == 4950 && thrown);
      }
    });
  for (auto &t : threads) t.join();
}

std::atomic<int> inside{0};
std::thread::id launcher;

// Throws on the launching thread.
void throws_itself(const portable_tile *, void *) {
  if (std::this_thread::get_id() == launcher) throw std::string("thrown");
  inside++;
  inside--;
}

bool launch_throws(portable_kernel_function kernel, const char *device, int64_t n) {
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_bounds b = portable_bounds_1(n);
  if (device) CHECK(portable_device_find(device, &config.device) == PORTABLE_OK);
  try {
    portable_parallel_for("thrown", &b, kernel, nullptr, 0, &config);
    return false;
  } catch (const std::string &thrown) {
    return thrown == "thrown";
  }
}

// An inner launch is left, and the outer one goes on.
void catches_inner(const portable_tile *t, void *) {
  if (t->lower[0] == 0) CHECK(launch_throws(throws_itself, "serial", 3));
}

// Deeper in the stack than the launch was, whose frames are still there.
[[gnu::noinline]] void stop_and_start() {
  volatile char room[16384];
  room[0] = 1;
  CHECK(portable_set_num_threads(portable_num_threads()) == PORTABLE_OK); // refused inside a kernel
  CHECK(portable_finalize() == PORTABLE_OK);
  CHECK(room[0] == 1 && portable_init(nullptr) == PORTABLE_OK);
}

// Kernels of C do not throw. Where one does, no thread works on the launch when the exception arrives, and the thread is in no launch any more.
void test_exception_of_c() {
  launcher = std::this_thread::get_id();
  for (const char *device : {static_cast<const char *>(nullptr), "serial", "threads"}) { // one iteration is the launching thread's on each device
    CHECK(launch_throws(throws_itself, device, 1));
    stop_and_start();
  }
  CHECK(launch_throws(throws_itself, "threads", 64) && inside == 0);
  stop_and_start();
  portable_bounds b = portable_bounds_1(3);
  portable_launch_config serial = PORTABLE_LAUNCH_CONFIG_INIT;
  CHECK(portable_device_find("serial", &serial.device) == PORTABLE_OK);
  CHECK(portable_parallel_for("outer", &b, catches_inner, nullptr, 0, &serial) == PORTABLE_OK);
  stop_and_start();
  // The last finalize does not wait for the launch of a thread that is still there.
  std::promise<void> thrown, stopped;
  std::thread other([&] {
    launcher = std::this_thread::get_id();
    CHECK(launch_throws(throws_itself, "serial", 1));
    thrown.set_value();
    stopped.get_future().wait();
  });
  thrown.get_future().wait();
  stop_and_start();
  stopped.set_value();
  other.join();
  std::atomic<int> sum{0};
  portable::c::parallel_for("after", 64, [&](int) { sum++; });
  CHECK(sum == 64);
}

} // namespace

int main() {
  try {
    portable::c::parallel_for("early", 5, [](int) {});
    CHECK(false);
  } catch (const portable::Error &e) {
    CHECK(e.status() == PORTABLE_ERR_STATE);
  }
  portable::check(portable_init(nullptr));
  test_ranks();
  test_order();
  test_wide();
  test_exceptions();
  test_exception_of_c();
  test_captures();
  test_bit_for_bit();
  test_threads();
  portable::fence();
  portable::check(portable_finalize());
  try {
    portable::fence();
    CHECK(false);
  } catch (const portable::Error &e) {
    CHECK(e.status() == PORTABLE_ERR_STATE);
  }
  std::printf("%d failures\n", failures.load());
  return failures > 0;
}
