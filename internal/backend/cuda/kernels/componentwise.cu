// componentwise.cu - operations on arrays element by element, with the bits of the host
// (internal/kernels/componentwise); functions such as EXP are those of the GPU, within 2 units in
// the last place. A module has one operation for one kind of element: PORTABLE__ENTRY, which is the
// name of the kernel, and PORTABLE__KIND. The kernels fault_... find the first element without a
// result.
#include "algorithm.h"

#ifndef PORTABLE__KIND
#define PORTABLE__KIND 6
#endif
#ifndef PORTABLE__ENTRY
#define PORTABLE__ENTRY element_add
#endif

typedef long long i64;
typedef unsigned long long u64;
typedef portable__cuda_componentwise work;

// The type of elements, and of sums without overflow.
#if PORTABLE__KIND == 1 || PORTABLE__KIND == 9
typedef signed char kind;
typedef unsigned char whole;
#elif PORTABLE__KIND == 2 || PORTABLE__KIND == 10
typedef short kind;
typedef unsigned short whole;
#elif PORTABLE__KIND == 3 || PORTABLE__KIND == 11
typedef int kind;
typedef unsigned whole;
#elif PORTABLE__KIND == 4 || PORTABLE__KIND == 7 || PORTABLE__KIND == 12
typedef i64 kind; // COMPLEX32 is moved as one number
typedef u64 whole;
#elif PORTABLE__KIND == 5
typedef float kind;
typedef float whole;
#define REAL 1
#elif PORTABLE__KIND == 6
typedef double kind;
typedef double whole;
#define REAL 1
#else
struct kind {
  i64 re, im;
};
typedef kind whole;
#define PAIR 1
#endif

// ---- elements anywhere ----

template <typename type> static __device__ inline type get(const char *at, int aligned) {
  if (aligned) return *(const type *)at;
  type x;
  for (unsigned i = 0; i < sizeof x; i++) ((char *)&x)[i] = at[i];
  return x;
}

template <typename type> static __device__ inline void put(char *at, type x, int aligned) {
  if (aligned) {
    *(type *)at = x;
    return;
  }
  for (unsigned i = 0; i < sizeof x; i++) at[i] = ((const char *)&x)[i];
}

static __device__ inline bool truth(const char *at, i64 bytes, int aligned) {
  switch (bytes) {
  case 1: return *at != 0;
  case 2: return get<short>(at, aligned) != 0;
  case 4: return get<int>(at, aligned) != 0;
  default: return get<i64>(at, aligned) != 0;
  }
}

static __device__ inline void put_truth(char *at, bool x, i64 bytes, int aligned) {
  switch (bytes) {
  case 1: *at = (char)x; break;
  case 2: put<short>(at, (short)x, aligned); break;
  case 4: put<int>(at, (int)x, aligned); break;
  default: put<i64>(at, (i64)x, aligned);
  }
}

// Element e of each operand; the fastest axis first. One value is in the arguments.
static __device__ inline void go(const work &w, i64 e, const char **at) {
  i64 offset[4] = {0, 0, 0, 0};
  for (int d = 0; d < w.axes; d++) {
    i64 i = e;
    if (d < w.axes - 1) {
      const i64 extent = w.axis[d].extent;
      if ((u64)(e | extent) >> 32 == 0) {
        i = (unsigned)e % (unsigned)extent;
        e = (unsigned)e / (unsigned)extent;
      } else {
        i = e % extent;
        e /= extent;
      }
    }
    for (int k = 0; k < 4; k++) offset[k] += i * w.axis[d].step[k];
  }
  for (int k = 0; k < 4; k++) at[k] = w.at[k] ? w.at[k] + offset[k] : (const char *)w.value[k];
}

#define FOR_ELEMENTS(e) for (i64 e = (i64)blockIdx.x * blockDim.x + threadIdx.x; e < w.count; e += (i64)gridDim.x * blockDim.x)
#define FORM(name, how) \
  struct name { \
    static __device__ inline void apply(const work &w, char *to, const char *a, const char *b, const char *mask) { how; }
#define A get<kind>(a, w.aligned)
#define B get<kind>(b, w.aligned)

// The forms of operations: of numbers; of numbers with a logical result; of truth.
template <typename op> FORM(of_two, put<kind>(to, op::of(A, B), w.aligned)) };
template <typename op> FORM(of_one, put<kind>(to, op::of(A), w.aligned)) };
template <typename op> FORM(test_two, put_truth(to, op::of(A, B), w.bytes[0], w.aligned)) };
template <typename op> FORM(test_one, put_truth(to, op::of(A), w.bytes[0], w.aligned)) };
template <typename op> FORM(truth_two, put_truth(to, op::of(op::is(w, a, 1), op::is(w, b, 2)), w.bytes[0], w.aligned)) };
template <typename op> FORM(truth_one, put_truth(to, op::of(op::is(w, a, 1)), w.bytes[0], w.aligned)) };

#define TWO(name, form, type, expression) \
  struct name##_op { \
    static __device__ inline type of(kind a, kind b) { return (type)(expression); } \
  }; \
  typedef form<name##_op> name##_form;
#define ONE(name, form, type, expression) \
  struct name##_op { \
    static __device__ inline type of(kind a) { return (type)(expression); } \
  }; \
  typedef form<name##_op> name##_form;

// ---- merge, of any element ----

FORM(element_merge_form, put<kind>(to, truth(mask, w.bytes[3], w.aligned) ? A : B, w.aligned)) };

// ---- truth ----

