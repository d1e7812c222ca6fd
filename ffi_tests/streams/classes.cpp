// classes.cpp - streams and events from C++: references, launches with lambdas into streams, exceptions, YAKL's names. Not in this
// file: what streams do (order.c, errors.c, memory.c).
#include <portable.hpp>

#include <atomic>
#include <cstdio>
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
  std::printf("classes.cpp:%d: CHECK(%s)  last error: %s\n", line, what, portable_last_error());
}
#define CHECK(condition) check_that((condition), #condition, __LINE__)

using portable::Event;
using portable::LaunchConfig;
using portable::Stream;

template <class F> std::string thrown(F f, portable_status status) {
  try {
    f();
  } catch (const portable::Error &e) {
    CHECK(e.status() == status);
    return e.what();
  }
  CHECK(!"nothing was thrown");
  return "";
}

void references() {
  Stream none;
  CHECK(none.is_default_stream() && none.completed() && none == Stream() && none.device() == portable_default_device());
  none.fence();
  portable_stream number = 0;
  {
    Stream a = portable::create_stream(), b = a, c;
    number = a.c_stream();
    CHECK(a == b && a != c && !a.is_default_stream());
    a.destroy();
    CHECK(a.is_default_stream() && b.completed() && b.c_stream() == number);
    c.create(portable::StreamKind::synchronous, 1);
    CHECK(c.device() == 1 && portable_stream_kind(c.c_stream()) == PORTABLE_STREAM_SYNC);
  }
  CHECK(portable_stream_kind(number) == -1);
  Event e, f;
  CHECK(e.completed() && e == f);
  e.fence();
  none.wait_on_event(e);
  e.create();
  f = e;
  CHECK(e == f && e != Event());
  f.destroy();
  CHECK(e.completed());
  CHECK(thrown([] { Stream(portable::StreamKind::asynchronous, 99); }, PORTABLE_ERR_NODEVICE).find("number 99") != std::string::npos);
}

void order() {
  constexpr int n = 1000;
  std::vector<int> x(n), y(n);
  std::atomic<bool> open{false};
  Stream s = portable::create_stream(), t = portable::create_stream();
  int *px = x.data(), *py = y.data();
  portable::c::parallel_for("gate", 1, [&open](int) {
    while (!open) std::this_thread::yield();
  }, LaunchConfig().set_stream(s));
  for (int step = 0; step < 50; step++) portable::c::parallel_for("x", n, [=](int i) { px[i] = 2 * px[i] % 1009 + i; }, LaunchConfig().set_stream(s));
  Event e = portable::record_event(s);
  t.wait_on_event(e);
  portable::c::parallel_for("y", n, [=](int i) { py[i] = px[i]; }, LaunchConfig().set_stream(t));
  CHECK(!s.completed() && !t.completed() && !e.completed());
  CHECK(y[n - 1] == 0);
  open = true;
  t.fence();
  CHECK(e.completed() && s.completed());
  int expected = 0;
  for (int step = 0; step < 50; step++) expected = 2 * expected % 1009 + n - 1;
  CHECK(y[n - 1] == expected);
}

// Objects that a kernel holds live until the stream has passed it, and no longer.
void captures() {
  Stream s = portable::create_stream();
  auto count = std::make_shared<std::atomic<int>>(0);
  std::weak_ptr<std::atomic<int>> watch = count;
  std::atomic<bool> open{false};
  portable::c::parallel_for("gate", 1, [&open](int) {
    while (!open) std::this_thread::yield();
  }, LaunchConfig().set_stream(s));
  std::atomic<int> *seen = count.get();
  portable::c::parallel_for("count", 100, [count](int) { ++*count; }, LaunchConfig().set_stream(s));
  CHECK(*seen == 0);
  count.reset();
  CHECK(!watch.expired());
  open = true;
  s.fence();
  CHECK(watch.expired());
  // After an error too.
  count = std::make_shared<std::atomic<int>>(0);
  watch = count;
  portable::c::parallel_for("throws", 100, [](int i) { if (i == 7) throw std::runtime_error("seven"); }, LaunchConfig().set_stream(s));
  portable::c::parallel_for("skipped", 100, [count](int) { ++*count; }, LaunchConfig().set_stream(s));
  std::string text = thrown([&] { s.fence(); }, PORTABLE_ERR_KERNEL);
  CHECK(text.find("parallel_for 'throws'") != std::string::npos && text.find("seven") != std::string::npos);
  CHECK(*count == 0);
  count.reset();
  CHECK(watch.expired());
  s.fence();
  portable::c::parallel_for("throws", 100, [count](int) { throw 5; }, LaunchConfig().set_stream(s));
  CHECK(thrown([] { portable::fence(); }, PORTABLE_ERR_KERNEL).find("has thrown an exception") != std::string::npos);
  // In a synchronous stream an exception is itself.
  s.create(portable::StreamKind::synchronous);
  bool caught = false;
  try {
    portable::c::parallel_for("throws", 100, [](int i) { if (i == 7) throw std::runtime_error("seven"); }, LaunchConfig().set_stream(s));
  } catch (const std::runtime_error &e) {
    caught = e.what() == std::string("seven");
  }
  CHECK(caught);
}

