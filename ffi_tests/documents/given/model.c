/* The model of the documents in C. Not in this file: anything that a block of a document shows. */
#include <portable.h>

int main(void) {
  void *p = NULL;
  if (portable_init(NULL) != PORTABLE_OK || portable_alloc(80000, "h", &p) != PORTABLE_OK) return 1;
  return portable_free(p) != PORTABLE_OK || portable_finalize() != PORTABLE_OK;
}
