// device_math.h - mathematics and vector types of CUDA for kernels compiled by the fake NVRTC; see device.h.
#pragma GCC system_header

#define FAKE_MATH1(name)                                 \
  extern "C" double name(double);                        \
  extern "C" float name##f(float);                       \
  static inline float name(float x) { return name##f(x); }
#define FAKE_MATH2(name)                                                       \
  extern "C" double name(double, double);                                      \
  extern "C" float name##f(float, float);                                      \
  static inline float name(float x, float y) { return name##f(x, y); }         \
  static inline double name(double x, float y) { return name(x, (double)y); }  \
  static inline double name(float x, double y) { return name((double)x, y); }  \
  static inline double name(double x, int y) { return name(x, (double)y); }    \
  static inline double name(int x, double y) { return name((double)x, y); }
FAKE_MATH1(sin) FAKE_MATH1(cos) FAKE_MATH1(tan) FAKE_MATH1(asin) FAKE_MATH1(acos) FAKE_MATH1(atan) FAKE_MATH1(sinh) FAKE_MATH1(cosh)
FAKE_MATH1(tanh) FAKE_MATH1(asinh) FAKE_MATH1(acosh) FAKE_MATH1(atanh) FAKE_MATH1(exp) FAKE_MATH1(exp2) FAKE_MATH1(exp10) FAKE_MATH1(expm1)
FAKE_MATH1(log) FAKE_MATH1(log2) FAKE_MATH1(log10) FAKE_MATH1(log1p) FAKE_MATH1(sqrt) FAKE_MATH1(cbrt) FAKE_MATH1(fabs) FAKE_MATH1(floor)
FAKE_MATH1(ceil) FAKE_MATH1(trunc) FAKE_MATH1(round) FAKE_MATH1(rint) FAKE_MATH1(nearbyint) FAKE_MATH1(erf) FAKE_MATH1(erfc) FAKE_MATH1(tgamma)
FAKE_MATH1(lgamma) FAKE_MATH1(logb)
FAKE_MATH2(atan2) FAKE_MATH2(pow) FAKE_MATH2(fmod) FAKE_MATH2(hypot) FAKE_MATH2(copysign) FAKE_MATH2(fmin) FAKE_MATH2(fmax) FAKE_MATH2(fdim)
FAKE_MATH2(remainder) FAKE_MATH2(nextafter)

extern "C" {
double fma(double, double, double);
float fmaf(float, float, float);
double ldexp(double, int);
float ldexpf(float, int);
double scalbn(double, int);
double frexp(double, int *);
double modf(double, double *);
int ilogb(double);
long lrint(double);
long long llrint(double);
long lround(double);
long long llround(double);
long long llroundf(float);
int abs(int);
long labs(long);
long long llabs(long long);
double nan(const char *);
}
static inline long long llround(float x) { return llroundf(x); }
static inline float fma(float x, float y, float z) { return fmaf(x, y, z); }
static inline float ldexp(float x, int n) { return ldexpf(x, n); }

extern "C" {
double j0(double);
double j1(double);
double y0(double);
double y1(double);
}
static inline double norm3d(double x, double y, double z) { return sqrt(x * x + y * y + z * z); }
static inline double normcdf(double x) { return 0.5 * erfc(-x * 0.70710678118654752440); }
static inline double rsqrt(double x) { return 1.0 / sqrt(x); }
static inline float rsqrt(float x) { return 1.0f / sqrtf(x); }
static inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
static inline double sinpi(double x) { return sin(x * 3.14159265358979323846); }
static inline double cospi(double x) { return cos(x * 3.14159265358979323846); }
static inline void sincos(double x, double *s, double *c) { *s = sin(x), *c = cos(x); }
static inline void sincosf(float x, float *s, float *c) { *s = sinf(x), *c = cosf(x); }
static inline long abs(long x) { return labs(x); }
static inline long long abs(long long x) { return llabs(x); }
static inline float abs(float x) { return fabsf(x); }
static inline double abs(double x) { return fabs(x); }
#define FAKE_CLASS(name)                                                   \
  static inline bool name(double x) { return __builtin_##name(x) != 0; }   \
  static inline bool name(float x) { return __builtin_##name(x) != 0; }
FAKE_CLASS(isnan) FAKE_CLASS(isinf) FAKE_CLASS(isfinite) FAKE_CLASS(signbit)
static inline int __isnan(double x) { return __builtin_isnan(x); }
static inline int __isinf(double x) { return __builtin_isinf(x) != 0; }
static inline int __finite(double x) { return __builtin_isfinite(x); }

#define FAKE_MINMAX(T)                                        \
  static inline T min(T a, T b) { return b < a ? b : a; }     \
  static inline T max(T a, T b) { return a < b ? b : a; }
FAKE_MINMAX(int) FAKE_MINMAX(unsigned) FAKE_MINMAX(long) FAKE_MINMAX(unsigned long) FAKE_MINMAX(long long) FAKE_MINMAX(unsigned long long)
#define FAKE_MINMAX_MIXED(A, B, T)                            \
  static inline T min(A a, B b) { return min((T)a, (T)b); }   \
  static inline T min(B a, A b) { return min((T)a, (T)b); }   \
  static inline T max(A a, B b) { return max((T)a, (T)b); }   \
  static inline T max(B a, A b) { return max((T)a, (T)b); }
FAKE_MINMAX_MIXED(int, unsigned, unsigned)
FAKE_MINMAX_MIXED(long, unsigned long, unsigned long)
FAKE_MINMAX_MIXED(long long, unsigned long long, unsigned long long)
static inline float min(float a, float b) { return fminf(a, b); }
static inline float max(float a, float b) { return fmaxf(a, b); }
static inline double min(double a, double b) { return fmin(a, b); }
static inline double max(double a, double b) { return fmax(a, b); }
static inline double min(float a, double b) { return fmin((double)a, b); }
static inline double min(double a, float b) { return fmin(a, (double)b); }
static inline double max(float a, double b) { return fmax((double)a, b); }
static inline double max(double a, float b) { return fmax(a, (double)b); }

#include "bits.h"
static inline float __expf(float a) { return expf(a); }
static inline float __logf(float a) { return logf(a); }
static inline float __sinf(float a) { return sinf(a); }
static inline float __cosf(float a) { return cosf(a); }
static inline float __powf(float a, float b) { return powf(a, b); }

// ---- vectors ----

#define FAKE_VECTORS(T, name, align2, align4)                                                   \
  struct name##1 { T x; };                                                                      \
  struct alignas(align2) name##2 { T x, y; };                                                   \
  struct name##3 { T x, y, z; };                                                                \
  struct alignas(align4) name##4 { T x, y, z, w; };                                             \
  static inline name##1 make_##name##1(T x) { return name##1{x}; }                              \
  static inline name##2 make_##name##2(T x, T y) { return name##2{x, y}; }                      \
  static inline name##3 make_##name##3(T x, T y, T z) { return name##3{x, y, z}; }              \
  static inline name##4 make_##name##4(T x, T y, T z, T w) { return name##4{x, y, z, w}; }
FAKE_VECTORS(signed char, char, 2, 4)
FAKE_VECTORS(unsigned char, uchar, 2, 4)
FAKE_VECTORS(short, short, 4, 8)
FAKE_VECTORS(unsigned short, ushort, 4, 8)
FAKE_VECTORS(int, int, 8, 16)
FAKE_VECTORS(long, long, 16, 16)
FAKE_VECTORS(unsigned long, ulong, 16, 16)
FAKE_VECTORS(long long, longlong, 16, 16)
FAKE_VECTORS(unsigned long long, ulonglong, 16, 16)
FAKE_VECTORS(float, float, 8, 16)
FAKE_VECTORS(double, double, 16, 16)
struct uint1 { unsigned x; };
struct alignas(8) uint2 { unsigned x, y; };
struct alignas(16) uint4 { unsigned x, y, z, w; };
static inline uint1 make_uint1(unsigned x) { return uint1{x}; }
static inline uint2 make_uint2(unsigned x, unsigned y) { return uint2{x, y}; }
static inline uint3 make_uint3(unsigned x, unsigned y, unsigned z) { return uint3{x, y, z}; }
static inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return uint4{x, y, z, w}; }
