/* inject.h - the program's own mmap, munmap and aligned_alloc, which refuse on order what the library's host source asks
 * for. The linker takes them for the archive's calls too, before those of the C library. Not in this file: checks. */
#ifndef INJECT_H
#define INJECT_H

#include <stdint.h>

/* Refused operations: mapping of slabs and tables, freeing them, or single blocks (GATOR_DISABLE=1). */
enum inject_what { INJECT_NOTHING, INJECT_MAP, INJECT_UNMAP, INJECT_HEAP };

/* Refuses call number `at`, from 1, counted from now on; all from there on when `forever`. */
void inject_arm(int what, int at, int forever);
/* Nothing is refused any more. */
void inject_heal(void);
/* Calls of the kind that is armed, and refusals, since inject_arm. */
int inject_calls(void);
int inject_refusals(void);
/* Bytes mapped for slabs and tables now. */
uint64_t inject_mapped(void);
/* Those of them whose freeing was refused, and not asked for again. */
uint64_t inject_lost(void);

#endif
