/* test_constructor.c - the library called from a constructor of the program, before main: Go must have been
 * started by then, else the call never comes back. */
#include "emulated.h"
#include <portable.h>
#include <stdio.h>
#include <unistd.h>

static portable_status early = 1;

__attribute__((constructor)) static void before_main(void) {
  alarm(emulated_seconds(20)); /* a hang ends the test */
  early = portable_init(NULL);
}

int main(void) {
  if (early != PORTABLE_OK || !portable_is_initialized()) {
    fprintf(stderr, "init in a constructor: %d %s\n", (int)early, portable_last_error());
    return 1;
  }
  return portable_finalize() == PORTABLE_OK ? 0 : 1;
}
