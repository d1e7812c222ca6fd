// records.cpp - openfpm's memory test over Records, as structures, as arrays and in blocks of 8,
// in turn with loops over plain pointers to the same memory. An element is a scalar, two numbers
// and a tensor of 2 x 2, single precision; a second record has two numbers. usage: bench_records
// portable records [N]. Prints name, value and unit, separated by tabs. With N it does an Nth of
// the work, to test that it works. Source: the publication of openfpm_data (2023), its test of
// memory bandwidth.
#include <portable.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

struct Element { float s; float v[2]; float t[4]; };
struct Pair { float v[2]; };
PORTABLE_RECORD(Element, s, v, t)
PORTABLE_RECORD(Pair, v)

template <class L> using Elements = portable::Records<Element, 1, L>;
template <class L> using Pairs = portable::Records<Pair, 1, L>;

static double seconds_of(const std::chrono::steady_clock::time_point &before) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
}

// The best of some rounds of each of two, in turn; 36 bytes an element, as the loop itself names them.
template <class F, class G> static void compare(const std::string &name, int n, const F &plain, const G &records) {
  double best_plain = 1e30, best_records = 1e30;
  for (int round = 0; round < 12; round++) {
    auto before = std::chrono::steady_clock::now();
    portable::parallel_for("plain", portable::c::Bounds<1>(n), plain);
    best_plain = std::min(best_plain, seconds_of(before));
    before = std::chrono::steady_clock::now();
    portable::parallel_for("records", portable::c::Bounds<1>(n), records);
    best_records = std::min(best_records, seconds_of(before));
  }
  std::printf("%s, plain pointers\t%.6g\tGB/s\n%s, Records\t%.6g\tGB/s\n", name.c_str(), 36e-9 * n / best_plain, name.c_str(), 36e-9 * n / best_records);
}

// element and two give references by plain pointers: element(i, c) is component c of 7, two(i, c) of 2.
template <class L, class E, class P> static void both(const char *layout, int n, const Elements<L> &out, const Pairs<L> &in, const E &element, const P &two) {
  const std::string size = std::to_string((n + 50000) / 100000 / 10) + "." + std::to_string((n + 50000) / 100000 % 10) + " M elements";
  portable::parallel_for("set", portable::c::Bounds<1>(n), [=](int i) { in.template get<&Pair::v>(i, 0) = static_cast<float>(i % 7); });
  compare("8 written and 1 read, " + size + " " + layout, n,
          [=](int i) {
            const float a = two(i, 0);
            for (int c = 0; c < 7; c++) element(i, c) = a + static_cast<float>(c);
            two(i, 1) = a + 7;
          },
          [=](int i) {
            const float a = in.template get<&Pair::v>(i, 0);
            out.template get<&Element::s>(i) = a;
            for (int c = 0; c < 2; c++) out.template get<&Element::v>(i, c) = a + static_cast<float>(c + 1);
            for (int c = 0; c < 4; c++) out.template get<&Element::t>(i, c) = a + static_cast<float>(c + 3);
            in.template get<&Pair::v>(i, 1) = a + 7;
          });
  compare("8 read and 1 written, " + size + " " + layout, n,
          [=](int i) {
            float sum = two(i, 0);
            for (int c = 0; c < 7; c++) sum += element(i, c);
            two(i, 1) = sum;
          },
          [=](int i) {
            float sum = in.template get<&Pair::v>(i, 0) + out.template get<&Element::s>(i);
            for (int c = 0; c < 2; c++) sum += out.template get<&Element::v>(i, c);
            for (int c = 0; c < 4; c++) sum += out.template get<&Element::t>(i, c);
            in.template get<&Pair::v>(i, 1) = sum;
          });
  for (int i = 0; i < n; i += std::max(1, n / 1000))
    if (in.template get<&Pair::v>(i, 1) != 8 * static_cast<float>(i % 7) + 21 || two(i, 1) != in.template get<&Pair::v>(i, 1)) {
      std::fprintf(stderr, "records %s: the result is wrong\n", layout);
      std::exit(1);
    }
}

static void test(int n) {
  {
    const Elements<portable::records_aos> out("elements", n);
    const Pairs<portable::records_aos> in("pairs", n);
    float *e = &out.template get<&Element::s>(0), *p = &in.template get<&Pair::v>(0, 0);
    both("as structures", n, out, in, [=](long i, int c) -> float & { return e[7 * i + c]; }, [=](long i, int c) -> float & { return p[2 * i + c]; });
  }
  {
    const Elements<portable::records_soa> out("elements", n);
    const Pairs<portable::records_soa> in("pairs", n);
    float *e[7] = {&out.template get<&Element::s>(0)}, *p[2];
    for (int c = 0; c < 2; c++) e[1 + c] = &out.template get<&Element::v>(0, c);
    for (int c = 0; c < 4; c++) e[3 + c] = &out.template get<&Element::t>(0, c);
    for (int c = 0; c < 2; c++) p[c] = &in.template get<&Pair::v>(0, c);
    both("as arrays", n, out, in, [=](long i, int c) -> float & { return e[c][i]; }, [=](long i, int c) -> float & { return p[c][i]; });
  }
  {
    const Elements<portable::records_blocks<8>> out("elements", n);
    const Pairs<portable::records_blocks<8>> in("pairs", n);
    float *e = &out.template get<&Element::s>(0), *p = &in.template get<&Pair::v>(0, 0);
    both("in blocks of 8", n, out, in, [=](long i, int c) -> float & { return e[i / 8 * 56 + 8 * c + i % 8]; },
         [=](long i, int c) -> float & { return p[i / 8 * 16 + 8 * c + i % 8]; });
  }
}

int main(int argc, char **argv) {
  if (argc < 3 || std::string(argv[1]) != "portable" || std::string(argv[2]) != "records") {
    std::fprintf(stderr, "usage: bench_records portable records [N]\n");
    return 2;
  }
  const int part = argc > 3 ? std::max(1, std::atoi(argv[3])) : 1;
  portable::init();
  for (const int n : {16777216, 67108864}) test(n / part);
}
