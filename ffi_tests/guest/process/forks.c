/* forks.c - forking again and again while other threads are inside the library: each child is refused with a
 * text at once, and the parent never notices. Not in this file: one fork of one thread (../../pool/test_fork.c). */
#define _GNU_SOURCE
#include "guest.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS = 3, FORKS = 150 };

static _Atomic int stop;

static void *work(void *payload) {
  unsigned round = 0;
  int *wrong = payload;
  while (!atomic_load(&stop)) *wrong += guest_work(round++);
  return NULL;
}

static int in_child(void *block) {
  void *p = &stop;
  portable_pool pool;
  alarm(emulated_seconds(20)); /* a hang becomes a signal */
  if (portable_alloc(100, "child", &p) != PORTABLE_ERR_FORK || p != NULL) return 1;
  if (strstr(portable_last_error(), "forked child") == NULL) return 2;
  if (portable_free(block) != PORTABLE_OK) return 3;
  if (portable_pool_default(&pool) != PORTABLE_ERR_FORK) return 4;
  if (((unsigned char *)block)[0] != 7) return 5;
  return 0;
}

static void *child_thread(void *block) { _exit(in_child(block)); }

int main(void) {
  int wrong[WORKERS] = {0}, i;
  pthread_t threads[WORKERS];
  void *block;
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_alloc(100, "before", &block), PORTABLE_OK);
  memset(block, 7, 100);
  for (i = 0; i < WORKERS; i++) CHECK(pthread_create(&threads[i], NULL, work, &wrong[i]) == 0);
  for (i = 0; i < FORKS; i++) {
    int status = -1;
    pid_t pid = fork();
    if (pid == 0) {
      pthread_t thread;
      alarm(emulated_seconds(20));
      if (i % 3 == 0) _exit(in_child(block));
      if (i % 3 == 1 && pthread_create(&thread, NULL, child_thread, block) == 0) pause();
      if (in_child(block) != 0) _exit(9);
      pthread_exit(NULL); /* the exit hooks of the child's only thread */
    }
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
    if (status != 0) {
      printf("child %d ended with %#x (its step is the second byte)\n", i, (unsigned)status);
      check_failures++;
    }
    CHECK(guest_work((unsigned)i) == 0);
  }
  atomic_store(&stop, 1);
  for (i = 0; i < WORKERS; i++) {
    CHECK(pthread_join(threads[i], NULL) == 0);
    CHECK(wrong[i] == 0);
  }
  CHECK(((unsigned char *)block)[99] == 7);
  CHECK_STATUS(portable_free(block), PORTABLE_OK);
  return check_end();
}
