/* refuse.h - refuses memory and threads to the library's own calls of malloc, calloc, realloc, reallocarray, posix_memalign,
 * aligned_alloc, strdup, mmap and pthread_create. The linker sends them here (--wrap). Calls of Go's runtime pass: it ends the
 * program if it is refused a thread, and no library can change that. Not in this file: checks. */
#ifndef REFUSE_H
#define REFUSE_H

/* Reads the program's symbols, by which callers are recognised. 0: there are none. Call it first. */
int refuse_open(void);
/* Refuses call number `at`, from 1, counted from now on over all threads; all from there on if `forever`. 0: only counts. */
void refuse_arm(long at, int forever);
/* Nothing is refused any more. */
void refuse_heal(void);
/* Calls and refusals since refuse_arm. */
long refuse_calls(void);
long refuse_refusals(void);
/* The function that was refused last. */
const char *refuse_caller(void);

#endif
