// launch_body.h - reductions with one body: compiled into launch.c, and handed to NVRTC as it is.
#include <portable_device_reduce.h>

struct flow_args {
  const double *h, *u;
  long long nx;
};
#define FLOW(RESULT)                            \
  RESULT(SUM, double, energy)                   \
  RESULT(MAX, double, highest)                  \
  RESULT(MINLOC, portable_loc_real64, slowest)  \
  RESULT(COUNT, int64_t, wet)                   \
  RESULT(ALL, int32_t, calm)                    \
  RESULT(PRODUCT, double, product)
typedef struct flow_args flow_args;
PORTABLE_REDUCE_KERNEL_2(flow, flow_args, a, i, j, give, FLOW) {
  const long long at = i * a->nx + j;
  const double u = a->u[at];
  give->energy = 0.5 * a->h[at] * u * u;
  give->highest = a->h[at];
  give->slowest.value = u;
  give->slowest.index = at;
  give->wet = a->h[at] > 0.5;
  give->calm = u < 1.0;
  give->product = 1.0 + 0.001 * u;
}

/* Results for some iterations only, and of a type that is not the argument's. */
#define SUMS(RESULT) RESULT(SUM, double, sum) RESULT(MIN, double, least) RESULT(ANY, int32_t, any)
PORTABLE_REDUCE_KERNEL_1(sums, flow_args, a, i, give, SUMS) {
  if (i % 3 == 0) return;
  give->sum = a->u[i];
  give->least = a->h[i];
  give->any = a->h[i] > 0.999;
}

/* More than shared memory has room for. */
#define MANY(RESULT)                                                                                                     \
  RESULT(SUM, double, s0) RESULT(SUM, double, s1) RESULT(SUM, double, s2) RESULT(SUM, double, s3) RESULT(SUM, double, s4) RESULT(SUM, double, s5) \
  RESULT(SUM, double, s6) RESULT(SUM, double, s7) RESULT(SUM, double, s8) RESULT(SUM, double, s9) RESULT(SUM, double, s10) RESULT(SUM, double, s11) \
  RESULT(SUM, double, s12) RESULT(SUM, double, s13) RESULT(SUM, double, s14) RESULT(SUM, double, s15)
PORTABLE_REDUCE_KERNEL_3(many, flow_args, a, i, j, k, give, MANY) {
  const double u = a->u[(i * 7 + j) * 11 + k];
  give->s0 = u, give->s1 = u * 2, give->s2 = u * 3, give->s3 = u * 5, give->s4 = u * 7, give->s5 = u * 11, give->s6 = u * 13, give->s7 = u * 17;
  give->s8 = u * u, give->s9 = u * 19, give->s10 = u * 23, give->s11 = u * 29, give->s12 = u * 31, give->s13 = u * 37, give->s14 = u * 41, give->s15 = u + 1;
}
