/* scratch.h - scratch memory of a thread for the teams it runs: one piece for each level of nested
 * launches. Private. */
#ifndef PORTABLE__SCRATCH_H
#define PORTABLE__SCRATCH_H

#include <stddef.h>

/* Takes at least so many bytes, aligned at 64, for the calling thread until it releases them; NULL: there is no
 * memory. */
void *portable__scratch_take(size_t bytes);

/* Releases the piece taken last. The thread keeps it for the next launch. */
void portable__scratch_give(void);

/* For a variable with __attribute__((cleanup(portable__scratch_leave))) that holds the piece, or NULL: it is released at the end of the function,
 * also where an exception leaves it. */
static inline void portable__scratch_leave(void *const *piece) {
  if (*piece) portable__scratch_give();
}

#endif