#ifdef REAL
#define IS(w, at, k) (get<kind>(at, (w).aligned) != 0) // neither 0 nor -0
#else
#define IS(w, at, k) truth(at, (w).bytes[k], (w).aligned)
#endif
#define TRUTH_TWO(name, expression) \
  struct name##_op { \
    static __device__ inline bool is(const work &w, const char *at, int k) { return IS(w, at, k); } \
    static __device__ inline bool of(bool a, bool b) { return expression; } \
  }; \
  typedef truth_two<name##_op> name##_form;
#define TRUTH_ONE(name, expression) \
  struct name##_op { \
    static __device__ inline bool is(const work &w, const char *at, int k) { return IS(w, at, k); } \
    static __device__ inline bool of(bool a) { return expression; } \
  }; \
  typedef truth_one<name##_op> name##_form;

#ifndef PAIR
TRUTH_TWO(element_and, a && b)
TRUTH_TWO(element_or, a || b)
TRUTH_TWO(element_equal_truth, a == b)
TRUTH_TWO(element_unequal_truth, a != b)
TRUTH_ONE(element_not, !a)

// ---- numbers ----

TWO(element_add, of_two, kind, (whole)a + (whole)b)
TWO(element_subtract, of_two, kind, (whole)a - (whole)b)
TWO(element_multiply, of_two, kind, (whole)((whole)a * (whole)b))
TWO(element_min, of_two, kind, a < b || b != b ? a : b)
TWO(element_max, of_two, kind, a > b || b != b ? a : b)
TWO(element_less, test_two, bool, a < b)
TWO(element_greater, test_two, bool, a > b)
TWO(element_less_equal, test_two, bool, a <= b)
TWO(element_greater_equal, test_two, bool, a >= b)
TWO(element_equal, test_two, bool, a == b)
TWO(element_unequal, test_two, bool, a != b)
ONE(element_plus, of_one, kind, a)

#ifdef REAL

#if PORTABLE__KIND == 5
#define F(name) name##f
#else
#define F(name) name
#endif
TWO(element_divide, of_two, kind, a / b)
TWO(element_mod, of_two, kind, F(fmod)(a, b))
TWO(element_power, of_two, kind, F(pow)(a, b))
TWO(element_sign, of_two, kind, F(copysign)(a, b))
TWO(element_atan2, of_two, kind, F(atan2)(a, b))
ONE(element_negate, of_one, kind, -a)
ONE(element_abs, of_one, kind, F(fabs)(a))
ONE(element_sqrt, of_one, kind, F(sqrt)(a))
ONE(element_cbrt, of_one, kind, F(cbrt)(a))
ONE(element_sin, of_one, kind, F(sin)(a))
ONE(element_cos, of_one, kind, F(cos)(a))
ONE(element_tan, of_one, kind, F(tan)(a))
ONE(element_asin, of_one, kind, F(asin)(a))
ONE(element_acos, of_one, kind, F(acos)(a))
ONE(element_atan, of_one, kind, F(atan)(a))
ONE(element_exp, of_one, kind, F(exp)(a))
ONE(element_log, of_one, kind, F(log)(a))
ONE(element_log10, of_one, kind, F(log10)(a))
ONE(element_log2, of_one, kind, F(log2)(a))
ONE(element_floor, of_one, kind, F(floor)(a))
ONE(element_ceil, of_one, kind, F(ceil)(a))
ONE(element_round, of_one, kind, F(round)(a))
ONE(element_isnan, test_one, bool, a != a)
ONE(element_isinf, test_one, bool, a - a != a - a && a == a)

#else

// A divisor of 0 is found before; another stream may have written one since.
TWO(element_divide, of_two, kind, b == 0 ? 0 : b == -1 ? (kind)(0 - (whole)a) : a / b)
TWO(element_mod, of_two, kind, b == 0 || b == -1 ? 0 : a % b)
TWO(element_sign, of_two, kind, (a < 0) != (b < 0) ? (kind)(0 - (whole)a) : a)
ONE(element_negate, of_one, kind, 0 - (whole)a)
ONE(element_abs, of_one, kind, a < 0 ? (kind)(0 - (whole)a) : a)
static __device__ inline kind power(kind a, kind b) {
  whole base = (whole)a, p = 1;
  if (b < 0) return a == 1 ? 1 : a == -1 ? (b % 2 ? -1 : 1) : 0;
  for (; b; b /= 2, base = (whole)(base * base))
    if (b % 2) p = (whole)(p * base);
  return (kind)p;
}
TWO(element_power, of_two, kind, power(a, b))

// Forms of faults keep the number of the first such element in *found, which begins with the count.
#define FAULT(name, expression) \
  struct name##_form { \
    static __device__ inline void search(const work &w, i64 e, const char *at_a, const char *at_b) { \
      const kind a = get<kind>(at_a, w.aligned), b = get<kind>(at_b, w.aligned); \
      if (expression) atomicMin(w.found, e); \
    } \
  };
FAULT(fault_divide, (void(a), b == 0))
FAULT(fault_power, a == 0 && b < 0)

#endif
#endif

// ---- the kernel ----

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
typedef JOIN(PORTABLE__ENTRY, _form) form;

template <typename how> static __device__ inline auto step(const work &w, i64 e, const char **at, int) -> decltype(how::search(w, e, at[1], at[2])) {
  how::search(w, e, at[1], at[2]);
}
template <typename how> static __device__ inline auto step(const work &w, i64 e, const char **at, long)
    -> decltype(how::apply(w, (char *)at[0], at[1], at[2], at[3])) {
  how::apply(w, (char *)at[0], at[1], at[2], at[3]);
}

extern "C" __global__ void PORTABLE__ENTRY(const work w) {
  FOR_ELEMENTS(e) {
    const char *at[4];
    go(w, e, at);
    step<form>(w, e, at, 0);
  }
}
