/* code.c - finds the code of the library in memory. In C because handlers and ends of calls ask.
 * Threads: any, in signal handlers too. */
#include "code.h"

int portable__in_library(uintptr_t address) {
  return address - (uintptr_t)portable__text_begin < (uintptr_t)portable__text_end - (uintptr_t)portable__text_begin ||
         address - (uintptr_t)__start_portable_text < (uintptr_t)__stop_portable_text - (uintptr_t)__start_portable_text;
}
