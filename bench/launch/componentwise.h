/* componentwise.h - operations on arrays element by element, by each engine:
 * componentwise_portable.c and componentwise_openmp.c. */
#ifndef COMPONENTWISE_H
#define COMPONENTWISE_H

#include <stdint.h>

void start(void);
void fill(int64_t n, double value, double *c);
void add(int64_t n, const double *a, const double *b, double *c);
void root(int64_t n, const double *a, double *c);
void less(int64_t n, const double *a, const double *b, int32_t *mask);
void sine(int64_t n, const double *a, double *c);
/* n elements, each the second one of its array */
void add_second(int64_t n, const double *a, const double *b, double *c);
/* the inside of a square of n x n, without its border */
void add_inside(int64_t n, const double *a, const double *b, double *c);

#endif
