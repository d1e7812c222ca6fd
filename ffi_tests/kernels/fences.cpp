// fences.cpp - teams of several members on the host (PORTABLE_TEAM_SIZE) from C++: a kernel without fence_inner gives other results, one with it those of
// one member; reductions have the same bits, and exceptions come out. Not in this file: C (fences.c).
#include "portable.hpp"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

using namespace portable::c;
using portable::InnerHandler;
using portable::OuterConfig;

namespace {

constexpr int rows = 30, length = 211;
int failures = 0, members = 1;

void check(bool good, const char *what) {
  if (!good) failures++, std::printf("fences.cpp: %s\n", what);
}

struct Result {
  std::vector<double> q = std::vector<double>(rows * length), sum = std::vector<double>(rows), least = sum;
  bool operator==(const Result &o) const {
    return std::memcmp(q.data(), o.q.data(), q.size() * sizeof(double)) == 0 && std::memcmp(sum.data(), o.sum.data(), sum.size() * sizeof(double)) == 0 &&
           std::memcmp(least.data(), o.least.data(), least.size() * sizeof(double)) == 0;
  }
};

void smooth(Result &r, bool fenced) {
  double *q = r.q.data(), *sum = r.sum.data(), *least = r.least.data();
  int *team_size = &members;
  parallel_outer("smooth", rows, [=](int row, InnerHandler inner) {
    double *c = q + row * length, *old = inner.scratch<double>(length);
    single_inner([=] { *team_size = inner.team_size(); }, inner);
    parallel_inner(length, [=](int k) { old[k] = std::sin(0.1 * k + row); }, inner);
    if (fenced) fence_inner(inner);
    parallel_inner({1, length - 2}, [=](int k) { c[k] = 0.25 * (old[k - 1] + 2 * old[k] + old[k + 1]); }, inner);
    const double s = portable::inner_sum(Bounds<1>(length), [=](int k) { return c[k]; }, inner);
    const double m = portable::inner_min(Bounds<1>(length), [=](int k) { return c[k]; }, inner);
    single_inner([=] { sum[row] = s, least[row] = m; }, inner);
    fence_inner(inner);
    parallel_inner(Bounds<2>(1, length), [=](int, int k) { c[k] = c[k] * s - m; }, inner);
  }, OuterConfig(portable::LaunchConfig().set_device(1)).set_scratch(length * sizeof(double)));
}

Result wanted() {
  Result r;
  for (int row = 0; row < rows; row++) {
    double *c = r.q.data() + row * length, old[length], s = 0, m = INFINITY;
    for (int k = 0; k < length; k++) old[k] = std::sin(0.1 * k + row);
    for (int k = 1; k < length - 1; k++) c[k] = 0.25 * (old[k - 1] + 2 * old[k] + old[k + 1]);
    for (int k = 0; k < length; k++) s = s + c[k], m = c[k] < m ? c[k] : m;
    for (int k = 0; k < length; k++) c[k] = c[k] * s - m;
    r.sum[row] = s, r.least[row] = m;
  }
  return r;
}

// Each member catches an exception of its own, waits for the others in the handler, and throws it on. So does one whose objects end while it passes.
int handlers() {
  static int wrong;
  struct Waits {
    InnerHandler inner;
    int uncaught;
    ~Waits() {
      fence_inner(inner);
      if (std::uncaught_exceptions() != uncaught) wrong++;
    }
  };
  wrong = 0;
  parallel_outer("handlers", 1, [](int, InnerHandler inner) {
    try {
      try {
        const Waits waits{inner, 1};
        throw inner.member();
      } catch (int) {
        fence_inner(inner);
        try {
          throw std::runtime_error(std::to_string(inner.member()));
        } catch (const std::runtime_error &) {
          fence_inner(inner);
        }
        throw;
      }
    } catch (int member) {
      fence_inner(inner);
      if (member != inner.member()) wrong++;
    }
    if (std::current_exception() != nullptr || std::uncaught_exceptions() != 0) wrong++;
  });
  return wrong;
}

} // namespace

int main() {
  portable::init();
  const Result right = wanted();
  Result with, without;
  smooth(with, true);
  check(with == right, "with fences");
  smooth(without, false);
  check((without == right) == (members == 1), "without fences");
  bool thrown = false;
  try {
    parallel_outer("throws", rows, [](int, InnerHandler inner) {
      fence_inner(inner);
      throw std::runtime_error("on purpose");
    });
  } catch (const std::runtime_error &e) {
    thrown = std::strcmp(e.what(), "on purpose") == 0;
  }
  check(thrown, "an exception");
  check(handlers() == 0, "handlers that wait in a fence keep their exceptions");
  portable::finalize();
  if (failures == 0) std::printf("fences: all is well, teams of %d\n", members);
  return failures != 0;
}
