/* brief.h - finds launches that end before another thread could take part, and lets the launching
 * thread run all shares. Private, inline. Waking a share on another processor costs some hundred
 * nanoseconds. So the launching thread's share is timed now and then; if all shares together are
 * that short, the other threads hold back for a while. They are only late, never absent: kernels
 * that wait for each other still meet. Not in this file: the threads that hold back (team.c).
 * Threads: the owner of the team. */
#ifndef PORTABLE__BRIEF_H
#define PORTABLE__BRIEF_H

#include "team.h"

#define BRIEF_NS 600    /* on two processors: work that takes less is not worth handing over */
#define BRIEF_EVERY 16  /* launches of a kernel from one timing to the next */
#define BRIEF_LEAST 16  /* looks (of some 20 ns) that the others hold back */
#define BRIEF_MOST 256
#define BRIEF_PLACES 64 /* kernels that are remembered; others take their places */
#define BRIEF_LABEL 24  /* characters of a label that tell launches apart: Fortran's have one kernel, C's, in common */

struct portable__brief {
  uint64_t key;
  int32_t left;  /* launches until the next timing */
  int32_t brief;
  int64_t ns;    /* what a share takes; 0: not known */
};

/* Facts of launches like this one; a wrong guess costs time only. */
static inline struct portable__brief *portable__brief_find(struct portable__brief *table, const struct portable__job *job) {
  uint64_t key = (uint64_t)(uintptr_t)job->kernel ^ (uint64_t)job->cut.count * UINT64_C(0x9E3779B97F4A7C15);
  for (int i = 0; job->label && i < BRIEF_LABEL && job->label[i]; i++) key = key * 31 + (unsigned char)job->label[i];
  struct portable__brief *b = &table[(key ^ key >> 29) % BRIEF_PLACES];
  if (b->key != key) {
    b->key = key;
    b->left = 0;
    b->brief = 0;
    b->ns = 0;
  }
  return b;
}

/* ns is what the launching thread's own share took: a little more than without the others, who ask for the same cache lines, and much
 * more when it was put aside. So a smaller figure counts at once and a larger one little by little. */
static inline void portable__brief_learn(struct portable__brief *b, int64_t ns, int32_t workers) {
  b->left = BRIEF_EVERY;
  b->ns = b->ns == 0 || ns < b->ns ? ns : b->ns + (ns - b->ns) / 4;
  b->brief = b->ns * workers < BRIEF_NS;
}

/* The job's first cache lines, while the claim is on its way. It may be gone; then they are fetched for nothing. */
static inline void portable__brief_fetch(const struct portable__job *job) {
  for (int i = 0; i < 3; i++) __builtin_prefetch((const char *)job + (size_t)i * 64);
}

#endif
