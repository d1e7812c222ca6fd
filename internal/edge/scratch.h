/* scratch.h - memory that a thread has for the teams it runs, one piece for each level of launches inside launches. Private. */
#ifndef PORTABLE__SCRATCH_H
#define PORTABLE__SCRATCH_H

#include <stddef.h>

/* At least so many bytes, aligned at 64, the calling thread's until it gives them back; NULL: there is no memory. */
void *portable__scratch_take(size_t bytes);

/* Gives back what was taken last. It stays with the thread, for the next launch. */
void portable__scratch_give(void);

#endif
