/* destroyer.h - a thread that destroys the recordings of another thread at any place. C only. In this file: the thread, and what both threads share. Not
 * in this file: the calls of the recording thread, and what they must give (the programs). */
#ifndef DESTROYER_H
#define DESTROYER_H

#include "check.h"

#include <portable_graph.h>
#include <sched.h>
#include <stdatomic.h>

struct destroyer {
  int trials;
  void (*then)(int trial); /* NULL: nothing */
  _Atomic portable_graph recorded;
  _Atomic int destroyed;
};

static inline void *destroyer_thread(void *payload) {
  struct destroyer *d = payload;
  for (int i = 0; i < d->trials; i++) {
    portable_graph graph;
    while (!(graph = atomic_exchange(&d->recorded, 0))) sched_yield();
    for (volatile int k = 0; k < i * 50; k++) {}
    CHECK_STATUS(portable_graph_destroy(graph), PORTABLE_OK);
    if (d->then) d->then(i);
    atomic_store(&d->destroyed, 1);
  }
  return NULL;
}

#endif
