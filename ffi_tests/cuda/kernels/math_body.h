/* math_body.h - a kernel that calls each function of portable_math.h, for the host and the device (math.c). */
#include <portable_device.h>
#include <portable_math.h>

#define MATH_FUNCTIONS 22

typedef struct math_args {
  int64_t n;
  const double *x, *y;
  double *r64; /* [MATH_FUNCTIONS][n] */
  float *r32;  /* [MATH_FUNCTIONS][n] */
} math_args;

#define MATH_ONE(row, name)                                            \
  a->r64[row * a->n + i] = portable_##name##_real64(x);                \
  a->r32[row * a->n + i] = portable_##name##_real32((float)x);
#define MATH_TWO(row, name)                                            \
  a->r64[row * a->n + i] = portable_##name##_real64(x, y);             \
  a->r32[row * a->n + i] = portable_##name##_real32((float)x, (float)y);

PORTABLE_KERNEL(math_functions, math_args, a) {
  PORTABLE_FOR_1(i) {
    const double x = a->x[i], y = a->y[i];
    MATH_ONE(0, exp) MATH_ONE(1, log) MATH_ONE(2, log10) MATH_ONE(3, sin) MATH_ONE(4, cos) MATH_ONE(5, tan) MATH_ONE(6, asin) MATH_ONE(7, acos)
    MATH_ONE(8, atan) MATH_ONE(9, sinh) MATH_ONE(10, cosh) MATH_ONE(11, tanh) MATH_ONE(12, asinh) MATH_ONE(13, acosh) MATH_ONE(14, atanh)
    MATH_ONE(15, erf) MATH_ONE(16, erfc) MATH_ONE(17, gamma) MATH_ONE(18, log_gamma)
    MATH_TWO(19, pow) MATH_TWO(20, atan2) MATH_TWO(21, hypot)
  }
}
