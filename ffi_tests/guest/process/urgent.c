/* urgent.c none|some|twice [TURN]: long work in Go under a handler of SIGURG that the program installs for a purpose of its own, as
 * PETSc does, which ends the program then. none: no such signal comes. some: one comes, in the same work: GODEBUG of the test lets Go
 * send it. twice: none again, with two variables of that name, of which Go takes the first. Not in this file: PETSc itself
 * (ffi_tests/mpi/libraries), other signals (storm.c). */
#include "check.h"
#include "child.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { CELLS = 300000, MOST = 20, TURNS = 5 };

static volatile sig_atomic_t seen;
static void handler(int number) {
  (void)number;
  seen = 1;
}

int main(int argc, char **argv) {
  static int64_t send[CELLS], receive[CELLS];
  const int64_t row[2] = {0, CELLS};
  const int32_t self = 0;
  const int some = argc > 1 && strcmp(argv[1], "some") == 0, turn = argc > 2 ? argv[2][0] - '0' : 1;
  portable_halo_lists_options o = PORTABLE_HALO_LISTS_OPTIONS_INIT;
  portable_halo halo;
  int i;
  if (argc > 1 && strcmp(argv[1], "twice") == 0) {
    char *const again[] = {argv[0], (char *)"none", NULL};
    char *const variables[] = {(char *)"GODEBUG=panicnil=0", (char *)"GODEBUG=asyncpreemptoff=0", NULL};
    execve(argv[0], again, variables);
    return 1;
  }
  signal(SIGURG, handler);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  for (i = 0; i < CELLS; i++) receive[i] = CELLS + (send[i] = i);
  o.neighbours = 1;
  o.neighbour = &self;
  o.send_row = o.recv_row = row;
  o.send_index = send;
  o.recv_index = receive;
  for (i = 0; i < (some ? MOST : 5) && !seen; i++) { /* each is longer than Go lets a thread run */
    CHECK_STATUS(portable_halo_lists("long", NULL, &o, &halo), PORTABLE_OK);
    CHECK_STATUS(portable_halo_destroy(halo), PORTABLE_OK);
  }
  /* Go sends a thread no second signal before its own handler has got the first one in Go code. A first one that comes at the start of the
   * program, when the thread has just left Go, is dropped by that handler, and no other follows in this process (sigtrampgo of Go 1.26). */
  if (some && !seen && turn < TURNS) {
    const char next[] = {(char)('1' + turn), 0};
    portable_finalize();
    child_exec(argv[0], (const char *const[]){argv[0], "some", next, NULL});
    return 1;
  }
  CHECK(seen == some);
  return check_end();
}
