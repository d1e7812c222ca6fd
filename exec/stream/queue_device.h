/* queue_device.h - what the queue of a stream of a cuda device has beside that of any other: the driver's stream, events, and errors that
 * show late. Private, between queue.c, queue_device.c, stream.c and device_work.c.
 *
 * Invariants: done <= issued <= queued. Issued without a gap: whoever issues outside of the stream's thread has its turn, and finds issued ==
 * queued. Marks are in the order of their numbers, none of which is done as far as is known.
 *
 * Where the driver refuses an event, whoever needs it waits for more than he must; nothing is lost. When a device fails all that was
 * issued counts as done, so nobody waits for ever. */
#ifndef PORTABLE__QUEUE_DEVICE_H
#define PORTABLE__QUEUE_DEVICE_H

#include "queue.h"

#define PORTABLE__MARKS 8
#define PORTABLE__RECENT 8
#define PORTABLE__RECENT_TEXT 56

/* An event of the driver's, recorded behind all up to the number. */
struct portable__mark {
  uint64_t number;
  void *event; /* made when it is first needed, kept */
};

struct portable__device_work;
struct portable__device_side {
  int32_t index, is_default;
  int32_t foreign; /* the program has native and may put things into it that have no number */
  void *native;
  int32_t marked; /* of marks, from 0 on, those that are recorded; all of this under the stream's lock */
  int32_t users;  /* threads that wait for native or an event outside of the lock */
  struct portable__mark marks[PORTABLE__MARKS];
  uint64_t launches, launches_done; /* issued; known to be done */
  struct {                          /* the last launches, by their count modulo RECENT */
    uint64_t number;
    char label[PORTABLE__RECENT_TEXT];
  } recent[PORTABLE__RECENT];
};

/* Made with a stream of the driver's, or with the device's own; NULL with an error. */
struct portable__device_side *portable__side_make(const char *function, int32_t index, int32_t is_default, portable_status *status_out);
/* The end of one that is nobody's any more; errors of the driver's change nothing then. */
void portable__side_end(struct portable__device_side *d);

/* Whether all up to the number is done, as far as one can know without waiting. Locked; where the device has failed the lock is let go meanwhile. */
int portable__side_done(struct portable__stream *s, uint64_t number);

/* The device has failed: the stream's error, where it has none yet, and all that was issued is done. Without the lock. */
void portable__side_failed(struct portable__stream *s, int code, const char *call);

/* Waits for the device until all up to the number, which is issued, is done. Locked; the lock is let go meanwhile. */
void portable__side_await(struct portable__stream *s, uint64_t number);

/* An event behind all that is issued, where none stands behind the number yet. Locked. */
void portable__side_mark(struct portable__stream *s, uint64_t number);

/* What is put into s from now on waits for the point: on the device where both are cuda streams and the point is issued, which is waited for with
 * may_wait; else on this thread. 0: it would have to wait for the host, and may not. Without locks but s's turn. */
int portable__side_follows(struct portable__stream *s, struct portable__point point, int may_wait);

/* The host's turn in a stream whose thread calls: all that was issued is done. Gives the pending error. */
portable_status portable__side_quiet(struct portable__stream *s);

/* What kernels of the stream have said of their failures becomes its error, where it has none yet. When what is in it is done; without the lock. */
void portable__side_hear(struct portable__stream *s);

/* Calls enqueue of a thing for the device. With the turn, or on the stream's thread. PORTABLE_OK with a new pending error where an earlier one was at
 * fault. */
portable_status portable__side_enqueue(struct portable__stream *s, const struct portable__device_work *work, void *payload);

/* What the program may have put into native gets a number, where everything is done as far as is known, or an event stands behind it. Locked. */
void portable__side_foreign(struct portable__stream *s);

/* All up to the number is done: marks before it are free again, behind the others. Locked. */
void portable__side_passed(struct portable__stream *s, uint64_t number);

/* One thing more is in the stream, issued or not: blocks that are freed from now on may be its. Locked. */
void portable__side_queued(struct portable__stream *s);

/* One thing more is issued; label NULL: no launch. Locked. */
void portable__side_issued(struct portable__stream *s, uint64_t number, const char *label);

/* ---- queue.c, queue_put.c ---- */

/* Puts the work in, at once where nothing of the host's is before it. at_out gets the point behind it. */
portable_status portable__queue_device(struct portable__stream *s, portable_stream handle, const struct portable__device_work *work,
                                       struct portable__point *at_out);

/* Waits until the point, of a stream of a cuda device, is issued. */
void portable__queue_reach(struct portable__point point);

/* Who has recorded the point in an event of the program's will ask for it. */
void portable__queue_mark(struct portable__point point);

#endif
