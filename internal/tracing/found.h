/* found.h - kinds of findings, as the trace file has them. Private. */
#ifndef PORTABLE__FOUND_H
#define PORTABLE__FOUND_H

/* Kinds of findings; the numbers are in the trace file. */
enum {
  PORTABLE__FOUND_BOUNDS = 1,        /* an access outside of a block */
  PORTABLE__FOUND_FREED = 2,         /* an access to a block that was freed */
  PORTABLE__FOUND_CANARY = 3,
  PORTABLE__FOUND_DOUBLE_FREE = 4,
  PORTABLE__FOUND_FOREIGN_FREE = 5,
  PORTABLE__FOUND_INTERIOR_FREE = 6,
  PORTABLE__FOUND_LIBC_FREE = 7,     /* DEALLOCATE, free() or delete of a block of ours */
  PORTABLE__FOUND_LEAK = 8,
  PORTABLE__FOUND_GROWTH = 9,
  PORTABLE__FOUND_NEVER_WRITTEN = 10,
  PORTABLE__FOUND_INDEX = 11,
  PORTABLE__FOUND_HOST_ACCESS = 12,
  PORTABLE__FOUND_HOST_MEMORY = 13,
  PORTABLE__FOUND_STREAM = 14,
  PORTABLE__FOUND_TIMERS = 15,
  PORTABLE__FOUND_LAUNCH_BOUNDS = 16,
  PORTABLE__FOUND_SYNC = 17,
  PORTABLE__FOUND_ARGUMENTS = 18,    /* a kernel wrote its argument block or tile */
  PORTABLE__FOUND_OTHER = 19,
  PORTABLE__FOUND_INTERNAL = 20,
  PORTABLE__FOUND_SIGNAL = 21
};

enum { PORTABLE__FOUND_WRITE = 1, PORTABLE__FOUND_READ = 2, PORTABLE__FOUND_QUARANTINE = 4, PORTABLE__FOUND_COUNTED = 8, PORTABLE__FOUND_UNPRINTED = 16 };

#endif
