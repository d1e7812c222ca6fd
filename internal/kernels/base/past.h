/* past.h - stores that go past the caches, for results that are too large to stay in them. Private.
 *
 * A usual store reads its cache line first, which is a third of the traffic of a copy. These stores do not, but the lines
 * are not in the cache afterwards, so this is for much memory only. Other threads see the stores in order only after
 * portable__past_end. Threads: any; a line that two threads store to is slow, not wrong. */
#ifndef PORTABLE__PAST_H
#define PORTABLE__PAST_H

#include <stdint.h>

#define PORTABLE__PAST_BLOCK 2048 /* bytes that are made in the first-level cache at a time: few, so that reading goes on meanwhile */

/* Results of so many bytes go past the caches: more than a core's share of third-level caches. Tests change it. */
extern int64_t portable__past_from;

/* Copies bytes. Fast are whole cache lines of `to`; `from` is in a cache. */
void portable__past_store(char *to, const char *from, int64_t bytes);

/* Bytes of a block that ends with a cache line of `to`. */
static inline int64_t portable__past_block(const char *to) { return PORTABLE__PAST_BLOCK - (int64_t)((uintptr_t)to & 63); }

/* On the thread that stored, before it says that it is done. */
void portable__past_end(void);

#endif
