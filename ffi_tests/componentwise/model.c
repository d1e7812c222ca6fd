/* model.c - each operation and kind of portable_componentwise.h against a plain loop over the same elements: arrays of random ranks,
 * extents, orders and strides, single values, results in place, values of all sorts. Every byte of the result's memory is compared,
 * so what lies between elements is seen to stay. Not in this file: what is refused (misuse.c). */
#include "check.h"

#include <float.h>
#include <math.h>

static uint64_t state = 88172645463325252u;
static uint64_t any(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}
static int64_t below(int64_t n) { return (int64_t)(any() % (uint64_t)n); }

static const int64_t kind_bytes[] = {0, 1, 2, 4, 8, 4, 8, 8, 16, 1, 2, 4, 8};

/* ---- one element: the model ---- */

typedef union {
  int32_t i;
  int64_t l;
  float f;
  double d;
  uint64_t u;
  unsigned char bytes[16];
} element;

#define WHERE_INTEGER(T, U, m)                                                                    \
  switch (op) {                                                                                   \
  case PORTABLE_BINARY_ADD: r->m = (T)((U)a.m + (U)b.m); break;                                   \
  case PORTABLE_BINARY_SUBTRACT: r->m = (T)((U)a.m - (U)b.m); break;                              \
  case PORTABLE_BINARY_MULTIPLY: r->m = (T)((U)a.m * (U)b.m); break;                              \
  case PORTABLE_BINARY_DIVIDE: r->m = b.m == -1 ? (T)(0 - (U)a.m) : a.m / b.m; break;             \
  case PORTABLE_BINARY_MOD: r->m = b.m == -1 ? 0 : a.m % b.m; break;                              \
  case PORTABLE_BINARY_POWER: {                                                                   \
    U p = 1;                                                                                      \
    for (T n = b.m < 0 ? 0 : b.m; n; n--) p *= (U)a.m;                                            \
    r->m = b.m >= 0 ? (T)p : a.m == 1 ? 1 : a.m == -1 ? (b.m % 2 ? -1 : 1) : 0;                   \
  } break;                                                                                        \
  case PORTABLE_BINARY_SIGN: {                                                                    \
    U magnitude = a.m < 0 ? 0 - (U)a.m : (U)a.m;                                                  \
    r->m = (T)(b.m < 0 ? 0 - magnitude : magnitude);                                              \
  } break;                                                                                        \
  default: BOTH(m)                                                                                \
  }

#define WHERE_REAL(m, f)                                                                          \
  switch (op) {                                                                                   \
  case PORTABLE_BINARY_ADD: r->m = a.m + b.m; break;                                              \
  case PORTABLE_BINARY_SUBTRACT: r->m = a.m - b.m; break;                                         \
  case PORTABLE_BINARY_MULTIPLY: r->m = a.m * b.m; break;                                         \
  case PORTABLE_BINARY_DIVIDE: r->m = a.m / b.m; break;                                           \
  case PORTABLE_BINARY_MOD: r->m = fmod##f(a.m, b.m); break;                                      \
  case PORTABLE_BINARY_POWER: r->m = pow##f(a.m, b.m); break;                                     \
  case PORTABLE_BINARY_SIGN: r->m = copysign##f(a.m, b.m); break;                                 \
  case PORTABLE_BINARY_ATAN2: r->m = atan2##f(a.m, b.m); break;                                   \
  default: BOTH(m)                                                                                \
  }

