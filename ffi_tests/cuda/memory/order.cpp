// order.cpp - the host reads and writes elements behind the kernel that was launched just before, whatever the size of the array: calls of Arrays in
// C++, and array calls in C. usage: cuda_memory_order N [far]. far: the kernel runs on the second device, which no call names.
// Not in this file: the order of launches in streams (../streams).
#include <portable.hpp>

#include "gpu.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <vector>

using namespace portable;
using Device = Array<double, 1, memDevice>;

static int failures, n;

static void expect(const char *step, bool right) {
  if (right) return;
  failures++;
  std::printf("%s does not wait for the kernel  last error: %s\n", step, portable_last_error());
}

static const char source[] = R"(#include <portable_device.h>
struct set_args { portable_view<double, 1> x; double value; };
PORTABLE_KERNEL(set, set_args, a) { PORTABLE_FOR_1(i) { a->x(i) = a->value; } }
PORTABLE_KERNEL(fails, set_args, a) { PORTABLE_FOR_1(i) { if (i == 0) PORTABLE_FAIL(7, "as asked"); } }
)";

// Managed memory, also where the default device is none that needs it.
struct Managed {
  explicit Managed(portable_device device) {
    void *block = nullptr;
    check(portable_pool_of_device(device, &pool));
    if (!pool) check(portable_pool_default(&pool));
    check(portable_pool_alloc(pool, static_cast<std::size_t>(n) * sizeof(double), "a", &block));
    at = static_cast<double *>(block);
  }
  Managed(const Managed &) = delete;
  Managed &operator=(const Managed &) = delete;
  ~Managed() { portable_pool_free(pool, at); }
  portable_pool pool = 0;
  double *at = nullptr;
};

// An array of ones; then a kernel that writes 2 is under way.
struct Written {
  explicit Written(portable_device device) : memory(device), a("a", memory.at, n) { config.set_device(device); }
  Managed memory;
  Device a;
  Kernel set{"set", CudaCode::source(source)};
  LaunchConfig config;
  void launch(double value) {
    set.launch(config, c::Bounds<1>(n), [](int i, const auto &x, double v) { x(i) = v; }, a, value);
  }
  const Device &behind(double value = 2) {
    fence();
    a = 1.0;
    launch(value);
    return a;
  }
};

static bool all(const double *x, double value) {
  fence();
  for (int i = 0; i < n; i++)
    if (x[i] != value) return false;
  return true;
}

static void members(Written &w) {
  expect("createHostCopy", all(w.behind().createHostCopy().data(), 2));
  expect("createDeviceCopy", all(w.behind().createDeviceCopy().data(), 2));
  expect("createHostCopy<float>", static_cast<int>(w.behind().createHostCopy<float>()(n - 1)) == 2);
  w.behind() = 3.0;
  expect("a = x", all(w.a.data(), 3));
  memset(w.behind(), 4.0);
  expect("memset", all(w.a.data(), 4));
  Array<double, 1, memHost> host("host", n);
  host = 5.0;
  w.behind().deep_copy_to(host);
  expect("deep_copy_to", all(host.data(), 2));
  host = 6.0;
  host.deep_copy_to(w.behind());
  expect("deep_copy_to from the host", all(w.a.data(), 6));
  Array<int, 1, memDevice> numbers("numbers", n);
  numbers = 7;
  expect("createDeviceCopy<double>", all(numbers.createDeviceCopy<double>().data(), 7));
  const Device upper = w.a.subset_slowest_dimension(n / 2, n - 1);
  w.behind();
  expect("a copy of a part", static_cast<int>(upper.createHostCopy()(0)) == 2);
  w.behind();
  const auto column = w.a.reshape(2, n / 2).slice<1>(1, COLON);
  expect("a copy of a slice", static_cast<int>(column.createHostCopy()(0)) == 2);
  const Device twos("twos", n);
  twos = 2.0;
  expect("equal", equal(w.behind(), twos));
  std::ostringstream text;
  text << w.behind();
  expect("<<", text.str().substr(text.str().size() - 2) == "2\n");
}

static void operators(Written &w) {
  using namespace componentwise;
  const Array<bool, 1, memDevice> yes("yes", n);
  yes = true;
  expect("a + a", all((w.behind() + w.a).data(), 4));
  expect("1 - a", all((1 - w.behind()).data(), -1));
  expect("-a", all((-w.behind()).data(), -2));
  expect("a / 2", all((w.behind() / 2).data(), 1));
  expect("sqrt", all(sqrt(w.behind(4)).data(), 2));
  expect("abs", all(intrinsics::abs(w.behind(-2)).data(), 2));
  expect("merge", all(intrinsics::merge(w.behind(), w.a, yes).data(), 2));
  expect("merge with a number", all(intrinsics::merge(w.behind(), 7.0, yes).data(), 2));
  expect("pack", all(intrinsics::pack(w.behind()).data(), 2));
  expect("pack with a mask", all(intrinsics::pack(w.behind(), yes).data(), 2));
  const Array<double, 2, memDevice> square("square", w.a.data(), 2, n / 2);
  w.behind();
  expect("transpose", all(intrinsics::transpose(square).data(), 2));
  const Array<unsigned, 1, memDevice> of_no_kind(w.a.label(), reinterpret_cast<unsigned *>(w.a.data()), 2 * n);
  w.behind(0); // all bits 0; a reduction that the library has no kind for
  expect("maxval", intrinsics::maxval(of_no_kind) == 0);
}

