// random.cpp - Random of YAKL's HEAD: the raw numbers that its own test names, streams, copies, and each distribution.
#include "../expect.h"
#include "YAKL.h"

using yakl::Random;

static void raw() {
  static_assert(std::is_trivially_copyable_v<Random>);
  Random r(0, 0);
  EXPECT(r.gen_uniform<uint64_t>() == 0x6627e8d5e169c58dULL && r.gen_uniform<uint64_t>() == 0xbc57ac4c9b00dbd8ULL);
  EXPECT(r.gen_uniform<uint64_t>() == 0xf8e4cca45cb200dbULL && r.gen_uniform<uint64_t>() == 0xb1a574eb097eff67ULL);
  Random a(8675309, 42), b(8675309, 42), other(8675310, 42), stream(8675309, 43);
  uint64_t const first = a.gen_uniform<uint64_t>();
  EXPECT(first == b.gen_uniform<uint64_t>() && first != other.gen_uniform<uint64_t>() && first != stream.gen_uniform<uint64_t>());
  Random copy(a);
  EXPECT(copy.gen_uniform<uint64_t>() == a.gen_uniform<uint64_t>());
  a.set_seed(8675309, 42);
  EXPECT(a.gen_uniform<uint64_t>() == first);
}

static void uniform() {
  static_assert(std::is_same_v<decltype(Random().gen_uniform()), float>);
  Random r(1, 2);
  for (int i = 0; i < 4096; i++) {
    double const x = r.gen_uniform<double>();
    float const y = r.gen_uniform<float>(-2.5f, 3.5f);
    EXPECT(x >= 0 && x < 1 && y >= -2.5f && y < 3.5f);
  }
  EXPECT(r.gen_uniform<double>(4.25, 4.25) == 4.25);
  double const most = std::numeric_limits<double>::max();
  int negative = 0;
  for (int i = 0; i < 256; i++) {
    double const x = r.gen_uniform<double>(-most, most);
    EXPECT(x >= -most && x < most);
    negative += x < 0;
  }
  EXPECT(negative > 64 && negative < 192);
}

// Two normal numbers of two uniform ones; without the second one, two for each.
static void consumption() {
  auto const after = [](int draws) {
    Random r(5, 6);
    for (int i = 0; i < draws; i++) r.gen_uniform<uint64_t>();
    return r.gen_uniform<uint64_t>();
  };
  Random pair(5, 6), single(5, 6), none(5, 6);
  pair.gen_normal<double>();
  Random copy(pair);
  EXPECT(copy.gen_normal<double>() == pair.gen_normal<double>() && pair.gen_uniform<uint64_t>() == after(2));
  single.gen_normal<double, false>();
  single.gen_normal<double, false>();
  EXPECT(single.gen_uniform<uint64_t>() == after(4));
  EXPECT(none.gen_normal<double>(4.25, 0.) == 4.25 && none.gen_lognormal<double>(0., 0.) == 1. && !none.gen_bernoulli(0.) && none.gen_bernoulli(1.));
  EXPECT(none.gen_uniform<uint64_t>() == after(0));
}

// Means and variances of 2^18 streams; the bounds are 10 times their standard errors.
static void moments() {
  constexpr int n = 1 << 18;
  yakl::Array<double **> x("x", 5, n);
  yakl::parallel_for("draw", n, KOKKOS_LAMBDA(int i) {
    Random r(1368976481, static_cast<uint64_t>(i));
    x(0, i) = r.gen_uniform<double>();
    x(1, i) = r.gen_normal<double>();
    x(2, i) = r.gen_exponential<double>(2.);
    x(3, i) = r.gen_lognormal<double, false>(0.2, 0.6);
    x(4, i) = r.gen_bernoulli(0.37) ? 1. : 0.;
  });
  double const means[] = {0.5, 0., 0.5, std::exp(0.2 + 0.18), 0.37};
  double const variances[] = {1. / 12., 1., 0.25, (std::exp(0.36) - 1.) * std::exp(0.76), 0.37 * 0.63};
  using yakl::componentwise::operator*;
  for (int k = 0; k < 5; k++) {
    auto const row = x.slice<1>(k, yakl::COLON);
    double const mean = yakl::intrinsics::sum(row) / n, variance = yakl::intrinsics::sum(row * row) / n - mean * mean;
    EXPECT(std::abs(mean - means[k]) < 10 * std::sqrt(variances[k] / n));
    EXPECT(std::abs(variance - variances[k]) < 0.03 * variances[k]);
  }
}

int main() {
  raw();
  uniform();
  consumption();
  Kokkos::initialize();
  yakl::init();
  moments();
  yakl::finalize();
  Kokkos::finalize();
  return checks::failures != 0;
}
