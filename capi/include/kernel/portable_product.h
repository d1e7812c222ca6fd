/* portable_product.h - products that no compiler joins with a sum, for portable_random.h and portable_solvers.h; programs include those.
 *
 * PORTABLE__PRODUCT64(a, b) and PORTABLE__PRODUCT32(a, b) are a * b, rounded. Compilers for host processors are kept from the sum by an empty
 * instruction: gcc 12 forgets __builtin_assoc_barrier in loops of vectors, and clang the pragma under -ffp-contract=fast.
 */
#ifndef PORTABLE_PRODUCT_H
#define PORTABLE_PRODUCT_H

#if defined(__CUDA_ARCH__) || defined(__CUDACC_RTC__)
#define PORTABLE__PRODUCT64(a, b) __dmul_rn(a, b)
#define PORTABLE__PRODUCT32(a, b) __fmul_rn(a, b)
#else
#define PORTABLE__PRODUCT64(a, b) portable__product_real64(a, b)
#define PORTABLE__PRODUCT32(a, b) portable__product_real32(a, b)
#if defined(__CUDACC__)
#define PORTABLE__ROUNDED static __inline__ __host__ __device__
#elif defined(__GNUC__)
#define PORTABLE__ROUNDED static inline __attribute__((unused))
#else
#define PORTABLE__ROUNDED static inline
#endif
#if defined(PORTABLE__MATH_UNFUSED) /* the flags of the file say that nothing is fused: an instruction would keep loops from vectors */
#define PORTABLE__ALONE(x) ((void)0)
#elif defined(__GNUC__) && defined(__x86_64__)
#define PORTABLE__ALONE(x) __asm__("" : "+x"(x))
#elif defined(__GNUC__) && defined(__aarch64__)
#define PORTABLE__ALONE(x) __asm__("" : "+w"(x))
#else
#define PORTABLE__ALONE(x) *(volatile char *)&(x)
#endif
PORTABLE__ROUNDED double portable__product_real64(double a, double b) {
  double product = a * b;
  PORTABLE__ALONE(product);
  return product;
}
PORTABLE__ROUNDED float portable__product_real32(float a, float b) {
  float product = a * b;
  PORTABLE__ALONE(product);
  return product;
}
#endif

#endif
