/* stacks.c - the signal stack of a thread: large and guarded where the thread had none, its own where it had
 * one, gone with the thread, and not one more for each thread that comes. Not in this file: what happens without (storm.c). */
#define _GNU_SOURCE
#include "guest.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile sig_atomic_t deep_runs;

/* More than Go's own signal stack of 32 KiB holds. */
static void deep(int number) {
  volatile char room[100 * 1024];
  size_t i;
  for (i = 0; i < sizeof room; i += 64) room[i] = (char)number;
  deep_runs++;
}

static stack_t current(void) {
  stack_t s;
  memset(&s, 0, sizeof s);
  CHECK(sigaltstack(NULL, &s) == 0);
  return s;
}

static void *with_ours(void *unused) {
  stack_t s;
  unsigned char unseen;
  CHECK(guest_work(1) == 0);
  s = current();
  CHECK(!(s.ss_flags & SS_DISABLE) && s.ss_size >= 128 * 1024);
  /* The page below is there and may not be touched: mincore knows it, write(2) of it fails. */
  CHECK(mincore((char *)s.ss_sp - sysconf(_SC_PAGESIZE), (size_t)sysconf(_SC_PAGESIZE), &unseen) == 0);
  {
    int ends[2];
    CHECK(pipe(ends) == 0);
    CHECK(write(ends[1], (char *)s.ss_sp - 1, 1) == -1);
    CHECK(write(ends[1], s.ss_sp, 1) == 1);
    close(ends[0]);
    close(ends[1]);
  }
  pthread_kill(pthread_self(), SIGUSR1);
  CHECK(deep_runs > 0);
  return unused;
}

static void *with_own(void *payload) {
  stack_t own, s;
  memset(&own, 0, sizeof own);
  own.ss_sp = payload;
  own.ss_size = 200 * 1024;
  CHECK(sigaltstack(&own, NULL) == 0);
  CHECK(guest_work(2) == 0);
  s = current();
  CHECK(s.ss_sp == payload && s.ss_size == own.ss_size && !(s.ss_flags & SS_DISABLE));
  own.ss_flags = SS_DISABLE;
  CHECK(sigaltstack(&own, NULL) == 0);
  return NULL;
}

static void *briefly(void *unused) {
  CHECK(guest_work(3) == 0);
  return unused;
}

int main(void) {
  struct sigaction a;
  pthread_t thread;
  void *own = malloc(200 * 1024);
  long before;
  int i;

  memset(&a, 0, sizeof a);
  a.sa_handler = deep;
  a.sa_flags = SA_ONSTACK;
  CHECK(sigaction(SIGUSR1, &a, NULL) == 0);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  with_ours(NULL);
  CHECK(pthread_create(&thread, NULL, with_ours, NULL) == 0 && pthread_join(thread, NULL) == 0);
  CHECK(pthread_create(&thread, NULL, with_own, own) == 0 && pthread_join(thread, NULL) == 0);
  before = guest_status("VmSize");
  for (i = 0; i < 1000; i++) {
    CHECK(pthread_create(&thread, NULL, briefly, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
  }
  printf("1000 threads one after the other: %ld KiB more\n", guest_status("VmSize") - before);
  /* a stack each would be 256 MiB; a thread that Go may have started meanwhile is 72 */
  CHECK(guest_status("VmSize") - before < 200 * 1024);
  free(own);
  return check_end();
}
