/* library.c - a shared library that links portable::allocate and, with PROGRAM, a program that calls it and knows nothing of that.
 * Not in this file: libraries that a program with portable::allocate calls (crossing.c, other.f90). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *library_take(size_t bytes);
void library_give(char *p);

#ifdef PROGRAM
int main(void) {
  for (size_t n = 1; n < 300000; n *= 3) {
    char *theirs = library_take(n), *mine = malloc(n);
    if (!theirs || !mine || theirs[n - 1] != 1) return 1;
    theirs = realloc(theirs, 2 * n);
    if (!theirs || theirs[n - 1] != 1) return 2;
    free(theirs);
    library_give(mine);
  }
  puts("PASSED");
  return 0;
}
#else
char *library_take(size_t bytes) {
  char *p = malloc(bytes);
  if (p) memset(p, 1, bytes);
  return p;
}

void library_give(char *p) { free(p); }
#endif