#define BOTH(m)                                                                                   \
  switch (op) {                                                                                   \
  case PORTABLE_BINARY_MIN: r->m = a.m != a.m ? b.m : b.m != b.m || a.m < b.m ? a.m : b.m; break; \
  case PORTABLE_BINARY_MAX: r->m = a.m != a.m ? b.m : b.m != b.m || a.m > b.m ? a.m : b.m; break; \
  case PORTABLE_BINARY_LESS: return a.m < b.m;                                                    \
  case PORTABLE_BINARY_GREATER: return a.m > b.m;                                                 \
  case PORTABLE_BINARY_LESS_EQUAL: return a.m <= b.m;                                             \
  case PORTABLE_BINARY_GREATER_EQUAL: return a.m >= b.m;                                          \
  case PORTABLE_BINARY_EQUAL: return a.m == b.m;                                                  \
  case PORTABLE_BINARY_UNEQUAL: return a.m != b.m;                                                \
  case PORTABLE_BINARY_AND: return a.m != 0 && b.m != 0;                                          \
  case PORTABLE_BINARY_OR: return a.m != 0 || b.m != 0;                                           \
  default: break; /* then the library does not have it either */                               \
  }

/* The truth of the result, -1: the result is in *r. */
static int binary(int op, int kind, element a, element b, element *r) {
  switch (kind) {
  case PORTABLE_KIND_INT32: WHERE_INTEGER(int32_t, uint32_t, i) break;
  case PORTABLE_KIND_INT64: WHERE_INTEGER(int64_t, uint64_t, l) break;
  case PORTABLE_KIND_REAL32: WHERE_REAL(f, f) break;
  case PORTABLE_KIND_REAL64: WHERE_REAL(d, ) break;
  default: {
    int x = 0, y = 0;
    for (int i = 0; i < kind_bytes[kind]; i++) x |= a.bytes[i], y |= b.bytes[i];
    x = x != 0, y = y != 0;
    return op == PORTABLE_BINARY_AND ? x && y : op == PORTABLE_BINARY_OR ? x || y : op == PORTABLE_BINARY_EQUAL ? x == y : x != y;
  }
  }
  return -1;
}

#define UNARY_REAL(m, f)                                                                          \
  switch (op) {                                                                                   \
  case PORTABLE_UNARY_PLUS: r->m = a.m; break;                                                    \
  case PORTABLE_UNARY_NEGATE: r->m = -a.m; break;                                                 \
  case PORTABLE_UNARY_ABS: r->m = fabs##f(a.m); break;                                            \
  case PORTABLE_UNARY_SQRT: r->m = sqrt##f(a.m); break;                                           \
  case PORTABLE_UNARY_CBRT: r->m = cbrt##f(a.m); break;                                           \
  case PORTABLE_UNARY_SIN: r->m = sin##f(a.m); break;                                             \
  case PORTABLE_UNARY_COS: r->m = cos##f(a.m); break;                                             \
  case PORTABLE_UNARY_TAN: r->m = tan##f(a.m); break;                                             \
  case PORTABLE_UNARY_ASIN: r->m = asin##f(a.m); break;                                           \
  case PORTABLE_UNARY_ACOS: r->m = acos##f(a.m); break;                                           \
  case PORTABLE_UNARY_ATAN: r->m = atan##f(a.m); break;                                           \
  case PORTABLE_UNARY_EXP: r->m = exp##f(a.m); break;                                             \
  case PORTABLE_UNARY_LOG: r->m = log##f(a.m); break;                                             \
  case PORTABLE_UNARY_LOG10: r->m = log10##f(a.m); break;                                         \
  case PORTABLE_UNARY_LOG2: r->m = log2##f(a.m); break;                                           \
  case PORTABLE_UNARY_FLOOR: r->m = floor##f(a.m); break;                                         \
  case PORTABLE_UNARY_CEIL: r->m = ceil##f(a.m); break;                                           \
  case PORTABLE_UNARY_ROUND: r->m = round##f(a.m); break;                                         \
  case PORTABLE_UNARY_ISNAN: return isnan(a.m) != 0;                                              \
  case PORTABLE_UNARY_ISINF: return isinf(a.m) != 0;                                              \
  case PORTABLE_UNARY_NOT: return !(a.m != 0);                                                    \
  default: break; /* then the library does not have it either */                               \
  }

