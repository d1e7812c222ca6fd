/* entry.h - start and stop of a participant, and faults. Threads: any. */
#ifndef PORTABLE__ENTRY_H
#define PORTABLE__ENTRY_H

#include "../internal/edge/base.h"

portable_status portable__start(int32_t gator, const portable_config *config);
portable_status portable__end(int32_t gator);
/* fault.c: reports a fault inside the library, after the call that found it. */
void portable__tell_fault(void);
/* Called by Go under the lock of the instance: the library runs, or does not. */
void portable__set_running(int32_t running);
void portable__break(void); /* after a fault in Go: every later call is refused */

#endif
