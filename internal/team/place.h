/* place.h - the processors that the team's threads may use, and OpenMP's view of the calling
 * thread. Private. The program's own choice counts: its affinity mask (taskset, the MPI launcher),
 * or the places of its OpenMP library, if OMP_PROC_BIND has bound the main thread to one processor
 * before this code runs. OpenMP's functions are weak names: a program without OpenMP has none. */
#ifndef PORTABLE__PLACE_H
#define PORTABLE__PLACE_H

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>

#include "../edge/base.h"

/* Looks again, from the calling thread. Gives how many processors there are, at least 1. */
int32_t portable__place_look(void);

/* Makes a thread with these attributes, worker number w, run where it may. */
void portable__place_worker(int32_t worker, pthread_attr_t *attributes);

/* Makes a thread with these attributes run on any processor that the workers have, bound or not. Any thread may call it. */
void portable__place_unbound(pthread_attr_t *attributes);

/* Makes it run wherever the system lets it. */
void portable__place_anywhere(pthread_attr_t *attributes);

/* 1: each worker may run on any of several processors. */
int portable__place_roams(void);

/* A processor that a thread is kept off while it wakes. */
struct portable__place {
  _Atomic int32_t off; /* its number + 1; 0: none; PORTABLE__PLACE_CHANGES: a thread is changing it */
  cpu_set_t was;       /* the thread's processors before; valid while off > 0 */
};
#define PORTABLE__PLACE_CHANGES (-1)

/* Keeps a sleeping thread off a processor until the thread calls portable__place_let_go. Two system calls. */
void portable__place_keep_off(struct portable__place *p, pthread_t thread, int cpu);
/* The calling thread may run again on all its processors. 1: it was kept off one. */
int portable__place_let_go(struct portable__place *p);

/* 1: inside an active OpenMP region. */
int portable__place_in_openmp(void);

#endif
