// bits.cpp - random numbers in C++: portable::RandomKey has the bits of C, which bits_c.c compiles apart.
#include <portable_random.hpp>

#include <cstdio>
#include <cstring>
#include <type_traits>

extern "C" {
portable_random_key bits_key(int64_t seed, int64_t step, int32_t series);
uint64_t bits_real64(const portable_random_key *key, int64_t cell, int32_t draw);
float bits_real32(const portable_random_key *key, int64_t cell, int32_t draw);
double bits_normal(const portable_random_key *key, int64_t cell, int32_t draw);
int64_t bits_integer(const portable_random_key *key, int64_t cell, int32_t draw, int64_t lower, int64_t upper);
}

static int failures;
static void check(bool good, const char *what) {
  if (!good && failures++ < 10) std::fprintf(stderr, "%s differs\n", what);
}
static uint64_t bits(double x) {
  uint64_t n;
  std::memcpy(&n, &x, sizeof n);
  return n;
}

int main() {
  static_assert(sizeof(portable::RandomKey) == 16 && std::is_trivially_copyable<portable::RandomKey>::value, "kernels copy keys");
  const portable::RandomKey key{-2026, int64_t(1) << 40, 3};
  const portable_random_key c = bits_key(-2026, int64_t(1) << 40, 3), alone = bits_key(5, 0, 0);
  check(std::memcmp(&key.key, &c, sizeof c) == 0, "the key");
  const portable::RandomKey of_seed{5};
  check(std::memcmp(&of_seed.key, &alone, sizeof alone) == 0, "the key of a seed alone");
  for (int64_t cell = -20000; cell < 20000; cell++) {
    const int32_t draw = int32_t(cell / 7);
    check(bits(key.real64(cell, draw)) == bits_real64(&c, cell, draw), "real64");
    check(key.real32(cell, draw) == bits_real32(&c, cell, draw), "real32");
    check(bits(key.normal(cell, draw)) == bits(bits_normal(&c, cell, draw)), "normal");
    check(key.int64(cell, draw, -cell, 5 * cell) == bits_integer(&c, cell, draw, -cell, 5 * cell), "int64");
  }
  return failures > 0;
}
