/* no_memory_calls.h - what the files of calls share: how a call ends at its first failure, and the calls of kernels, which the table in no_memory_calls.c
 * names. Not in this file: who makes the calls (no_memory.h). */
#ifndef NO_MEMORY_CALLS_H
#define NO_MEMORY_CALLS_H

#include "no_memory.h"
#include "refuse.h"

enum { N = 40000, SIDE = 200 };

#define TRY(call)                              \
  do {                                         \
    if (status == PORTABLE_OK) status = (call); \
  } while (0)

/* A release may be refused memory too; then it works once there is memory. */
#define MUST(call)                                                        \
  do {                                                                    \
    portable_status must = (call);                                        \
    if (must != PORTABLE_OK) {                                            \
      refuse_heal();                                                      \
      if (status == PORTABLE_OK) status = must;                           \
      if ((must = (call)) != PORTABLE_OK) no_memory_stuck(#call, must);   \
    }                                                                     \
  } while (0)

/* A view or a side holds its array. */
#define TRY_HELD(call, held)                                  \
  do {                                                        \
    if (status == PORTABLE_OK && (status = (call)) == PORTABLE_OK) MUST(portable_array_release(held)); \
  } while (0)

/* ---- no_memory_kernels.c ---- */

portable_status launches(void);
portable_status teams(void);
portable_status outer(void);
portable_status reductions(void);
portable_status liveouts(void);
portable_status array_reductions(void);
portable_status scans(void);
portable_status sorts(void);
portable_status filters(void);
portable_status elementwise(void);
portable_status streams(void);
portable_status kernels(void);

#endif