#define UNARY_INTEGER(T, U, m)                                                                    \
  switch (op) {                                                                                   \
  case PORTABLE_UNARY_PLUS: r->m = a.m; break;                                                    \
  case PORTABLE_UNARY_NEGATE: r->m = (T)(0 - (U)a.m); break;                                      \
  case PORTABLE_UNARY_ABS: r->m = a.m < 0 ? (T)(0 - (U)a.m) : a.m; break;                         \
  case PORTABLE_UNARY_NOT: return !a.m;                                                           \
  default: break; /* then the library does not have it either */                               \
  }

static int unary(int op, int kind, element a, element *r) {
  switch (kind) {
  case PORTABLE_KIND_INT32: UNARY_INTEGER(int32_t, uint32_t, i) break;
  case PORTABLE_KIND_INT64: UNARY_INTEGER(int64_t, uint64_t, l) break;
  case PORTABLE_KIND_REAL32: UNARY_REAL(f, f) break;
  case PORTABLE_KIND_REAL64: UNARY_REAL(d, ) break;
  default: {
    int x = 0;
    for (int i = 0; i < kind_bytes[kind]; i++) x |= a.bytes[i];
    return !x;
  }
  }
  return -1;
}

/* ---- values ---- */

/* small: for powers and divisors. */
static element some_value(int kind, int small) {
  static const double odd[] = {0.0, -0.0, 1.0, -1.0, 0.5, -2.5, INFINITY, -INFINITY, NAN, DBL_MAX, DBL_MIN, 1e-310, 3e9, -7.25};
  element e;
  memset(&e, 0, sizeof e);
  switch (kind) {
  case PORTABLE_KIND_INT32: e.i = small ? (int32_t)below(9) - 4 : any() % 4 ? (int32_t)below(2000) - 1000 : any() % 2 ? (int32_t)any() : INT32_MIN + (int32_t)below(2); break;
  case PORTABLE_KIND_INT64: e.l = small ? below(9) - 4 : any() % 4 ? below(2000) - 1000 : any() % 2 ? (int64_t)any() : INT64_MIN + below(2); break;
  case PORTABLE_KIND_REAL32: e.f = any() % 3 ? (float)below(4000) / 64 - 30 : (float)odd[below(14)]; break;
  case PORTABLE_KIND_REAL64: e.d = any() % 3 ? (double)below(4000) / 64 - 30 : odd[below(14)]; break;
  case PORTABLE_KIND_COMPLEX64:
  case PORTABLE_KIND_COMPLEX32:
  case PORTABLE_KIND_INT8:
  case PORTABLE_KIND_INT16:
    for (int i = 0; i < 16; i++) e.bytes[i] = (unsigned char)any();
    break;
  default:
    if (any() % 2) e.bytes[below(kind_bytes[kind])] = (unsigned char)(1 + below(255));
  }
  return e;
}

/* ---- arrays ---- */

typedef struct {
  int64_t bytes, size, first, strides[8], extents[8];
  int one, rank;
  unsigned char *block;
} array;

static int64_t at(const array *x, const int64_t *index) {
  int64_t place = x->first;
  for (int d = 0; d < x->rank && !x->one; d++) place += index[d] * x->strides[d];
  return place;
}

static int next(const array *x, int64_t *index) {
  for (int d = 0; d < x->rank; d++) {
    if (++index[d] < x->extents[d]) return 1;
    index[d] = 0;
  }
  return 0;
}

/* contiguous: 0: anywhere. */
static array make(int rank, const int64_t *extents, int64_t bytes, int order, int contiguous, int one) {
  array x = {.bytes = bytes, .rank = rank, .one = one};
  int axis[8];
  int64_t step = bytes, gaps = contiguous ? 0 : below(4);
  for (int d = 0; d < rank; d++) axis[d] = order == PORTABLE_ORDER_FORTRAN ? d : rank - 1 - d;
  if (gaps == 3)
    for (int d = rank - 1; d > 0; d--) {
      int other = (int)below(d + 1), swap = axis[d];
      axis[d] = axis[other];
      axis[other] = swap;
    }
  for (int d = 0; d < rank; d++) {
    int64_t n = x.extents[axis[d]] = extents[axis[d]];
    if (gaps) step += gaps == 1 ? bytes * below(3) : below(7);
    x.strides[axis[d]] = step;
    if (gaps && any() % 4 == 0) {
      x.strides[axis[d]] = -step;
      x.first += (n - 1) * step;
    }
    step *= n;
  }
  x.size = step + 32;
  x.block = malloc((size_t)x.size);
  for (int64_t i = 0; i < x.size; i++) x.block[i] = (unsigned char)any();
  return x;
}

