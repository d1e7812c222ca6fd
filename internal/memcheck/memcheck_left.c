/* memcheck_left.c - counts the blocks that sample=N of PORTABLE_MEMCHECK skipped: live ones of each
 * label, as the pools know them; they have no allocation site. Go counts on request, and before it
 * closes the pools. A label beyond the table's end is counted with the last one. Not in this file:
 * the use of the counts (memcheck_leaks.c). */
#include <pthread.h>
#include <string.h>

#include "../edge/where.h"
#include "questions.h"
#include "../guard/guard.h"
#include "memcheck.h"

#define LABELS 4096

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards what is written */
static struct portable__left left[LABELS];
static size_t lefts;

void portable__memcheck_left_begin(void) {
  pthread_mutex_lock(&lock);
  lefts = 0;
  pthread_mutex_unlock(&lock);
}

void portable__memcheck_left(const char *label, size_t label_bytes, uint64_t blocks, uint64_t bytes) {
  const char *own = portable__blocks_label(label, label_bytes);
  pthread_mutex_lock(&lock);
  if (lefts == LABELS) lefts--;
  if (lefts < LABELS - 1) left[lefts].blocks = left[lefts].bytes = 0;
  left[lefts].label = own;
  left[lefts].blocks += blocks;
  left[lefts++].bytes += bytes;
  pthread_mutex_unlock(&lock);
}

const struct portable__left *portable__memcheck_count_left(size_t *count_out) {
  struct portable__crossing crossing;
  *count_out = 0;
  if (!portable__guard_options.picks) return left;
  /* Inside of Go the pool's lock may be held: a program that ends in one of its functions for slabs. */
  if (atomic_load(&portable__running) && !portable__inside && portable__cross_in(&crossing) == PORTABLE_OK) {
    portable__memcheck_go.left();
    portable__cross_out(&crossing);
  }
  *count_out = lefts;
  return left;
}
