/* queue_device.h - the part of a CUDA stream that other streams do not have: the driver's stream,
 * events, late errors. For queue*.c, stream.c, device_work.c. Invariants: done <= issued <= queued;
 * marks are in the order of their numbers. If the driver refuses an event, the waiter waits for
 * more work than needed. After a failure of the device, all issued work counts as done, so no
 * thread waits for ever. */
#ifndef PORTABLE__QUEUE_DEVICE_H
#define PORTABLE__QUEUE_DEVICE_H

#include "queue.h"

#define PORTABLE__MARKS 8
#define PORTABLE__RECENT 8
#define PORTABLE__RECENT_TEXT 56

/* An event of the driver, recorded after the work with the number. */
struct portable__mark {
  uint64_t number;
  void *event; /* made at the first use, then kept */
};

struct portable__device_work;
struct portable__device_side {
  int32_t index, is_default;
  int32_t foreign; /* the program has native, and may add work without numbers */
  int32_t borrowed; /* native is the program's, which ends it */
  void *native;
  int32_t marked; /* the recorded marks, from 0 on; under the stream's lock */
  int32_t users;  /* threads that wait for native or an event outside of the lock */
  struct portable__mark marks[PORTABLE__MARKS];
  uint64_t launches, launches_done; /* issued; known to be done */
  struct {                          /* the last launches, by their count modulo RECENT */
    uint64_t number;
    char label[PORTABLE__RECENT_TEXT];
  } recent[PORTABLE__RECENT];
};

/* Makes the side with the program's stream of the driver, or (native NULL) a new one, or (is_default) the device's own; NULL with an error. */
struct portable__device_side *portable__side_make(const char *function, int32_t index, int32_t is_default, void *native, portable_status *status_out);
/* Releases a side without users. Errors of the driver are ignored. */
void portable__side_end(struct portable__device_side *d);

/* 1: the work up to the number is known to be done. Does not wait. Locked; if the device has failed, the lock is released meanwhile. */
int portable__side_done(struct portable__stream *s, uint64_t number);

/* Notes a failure of the device: it is the stream's first error, and all issued work is done. Without the lock. */
void portable__side_failed(struct portable__stream *s, int code, const char *call);

/* Waits for the device until the work up to the number, which is issued, is done. Locked; the lock is released meanwhile. */
void portable__side_await(struct portable__stream *s, uint64_t number);

/* Records an event after all issued work, unless a mark covers the number. Locked. */
void portable__side_mark(struct portable__stream *s, uint64_t number);

/* Lets later work in s wait for the point: on the device if both are CUDA streams and the point is issued (may_wait: waits for that), else on
 * this thread. 0: it had to wait for the host and may not. Called with the turn of s, without locks. */
int portable__side_follows(struct portable__stream *s, struct portable__point point, int may_wait);

/* Called on the stream's thread before work of the host: waits for all issued work. Gives the pending error. */
portable_status portable__side_quiet(struct portable__stream *s);

/* Makes failures that kernels reported the stream's first error. Called when the work is done, without the lock. */
void portable__side_hear(struct portable__stream *s);

/* Calls enqueue of work for the device. Called with the turn, or on the stream's thread. PORTABLE_OK with a new pending error: earlier work has
 * failed. */
portable_status portable__side_enqueue(struct portable__stream *s, const struct portable__device_work *work, void *payload);

/* Runs one launch of a piece of work of several, and waits for it: as portable__side_enqueue, with the pending error after it. On the stream's
 * thread, after portable__side_quiet. */
portable_status portable__side_run(struct portable__stream *s, const struct portable__device_work *work);

/* Gives a number to work that the program may have added to native, if all known work is done or an event covers it. Locked. */
void portable__side_foreign(struct portable__stream *s);

/* Notes that the work up to the number is done: its marks are free again. Locked. */
void portable__side_passed(struct portable__stream *s, uint64_t number);

/* Notes new work, issued or not: it may use blocks that are freed from now on. Locked. */
void portable__side_queued(struct portable__stream *s);

/* Notes issued work; label NULL: no launch. Locked. */
void portable__side_issued(struct portable__stream *s, uint64_t number, const char *label);

/* ---- queue.c, queue_put.c ---- */

/* Adds the work; issues it at once if no work of the host is before it. at_out gets the point after it. */
portable_status portable__queue_device(struct portable__stream *s, portable_stream handle, const struct portable__device_work *work,
                                       struct portable__point *at_out);

/* Waits until the point, in a stream of a CUDA device, is issued. */
void portable__queue_reach(struct portable__point point);

/* Called when an event gets the point, because a caller will ask for it. */
void portable__queue_mark(struct portable__point point);

#endif
