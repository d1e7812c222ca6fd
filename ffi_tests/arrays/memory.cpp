// memory.cpp - memory of the pool for C++ objects: containers of std, one owner, spans, managed objects; structures of arrays that go to the
// device by one assignment, and launches whose arguments the compiler looks at. Not in this file: what does not compile (not_compiled.sh).
#include "check.hpp"

#include <map>
#include <vector>

using portable::Array;
using portable::memDevice;
using portable::memHost;

namespace {

void test_containers() {
  const std::uint64_t before = checks::blocks();
  {
    std::vector<double, portable::pool_allocator<double>> v(1000, 1.5, portable::pool_allocator<double>("v"));
    CHECK(checks::blocks() == before + 1 && v[999] == 1.5 && reinterpret_cast<std::uintptr_t>(v.data()) % 64 == 0);
    v.resize(5000);
    auto w = v;
    w[0] = 3;
    v.swap(w);
    CHECK(v[0] == 3 && w[0] == 1.5 && v == v && checks::blocks() == before + 2);
    using Pair = std::pair<const int, std::string>;
    std::map<int, std::string, std::less<int>, portable::pool_allocator<Pair>> names;
    for (int i = 0; i < 20; i++) names[i] = std::to_string(i);
    CHECK(names[7] == "7" && checks::blocks() == before + 22);

    portable_pool pool = 0;
    portable::check(portable_pool_create(nullptr, &pool));
    {
      std::vector<int, portable::pool_allocator<int>> own{portable::pool_allocator<int>(pool, "own")};
      own.assign(100, 4);
      const auto moved = std::move(own);
      CHECK(moved[99] == 4 && checks::blocks() == before + 22 && moved.get_allocator() != portable::pool_allocator<int>());
    }
    portable::check(portable_pool_destroy(pool));
  }
  CHECK(checks::blocks() == before);
  bool thrown = false;
  try {
    portable::pool_allocator<double>().allocate(std::size_t{1} << 61);
  } catch (const std::bad_alloc &) {
    thrown = true;
  }
  CHECK(thrown);
}

void test_owner_and_span() {
  const std::uint64_t before = checks::blocks();
  portable::unique_array<double> a("a", 10), none;
  for (std::size_t i = 0; i < a.size(); i++) a[i] = static_cast<double>(i);
  CHECK(a && !none && a[9] == 9 && checks::blocks() == before + 1);
  portable::unique_array<double> b = std::move(a);
  CHECK(!a && a.size() == 0 && b[3] == 3);
  a = std::move(b);
  portable::span<const double> s(a), t = s.subspan(2, 5);
  CHECK(s.size() == 10 && t.size() == 5 && t[0] == 2 && t.back() == 6 && s.first(3).back() == 2 && s.last(1).front() == 9);
  CHECK(checks::has(checks::error_of([&] { s.subspan(8, 3); }), "3 elements from 8 on are no part of 10") && !checks::error_of([&] { s.last(11); }).empty());
  CHECK(s.subspan(7).size() == 3 && s.subspan(10).empty() && !checks::error_of([&] { s.subspan(11); }).empty());
  Array<double, 1> sums("sums", 1);
  parallel_for("sum", portable::c::Bounds<1>(1), [=](int) {
    double sum = 0;
    for (const double x : t) sum += x;
    sums(0) = sum;
  });
  CHECK(sums(0) == 2 + 3 + 4 + 5 + 6);
  double plain[4] = {1, 2, 3, 4};
  std::vector<double> v(3, 1);
  CHECK(portable::span<double>(plain).size() == 4 && portable::span<double>(v).size_bytes() == 24 && portable::span<double>(sums).data() == sums.data());
  a.reset();
  CHECK(!a && checks::blocks() == before + 1); // sums
  portable::unique_array<std::string> words("words", 3);
  words[1] = "made, and long enough not to be inside of the object";
  CHECK(words[0].empty());
}

struct Model : portable::managed_object {
  int nx = 4;
  double table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  double look_up(int i) const { return table[i] * nx; }
};

void test_managed() {
  const std::uint64_t before = checks::blocks();
  auto model = std::make_unique<Model>();
  CHECK(checks::blocks() == before + 1);
  Array<double, 1> out("out", 8);
  const Model *m = model.get();
  parallel_for("table", portable::c::Bounds<1>(8), [=](int i) { out(i) = m->look_up(i); });
  CHECK(out(7) == 32);
  model.reset();
  CHECK(checks::blocks() == before + 1);
}

template <int memory> struct Tracer : portable::mirrored<Tracer, memory> {
  using portable::mirrored<Tracer, memory>::operator=;
  Array<float, 1, memory, portable::styleFortran> q;
  auto fields() { return std::tie(q); }
};

template <int memory> struct State : portable::mirrored<State, memory> {
  using portable::mirrored<State, memory>::operator=;
  Array<double, 2, memory> h, never;
  portable::SArray<int, 1, 3> flags = 0;
  int steps = 0;
  Tracer<memory> tracer;
  auto fields() { return std::tie(h, never, flags, steps, tracer); }
};

void test_structures() {
  State<memHost> host;
  State<memDevice> device;
  host.h = Array<double, 2>("h", 3, 4);
  host.h = 2.5;
  host.flags(1) = 7;
  host.steps = 12;
  host.tracer.q = Array<float, 1, memHost, portable::styleFortran>("q", {-1, 1});
  host.tracer.q = 3;
  device = host;
  CHECK(device.h(2, 3) == 2.5 && device.h.data() != host.h.data() && !device.never.initialized() && device.flags(1) == 7 && device.steps == 12);
  CHECK(device.tracer.q(-1) == 3 && device.tracer.q.lower_bound(0) == -1);
  const double *where = device.h.data();
  device.h(0, 0) = 9;
  device.steps++;
  State<memHost> back;
  back = device;
  CHECK(back.h(0, 0) == 9 && back.steps == 13 && host.h(0, 0) == 2.5);
  device = host; // the same shape: the same memory
  CHECK(device.h.data() == where && device.h(0, 0) == 2.5);
  State<memHost> shared = host;
  CHECK(shared.h.data() == host.h.data());
}

void test_arguments() {
  Array<double, 1, memDevice> x("x", 100), y("y", 100);
  Array<const double, 1, memDevice> read = x;
  x = 2;
  y = 1;
  const portable::device_ptr<double> p = y;
  portable::device_parallel_for(
      "axpy", portable::c::Bounds<1>(100), [](int i, double a, const auto &in, double *out) { out[i] += a * in(i); }, 3.0, read, p);
  CHECK(y(0) == 7 && y(99) == 7 && p == portable::device_ptr<double>(y.data()));
  Array<double, 1> host("host", 2);
  host = 5;
  const portable::host_ptr<double> first = host;
  CHECK(*first == 5);
  static_assert(!std::is_constructible<portable::device_ptr<double>, portable::host_ptr<double>>::value, "");
  static_assert(!std::is_constructible<portable::device_ptr<double>, decltype(host)>::value, "");
  static_assert(!std::is_constructible<Array<double, 1, memDevice>, Array<double, 1, memHost>>::value, "");
  static_assert(!std::is_constructible<Array<double, 1>, Array<const double, 1>>::value, "");
}

} // namespace

int main() {
  return checks::run([] {
    test_containers();
    test_owner_and_span();
    test_managed();
    test_structures();
    test_arguments();
  });
}