static void set(const array *x, const int64_t *index, const element *e) { memcpy(x->block + at(x, index), e, (size_t)x->bytes); }
static element get(const array *x, const int64_t *index) {
  element e;
  memset(&e, 0, sizeof e);
  memcpy(&e, x->block + at(x, index), (size_t)x->bytes);
  return e;
}

static void some_shape(int *rank, int64_t *extents) {
  int64_t left = any() % 8 == 0 ? 30000 : 1 + below(3000);
  *rank = any() % 6 ? 1 + (int)below(4) : 1 + (int)below(8);
  for (int d = 0; d < 8; d++) {
    extents[d] = d < *rank ? 1 + below(d == *rank - 1 ? left : left < 40 ? left : any() % 2 ? 4 : 40) : 1;
    if ((left /= extents[d]) < 1) left = 1;
  }
}

/* Which NaN it is depends on which operand a processor takes first. */
static int same(int kind, const element *x, const element *y, int64_t bytes) {
  if (kind == PORTABLE_KIND_REAL32 && bytes == 4 && isnan(x->f) && isnan(y->f)) return 1;
  if (kind == PORTABLE_KIND_REAL64 && bytes == 8 && isnan(x->d) && isnan(y->d)) return 1;
  return !memcmp(x, y, (size_t)bytes);
}

