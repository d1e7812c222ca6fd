/* urgent.c none|some|twice: long work in Go under a handler of SIGURG that the program installs for a purpose of its own, as
 * PETSc does, which ends the program then. none: no such signal comes. some: one comes, in the same work: GODEBUG of the test lets Go
 * send it. twice: none again, with two variables of that name, of which Go takes the first. Not in this file: PETSc itself
 * (ffi_tests/mpi/libraries), other signals (storm.c). */
#include "check.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { CELLS = 300000, MOST = 40 };

static volatile sig_atomic_t seen;
static void handler(int number) {
  (void)number;
  seen = 1;
}

static sem_t done;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
  static int64_t send[CELLS], receive[CELLS];
  const int64_t row[2] = {0, CELLS};
  const int32_t self = 0;
  portable_halo_lists_options o = PORTABLE_HALO_LISTS_OPTIONS_INIT;
  portable_halo halo;
  int i;
  for (i = 0; i < CELLS; i++) receive[i] = CELLS + (send[i] = i);
  o.neighbours = 1;
  o.neighbour = &self;
  o.send_row = o.recv_row = row;
  o.send_index = send;
  o.recv_index = receive;
  CHECK_STATUS(portable_halo_lists("long", NULL, &o, &halo), PORTABLE_OK); /* longer than Go lets a thread run */
  CHECK_STATUS(portable_halo_destroy(halo), PORTABLE_OK);
  sem_post(&done);
  pthread_mutex_lock(&gate);
  pthread_mutex_unlock(&gate);
  return unused;
}

int main(int argc, char **argv) {
  const int some = argc > 1 && strcmp(argv[1], "some") == 0;
  pthread_t thread[MOST];
  int i, made = 0;
  if (argc > 1 && strcmp(argv[1], "twice") == 0) {
    char *const again[] = {argv[0], (char *)"none", NULL};
    char *const variables[] = {(char *)"GODEBUG=panicnil=0", (char *)"GODEBUG=asyncpreemptoff=0", NULL};
    execve(argv[0], again, variables);
    return 1;
  }
  signal(SIGURG, handler);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  sem_init(&done, 0, 0);
  pthread_mutex_lock(&gate);
  /* A new thread each time, while the earlier ones wait: Go sends a thread no second signal before Go's own handler has got the first one in Go
   * code (sigtrampgo of Go 1.26). A first one may have come before `signal` above, when the main thread had just left Go, and got lost. */
  while (made < (some ? MOST : 5) && !seen) {
    const int code = pthread_create(&thread[made], NULL, work, NULL);
    CHECK(code == 0);
    if (code != 0) break;
    made++;
    while (sem_wait(&done) != 0) continue; /* the handler may interrupt it */
  }
  pthread_mutex_unlock(&gate);
  for (i = 0; i < made; i++) pthread_join(thread[i], NULL);
  CHECK(seen == some);
  return check_end();
}
