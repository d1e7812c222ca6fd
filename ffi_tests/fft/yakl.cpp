// yakl.cpp - transforms of C++: plans that end themselves and are moved, kinds from the types, exceptions; and YAKL's RealFFT1D along each dimension,
// against sums. Not in this file: accuracy (oracle.c), layouts (arrays.c).
#include <YAKL_fft.h>

#include <complex>
#include <type_traits>
#include <vector>

#include "check.hpp"

template <class T> T number() {
  static std::uint64_t state = 5;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<T>(state >> 40) / static_cast<T>(1 << 24);
}

// Number k of the transform of a line.
template <class T, class Line> std::complex<double> sum_of(int n, int k, int sign, const Line &line) {
  std::complex<double> sum = 0;
  for (int j = 0; j < n; j++) sum += std::complex<double>(line(j)) * std::polar(1.0, sign * 2 * std::acos(-1.0) * (j * k % n) / n);
  return sum;
}

template <class T> static void plans() {
  const double limit = sizeof(T) == 8 ? 1e-13 : 1e-4;
  const std::int64_t extents[2] = {5, 24};
  std::vector<std::complex<T>> x(120), y(120), z(120);
  for (auto &v : x) v = {number<T>(), number<T>()};
  portable::Fft empty;
  portable::Fft plan(portable::FftType::c2c, 24, 2, "lines");
  CHECK(!empty && plan);
  plan.forward("forward", x.data(), y.data(), 2, extents);
  CHECK(std::abs(std::complex<double>(y[2 * 24 + 7]) - sum_of<T>(24, 7, -1, [&](int j) { return x[2 * 24 + j]; })) < limit);
  empty = std::move(plan);
  CHECK(empty && !plan);
  empty.backward("backward", y.data(), z.data(), 2, extents);
  for (int i = 0; i < 120; i++) CHECK(std::abs(z[i] / T(24) - x[i]) < limit);
  std::vector<T> real(120), back(120);
  for (auto &v : real) v = number<T>();
  std::vector<std::complex<T>> half(5 * 13);
  const portable::Fft lines(portable::FftType::r2c, 24, 2);
  lines.forward("to waves", real.data(), half.data(), 2, extents);
  CHECK(std::abs(std::complex<double>(half[3 * 13 + 12]) - sum_of<T>(24, 12, -1, [&](int j) { return real[3 * 24 + j]; })) < limit);
  lines.backward("from waves", half.data(), back.data(), 2, extents);
  for (int i = 0; i < 120; i++) CHECK(std::abs(back[i] / T(24) - real[i]) < limit);
  std::string text = checks::error_of([&] { lines.forward("mixed", x.data(), y.data(), 2, extents); });
  CHECK(text.find("Fft::forward 'mixed': by the plan, in is real and out is complex") != std::string::npos);
  text = checks::error_of([] { portable::Fft none(portable::FftType::c2c, 0); });
  CHECK(text.find("n is 0") != std::string::npos);
  text = checks::error_of([&] { plan.forward("moved", x.data(), y.data(), 2, extents); });
  CHECK(text.find("is not a plan of transforms") != std::string::npos);
}

template <class T> static void yakls() {
  const double limit = sizeof(T) == 8 ? 1e-13 : 1e-4;
  const int nz = 4, ny = 9, nx = 12;
  typedef yakl::Array<T, 3, yakl::memDevice, yakl::styleC> Data;
  Data data("data", nz, ny + 1, nx + 2);
  std::vector<T> before;
  for (int i = 0; i < nz * (ny + 1) * (nx + 2); i++) before.push_back(data.data()[i] = number<T>());
  const auto at = [&](int k, int j, int i) { return before[(k * (ny + 1) + j) * (nx + 2) + i]; };
  yakl::RealFFT1D<T> x, y;
  x.init(data, 2, nx);
  x.forward_real(data);
  for (int k : {0, 5, 6}) {
    const auto want = sum_of<T>(nx, k, -1, [&](int i) { return at(3, 4, i); });
    CHECK(std::abs(std::complex<double>(data(3, 4, 2 * k), data(3, 4, 2 * k + 1)) - want) < limit);
  }
  x.inverse_real(data);
  y.forward_real(data, 1, ny); // without init; an odd length
  for (int k : {0, 1, 4}) {
    const auto want = sum_of<T>(ny, k, -1, [&](int j) { return at(2, j, 7); });
    CHECK(std::abs(std::complex<double>(data(2, 2 * k, 7), data(2, 2 * k + 1, 7)) - want) < 100 * limit);
  }
  y.inverse_real(data);
  for (int k = 0; k < nz; k++)
    for (int j = 0; j < ny; j++)
      for (int i = 0; i < nx; i++) CHECK(std::abs(data(k, j, i) - at(k, j, i)) < limit);
  Data other("other", 3, ny + 1, nx + 2);
  other = 1;
  std::string text = checks::error_of([&] { x.forward_real(other); });
  CHECK(text.find("Array 'other': RealFFT1D: there was no init for this array") != std::string::npos);
  x.forward_real(other, 2, nx);
  CHECK(std::abs(other(1, 1, 0) - nx) < limit && std::abs(other(1, 1, 2)) < limit);
  text = checks::error_of([&] { x.forward_real(other, 2, 20); });
  CHECK(text.find("dimension 2 has 14 elements; a line of 20 numbers takes 22") != std::string::npos);
  text = checks::error_of([&] { x.init(other, 3, nx); });
  CHECK(text.find("trdim is 3; the array has the dimensions 0 to 2") != std::string::npos);
}

int main() {
  return checks::run([] {
    plans<double>();
    plans<float>();
    yakls<double>();
    yakls<float>();
  });
}
