// YAKL_random.h - random numbers one after another, of a generator that a seed begins: YAKL's interface over portable_random.h. Included by YAKL.h.
//
// The numbers are others than YAKL's. In a kernel each iteration makes its own generator, with a seed of its own, such as the number of the cell.
// Source: YAKL's Random.
#ifndef YAKL_RANDOM_H
#define YAKL_RANDOM_H

#include "YAKL.h"

#include <portable_random.hpp>

__YAKL_NAMESPACE_WRAPPER_BEGIN__
namespace yakl {

class Random {
 public:
  typedef unsigned long long u8;
  YAKL_INLINE Random(u8 seed = 1368976481) { set_seed(seed); }
  YAKL_INLINE void set_seed(u8 seed) {
    key = portable_random_key_make(static_cast<std::int64_t>(seed), 0, 0x59414b4c);
    next = 0;
  }
  // 64 bits.
  YAKL_INLINE u8 gen() { return portable_random_bits(key, next++, 0); }
  // Between 0 and 1, without both; T is a floating-point type.
  template <class T> YAKL_INLINE T genFP() {
    const u8 bits = gen();
    return sizeof(T) == sizeof(float) ? static_cast<T>(portable__random_uniform32(bits)) : static_cast<T>(portable__random_uniform64(bits));
  }
  template <class T> YAKL_INLINE T genFP(T lb, T ub) { return genFP<T>() * (ub - lb) + lb; }

 private:
  portable_random_key key;
  std::int64_t next;
};

} // namespace yakl
__YAKL_NAMESPACE_WRAPPER_END__

#endif
