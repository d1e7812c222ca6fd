/* turns.h - parts of a launch that need the total of all parts before. Threads claim parts by
 * number and report totals; one thread at a time adds them in order. A thread whose part gets its
 * value finishes it at once. If the value is late, it goes on with other parts, and a thread
 * repeats the part at the end; so no thread waits long. Parts that can run only once are waited
 * for. Callers: scan.c, filter.c, filter_launch.c. */
#ifndef PORTABLE__TURNS_H
#define PORTABLE__TURNS_H

#include <stdatomic.h>
#include <stdint.h>

#define PORTABLE__PARTS_FEW 64 /* so many parts need only the stack */

struct portable__job;

struct portable__part {
  _Alignas(8) unsigned char value[8]; /* the total of the part, then of all parts before */
  _Atomic int32_t state;
};

/* into = into op total. */
typedef void (*portable__hand_on)(void *into, const void *total, void *context);

struct portable__turns {
  _Alignas(64) _Atomic int64_t claimed;
  _Alignas(64) _Atomic int32_t busy; /* a thread adds up */
  struct portable__job *_Atomic job; /* waits end if this job fails; NULL: not tested */
  int64_t turn, count;               /* the part whose total is next; number of parts */
  struct portable__part *parts;
  portable__hand_on hand_on;
  void *context;
  _Alignas(8) unsigned char running[8]; /* total of all parts before `turn`; at the end, of all parts */
  struct portable__part few[PORTABLE__PARTS_FEW];
};

/* running: the value before the first part. Returns: 0, or the error of the pool with its text. After 0, the caller calls end. */
int32_t portable__turns_begin(struct portable__turns *t, int64_t count, portable__hand_on hand_on, void *context, const void *running);
void portable__turns_end(struct portable__turns *t);

/* The next part; -1: all are claimed. */
int64_t portable__turn_claim(struct portable__turns *t);

/* Reports the total of a claimed part. 1: value_out is the total of all parts before, and the caller finishes the part. 0: a thread finishes it
 * later, or has done so. wait: the part can run only once, so the call waits for the value; then 0 means that the
 * job has failed, and parts before may never have a total. */
int portable__turn_take(struct portable__turns *t, int64_t part, const void *total, int wait, void *value_out);

/* For threads without a part to claim: a part that must be repeated, with its value; -1: no part. from: the begin of the search, 0 at first. */
int64_t portable__turn_left(struct portable__turns *t, int64_t *from, void *value_out);

/* Leaves of a part: it fits the second-level cache, with leaf_bytes to read of each, and threads share parts evenly. */
int64_t portable__turn_leaves(int64_t leaves, int64_t leaf_bytes);

/* Parts that are larger than their totals. finish: `before` is the total of all parts before and becomes that after; total_out gets
 * what portable__turns_work reports, as from add_up. */
struct portable__turn_work {
  void (*add_up)(void *context, int64_t part, void *total_out);
  void (*finish)(void *context, int64_t part, void *before, void *total_out);
};

/* On each thread of the launch: a part whose value is known is finished at once. Else it is added up, and finished from the cache once its value
 * comes. The first part of all begins with the value before it. */
void portable__turns_work(struct portable__turns *t, const struct portable__turn_work *work);

#endif
