// bits.h - operations of CUDA with a rounding, conversions, and bits of numbers; included by device_math.h and nvcc.h, which have the mathematics that is
// used here.
#pragma GCC system_header

// ---- operations with a rounding, never contracted: the asm keeps g++ from seeing through ----

#define FAKE_ROUNDED(name, T, expression)        \
  static inline T name(T a, T b) {               \
    T r = expression;                            \
    asm("" : "+x"(r));                           \
    return r;                                    \
  }
FAKE_ROUNDED(__dadd_rn, double, a + b)
FAKE_ROUNDED(__dsub_rn, double, a - b)
FAKE_ROUNDED(__dmul_rn, double, a *b)
FAKE_ROUNDED(__ddiv_rn, double, a / b)
FAKE_ROUNDED(__fadd_rn, float, a + b)
FAKE_ROUNDED(__fsub_rn, float, a - b)
FAKE_ROUNDED(__fmul_rn, float, a *b)
FAKE_ROUNDED(__fdiv_rn, float, a / b)
static inline double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
static inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
static inline double __dsqrt_rn(double a) { return sqrt(a); }
static inline float __fsqrt_rn(float a) { return sqrtf(a); }
static inline double __drcp_rn(double a) { return 1.0 / a; }
static inline float __frcp_rn(float a) { return 1.0f / a; }
static inline float __fdividef(float a, float b) { return a / b; }
static inline float __saturatef(float a) { return a < 0 ? 0 : a > 1 ? 1 : a; }

// ---- conversions and bits ----

#define FAKE_BITS(name, to, from)                \
  static inline to name(from x) {                \
    to r;                                        \
    __builtin_memcpy(&r, &x, sizeof r);          \
    return r;                                    \
  }
FAKE_BITS(__double_as_longlong, long long, double)
FAKE_BITS(__longlong_as_double, double, long long)
FAKE_BITS(__float_as_int, int, float)
FAKE_BITS(__int_as_float, float, int)
FAKE_BITS(__float_as_uint, unsigned, float)
FAKE_BITS(__uint_as_float, float, unsigned)
static inline int __double2hiint(double x) { return int(__double_as_longlong(x) >> 32); }
static inline int __double2loint(double x) { return int(__double_as_longlong(x)); }
static inline double __hiloint2double(int hi, int lo) { return __longlong_as_double((long long)((unsigned long long)(unsigned)hi << 32 | (unsigned)lo)); }
static inline int __double2int_rz(double x) { return (int)x; }
static inline int __double2int_rn(double x) { return (int)rint(x); }
static inline int __double2int_rd(double x) { return (int)floor(x); }
static inline int __double2int_ru(double x) { return (int)ceil(x); }
static inline long long __double2ll_rz(double x) { return (long long)x; }
static inline long long __double2ll_rn(double x) { return llrint(x); }
static inline float __double2float_rn(double x) { return (float)x; }
static inline double __int2double_rn(int x) { return x; }
static inline double __ll2double_rn(long long x) { return (double)x; }
static inline double __ull2double_rn(unsigned long long x) { return (double)x; }
static inline int __float2int_rz(float x) { return (int)x; }
static inline int __float2int_rn(float x) { return (int)rintf(x); }
static inline int __popcll(unsigned long long x) { /* g++ would call libgcc */
  x -= x >> 1 & 0x5555555555555555ull;
  x = (x & 0x3333333333333333ull) + (x >> 2 & 0x3333333333333333ull);
  return (int)(((x + (x >> 4)) & 0x0f0f0f0f0f0f0f0full) * 0x0101010101010101ull >> 56);
}
static inline int __popc(unsigned x) { return __popcll(x); }
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline int __ffsll(long long x) { return __builtin_ffsll(x); }
static inline int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
static inline int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
static inline unsigned long long __brevll(unsigned long long x) {
  unsigned long long r = 0;
  for (int i = 0; i < 64; i++) r |= (x >> i & 1) << (63 - i);
  return r;
}
static inline unsigned __brev(unsigned x) { return (unsigned)(__brevll(x) >> 32); }
static inline int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
static inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
static inline long long __mul64hi(long long a, long long b) { return (long long)((__int128)a * b >> 64); }
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) { return (unsigned long long)((unsigned __int128)a * b >> 64); }
static inline int __mul24(int a, int b) { return (a << 8 >> 8) * (b << 8 >> 8); }
