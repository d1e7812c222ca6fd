/* bits_c.c - the functions of portable_random.h for bits.f90, which calls them for comparison. */
#include <portable_random.h>

portable_random_key bits_key(int64_t seed, int64_t step, int32_t series);
uint64_t bits_real64(const portable_random_key *key, int64_t cell, int32_t draw);
float bits_real32(const portable_random_key *key, int64_t cell, int32_t draw);
double bits_normal(const portable_random_key *key, int64_t cell, int32_t draw);
int64_t bits_integer(const portable_random_key *key, int64_t cell, int32_t draw, int64_t lower, int64_t upper);

portable_random_key bits_key(int64_t seed, int64_t step, int32_t series) { return portable_random_key_make(seed, step, series); }
uint64_t bits_real64(const portable_random_key *key, int64_t cell, int32_t draw) {
  const double x = portable_random_real64(*key, cell, draw);
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}
float bits_real32(const portable_random_key *key, int64_t cell, int32_t draw) { return portable_random_real32(*key, cell, draw); }
double bits_normal(const portable_random_key *key, int64_t cell, int32_t draw) { return portable_random_normal(*key, cell, draw); }
int64_t bits_integer(const portable_random_key *key, int64_t cell, int32_t draw, int64_t lower, int64_t upper) {
  return portable_random_int64(*key, cell, draw, lower, upper);
}
