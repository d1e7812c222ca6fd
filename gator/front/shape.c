/* shape.c - the size of an array, checked. In C because gator_allocate needs it on every call, and programs
 * call it before anything is started. */
#include <inttypes.h>

#include "front.h"
#include "questions.h"


int32_t portable__strict(void) {
  static _Atomic int known = -1; /* read once, at first use */
  int strict = atomic_load_explicit(&known, memory_order_relaxed);
  if (strict < 0) {
    struct portable__crossing crossing;
    if (portable__cross_in(&crossing) != PORTABLE_OK) return 0;
    strict = portable__front_go.strict();
    portable__cross_out(&crossing);
    atomic_store_explicit(&known, strict, memory_order_relaxed);
  }
  return strict;
}

portable_status portable_array_bytes(int32_t rank, const int64_t *extents, const int64_t *lower_bounds,
                                     int32_t index_bits, size_t element_bytes, size_t *bytes_out) {
  if (!bytes_out) return portable__fail(PORTABLE_ERR_ARG, "portable_array_bytes: bytes_out is NULL");
  *bytes_out = 0;
  if (rank < 0 || rank > 15 || (rank > 0 && !extents))
    return portable__fail(PORTABLE_ERR_ARG, "array: rank %" PRId32 " with%s extents; a rank is 0 to 15", rank,
                          extents ? "" : "out");
  if (index_bits != 32 && index_bits != 64)
    return portable__fail(PORTABLE_ERR_ARG, "array: indices of %" PRId32 " bits; 32 and 64 are known", index_bits);
  if (element_bytes == 0)
    return portable__fail(PORTABLE_ERR_ARG, "array: an element of 0 bytes");
  int64_t largest = index_bits == 32 ? INT32_MAX : INT64_MAX;
  size_t bytes = element_bytes;
  int overflow = 0, empty = 0;
  for (int32_t d = 0; d < rank; d++) {
    int64_t n = extents[d], low = lower_bounds ? lower_bounds[d] : 1, high;
    if (n < 0)
      return portable__fail(PORTABLE_ERR_ARG, "array: dimension %" PRId32 " has the negative extent %" PRId64
                            "; look at how it was computed", d + 1, n);
    if (n == 0) {
      empty = 1;
      continue;
    }
    if (__builtin_add_overflow(low, n - 1, &high) || high > largest)
      return portable__fail(PORTABLE_ERR_OVERFLOW, "array: the upper bound of dimension %" PRId32 " (lower bound %" PRId64
                            ", extent %" PRId64 ") does not fit %" PRId32 "-bit integers%s", d + 1, low, n, index_bits,
                            index_bits == 32 ? "; pass extents and bounds as integer(int64)" : "");
    if (__builtin_mul_overflow(bytes, (size_t)n, &bytes)) overflow = 1;
  }
  if (empty) {
    if (portable__strict())
      return portable__fail(PORTABLE_ERR_ARG, "array: an extent is zero (GATOR_STRICT=1)");
    return PORTABLE_OK;
  }
  if (overflow || bytes > PTRDIFF_MAX)
    return portable__fail(PORTABLE_ERR_OVERFLOW, "array: the byte count of rank %" PRId32 " with first extent %" PRId64
                          " and %zu bytes an element overflows; look at how the extents were computed",
                          rank, rank > 0 ? extents[0] : 0, element_bytes);
  *bytes_out = bytes;
  return PORTABLE_OK;
}
