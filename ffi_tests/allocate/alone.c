/* alone.c - a program that links portable::allocate and calls no function of the library. With an argument it allocates nothing
 * large. Not in this file: checks; the tests look at what the library writes. */
#include <stdlib.h>

int main(int argc, char **argv) {
  (void)argv;
  for (int i = 0; i < 5; i++) {
    volatile char *p = malloc(argc > 1 ? 1000 : 200000);
    if (!p) return 1;
    p[0] = 1;
    free((void *)p);
  }
  return 0;
}
