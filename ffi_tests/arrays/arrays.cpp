// arrays.cpp - Array: all ways of making one, sharing, views against a naive model, copies, elements with constructors.
// Not in this file: what is refused (refused.cpp, not_compiled.sh), intrinsics and operators (functions.cpp), the code of loops (../packages/header).
#include "check.hpp"

#include <sstream>
#include <vector>

using portable::Array;
using portable::Bnd;
using portable::Bnds;
using portable::COLON;
using portable::FSArray;
using portable::index_t;
using portable::memDevice;
using portable::memHost;
using portable::SArray;
using portable::SB;
using portable::styleC;
using portable::styleFortran;

namespace {

using Real2 = Array<double, 2, memDevice, styleC>;
using Real3f = Array<double, 3, memHost, styleFortran>;

void test_making() {
  const int ny = 4, nx = 5;
  const unsigned long wide = 3;
  const std::vector<int> list{2, 3};
  Real2 none;
  CHECK(!none.initialized() && none.size() == 0 && none.use_count() == 0 && none.data() == nullptr && none.label()[0] == '\0');
  Real2 a("a", ny, nx), b("b", {ny, nx}), c("c", list), d("d", a.get_dimensions()), e("e", wide, 2);
  CHECK(a.initialized() && a.size() == 20 && a.get_elem_count() == 20 && a.totElems() == 20 && a.extent(0) == 4 && a.extent(1) == 5);
  CHECK(b.size() == 20 && c.size() == 6 && d.extent(1) == 5 && e.extent(0) == 3 && std::strcmp(a.label(), "a") == 0);
  CHECK(reinterpret_cast<std::uintptr_t>(a.data()) % 64 == 0 && a.get_rank() == 2 && a.get_memory_space() == memDevice && a.span_is_contiguous());

  Array<float, 1, memHost, styleFortran> f1("f1", 7), f2("f2", {-1, 3});
  Array<float, 2, memHost, styleFortran> f3("f3", {0, 3}, 5), f4("f4", {{0, 3}, {-1, 2}}), f5("f5", {3, 4}), f6("f6", 3, 4);
  Array<float, 2, memHost, styleFortran> f7("f7", Bnds(f4.get_lbounds(), f4.get_ubounds())), f8("f8", f4.get_dimensions());
  CHECK(f1.lower_bound(0) == 1 && f1.upper_bound(0) == 7 && f2.lower_bound(0) == -1 && f2.size() == 5);
  CHECK(f3.lower_bound(0) == 0 && f3.upper_bound(1) == 5 && f4.lower_bound(1) == -1 && f4.upper_bound(1) == 2 && f4.extent(0) == 4);
  CHECK(f5.size() == 12 && f6.size() == 12 && f7.lower_bound(1) == -1 && f7.upper_bound(0) == 3 && f8.lower_bound(1) == 1 && f8.upper_bound(1) == 4);
  Array<int, 8, memHost, styleFortran> f9("f9", 1, 2, {0, 1}, 1, 2, 1, {5, 6}, 1);
  CHECK(f9.size() == 16 && f9.lower_bound(6) == 5);
  Array<int, 8> c8("c8", 1, 2, 2, 1, 2, 1, 2, 1);
  c8(0, 1, 1, 0, 1, 0, 1, 0) = 15;
  CHECK(c8.size() == 16 && c8.data()[15] == 15);
  CHECK((Array<int, 2>("empty", 0, 3).initialized() && Array<int, 1, memHost, styleFortran>("empty", {1, 0}).size() == 0));

  double room[6] = {0, 1, 2, 3, 4, 5};
  Array<double, 2> w("w", room, 2, 3);
  Array<const double, 2> wc("wc", room, {2, 3});
  Array<double, 2, memHost, styleFortran> wf("wf", room, {0, 1}, 3);
  CHECK(w.use_count() == 0 && w(1, 2) == 5 && wc(1, 0) == 3 && wf(1, 3) == 5 && wf(0, 2) == 2 && w.data() == room);
}

void test_sharing() {
  const std::uint64_t before = checks::blocks();
  Real2 kept;
  {
    Real2 a("a", 3, 3);
    CHECK(checks::blocks() == before + 1 && a.use_count() == 1);
    Real2 b = a, c;
    c = b;
    CHECK(a.use_count() == 3 && b.data() == a.data() && c.data() == a.data());
    b(1, 1) = 7;
    CHECK(a(1, 1) == 7);
    Array<const double, 2, memDevice, styleC> read = a;
    CHECK(read(1, 1) == 7 && a.use_count() == 4);
    c = std::move(b);
    CHECK(!b.initialized() && b.size() == 0 && *b.label() == 0 && a.use_count() == 3 && c(1, 1) == 7); // the label goes with the elements
    const Real2 &itself = c;
    c = itself;
    CHECK(c.use_count() == 3);
    a.deallocate();
    CHECK(!a.initialized() && c.use_count() == 2);
    kept = c;
    read = Array<const double, 2, memDevice, styleC>();
  }
  CHECK(kept.use_count() == 1 && kept(1, 1) == 7 && checks::blocks() == before + 1);
  kept = Real2();
  CHECK(checks::blocks() == before);

  // A kernel's copies are not counted, and what it makes of them neither; the array is whole afterwards.
  Real2 a("a", 8, 8);
  Array<int, 1> seen("seen", 8);
  parallel_for("rows", portable::c::Bounds<1>(8), [=](int j) {
    const auto row = a.slice<1>(j, COLON);
    const auto again = row;
    for (int i = 0; i < 8; i++) again(i) = 10 * j + i;
    seen(j) = a.use_count() + again.use_count();
  });
  CHECK(a(7, 3) == 73 && portable::intrinsics::maxval(seen) == 0 && a.use_count() == 1);
}

// Every element of views of a rank-3 array, in both styles, has the value that its indices in the array say.
template <int style> void test_views() {
  Array<int, 3, memHost, style> a("a", 3, 4, 5);
  const int first = style == styleC ? 0 : 1;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++)
      for (int k = 0; k < 5; k++) a(first + i, first + j, first + k) = 100 * i + 10 * j + k;
  bool good = true;
  if constexpr (style == styleC) {
    const auto s = a.template slice<2>(1, COLON, COLON);
    const auto line = a.template slice<1>({2, 3, COLON});
    const auto all = a.template slice<3>(COLON, COLON, COLON);
    for (int j = 0; j < 4; j++)
      for (int k = 0; k < 5; k++) good = good && s(j, k) == 100 + 10 * j + k && line(k) == 230 + k && all(2, j, k) == 200 + 10 * j + k;
    const auto part = a.subset_slowest_dimension(1, 2), two = a.subset_slowest_dimension(2);
    good = good && part(0, 3, 4) == 134 && part.extent(0) == 2 && two(1, 0, 0) == 100 && two.extent(0) == 2;
    const auto flat = a.collapse(), same = a.reshape(60);
    const auto other = a.template reshape<2>({12, 5});
    for (int n = 0; n < 60; n++) good = good && flat(n) == a.data()[n] && same(n) == flat(n) && other(n / 5, n % 5) == flat(n);
    good = good && a.reshape(3, 20)(2, 19) == 234;
  } else {
    const auto s = a.template slice<2>(COLON, COLON, 2);
    const auto line = a.template slice<1>({COLON, 4, 5});
    for (int i = 1; i <= 3; i++)
      for (int j = 1; j <= 4; j++) good = good && s(i, j) == 100 * (i - 1) + 10 * (j - 1) + 1 && line(i) == 100 * (i - 1) + 34;
    const auto part = a.subset_slowest_dimension(2, 4), three = a.subset_slowest_dimension(3);
    good = good && part(1, 1, 1) == 1 && part.extent(2) == 3 && three.extent(2) == 3 && three(3, 4, 3) == 232;
    const auto flat = a.collapse(0), other = a.reshape({-1, 10}, 5).collapse(0);
    for (int n = 0; n < 60; n++) good = good && flat(n) == a.data()[n] && other(n) == flat(n);
    good = good && a.reshape({0, 2}, 20)(2, 20) == 234 && a.template reshape<2>({{0, 11}, {5, 9}})(11, 9) == 234;
  }
  CHECK(good);
  CHECK(a.use_count() == 1 && std::strcmp(a.collapse().label(), "a") == 0);
}

