/* model.c [SEED [ROUNDS]] - random sequences of start, stop, reset and launches on several threads at once, against a model that
 * keeps its own stacks and counts; and what must be true of the times. Not in this file: texts of errors (timers.c). */
#include "check.h"

#include <pthread.h>

enum { THREADS = 3, LABELS = 12, DEPTH = 40 };

static char names[LABELS][16];
static pthread_barrier_t gate;

struct model {
  uint64_t random;
  int rounds;
  int stack[DEPTH], depth;
  int64_t counts[LABELS];
  int running[LABELS];
};

static uint64_t draw(struct model *m, uint64_t n) {
  m->random = m->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (m->random >> 33) % n;
}

static portable_timer_stats stats_of(int label, int32_t which) {
  portable_timer_stats s;
  memset(&s, 0, sizeof s);
  s.struct_size = (uint32_t)sizeof s;
  CHECK_STATUS(portable_timer_get(names[label], which, &s), PORTABLE_OK);
  return s;
}

static void compare(const struct model *m) {
  for (int i = 0; i < LABELS; i++) {
    portable_timer_stats s = stats_of(i, PORTABLE_TIMERS_OF_THREAD);
    CHECK(s.count == m->counts[i] && s.running == m->running[i]);
    CHECK(s.min_ns <= s.last_ns && s.last_ns <= s.max_ns);
    if (s.count > 0 && s.running == 0) CHECK(s.total_ns >= s.max_ns); /* the outermost is counted, and is the longest */
  }
}

static void kernel(const portable_tile *t, void *args) {
  (void)t;
  (void)args;
}

static void *play(void *argument) {
  struct model *m = argument;
  portable_bounds b = portable_bounds_1(4);
  /* A thread goes on with the timers of one that has ended: here each has timers of its own before any ends. */
  CHECK_STATUS(portable_timer_start("begin"), PORTABLE_OK);
  CHECK_STATUS(portable_timer_stop("begin"), PORTABLE_OK);
  pthread_barrier_wait(&gate);
  for (int round = 0; round < m->rounds && check_failures == 0; round++) {
    int label = (int)draw(m, LABELS);
    uint64_t what = draw(m, 100);
    if (what < 45 && m->depth < DEPTH) {
      CHECK_STATUS(portable_timer_start(names[label]), PORTABLE_OK);
      m->stack[m->depth++] = label;
      m->running[label]++;
    } else if (what < 85) {
      int top = m->depth > 0 ? m->stack[m->depth - 1] : -1;
      CHECK_STATUS(portable_timer_stop(names[label]), label == top ? PORTABLE_OK : PORTABLE_ERR_STATE);
      if (label != top && top >= 0) CHECK_STATUS(portable_timer_stop(names[label = top]), PORTABLE_OK);
      if (top >= 0) {
        m->depth--;
        m->counts[top]++;
        m->running[top]--;
      }
    } else if (what < 95) {
      CHECK_STATUS(portable_parallel_for(names[label], &b, kernel, NULL, 0, NULL), PORTABLE_OK);
      m->counts[label]++;
    } else if (what < 97) {
      char text[300];
      CHECK_STATUS(portable_timers_report(text, sizeof text, NULL), PORTABLE_OK);
      CHECK_STATUS(portable_timers_json(text, sizeof text, NULL), PORTABLE_OK);
    }
    if (what >= 97) compare(m);
  }
  while (m->depth > 0) {
    int top = m->stack[--m->depth];
    CHECK_STATUS(portable_timer_stop(names[top]), PORTABLE_OK);
    m->counts[top]++;
    m->running[top]--;
  }
  compare(m);
  return NULL;
}

int main(int argc, char **argv) {
  uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  int rounds = argc > 2 ? atoi(argv[2]) : 20000;
  for (int i = 0; i < LABELS; i++) snprintf(names[i], sizeof names[i], i % 2 ? "label %d" : "%d", i);
  pthread_barrier_init(&gate, NULL, THREADS);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_timers_enable(PORTABLE_TIMERS_LAUNCHES), PORTABLE_OK);
  for (int turn = 0; turn < 3; turn++) {
    static struct model models[THREADS];
    pthread_t threads[THREADS];
    memset(models, 0, sizeof models);
    CHECK_STATUS(portable_timers_reset(), PORTABLE_OK);
    for (int i = 0; i < THREADS; i++) {
      models[i].random = seed * 1000003 + (uint64_t)(turn * THREADS + i);
      models[i].rounds = rounds / 3;
      if (i > 0) CHECK(pthread_create(&threads[i], NULL, play, &models[i]) == 0);
    }
    play(&models[0]);
    for (int i = 1; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    for (int label = 0; label < LABELS; label++) {
      int64_t count = 0;
      for (int i = 0; i < THREADS; i++) count += models[i].counts[label];
      CHECK(stats_of(label, PORTABLE_TIMERS_OF_ALL).count == count);
    }
  }
  return check_end();
}
