/* processor.h - which instructions there are beyond those that the library is compiled for, and what
 * else of the processor kernels heed. Private. Threads: any. */
#ifndef PORTABLE__PROCESSOR_H
#define PORTABLE__PROCESSOR_H

#include <stdint.h>

#define PORTABLE__AVX2 1
#define PORTABLE__AVX512 2 /* its foundation */
#define PORTABLE__INTEL 4

/* Whether processor and system have it; the answer never changes. */
int portable__processor_has(int what);

/* How many bytes before they are read a loop asks for elements in a row (RATIONALE.md). */
static inline int64_t portable__ask_ahead(void) { return portable__processor_has(PORTABLE__INTEL) ? 4096 : 512; }

/* For tests: the instructions that are taken away, until the next call; 0: all is there again. */
void portable__processor_hide(int what);

#endif
