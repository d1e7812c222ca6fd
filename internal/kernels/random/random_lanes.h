/* random_lanes.h - Philox in vectors of one width: random.c includes it once for each, with NAME,
 * TARGET, LANES and the operations that C does not have. Not in this file: the choice of a width.
 * A word of 32 bits is the lower half of a lane; the upper half is garbage where the next operation
 * ignores it, as the product does. Bits are those of portable_random.h. Threads: any. */

typedef uint64_t NAME(words) __attribute__((vector_size(8 * LANES)));
typedef double NAME(doubles) __attribute__((vector_size(8 * LANES)));
typedef float NAME(floats) __attribute__((vector_size(8 * LANES)));

/* The four words of the blocks of even cells, a block to each lane. */
#define BLOCKS(cells)                                                                     \
  NAME(words) x0 = (cells) >> 1, x1 = x0 >> 32, x2 = third, x3 = fourth;                       \
  for (int n = 0; n < 10; n++) {                                                          \
    const NAME(words) p0 = PRODUCT(x0, first_factor), p1 = PRODUCT(x2, second_factor);    \
    x0 = (p1 >> 32) ^ x1 ^ key0[n];                                                       \
    x1 = p1;                                                                              \
    x2 = (p0 >> 32) ^ x3 ^ key1[n];                                                       \
    x3 = p0;                                                                              \
  }

/* All blocks of a call share these. */
#define PREPARE                                                                           \
  const struct rounds r = rounds_of(key);                                                 \
  const NAME(words) zero = {0}, low = zero + 0xFFFFFFFFu, first_factor = zero + 0xD2511F53u, second_factor = zero + 0xCD9E8D57u; \
  const NAME(words) third = zero + ((uint32_t)draw ^ key.word[2]), fourth = zero + key.word[3]; \
  NAME(words) key0[10], key1[10];                                                         \
  int64_t done = 0;                                                                       \
  for (int n = 0; n < 10; n++) {                                                          \
    key0[n] = zero + r.key[0][n];                                                         \
    key1[n] = zero + r.key[1][n];                                                         \
  }

/* Lanes are turned so that the halves of 128 bits, which LOWER and UPPER keep, come out in order. */
TARGET static int64_t NAME(pairs_64)(portable_random_key key, uint64_t cell, int32_t draw, int64_t pairs, void *out) {
  PREPARE
  const NAME(words) turned = TURNED, one = zero + ((uint64_t)0x3FF << 52);
  const NAME(doubles) nothing = {0}, less = nothing + 0.99999999999999988897769753748434596; /* 1 - 2^-53 */
  for (; done + LANES <= pairs; done += LANES) {
    BLOCKS(turned + (cell + 2 * (uint64_t)done))
    const NAME(doubles) even = (NAME(doubles))((x1 << 32 | (x0 & low)) >> 12 | one) - less;
    const NAME(doubles) odd = (NAME(doubles))((x3 << 32 | (x2 & low)) >> 12 | one) - less;
    const NAME(doubles) lower = (NAME(doubles))LOWER(even, odd), upper = (NAME(doubles))UPPER(even, odd);
    memcpy((double *)out + 2 * done, &lower, sizeof lower);
    memcpy((double *)out + 2 * done + LANES, &upper, sizeof upper);
  }
  return done;
}

TARGET static int64_t NAME(pairs_32)(portable_random_key key, uint64_t cell, int32_t draw, int64_t pairs, void *out) {
  PREPARE
  const NAME(words) in_order = IN_ORDER, one = zero + ((uint64_t)0x3F800000u << 32 | 0x3F800000u);
  const NAME(floats) nothing = {0}, less = nothing + 0.999999940395355224609375f; /* 1 - 2^-24 */
  for (; done + LANES <= pairs; done += LANES) {
    BLOCKS(in_order + (cell + 2 * (uint64_t)done))
    const NAME(words) bits = (x1 & low) >> 9 | (x3 & low) >> 9 << 32 | one;
    const NAME(floats) both = (NAME(floats))bits - less;
    memcpy((float *)out + 2 * done, &both, sizeof both);
  }
  return done;
}

TARGET MIDDLE(NAME(middle))

#undef BLOCKS
#undef PREPARE
#undef NAME
#undef TARGET
#undef LANES
#undef PRODUCT
#undef LOWER
#undef UPPER
#undef IN_ORDER
#undef TURNED