void test_copies() {
  const int n = 200; // 160 KB: shared out
  Real2 a("a", n, n / 2);
  a = 1.5;
  a(3, 4) = 2;
  auto host = a.createHostCopy();
  auto device = host.createDeviceCopy();
  auto empty = a.createDeviceObject();
  const auto real4 = a.createHostCopy<float>();
  static_assert(std::is_same<decltype(host), Array<double, 2, memHost, styleC>>::value, "");
  static_assert(std::is_same<decltype(real4), const Array<float, 2, memHost, styleC>>::value, "");
  CHECK(host(3, 4) == 2 && host(n - 1, n / 2 - 1) == 1.5 && host.data() != a.data() && device(3, 4) == 2 && empty.size() == a.size());
  CHECK(real4(3, 4) == 2 && real4(0, 0) == 1.5f && portable::equal(host, a) && std::strcmp(host.label(), "a") == 0);
  host = 3;
  CHECK(a(0, 0) == 1.5 && !portable::equal(host, a));
  Array<double, 1, memHost, styleFortran> flat("flat", a.size()); // another style, rank and space
  a.deep_copy_to(flat);
  CHECK(flat(3 * n / 2 + 4 + 1) == 2);
  a.subset_slowest_dimension(0, n - 2).deep_copy_to(a.subset_slowest_dimension(1, n - 1)); // overlap
  CHECK(a(4, 4) == 2 && a(3, 4) == 1.5 && a(5, 4) == 1.5);
  Array<std::string, 1> words("words", 5);
  for (int i = 0; i < 5; i++) words(i) = std::to_string(i);
  words.subset_slowest_dimension(0, 3).deep_copy_to(words.subset_slowest_dimension(1, 4)); // overlap of what is no bytes
  CHECK(words(0) == "0" && words(1) == "0" && words(4) == "3");
  words.subset_slowest_dimension(1, 4).deep_copy_to(words.subset_slowest_dimension(0, 3));
  CHECK(words(0) == "0" && words(2) == "2" && words(4) == "3");
  Array<const double, 2, memDevice, styleC> read = a;
  CHECK(read.createHostCopy()(4, 4) == 2);

  portable::Stream stream = portable::create_stream();
  {
    Real2 source("source", n, n), target("target", n, n);
    source = 4;
    target = 0;
    source.deep_copy_to(target, stream);
    target.add_stream_dependency(stream);
    CHECK(target.createHostCopy(stream)(n - 1, n - 1) == 4);
    source.deep_copy_to(target, stream); // both go while the stream may still copy; it holds them
  }
  stream.fence();
  stream.destroy();
}

