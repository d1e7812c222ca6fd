// arrays.cpp - Arrays in memDevice, and twins, where the device has memory of its own: of cuda by the fake driver (PORTABLE_MANAGED=0 and 1), of the
// device `emulated`, and of none. The argument is what portable_reach has to say of memDevice: device, launches or host.
#include <portable.hpp>

#include <cstdio>
#include <cstring>
#include <sstream>
#include <vector>

using namespace portable;

static int failures = 0;
#define CHECK(condition)                                                                                              \
  do {                                                                                                                \
    if (!(condition)) {                                                                                               \
      failures++;                                                                                                     \
      std::printf("%s:%d: CHECK(%s)  last error: %s\n", __FILE__, __LINE__, #condition, portable_last_error());        \
    }                                                                                                                 \
  } while (0)

template <class F> static bool refused(const F &f, const char *text) {
  try {
    f();
  } catch (const Error &e) {
    if (std::strstr(e.what(), text)) return true;
    std::printf("the text lacks '%s': %s\n", text, e.what());
  }
  return false;
}

static void arrays(std::int32_t reach) {
  using Device = Array<double, 2, memDevice, styleFortran>;
  Device a("a", 20, 30);
  CHECK(portable_reach(a.data()) == reach);
  a = 3.0;
  auto h = a.createHostCopy();
  CHECK(portable_reach(h.data()) == PORTABLE_REACH_HOST);
  double sum = 0;
  for (double x : h) sum += x;
  CHECK(sum > 1799 && sum < 1801);
  for (int j = 1; j <= 30; j++)
    for (int i = 1; i <= 20; i++) h(i, j) = i + 100 * j;
  h.deep_copy_to(a);
  const auto b = h.createDeviceCopy();
  CHECK(portable_reach(b.data()) == reach && equal(a, b) && equal(b, h));
  const auto f = h.createDeviceCopy<float>();
  const auto g = f.createHostCopy();
  CHECK(static_cast<int>(g(20, 30)) == 3020);
  const auto part = a.slice<1>(COLON, 7);
  const auto line = part.createHostCopy();
  CHECK(static_cast<int>(line(3)) == 703);
  StridedArray<double, 2, memDevice, styleFortran> strided(a);
  strided = 5.0;
  CHECK(static_cast<int>(a.createHostCopy()(20, 30)) == 5);
  Stream s = create_stream();
  Array<double, 2, memHost, styleFortran> back("back", 20, 30);
  h.deep_copy_to(a, s);
  a.deep_copy_to(back, s);
  s.fence();
  CHECK(equal(back, h));
  portable_array c = to_c(a);
  CHECK((c.space >= PORTABLE_SPACE_DEVICE(0)) == (reach != PORTABLE_REACH_HOST));
  portable_array_release(&c);
  const char *const why = "host code does not reach";
  if (reach == PORTABLE_REACH_DEVICE) {
    CHECK(refused([&] { componentwise::unary(a, [](double x) { return x; }); }, why));
    CHECK(intrinsics::sum(a) > 0);
  } else {
    CHECK(intrinsics::sum(a) > 0);
  }
  check(portable_set_checks(PORTABLE_CHECK_ARRAYS));
  if (reach != PORTABLE_REACH_HOST)
    CHECK(refused([&] { (void)Device("fresh", 2, 2)(1, 1); }, why));
  check(portable_set_checks(0));
}

static void twins(std::int32_t reach) {
  Twin<double, 2> t("t", 8, 9);
  CHECK(t.one_memory() == (reach == PORTABLE_REACH_HOST));
  auto p = t.overwrite_host();
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 9; j++) p(i, j) = 10 * i + j;
  t.sync_device();
  {
    auto q = t.update_device();
    CHECK(portable_reach(q.data()) == reach);
    q = 4.0;
  }
  t.sync_host();
  CHECK(static_cast<int>(t.read_host()(7, 8)) == 4);
}

// Containers of std in managed and in pinned memory, where there is a cuda device; elsewhere in the host's.
static void containers() {
  for (const std::int32_t space : {PORTABLE_SPACE_MANAGED, PORTABLE_SPACE_PINNED}) {
    portable_pool pool = 0;
    check(portable_pool_of_space(space, &pool));
    std::vector<double, pool_allocator<double>> v(pool_allocator<double>(pool, "v"));
    for (int i = 0; i < 1000; i++) v.push_back(i);
    portable_stats s;
    s.struct_size = sizeof s;
    check(portable_pool_stats(pool, &s));
    CHECK(s.in_use_blocks > 0 && portable_reach(v.data()) == PORTABLE_REACH_HOST);
    const Array<double, 1> a("of v", v.data(), 1000);
    a = 2.0;
    CHECK(v[999] < 2.5 && v[0] > 1.5 && intrinsics::sum(a) > 1999);
  }
}

int main(int argc, char **argv) {
  const char *const want = argc > 1 ? argv[1] : "host";
  const std::int32_t reach = std::strcmp(want, "device") == 0     ? PORTABLE_REACH_DEVICE
                             : std::strcmp(want, "launches") == 0 ? PORTABLE_REACH_LAUNCHES
                                                                  : PORTABLE_REACH_HOST;
  init();
  arrays(reach);
  twins(reach);
  containers();
  finalize();
  return failures != 0;
}
