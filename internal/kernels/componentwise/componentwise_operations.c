/* componentwise_operations.c - the operations of componentwise.h for each kind of element: loops over elements that lie one
 * behind the other, written once for each type by macros.
 *
 * Arithmetic is vectorised by the compiler, in vectors that every processor of the architecture has and without fused multiplication
 * and addition, so that all give the bits of the scalar operation. Functions are the C library's, one call for each element. Integers
 * wrap: they are added and multiplied as unsigned ones. Elements may be replaced by their own results, so nothing is `restrict`; that
 * no result is another element's operand is what ivdep says. Pure functions. */
#include "componentwise.h"

#include <math.h>
#include <string.h>

#include "../base/shuffle.h"

#if defined(__clang__)
#pragma clang fp contract(off)
#pragma clang diagnostic ignored "-Wpass-failed" /* not every loop can be */
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#pragma GCC optimize("O3", "fp-contract=off")
#define INDEPENDENT _Pragma("GCC ivdep")
#else
#define INDEPENDENT
#endif

/* Elements at any address, whatever type the program has written them as. */
#define ANYWHERE(T) typedef T T##_at __attribute__((aligned(1), may_alias));
typedef unsigned char truth;
typedef struct __attribute__((packed, may_alias)) {
  uint64_t a, b;
} sixteen, sixteen_at;
ANYWHERE(truth)
ANYWHERE(uint8_t)
ANYWHERE(uint16_t)
ANYWHERE(int32_t)
ANYWHERE(uint32_t)
ANYWHERE(int64_t)
ANYWHERE(uint64_t)
ANYWHERE(float)
ANYWHERE(double)

/* Local copies, because a result might be any of what the arguments point to. */
#define OPERANDS(R, T)                                                                                                        \
  char *const to = at[PORTABLE__RESULT];                                                                                      \
  const char *const from_a = at[PORTABLE__A], *const from_b = at[PORTABLE__B];                                                \
  const int64_t to_step = step[PORTABLE__RESULT], a_step = step[PORTABLE__A], b_step = step[PORTABLE__B];                      \
  const int to_lies = to_step == SIZE(R), a_lies = a_step == SIZE(T), b_lies = b_step == SIZE(T);                              \
  (void)from_b, (void)b_step, (void)to_lies, (void)a_lies, (void)b_lies;

#define SIZE(T) (int64_t)sizeof(T)
#define ELEMENT(T, from, step) (*(const T##_at *)((from) + i * (step)))