struct Counted {
  static inline std::atomic<int> alive{0};
  static inline int throw_at = -1;
  int value = 5;
  Counted() {
    if (throw_at == alive) throw std::runtime_error("no more");
    alive++;
  }
  Counted(const Counted &c) : value(c.value) { alive++; }
  Counted &operator=(const Counted &) = default;
  ~Counted() { alive--; }
};

void test_constructors() {
  {
    Array<Counted, 2> a("objects", 3, 4);
    CHECK(Counted::alive == 12 && a(2, 3).value == 5);
    a(1, 1).value = 8;
    auto b = a.createHostCopy();
    CHECK(Counted::alive == 24 && b(1, 1).value == 8);
  }
  CHECK(Counted::alive == 0);
  Counted::throw_at = 7;
  bool thrown = false;
  try {
    Array<Counted, 1> a("objects", 10);
  } catch (const std::runtime_error &) {
    thrown = true;
  }
  CHECK(thrown && Counted::alive == 0);
  Counted::throw_at = -1;
  Array<std::string, 1> words("words", 3);
  words = "a word that is too long to be inside of a string object";
  words(1) += "!";
  const auto more = words.createHostCopy();
  CHECK(more(1).back() == '!' && more(2).back() == 't');
}

void test_small() {
  SArray<double, 3, 2, 3, 4> s(0.5);
  s(1, 2, 3) = 9;
  CHECK(s.data()[23] == 9 && s(0, 0, 0) == 0.5 && s.size() == 24 && s.get_dimensions()(2) == 4 && s.get_ubounds()(1) == 2);
  FSArray<int, 2, SB<-1, 1>, SB<4>> f;
  f = 3;
  f(1, 1) = 1;
  f(-1, 2) = 2;
  CHECK(f.data()[2] == 1 && f.data()[3] == 2 && f.get_lbounds()(1) == -1 && f.get_ubounds()(2) == 4 && f.get_dimensions()(1) == 3);
  auto copy = f; // all elements
  copy(1, 1) = 7;
  CHECK(f(1, 1) == 1);
  Array<double, 1> sums("sums", 50);
  parallel_for("small", portable::c::Bounds<1>(50), [=](int i) {
    SArray<double, 1, 5> local;
    for (int k = 0; k < 5; k++) local(k) = i + k;
    sums(i) = portable::intrinsics::sum(local);
  });
  CHECK(sums(49) == 5 * 49 + 10);
}

