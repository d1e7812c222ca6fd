/* cores.c - prints how many threads this rank's launches have, and how many processors its mask; without a launcher too.
 * Not in this file: what they should be (run_cores.sh). */
#define _GNU_SOURCE
#include <mpi.h>
#include <portable.h>

#include <sched.h>
#include <stdio.h>

int main(int argc, char **argv) {
  cpu_set_t mask;
  if (argc == 1) MPI_Init(&argc, &argv);
  if (sched_getaffinity(0, sizeof mask, &mask) != 0 || portable_init(NULL) != 0) {
    printf("%s\n", portable_last_error());
    return 1;
  }
  printf("threads %d mask %d\n", (int)portable_num_threads(), CPU_COUNT(&mask));
  if (portable_finalize() != 0) return 1;
  if (argc == 1) MPI_Finalize();
  (void)argv;
  return 0;
}
