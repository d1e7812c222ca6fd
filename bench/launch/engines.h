/* engines.h - one loop over 0..n-1 for each compared engine; ENGINE chooses it. The body is the
 * same. */
#ifndef ENGINES_H
#define ENGINES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One iteration; opaque to the compiler, so that no engine's loop is thrown away. */
static inline void body(int64_t i) { __asm__ volatile("" : : "r"(i) : "memory"); }

void engine_start(int threads); /* 0: as many as the engine chooses */
int engine_threads(void);
void engine_loop(int64_t n);             /* body(i) for each i */
void engine_nested(int64_t outer, int64_t n); /* a loop of n iterations inside each of outer iterations */
void engine_work(double *data, int64_t n);    /* some arithmetic on each of n numbers */

#ifdef __cplusplus
}
#endif

#endif