#define LOOP(R, stride, A, a_value, B, b_value, expression)                                                                   \
  {                                                                                                                           \
    INDEPENDENT                                                                                                               \
    for (int64_t i = 0; i < count; i++) {                                                                                     \
      const A a = a_value;                                                                                                    \
      const B b = b_value;                                                                                                    \
      (void)a, (void)b;                                                                                                       \
      *(R##_at *)(to + i * (stride)) = (R)(expression);                                                                       \
    }                                                                                                                         \
  }

#define ANY_BINARY(R, T, expression) LOOP(R, to_step, T, ELEMENT(T, from_a, a_step), T, ELEMENT(T, from_b, b_step), expression)
#define ANY_UNARY(R, T, expression) LOOP(R, to_step, T, ELEMENT(T, from_a, a_step), int, 0, expression)

/* One behind the other, also with one value, in vectors; else as they lie. */
#define BINARY(name, R, T, expression)                                                                                        \
  static void name(char *const *at, const int64_t *step, int64_t count) {                                                     \
    OPERANDS(R, T)                                                                                                            \
    const T first = *(const T##_at *)from_a, second = *(const T##_at *)from_b;                                                  \
    if (to_lies && a_lies && b_lies)                                                                                          \
      LOOP(R, SIZE(R), T, ELEMENT(T, from_a, SIZE(T)), T, ELEMENT(T, from_b, SIZE(T)), expression)                             \
    else if (to_lies && a_lies && b_step == 0)                                                                                \
      LOOP(R, SIZE(R), T, ELEMENT(T, from_a, SIZE(T)), T, second, expression)                                                  \
    else if (to_lies && a_step == 0 && b_lies)                                                                                \
      LOOP(R, SIZE(R), T, first, T, ELEMENT(T, from_b, SIZE(T)), expression)                                                   \
    else                                                                                                                      \
      ANY_BINARY(R, T, expression)                                                                                            \
  }

#define UNARY(name, R, T, expression)                                                                                         \
  static void name(char *const *at, const int64_t *step, int64_t count) {                                                     \
    OPERANDS(R, T)                                                                                                            \
    if (to_lies && a_lies)                                                                                                    \
      LOOP(R, SIZE(R), T, ELEMENT(T, from_a, SIZE(T)), int, 0, expression)                                                     \
    else                                                                                                                      \
      ANY_UNARY(R, T, expression)                                                                                             \
  }

/* A call, or a division, for each element: vectors gain nothing. */
#define SLOW_BINARY(name, R, T, expression)                                                                                   \
  static void name(char *const *at, const int64_t *step, int64_t count) {                                                     \
    OPERANDS(R, T)                                                                                                            \
    ANY_BINARY(R, T, expression)                                                                                              \
  }
#define SLOW_UNARY(name, R, T, expression)                                                                                    \
  static void name(char *const *at, const int64_t *step, int64_t count) {                                                     \
    OPERANDS(R, T)                                                                                                            \
    ANY_UNARY(R, T, expression)                                                                                               \
  }

/* ---- integers: T signed, U unsigned ---- */

/* A divisor of 0 is found before; another thread may have written one since. */
#define INTEGER_FUNCTIONS(name, T, U)                                                                                         \
  static T quotient_##name(T a, T b) { return b == 0 ? 0 : b == -1 ? (T)(0 - (U)a) : (T)(a / b); }                              \
  static T remainder_##name(T a, T b) { return b == 0 || b == -1 ? 0 : (T)(a % b); }                                           \
  static T power_##name(T a, T b) {                                                                                           \
    U base = (U)a, p = 1;                                                                                                     \
    if (b < 0) return a == 1 ? 1 : a == -1 ? (b % 2 ? -1 : 1) : 0;                                                              \
    for (; b; b /= 2, base *= base)                                                                                           \
      if (b % 2) p *= base;                                                                                                   \
    return (T)p;                                                                                                              \
  }

#define INTEGER(name, T, U)                                                                                                   \
  INTEGER_FUNCTIONS(name, T, U)                                                                                               \
  BINARY(add_##name, U, U, a + b)                                                                                             \
  BINARY(subtract_##name, U, U, a - b)                                                                                        \
  BINARY(multiply_##name, U, U, a * b)                                                                                        \
  SLOW_BINARY(divide_##name, T, T, quotient_##name(a, b))                                                                          \
  SLOW_BINARY(mod_##name, T, T, remainder_##name(a, b))                                                                            \
  SLOW_BINARY(power_of_##name, T, T, power_##name(a, b))                                                                           \
  BINARY(sign_##name, T, T, (a < 0) != (b < 0) ? (T)(0 - (U)a) : a)                                                            \
  SLOW_BINARY(divide_fault_##name, truth, T, ((void)a, b == 0))                                                            \
  SLOW_BINARY(power_fault_##name, truth, T, (a == 0) & (b < 0))                                                            \
  UNARY(negate_##name, U, U, 0 - a)                                                                                           \
  UNARY(abs_##name, T, T, a < 0 ? (T)(0 - (U)a) : a)

/* ---- reals ---- */

#define REAL(name, T, f)                                                                                                      \
  BINARY(add_##name, T, T, a + b)                                                                                             \
  BINARY(subtract_##name, T, T, a - b)                                                                                        \
  BINARY(multiply_##name, T, T, a * b)                                                                                        \
  BINARY(divide_##name, T, T, a / b)                                                                                          \
  SLOW_BINARY(mod_##name, T, T, fmod##f(a, b))                                                                                     \
  SLOW_BINARY(power_of_##name, T, T, pow##f(a, b))                                                                                 \
  BINARY(sign_##name, T, T, copysign##f(a, b))                                                                                \
  SLOW_BINARY(atan2_##name, T, T, atan2##f(a, b))                                                                                  \
  UNARY(negate_##name, T, T, -a)                                                                                              \
  UNARY(abs_##name, T, T, fabs##f(a))                                                                                         \
  UNARY(sqrt_##name, T, T, sqrt##f(a))                                                                                        \
  SLOW_UNARY(cbrt_##name, T, T, cbrt##f(a))                                                                                        \
  SLOW_UNARY(sin_##name, T, T, sin##f(a))                                                                                          \
  SLOW_UNARY(cos_##name, T, T, cos##f(a))                                                                                          \
  SLOW_UNARY(tan_##name, T, T, tan##f(a))                                                                                          \
  SLOW_UNARY(asin_##name, T, T, asin##f(a))                                                                                        \
  SLOW_UNARY(acos_##name, T, T, acos##f(a))                                                                                        \
  SLOW_UNARY(atan_##name, T, T, atan##f(a))                                                                                        \
  SLOW_UNARY(exp_##name, T, T, exp##f(a))                                                                                          \
  SLOW_UNARY(log_##name, T, T, log##f(a))                                                                                          \
  SLOW_UNARY(log10_##name, T, T, log10##f(a))                                                                                      \
  SLOW_UNARY(log2_##name, T, T, log2##f(a))                                                                                        \
  SLOW_UNARY(floor_##name, T, T, floor##f(a))                                                                                      \
  SLOW_UNARY(ceil_##name, T, T, ceil##f(a))                                                                                        \
  SLOW_UNARY(round_##name, T, T, round##f(a))                                                                                      \
  UNARY(isnan_##name, truth, T, a != a)                                                                               \
  UNARY(isinf_##name, truth, T, fabs##f(a) == (T)INFINITY)

/* ---- both ---- */

/* Truth, and the most usual logicals, of four bytes, at once. Four elements one behind the other are compared in vectors, which gcc 12
 * does not do alone where elements and results differ, or may raise an exception. */
#define COMPARISON(what, name, T, op)                                                                                         \
  BINARY(what##_##name, truth, T, a op b)                                                                                     \
  BINARY(what##_rest_##name, int32_t, T, a op b)                                                                              \
  static void what##_four_##name(char *const *at, const int64_t *step, int64_t count) {                                       \
    OPERANDS(int32_t, T)                                                                                                      \
    int64_t i = 0;                                                                                                            \
    if (to_lies && a_lies && b_lies)                                                                                          \
      for (; i + 4 <= count; i += 4) {                                                                                        \
        four_##name a = get_##name(from_a + i * SIZE(T)), b = get_##name(from_b + i * SIZE(T));                                \
        four_logicals r = FOUR(name, op) & 1;                                                                                 \
        memcpy(to + i * 4, &r, sizeof r);                                                                                     \
      }                                                                                                                       \
    if (i == count) return;                                                                                                   \
    char *const rest[PORTABLE__OPERANDS] = {to + i * to_step, (char *)(uintptr_t)(from_a + i * a_step),                       \
                                            (char *)(uintptr_t)(from_b + i * b_step)};                                        \
    what##_rest_##name(rest, step, count - i);                                                                                \
  }

typedef int32_t four_logicals __attribute__((vector_size(16)));
typedef int64_t two_masks __attribute__((vector_size(16)));

/* Four elements in one vector, or in two. */
#define ONE_VECTOR(name, T)                                                                                                   \
  typedef T vector_##name __attribute__((vector_size(16)));                                                                   \
  typedef struct {                                                                                                            \
    vector_##name x;                                                                                                          \
  } four_##name;
#define TWO_VECTORS(name, T)                                                                                                  \
  typedef T vector_##name __attribute__((vector_size(16)));                                                                   \
  typedef struct {                                                                                                            \
    vector_##name x, y;                                                                                                       \
  } four_##name;
#define GET_FOUR(name)                                                                                                        \
  static inline four_##name get_##name(const char *from) {                                                                    \
    four_##name f;                                                                                                            \
    memcpy(&f, from, sizeof f);                                                                                               \
    return f;                                                                                                                 \
  }
ONE_VECTOR(int32, int32_t)
ONE_VECTOR(real32, float)
TWO_VECTORS(int64, int64_t)
TWO_VECTORS(real64, double)
GET_FOUR(int32)
GET_FOUR(real32)
GET_FOUR(int64)
GET_FOUR(real64)

/* The lower halves of masks of eight bytes. */
static inline four_logicals halves(two_masks x, two_masks y) {
  return PORTABLE__SHUFFLE(four_logicals, (four_logicals)x, (four_logicals)y, 0, 2, 4, 6);
}

#define FOUR(name, op) FOUR_##name(op)
#define FOUR_int32(op) (four_logicals)(a.x op b.x)
#define FOUR_real32(op) (four_logicals)(a.x op b.x)
#define FOUR_int64(op) halves((two_masks)(a.x op b.x), (two_masks)(a.y op b.y))
#define FOUR_real64(op) halves((two_masks)(a.x op b.x), (two_masks)(a.y op b.y))

/* A NaN is never less or greater, and not equal to itself. */
#define NUMBER(name, T)                                                                                                       \
  BINARY(min_##name, T, T, ((a < b) | (b != b)) ? a : b)                                                                       \
  BINARY(max_##name, T, T, ((a > b) | (b != b)) ? a : b)                                                                       \
  COMPARISON(less, name, T, <)                                                                                            \
  COMPARISON(greater, name, T, >)                                                                                         \
  COMPARISON(less_equal, name, T, <=)                                                                                     \
  COMPARISON(greater_equal, name, T, >=)                                                                                  \
  COMPARISON(equal, name, T, ==)                                                                                          \
  COMPARISON(unequal, name, T, !=)                                                                                        \
  UNARY(plus_##name, T, T, a)

INTEGER(int32, int32_t, uint32_t)
INTEGER(int64, int64_t, uint64_t)
REAL(real32, float, f)
REAL(real64, double, )
NUMBER(int32, int32_t)
NUMBER(int64, int64_t)
NUMBER(real32, float)
NUMBER(real64, double)

/* ---- truth ---- */

BINARY(and_truth, truth, truth, a & b)
BINARY(or_truth, truth, truth, a | b)
BINARY(equal_truth, truth, truth, a == b)
BINARY(unequal_truth, truth, truth, a != b)
UNARY(not_truth, truth, truth, !a)

/* ---- square roots ---- */

/* In vectors by hand: gcc makes none where a square root may set errno, and has no pragma that says it need not. */
#define ROOTS(name, target, T, bytes, get, root, put, others)                                                                 \
  target static void name(char *const *at, const int64_t *step, int64_t count) {                                              \
    OPERANDS(T, T)                                                                                                            \
    int64_t i = 0;                                                                                                            \
    if (to_lies && a_lies)                                                                                                    \
      for (; i + bytes / SIZE(T) <= count; i += bytes / SIZE(T))                                                              \
        put((T *)(void *)(to + i * SIZE(T)), root(get((const T *)(const void *)(from_a + i * SIZE(T)))));                      \
    char *const rest[PORTABLE__OPERANDS] = {to + i * to_step, at[PORTABLE__A] + i * a_step};                                  \
    others(rest, step, count - i);                                                                                            \
  }
#if defined(__x86_64__)
#include <immintrin.h>

#include "../base/processor.h"

#define AVX2 __attribute__((target("avx2")))
ROOTS(lanes_16_real32, , float, 16, _mm_loadu_ps, _mm_sqrt_ps, _mm_storeu_ps, sqrt_real32)
ROOTS(lanes_16_real64, , double, 16, _mm_loadu_pd, _mm_sqrt_pd, _mm_storeu_pd, sqrt_real64)
ROOTS(lanes_32_real32, AVX2, float, 32, _mm256_loadu_ps, _mm256_sqrt_ps, _mm256_storeu_ps, lanes_16_real32)
ROOTS(lanes_32_real64, AVX2, double, 32, _mm256_loadu_pd, _mm256_sqrt_pd, _mm256_storeu_pd, lanes_16_real64)
#undef AVX2

#define CHOOSE(kind)                                                                                                          \
  static void roots_##kind(char *const *at, const int64_t *step, int64_t count) {                                             \
    (portable__processor_has(PORTABLE__AVX2) ? lanes_32_##kind : lanes_16_##kind)(at, step, count);                              \
  }
CHOOSE(real32)
CHOOSE(real64)
#undef CHOOSE
#elif defined(__aarch64__)
#include <arm_neon.h>

ROOTS(roots_real32, , float, 16, vld1q_f32, vsqrtq_f32, vst1q_f32, sqrt_real32)
ROOTS(roots_real64, , double, 16, vld1q_f64, vsqrtq_f64, vst1q_f64, sqrt_real64)
#else
#define roots_real32 sqrt_real32
#define roots_real64 sqrt_real64
#endif

/* ---- merge ---- */

#define MERGE(name, T, expression)                                                                                            \
  static void name(char *const *at, const int64_t *step, int64_t count) {                                                     \
    OPERANDS(T, T)                                                                                                            \
    const truth *const m = (const truth *)at[PORTABLE__MASK];                                                                 \
    if (to_lies && a_lies && b_lies)                                                                                          \
      LOOP(T, SIZE(T), T, ELEMENT(T, from_a, SIZE(T)), T, ELEMENT(T, from_b, SIZE(T)), expression)                             \
    else                                                                                                                      \
      ANY_BINARY(T, T, expression)                                                                                            \
  }

#define BITS(T) (T)(b ^ ((a ^ b) & (T)(0 - (T)m[i]))) /* truth is 0 or 1; this is vectorised, a choice is not */

MERGE(merge_1, uint8_t, BITS(uint8_t))
MERGE(merge_2, uint16_t, BITS(uint16_t))
MERGE(merge_4, uint32_t, BITS(uint32_t))
MERGE(merge_8, uint64_t, BITS(uint64_t))
MERGE(merge_16, sixteen, m[i] ? a : b)

/* ---- the tables ---- */

#define KINDS (PORTABLE_KIND_LOGICAL64 + 1)

typedef struct portable__component_operation operation;

#define PLAIN(f) {.apply = f}
#define SLOW(f) {.apply = f, .slow = 1}
#define FAULTY(f, g) {.apply = f, .fault = g, .slow = 1}
#define GIVES_TRUTH(f) {.apply = f, .truth = 1}
#define OF_TRUTH(f, how) {.apply = f, .operands = how, .truth = 1}

#define ALL(macro, f)                                                                                                         \
  [PORTABLE_KIND_INT32] = macro(f##_int32), [PORTABLE_KIND_INT64] = macro(f##_int64), REALS(macro, f)
#define REALS(macro, f) [PORTABLE_KIND_REAL32] = macro(f##_real32), [PORTABLE_KIND_REAL64] = macro(f##_real64)
#define INTEGERS_FAULTY(f, g)                                                                                                 \
  [PORTABLE_KIND_INT32] = FAULTY(f##_int32, g##_int32), [PORTABLE_KIND_INT64] = FAULTY(f##_int64, g##_int64)
#define LOGICALS(f)                                                                                                           \
  [PORTABLE_KIND_LOGICAL8] = OF_TRUTH(f, PORTABLE__TRUTH), [PORTABLE_KIND_LOGICAL16] = OF_TRUTH(f, PORTABLE__TRUTH),            \
  [PORTABLE_KIND_LOGICAL32] = OF_TRUTH(f, PORTABLE__TRUTH), [PORTABLE_KIND_LOGICAL64] = OF_TRUTH(f, PORTABLE__TRUTH)
#define EVERY_TRUTH(f)                                                                                                        \
  [PORTABLE_KIND_INT32] = OF_TRUTH(f, PORTABLE__TRUTH), [PORTABLE_KIND_INT64] = OF_TRUTH(f, PORTABLE__TRUTH),                   \
  [PORTABLE_KIND_REAL32] = OF_TRUTH(f, PORTABLE__TRUTH_REAL), [PORTABLE_KIND_REAL64] = OF_TRUTH(f, PORTABLE__TRUTH_REAL), LOGICALS(f)

static const operation binary[PORTABLE_BINARY_OR + 1][KINDS] = {
  [PORTABLE_BINARY_ADD] = {ALL(PLAIN, add)},
  [PORTABLE_BINARY_SUBTRACT] = {ALL(PLAIN, subtract)},
  [PORTABLE_BINARY_MULTIPLY] = {ALL(PLAIN, multiply)},
  [PORTABLE_BINARY_DIVIDE] = {INTEGERS_FAULTY(divide, divide_fault), REALS(PLAIN, divide)},
  [PORTABLE_BINARY_MOD] = {INTEGERS_FAULTY(mod, divide_fault), REALS(SLOW, mod)},
  [PORTABLE_BINARY_POWER] = {INTEGERS_FAULTY(power_of, power_fault), REALS(SLOW, power_of)},
  [PORTABLE_BINARY_MIN] = {ALL(PLAIN, min)},
  [PORTABLE_BINARY_MAX] = {ALL(PLAIN, max)},
  [PORTABLE_BINARY_SIGN] = {ALL(PLAIN, sign)},
  [PORTABLE_BINARY_ATAN2] = {REALS(SLOW, atan2)},
  [PORTABLE_BINARY_LESS] = {ALL(GIVES_TRUTH, less)},
  [PORTABLE_BINARY_GREATER] = {ALL(GIVES_TRUTH, greater)},
  [PORTABLE_BINARY_LESS_EQUAL] = {ALL(GIVES_TRUTH, less_equal)},
  [PORTABLE_BINARY_GREATER_EQUAL] = {ALL(GIVES_TRUTH, greater_equal)},
  [PORTABLE_BINARY_EQUAL] = {ALL(GIVES_TRUTH, equal), LOGICALS(equal_truth)},
  [PORTABLE_BINARY_UNEQUAL] = {ALL(GIVES_TRUTH, unequal), LOGICALS(unequal_truth)},
  [PORTABLE_BINARY_AND] = {EVERY_TRUTH(and_truth)},
  [PORTABLE_BINARY_OR] = {EVERY_TRUTH(or_truth)},
};

static const operation comparison_of_four[PORTABLE_BINARY_UNEQUAL - PORTABLE_BINARY_LESS + 1][KINDS] = {
  {ALL(PLAIN, less_four)},       {ALL(PLAIN, greater_four)}, {ALL(PLAIN, less_equal_four)}, {ALL(PLAIN, greater_equal_four)},
  {ALL(PLAIN, equal_four)},      {ALL(PLAIN, unequal_four)},
};

static const operation unary[PORTABLE_UNARY_NOT + 1][KINDS] = {
  [PORTABLE_UNARY_PLUS] = {ALL(PLAIN, plus)},
  [PORTABLE_UNARY_NEGATE] = {ALL(PLAIN, negate)},
  [PORTABLE_UNARY_ABS] = {ALL(PLAIN, abs)},
  [PORTABLE_UNARY_SQRT] = {REALS(PLAIN, roots)},
  [PORTABLE_UNARY_CBRT] = {REALS(SLOW, cbrt)},
  [PORTABLE_UNARY_SIN] = {REALS(SLOW, sin)},
  [PORTABLE_UNARY_COS] = {REALS(SLOW, cos)},
  [PORTABLE_UNARY_TAN] = {REALS(SLOW, tan)},
  [PORTABLE_UNARY_ASIN] = {REALS(SLOW, asin)},
  [PORTABLE_UNARY_ACOS] = {REALS(SLOW, acos)},
  [PORTABLE_UNARY_ATAN] = {REALS(SLOW, atan)},
  [PORTABLE_UNARY_EXP] = {REALS(SLOW, exp)},
  [PORTABLE_UNARY_LOG] = {REALS(SLOW, log)},
  [PORTABLE_UNARY_LOG10] = {REALS(SLOW, log10)},
  [PORTABLE_UNARY_LOG2] = {REALS(SLOW, log2)},
  [PORTABLE_UNARY_FLOOR] = {REALS(SLOW, floor)},
  [PORTABLE_UNARY_CEIL] = {REALS(SLOW, ceil)},
  [PORTABLE_UNARY_ROUND] = {REALS(SLOW, round)},
  [PORTABLE_UNARY_ISNAN] = {REALS(GIVES_TRUTH, isnan)},
  [PORTABLE_UNARY_ISINF] = {REALS(GIVES_TRUTH, isinf)},
  [PORTABLE_UNARY_NOT] = {EVERY_TRUTH(not_truth)},
};

static const operation *entry(const operation *row, int32_t kind) {
  return kind >= 1 && kind < KINDS && row[kind].apply ? &row[kind] : NULL;
}

const operation *portable__component_binary(int32_t op, int32_t kind, int64_t result_bytes) {
  const operation *four = NULL;
  if (op < 1 || op > PORTABLE_BINARY_OR) return NULL;
  if (result_bytes == 4 && op >= PORTABLE_BINARY_LESS && op <= PORTABLE_BINARY_UNEQUAL)
    four = entry(comparison_of_four[op - PORTABLE_BINARY_LESS], kind);
  return four ? four : entry(binary[op], kind);
}

const operation *portable__component_unary(int32_t op, int32_t kind) {
  return op < 1 || op > PORTABLE_UNARY_NOT ? NULL : entry(unary[op], kind);
}

const operation *portable__component_merge(int32_t element_bytes) {
  static const operation one = PLAIN(merge_1), two = PLAIN(merge_2), four = PLAIN(merge_4), eight = PLAIN(merge_8), largest = PLAIN(merge_16);
  switch (element_bytes) {
  case 1: return &one;
  case 2: return &two;
  case 4: return &four;
  case 8: return &eight;
  case 16: return &largest;
  default: return NULL;
  }
}
