/* destroyer.h - a thread that destroys the recordings of another thread at any place. C only. In this file: the thread, and what both threads share. Not
 * in this file: the calls of the recording thread, and what they must give (the programs). */
#ifndef DESTROYER_H
#define DESTROYER_H

#include "check.h"

#include <portable_graph.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

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

/* A thread that destroys one graph. */
static inline void *destroys(void *graph) {
  CHECK_STATUS(portable_graph_destroy(*(portable_graph *)graph), PORTABLE_OK);
  return NULL;
}

/* 1: its handle has become stale within a minute. The thread may still wait for the last launch. */
static inline int destroyer_begun(portable_graph graph) {
  int32_t nodes;
  for (time_t end = time(NULL) + 60; portable_graph_nodes(graph, &nodes) == PORTABLE_OK; sched_yield())
    if (time(NULL) > end) return 0;
  return 1;
}

#endif
