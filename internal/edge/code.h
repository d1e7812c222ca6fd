/* code.h - the code of the library in memory. Private. Threads: any, in signal handlers too. */
#ifndef PORTABLE__CODE_H
#define PORTABLE__CODE_H

#include <stdint.h>

/* The range of code that every program gets, and the range of code that this program calls. The build of the archive defines
 * the first, the program's linker the second; programs that link only the C files lack them. */
extern const char portable__text_begin[] __attribute__((weak, visibility("hidden")));
extern const char portable__text_end[] __attribute__((weak, visibility("hidden")));
extern const char __start_portable_text[] __attribute__((weak, visibility("hidden")));
extern const char __stop_portable_text[] __attribute__((weak, visibility("hidden")));

/* Whether an address is in the code of the library. */
int portable__in_library(uintptr_t address);

#endif