static void strided(Written &w) {
  const StridedArray<double, 1, memDevice> every(w.a);
  Array<float, 1, memHost> floats("floats", n);
  w.behind();
  expect("a converted copy of a StridedArray", static_cast<int>(every.copy_of<Array<float, 1, memDevice>>()(n - 1)) == 2);
  const Device twos("twos", n);
  twos = 2.0;
  w.behind();
  expect("equal of StridedArrays", equal(every, StridedArray<double, 1, memDevice>(twos)));
}

// Calls of C that the host does.
static void calls(Written &w) {
  const std::int64_t count = n;
  const Array<double, 1, memHost> result("result", n);
  double *const out = result.data();
  w.behind();
  binary<PORTABLE_BINARY_ADD>("sum", w.a.data(), w.a.data(), out, 1, &count);
  expect("portable_binary", all(out, 4));
  w.behind();
  merge("merge", w.a.data(), w.a.data(), std::vector<char>(static_cast<std::size_t>(n), 1).data(), out, 1, &count);
  expect("portable_merge", all(out, 2));
  w.behind();
  binary<PORTABLE_BINARY_ADD>("one value", w.a.data()[0] * 0 + 1, w.a.data(), out, 1, &count);
  expect("portable_binary with a number", all(out, 3));
  w.behind();
  fill<double>("fill", 9, w.a.data(), 1, &count);
  expect("portable_fill", all(w.a.data(), 9));
  w.behind();
  check(portable_fill("a value in managed memory", w.a.data(), 8, out, 1, &count, nullptr));
  expect("portable_fill of a value in managed memory", all(out, 2));
  const std::int64_t none = 0;
  std::int64_t chosen = 0;
  const char mask = 0;
  portable_filter_options options = PORTABLE_FILTER_OPTIONS_INIT;
  options.rest = w.behind().data();
  check(portable_pack("rest", 8, out, 1, &none, PORTABLE_KIND_LOGICAL8, &mask, &options, out, n, &chosen));
  expect("portable_pack of nothing, with a rest", all(out, 2));
}

// Calls that the default device does, in its default stream.
static void of_device(Written &w) {
  const std::int64_t count = n;
  portable_array from = to_c(w.a), copy;
  expect("sum", static_cast<int>(intrinsics::sum(w.behind())) == 2 * n);
  w.behind();
  check(portable_array_host_copy(&from, &copy));
  expect("portable_array_host_copy", all(static_cast<double *>(copy.data), 2));
  std::int32_t same = 0;
  w.behind();
  check(portable_array_equal(&from, &copy, &same));
  expect("portable_array_equal", same == 1);
  w.behind();
  check(portable_sort("sort", PORTABLE_KIND_REAL64, w.a.data(), n, nullptr));
  expect("portable_sort", all(w.a.data(), 2));
  w.behind();
  inclusive_scan("scan", w.a.data(), count, static_cast<double *>(copy.data));
  fence();
  expect("portable_scan", static_cast<int>(static_cast<double *>(copy.data)[n - 1]) == 2 * n);
  check(portable_array_release(&copy));
  check(portable_array_release(&from));
}

// A created stream is the program's to fence; a copy that names it waits for it, and for the default one.
static void streams(Written &w) {
  const Stream stream = create_stream();
  fence();
  w.a = 1.0;
  w.config.set_stream(stream);
  w.launch(2);
  expect("createHostCopy with a stream", all(w.a.createHostCopy(stream).data(), 2));
  w.config = LaunchConfig();
  expect("createHostCopy with another stream", all(w.behind(3).createHostCopy(stream).data(), 3));
}

// Work that the program itself puts into the driver's stream.
static void native() {
  using Set = int (*)(std::uintptr_t, unsigned char, std::size_t, void *);
  const char *const driver = std::getenv("PORTABLE_HIP_LIBRARY"); // of tests of AMD devices
  void *stream = nullptr, *const library = dlopen(driver ? driver : std::getenv("PORTABLE_CUDA_LIBRARY"), RTLD_NOW);
  const Set set = library ? reinterpret_cast<Set>(dlsym(library, driver ? "hipMemsetD8Async" : "cuMemsetD8Async")) : nullptr;
  if (!set) return expect("cuMemsetD8Async", false);
  const Device a("native", n);
  a = 1.0;
  check(portable_stream_native(0, &stream));
  fence();
  expect("the driver's memset", set(reinterpret_cast<std::uintptr_t>(a.data()), 0, sizeof(double) * static_cast<std::size_t>(n), stream) == 0);
  expect("createHostCopy behind the program's own work", all(a.createHostCopy().data(), 0));
}

// An error of the kernel is that of the call which waits for it, once.
static void errors(Written &w) {
  const Kernel fails("fails", CudaCode::source(source));
  fence();
  fails.launch(c::Bounds<1>(n), [](int, const auto &, double) {}, w.a, 0.0);
  bool told = false;
  try {
    w.a.createHostCopy();
    if (std::getenv("PORTABLE_MEMCHECK")) fence(); // yaklcheck has waited for the launch, so nothing is left to wait for
  } catch (const Error &e) {
    told = e.status() == PORTABLE_ERR_KERNEL && std::strstr(e.what(), "as asked");
  }
  expect("the error of the kernel", told);
  fence();
}

int main(int argc, char **argv) {
  n = argc > 1 ? std::atoi(argv[1]) : 100;
  const bool far = argc > 2 && std::strcmp(argv[2], "far") == 0;
  init();
  {
    portable_device second = 0;
    if (far) check(portable_device_find(gpu(":1"), &second));
    Written w(second);
    members(w);
    operators(w);
    strided(w);
    calls(w);
    if (!far) {
      of_device(w);
      streams(w);
      errors(w);
      native();
    }
  }
  finalize();
  if (failures) std::printf("%d steps failed\n", failures);
  return failures != 0;
}