/* what: 0 unary, 1 binary, 2 merge (op is 0), 3 fill (op is 0). Gives 0 where the kind does not have the operation. */
static int compare(int what, int op, int kind, int in_place) {
  static const int32_t logicals[] = {0, PORTABLE_KIND_LOGICAL8, PORTABLE_KIND_LOGICAL16, PORTABLE_KIND_LOGICAL32, PORTABLE_KIND_LOGICAL64};
  portable_componentwise_options o = PORTABLE_COMPONENTWISE_OPTIONS_INIT;
  int64_t extents[8], index[8] = {0}, bytes = kind_bytes[kind], result_bytes = bytes;
  int rank, mask_kind = logicals[1 + below(4)], truth, contiguous = any() % 3 == 0;
  element r, got;
  some_shape(&rank, extents);
  o.order = any() % 2 ? PORTABLE_ORDER_C : PORTABLE_ORDER_FORTRAN;
  truth = (what == 1 && op >= PORTABLE_BINARY_LESS) || (what == 0 && op >= PORTABLE_UNARY_ISNAN);
  if (truth) {
    o.result_kind = logicals[below(5)];
    result_bytes = o.result_kind ? kind_bytes[o.result_kind] : kind >= PORTABLE_KIND_LOGICAL8 ? bytes : 4;
  }
  if (in_place && result_bytes != bytes) return 1;
  array a = make(rank, extents, bytes, o.order, contiguous, what == 3 || (!in_place && any() % 5 == 0));
  array b = make(rank, extents, bytes, o.order, contiguous, any() % 5 == 0);
  array mask = make(rank, extents, kind_bytes[mask_kind], o.order, contiguous, any() % 8 == 0);
  array result = in_place ? a : make(rank, extents, result_bytes, o.order, contiguous, 0);
  int small = what == 1 && op == PORTABLE_BINARY_POWER, divides = what == 1 && op >= PORTABLE_BINARY_DIVIDE && op <= PORTABLE_BINARY_POWER;
  do { /* single values are written again and again: the last one is used */
    element x = some_value(kind, 0), y = some_value(kind, small), m = some_value(mask_kind, 0);
    int whole = kind == PORTABLE_KIND_INT32 || kind == PORTABLE_KIND_INT64;
    while (whole && divides && y.u == 0) y = some_value(kind, small);
    while (whole && small && x.u == 0) x = some_value(kind, 0);
    set(&a, index, &x), set(&b, index, &y), set(&mask, index, &m);
  } while (next(&result, index));
  unsigned char *want = malloc((size_t)result.size);
  memcpy(want, result.block, (size_t)result.size);
  do {
    element x = get(&a, index), y = get(&b, index), m = get(&mask, index);
    memset(&r, 0, sizeof r);
    int is = what == 0 ? unary(op, kind, x, &r) : what == 1 ? binary(op, kind, x, y, &r) : -1;
    if (what == 2) r = m.u ? x : y;
    if (what == 3) r = x;
    if (is >= 0) r.l = is;
    memcpy(want + at(&result, index), &r, (size_t)result_bytes);
  } while (next(&result, index));
  if (!contiguous) o.a_strides = a.strides, o.b_strides = b.strides, o.mask_strides = mask.strides, o.result_strides = result.strides;
  o.flags = (a.one && what != 3 ? PORTABLE_ONE_A : 0) | (b.one ? PORTABLE_ONE_B : 0) | (mask.one ? PORTABLE_ONE_MASK : 0);
  unsigned char *pa = a.block + a.first, *pb = b.block + b.first, *pm = mask.block + mask.first, *pr = result.block + result.first;
  portable_status status = what == 0   ? portable_unary("unary", op, kind, pa, pr, rank, extents, &o)
                           : what == 1 ? portable_binary("binary", op, kind, pa, pb, pr, rank, extents, &o)
                           : what == 2 ? portable_merge("merge", kind, pa, pb, mask_kind, pm, pr, rank, extents, &o)
                                       : portable_fill("fill", pa, bytes, pr, rank, extents, &o);
  int has = status != PORTABLE_ERR_ARG || !strstr(portable_last_error(), "there is no ");
  if (has) {
    CHECK_STATUS(status, PORTABLE_OK);
    do {
      int64_t place = at(&result, index);
      memset(&r, 0, sizeof r), memset(&got, 0, sizeof got);
      memcpy(&r, want + place, (size_t)result_bytes), memcpy(&got, result.block + place, (size_t)result_bytes);
      if (!same(truth ? 0 : kind, &r, &got, result_bytes)) {
        printf("call %d operation %d kind %d in place %d: %llx, not %llx\n", what, op, kind, in_place, (unsigned long long)got.u, (unsigned long long)r.u);
        check_failures++;
        break;
      }
      memcpy(want + place, &got, (size_t)result_bytes);
    } while (next(&result, index));
    CHECK(!memcmp(want, result.block, (size_t)result.size)); /* what lies between stays */
  }
  free(want), free(a.block), free(b.block), free(mask.block);
  if (!in_place) free(result.block);
  return has;
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 2, had = 0;
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  for (int kind = PORTABLE_KIND_INT8; kind <= PORTABLE_KIND_LOGICAL64; kind++) {
    for (int op = 1; op <= PORTABLE_BINARY_OR; op++)
      for (int i = 0; i < rounds; i++) had += compare(1, op, kind, i % 3 == 1) && i == 0;
    for (int op = 1; op <= PORTABLE_UNARY_NOT; op++)
      for (int i = 0; i < rounds; i++) had += compare(0, op, kind, i % 3 == 1) && i == 0;
    for (int i = 0; i < 4 * rounds; i++) CHECK(compare(2, 0, kind, i % 2) + compare(3, 0, kind, 0) == 2);
  }
  /* 17 of integers and 18 of reals, 4 of logicals; 4 of integers, 21 of reals, 1 of logicals: in place all have what fits. */
  printf("%d operations of kinds\n", had);
  CHECK(check_failures > 0 || had == 2 * 17 + 2 * 18 + 4 * 4 + 2 * 4 + 2 * 21 + 4 * 1);
  return check_end();
}
