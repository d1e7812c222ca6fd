/* portable_random.hpp - random numbers by cell for C++, on the host and in device code: portable_random.h as a class.
 *
 *     portable::RandomKey key{2026, step, 3};
 *     x = key.real64(cell, draw);
 *
 * Not in this file: definitions and rules (portable_random.h). Threads: any.
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
  PORTABLE__RANDOM_MEMBER double real64(int64_t cell, int32_t draw = 0) const { return portable_random_real64(key, cell, draw); }
  PORTABLE__RANDOM_MEMBER float real32(int64_t cell, int32_t draw = 0) const { return portable_random_real32(key, cell, draw); }
  PORTABLE__RANDOM_MEMBER double normal(int64_t cell, int32_t draw = 0) const { return portable_random_normal(key, cell, draw); }
  PORTABLE__RANDOM_MEMBER int64_t int64(int64_t cell, int32_t draw, int64_t lower, int64_t upper) const {
    return portable_random_int64(key, cell, draw, lower, upper);
  }
};

} // namespace portable

#undef PORTABLE__RANDOM_MEMBER

#endif
