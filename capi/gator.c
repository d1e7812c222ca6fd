/* gator.c - the four symbols of YAKL's Gator, which have no status: on an error they print its text
 * and continue; with GATOR_STRICT=1 they abort, so that a core file shows the call. */
#include <stdlib.h>

#include "entry.h"
#include "../gator/front/front.h"


static PORTABLE__COLD void report(const char *call) {
  portable__name_error(call, NULL, 0);
  portable__print_error();
  if (portable__strict()) abort();
}

void gatorInit(void) {
  if (portable__start(1, NULL) != PORTABLE_OK) report("gatorInit");
}

void gatorFinalize(void) {
  if (portable__end(1) != PORTABLE_OK) report("gatorFinalize");
}

void *gatorAllocate(size_t bytes) {
  if (PORTABLE__UNLIKELY(bytes == 0)) {
    if (portable__strict()) {
      portable__fail(PORTABLE_ERR_ARG, "0 bytes were asked for (GATOR_STRICT=1)");
      report("gatorAllocate");
    }
    return NULL;
  }
  void *p = portable__alloc_plain(bytes);
  if (PORTABLE__UNLIKELY(p == NULL)) report("gatorAllocate");
  return p;
}

void gatorDeallocate(void *ptr) {
  if (PORTABLE__UNLIKELY(portable__give(ptr) != PORTABLE_OK)) report("gatorDeallocate");
}
