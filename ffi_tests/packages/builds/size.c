/* size.c - a program that starts and stops the library, and one that does not have it (-DPLAIN). It prints how much memory is resident
 * while the library runs and does nothing, in KB; nothing where the system does not tell. */
#ifndef PLAIN
#include <portable.h>
#endif
#include <stdio.h>
#include <string.h>

int main(void) {
#ifndef PLAIN
  if (portable_init(NULL) != PORTABLE_OK) return 1;
#endif
  char line[200];
  FILE *sums = fopen("/proc/self/smaps_rollup", "r");
  while (sums && fgets(line, sizeof line, sums)) {
    long kilobytes;
    if (strncmp(line, "Rss:", 4) == 0 && sscanf(line + 4, "%ld", &kilobytes) == 1) printf("%ld\n", kilobytes);
  }
  if (sums) fclose(sums);
#ifndef PLAIN
  if (portable_finalize() != PORTABLE_OK) return 1;
#endif
  return 0;
}
