/* processor.h - which instructions there are beyond those that the library is compiled for. Private. Threads: any. */
#ifndef PORTABLE__PROCESSOR_H
#define PORTABLE__PROCESSOR_H

#define PORTABLE__AVX2 1
#define PORTABLE__AVX512 2 /* its foundation */

/* Whether processor and system have it; the answer never changes. */
int portable__processor_has(int what);

/* For tests: the instructions that are taken away, until the next call; 0: all is there again. */
void portable__processor_hide(int what);

#endif
