/* place.h - the processors that the team's threads may use, and OpenMP's view of the calling
 * thread. Private. The program's own choice counts: its affinity mask (taskset, the MPI launcher),
 * or the places of its OpenMP library, if OMP_PROC_BIND has bound the main thread to one processor
 * before this code runs. OpenMP's functions are weak names: a program without OpenMP has none. */
#ifndef PORTABLE__PLACE_H
#define PORTABLE__PLACE_H

#include <pthread.h>
#include <stdint.h>

/* Looks again, from the calling thread. Gives how many processors there are, at least 1. */
int32_t portable__place_look(void);

/* Makes a thread with these attributes, worker number w, run where it may. */
void portable__place_worker(int32_t worker, pthread_attr_t *attributes);

/* Makes a thread with these attributes run on any processor that the workers have, bound or not. Any thread may call it. */
void portable__place_unbound(pthread_attr_t *attributes);

/* Makes it run wherever the system lets it. */
void portable__place_anywhere(pthread_attr_t *attributes);

/* 1: inside an active OpenMP region. */
int portable__place_in_openmp(void);

#endif