void test_printing() {
  Array<int, 2, memHost, styleFortran> a("a", {0, 1}, 1);
  a(0, 1) = 4;
  a(1, 1) = 5;
  std::ostringstream text;
  text << a << SArray<int, 1, 2>(6);
  CHECK(text.str() == "Array 'a': 0:1 1:1\n4\n5\n6\n6\n");
  int sides = 0;
  PORTABLE_EXECUTE_ON_HOST_ONLY(sides += 1;)
  PORTABLE_EXECUTE_ON_DEVICE_ONLY(sides += 2;)
  CHECK(sides == 3 && PORTABLE_CURRENTLY_ON_HOST() && PORTABLE_CURRENTLY_ON_DEVICE());
#ifdef PORTABLE_SEPARATE_MEMORY_SPACE
  CHECK(!"there is one memory");
#endif
  CHECK(PORTABLE_AUTO_LABEL() == "arrays.cpp:" + std::to_string(__LINE__));
}

// An array that outlives the library does no harm to a block that has its address afterwards.
void test_outliving() {
  CHECK(portable_run_number() == 0);
  Array<std::string, 1> early;
  portable::check(portable_init(nullptr));
  const std::uint32_t run = portable_run_number();
  early = Array<std::string, 1>("early, which is to be listed", 100);
  portable::check(portable_finalize());
  portable::check(portable_init(nullptr));
  CHECK(run != 0 && portable_run_number() != 0 && portable_run_number() != run);
  {
    const Array<char, 1> late("late", 100 * static_cast<int>(sizeof(std::string)));
    const std::uint64_t before = checks::blocks();
    late = 'x';
    early = Array<std::string, 1>();
    CHECK(checks::blocks() == before && late(0) == 'x' && portable::intrinsics::sum(late) == static_cast<char>('x' * late.size()));
  }
  portable::check(portable_finalize());
}

} // namespace

int main() {
  test_outliving();
  return checks::run([] {
    test_making();
    test_sharing();
    test_views<styleC>();
    test_views<styleFortran>();
    test_copies();
    test_constructors();
    test_small();
    test_printing();
  });
}