// Outer loops are queued as parallel_for is: kernels of both kinds, with scratch.
void outer() {
  constexpr int n = 40, levels = 300;
  Stream s = portable::create_stream();
  auto count = std::make_shared<std::atomic<int>>(0);
  std::weak_ptr<std::atomic<int>> watch = count;
  std::vector<double> sums(n);
  std::atomic<bool> open{false};
  std::atomic<int> ran{0};
  double *to = sums.data();
  portable::c::parallel_for("gate", 1, [&open](int) {
    while (!open) std::this_thread::yield();
  }, LaunchConfig().set_stream(s));
  const portable::OuterConfig config = portable::OuterConfig(LaunchConfig().set_stream(s)).set_scratch(levels * sizeof(double));
  {
    struct alignas(256) Wide { double value; } wide{3}; // no argument block is aligned like that
    portable::c::parallel_outer("plain", n, [=](int i, portable::InnerHandler inner) {
      double *work = inner.scratch<double>(levels);
      portable::c::parallel_inner(levels, [=](int k) { work[k] = i + k; }, inner);
      to[i] = portable::inner_sum(portable::c::Bounds<1>(levels), [=](int k) { return work[k]; }, inner);
    }, config);
    portable::c::parallel_outer("wide", n, [=](int i, portable::InnerHandler) { to[i] *= wide.value; }, config);
    portable::parallel_outer("holds", portable::c::Bounds<2>(4, 10), [count, to, &ran](int j, int i, portable::InnerHandler inner) {
      inner.scratch<double>(levels)[0] = to[j * 10 + i];
      ran += ++*count > 0;
    }, config);
  }
  CHECK(ran == 0 && sums[n - 1] == 0);
  count.reset();
  CHECK(!watch.expired() && !s.completed());
  open = true;
  s.fence();
  CHECK(watch.expired() && ran == n);
  for (int i = 0; i < n; i++) CHECK(sums[static_cast<std::size_t>(i)] == 3.0 * (i * levels + levels * (levels - 1) / 2));
  // Errors: of the launch at once, of the kernel at the fence.
  CHECK(thrown([&] { portable::c::parallel_outer("much", n, [](int, portable::InnerHandler) {},
                                                 portable::OuterConfig(config).set_scratch(PORTABLE_SCRATCH_MAX + 1)); },
               PORTABLE_ERR_ARG).find("parallel_outer 'much'") == 0);
  portable::c::parallel_outer("throws", n, [count = std::make_shared<int>(7)](int i, portable::InnerHandler) {
    if (i == *count) throw std::runtime_error("seven");
  }, config);
  CHECK(thrown([&] { s.fence(); }, PORTABLE_ERR_KERNEL).find("parallel_outer 'throws': the kernel failed with code 1: seven") == 0);
  portable::c::parallel_outer("too much", n, [](int, portable::InnerHandler inner) { inner.scratch<double>(levels + 1); }, config);
  CHECK(thrown([&] { portable::fence(); }, PORTABLE_ERR_KERNEL).find("InnerHandler::scratch: 301 elements") != std::string::npos);
  portable::c::parallel_outer("throws", n, [](int, portable::InnerHandler) { throw 5; }, config);
  CHECK(thrown([&] { s.fence(); }, PORTABLE_ERR_KERNEL).find("has thrown an exception") != std::string::npos);
}

void memory() {
  void *p = nullptr;
  portable_pool pool = 0;
  portable_stats stats;
  stats.struct_size = sizeof stats;
  std::atomic<bool> open{false};
  Stream s = portable::create_stream();
  portable::check(portable_pool_default(&pool));
  portable::check(portable_alloc(100000, "p", &p));
  portable::c::parallel_for("gate", 1, [&open](int) {
    while (!open) std::this_thread::yield();
  }, LaunchConfig().set_stream(s));
  portable::add_stream_dependency(p, s);
  portable::check(portable_free(p));
  portable::check(portable_pool_stats(pool, &stats));
  CHECK(stats.waiting_blocks == 1);
  open = true;
  s.fence();
  portable::check(portable_pool_stats(pool, &stats));
  CHECK(stats.waiting_blocks == 0);
  thrown([&] { portable::add_stream_dependency(&stats, s); }, PORTABLE_ERR_POINTER);
}

} // namespace

int main() {
  portable::check(portable_init(nullptr));
  references();
  order();
  captures();
  outer();
  memory();
  portable::fallback_print(); // nothing: the device is the host
  portable::check(portable_finalize());
  std::printf("%d failures\n", failures.load());
  return failures > 0;
}
