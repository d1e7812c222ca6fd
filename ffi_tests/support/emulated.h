/* emulated.h - for C and C++ programs of a cross build: whether an emulator runs them, and how long a wait may take there. CHECK_EMULATOR names the
 * emulator (scripts/long/aarch64); without it nothing changes. Not in this file: shell scripts (emulated.sh). */
#ifndef EMULATED_H
#define EMULATED_H

#include <stdlib.h>

static inline int is_emulated(void) { return getenv("CHECK_EMULATOR") != NULL; }

/* Seconds of work, or until a hang is one: emulated processors take some twenty times as long. */
static inline unsigned emulated_seconds(unsigned seconds) { return is_emulated() ? 20 * seconds : seconds; }

#endif
