/* uses.h - notes which blocks launches in created streams of CUDA devices use. Threads: any. */
#ifndef PORTABLE__USES_H
#define PORTABLE__USES_H

#include "queue.h"

/* Notes that a launch in a created stream of a CUDA device uses the blocks with these addresses, up to the number. */
void portable__uses_note(struct portable__stream *s, uint64_t number, const uintptr_t *addresses, size_t count);

/* Gives all notes to the pools. Called outside of a crossing. */
void portable__uses_tell(void);

#endif
