/* portable_random.hpp - random numbers by cell for C++, on the host and in device code: portable_random.h as a class, and an engine for <random>.
 *
 *     portable::RandomKey key{2026, step, 3};
 *     x = key.real64(cell, draw);
 *     portable::RandomEngine engine{key, cell};
 *     y = std::gamma_distribution<double>(2.0)(engine);
 *
 * Not in this file: definitions and rules (portable_random.h), whole arrays (portable_random_fill.hpp). Threads: any; an engine is one thread's.
 */
#ifndef PORTABLE_RANDOM_HPP
#define PORTABLE_RANDOM_HPP

#include "portable_random.h"

#if defined(__CUDACC__)
#define PORTABLE__RANDOM_MEMBER __inline__ __host__ __device__
#else
#define PORTABLE__RANDOM_MEMBER
#endif

namespace portable {

/* A key, with the functions of portable_random.h as members. 16 bytes, passed by value.  Since: 0.1 */
struct RandomKey {
  portable_random_key key;
  PORTABLE__RANDOM_MEMBER RandomKey(int64_t seed, int64_t step = 0, int32_t series = 0) : key(portable_random_key_make(seed, step, series)) {}
  PORTABLE__RANDOM_MEMBER uint64_t bits(int64_t cell, int32_t draw = 0) const { return portable_random_bits(key, cell, draw); }
  PORTABLE__RANDOM_MEMBER double real64(int64_t cell, int32_t draw = 0) const { return portable_random_real64(key, cell, draw); }
  PORTABLE__RANDOM_MEMBER float real32(int64_t cell, int32_t draw = 0) const { return portable_random_real32(key, cell, draw); }
  PORTABLE__RANDOM_MEMBER double normal(int64_t cell, int32_t draw = 0) const { return portable_random_normal(key, cell, draw); }
  PORTABLE__RANDOM_MEMBER int64_t int64(int64_t cell, int32_t draw, int64_t lower, int64_t upper) const {
    return portable_random_int64(key, cell, draw, lower, upper);
  }
};

/* The numbers of one cell one after another: 64 bits of draw, draw + 1 and so on, 2^32 of them before the first one comes again. A
 * UniformRandomBitGenerator of C++: distributions of <random> take it. How many numbers a distribution takes, and its results, are those of
 * the C++ library at hand; the bits are the same everywhere. 32 bytes, passed by value; two engines of a cell begin alike.
 * Source: std::uniform_random_bit_generator.  Since: 0.1 */
class RandomEngine {
 public:
  typedef uint64_t result_type;
  PORTABLE__RANDOM_MEMBER RandomEngine(const RandomKey &key, int64_t cell, int32_t draw = 0) : key_(key), cell_(cell), draw_(static_cast<uint32_t>(draw)) {}
  static PORTABLE__RANDOM_MEMBER constexpr result_type min() { return 0; }
  static PORTABLE__RANDOM_MEMBER constexpr result_type max() { return ~static_cast<result_type>(0); }
  PORTABLE__RANDOM_MEMBER result_type operator()() { return key_.bits(cell_, static_cast<int32_t>(draw_++)); }
  /* Leaves out so many numbers. */
  PORTABLE__RANDOM_MEMBER void discard(unsigned long long count) { draw_ += static_cast<uint32_t>(count); }
  /* The draw that comes next. */
  PORTABLE__RANDOM_MEMBER int32_t draw() const { return static_cast<int32_t>(draw_); }

 private:
  RandomKey key_;
  int64_t cell_;
  uint32_t draw_;
};

} // namespace portable

#undef PORTABLE__RANDOM_MEMBER

#endif
