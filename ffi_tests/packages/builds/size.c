/* size.c - a program that starts and stops the library, and one that does not have it (-DPLAIN). It prints two sizes in KB while the
 * library runs and does nothing: resident memory, and the part of it that is no page of a file. It prints nothing if the system has no such figures. */
#ifndef PLAIN
#include <portable.h>
#endif
#include <stdio.h>

int main(void) {
#ifndef PLAIN
  if (portable_init(NULL) != PORTABLE_OK) return 1;
#endif
  char line[200];
  FILE *sums = fopen("/proc/self/smaps_rollup", "r");
  while (sums && fgets(line, sizeof line, sums)) {
    long kilobytes;
    if (sscanf(line, "Rss: %ld", &kilobytes) == 1) printf("%ld ", kilobytes);
    if (sscanf(line, "Anonymous: %ld", &kilobytes) == 1) printf("%ld\n", kilobytes);
  }
  if (sums) fclose(sums);
#ifndef PLAIN
  if (portable_finalize() != PORTABLE_OK) return 1;
#endif
  return 0;
}
