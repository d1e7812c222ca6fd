// yakl.cpp - a program of YAKL that keeps its memDevice arrays on the device, as one for GPUs must: fills, copies, operators, reductions and output never
// have host code read them. With PORTABLE_MANAGED=0 only the device reaches them.
// Not in this file: arrays of the library's own (arrays.cpp), streams (../streams/yakl.cpp).
#include "YAKL.h"

static int failures = 0;
#define EXPECT(...) ((__VA_ARGS__) ? (void)0 : (void)(failures++, std::printf("%s:%d: EXPECT(%s)\n", __FILE__, __LINE__, #__VA_ARGS__)))

using yakl::Array;
using yakl::memDevice;
using yakl::memHost;
using yakl::styleC;
typedef Array<double, 2, memDevice, styleC> real2d;
typedef Array<double, 2, memHost, styleC> realHost2d;

static void run() {
  int const ny = 30, nx = 40;
  realHost2d h("h", ny, nx);
  for (int j = 0; j < ny; j++)
    for (int i = 0; i < nx; i++) h(j, i) = i - 10 * j;
  real2d a = h.createDeviceCopy(), b("b", ny, nx);
  b = 2;
  EXPECT(yakl::intrinsics::sum(b) == 2 * ny * nx && yakl::intrinsics::minval(a) == -290 && yakl::intrinsics::maxval(a) == 39);
  using yakl::componentwise::operator+;
  using yakl::componentwise::operator*;
  using yakl::componentwise::operator>;
  auto c = a * b + 1.;
  static_assert(std::is_same<decltype(c), real2d>::value, "an array of YAKL's");
  EXPECT(c.createHostCopy()(3, 4) == 2 * (4 - 30) + 1 && c.dimension[1] == yakl::index_t(nx));
  auto positive = a > 0.;
  EXPECT(yakl::intrinsics::count(positive) == 39 + 29 + 19 + 9 && yakl::intrinsics::any(positive) && !yakl::intrinsics::all(positive));
  EXPECT(yakl::intrinsics::sum(yakl::intrinsics::merge(b, b * 10., positive)) == 2 * 96 + 20 * (ny * nx - 96));
  EXPECT(yakl::intrinsics::maxval(yakl::intrinsics::abs(a)) == 290);
  realHost2d back("back", ny, nx);
  yakl::memcpy_device_to_device(b.data(), a.data(), b.totElems());
  yakl::memcpy_device_to_host(back.data(), b.data(), yakl::index_t(ny * nx));
  EXPECT(back(29, 0) == -290 && back(0, 39) == 39);
  back(0, 0) = 7;
  yakl::memcpy_host_to_device(b.data(), back.data(), yakl::index_t(ny * nx));
  auto row = b.slice<1>(0, yakl::COLON);
  EXPECT(row.createHostCopy()(0) == 7 && yakl::intrinsics::sum(row) == 39 * 40 / 2 + 7);
  yakl::memset(b, 0);
  std::ostringstream text;
  text << b.subset_slowest_dimension(1);
  EXPECT(text.str().find("Dimension Sizes: 1, 40, \n0 0 0 ") != std::string::npos);
  EXPECT(a.create_ArrayIR().data_valid_on_device());
}

int main() {
  yakl::init();
  run();
  yakl::finalize();
  return failures != 0;
}
