/* shuffle.h - lanes of two vectors in another order, for gcc and clang: vector code that is no
 * processor's own. Private. Threads: any. */
#ifndef PORTABLE__BASE_SHUFFLE_H
#define PORTABLE__BASE_SHUFFLE_H

/* The lanes with these numbers, which count through a and on through b; `integers` is a vector of integers as many and as large as the lanes. */
#if defined(__clang__)
#define PORTABLE__SHUFFLE(integers, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define PORTABLE__SHUFFLE(integers, a, b, ...) __builtin_shuffle(a, b, (integers){__VA_ARGS__})
#endif

#endif
