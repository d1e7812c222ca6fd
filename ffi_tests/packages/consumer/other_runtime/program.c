/* A program with two Go runtimes, Portable's and the user's own, each called in turn from two threads. */
#include <portable.h>
#include <pthread.h>
#include <stdio.h>

int other_sum(int n);

static void *work(void *wrong) {
  int i;
  for (i = 0; i < 2000; i++) {
    void *p = NULL;
    if (portable_alloc(1000, "h", &p) != 0 || other_sum(100) != 4950 || portable_free(p) != 0) ++*(int *)wrong;
  }
  return NULL;
}

int main(void) {
  pthread_t thread;
  int here = 0, there = 0;
  if (portable_init(NULL) != 0 || pthread_create(&thread, NULL, work, &there) != 0) return 1;
  work(&here);
  if (pthread_join(thread, NULL) != 0 || here + there != 0 || portable_finalize() != 0) return 1;
  printf("program works\n");
  return 0;
}
