/* queue_device.c - the driver's part of a CUDA stream: issues work, records events, finds errors. A
 * launch is one call of the driver. An event is recorded when a caller asks for a point, at most
 * PORTABLE__MARKS at a time. If all are in use, the last one is recorded again before it is done;
 * the others are not, so a waiter for an early point is served under any load. */
#include "work.h"
#include "../../gator/front/front.h"
#include "../../internal/edge/text.h"
#include "queue_device.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../internal/backend/cuda/stream.h"


/* The driver's code may compute with floating point, and the program may trap that. */
struct calm {
#if defined(__x86_64__)
  unsigned int control;
#elif defined(__aarch64__)
  struct portable__modes modes;
  uint64_t fpsr;
#else
  struct portable__modes modes;
  uint32_t flags;
#endif
};

static struct calm calm_begin(void) {
  struct calm c;
#if defined(__x86_64__)
  c.control = _mm_getcsr();
  if (PORTABLE__UNLIKELY((c.control & ~PORTABLE__FLAGS) != 0x1f80)) _mm_setcsr(0x1f80);
#elif defined(__aarch64__)
  const struct portable__modes usual = {0};
  c.modes = portable__modes_get();
  c.fpsr = portable__fpsr_get();
  portable__modes_restore(usual);
#else
  c.modes = portable__modes_get();
  c.flags = portable__flags_get();
#endif
  return c;
}

static void calm_end(struct calm c) {
#if defined(__x86_64__)
  if (PORTABLE__UNLIKELY(_mm_getcsr() != c.control)) _mm_setcsr(c.control);
#elif defined(__aarch64__)
  portable__modes_restore(c.modes);
  if (portable__fpsr_get() != c.fpsr) portable__fpsr_set(c.fpsr);
#else
  portable__modes_set(c.modes);
  portable__flags_add(c.flags);
#endif
}

/* ---- making and ending ---- */

struct portable__device_side *portable__side_make(const char *function, int32_t index, int32_t is_default, void *native, portable_status *status_out) {
  struct portable__device_side *d = calloc(1, sizeof *d);
  *status_out = PORTABLE_OK;
  if (!d) {
    *status_out = portable__fail(PORTABLE_ERR_NOMEM, "%s: no memory for one more stream", function);
    return NULL;
  }
  d->index = index;
  d->is_default = is_default;
  d->native = native;
  d->foreign = d->borrowed = native != NULL;
  if (is_default || native) return d;
  struct calm calm = calm_begin();
  int code = portable__cuda_stream_make(index, &d->native);
  calm_end(calm);
  if (code == 0) return d;
  *status_out = portable__above_device.fail(code, "cuStreamCreate", function);
  free(d);
  return NULL;
}

void portable__side_end(struct portable__device_side *d) {
  struct calm calm = calm_begin();
  for (int i = 0; i < PORTABLE__MARKS; i++)
    if (d->marks[i].event) (void)portable__cuda_event_end(d->index, d->marks[i].event);
  if (d->is_default) /* these end with the library, all of them */
    atomic_fetch_and(&portable__unfenced, ~(UINT32_C(1) << d->index | PORTABLE__FOREIGN));
  else if (!d->borrowed)
    (void)portable__cuda_stream_end(d->index, d->native);
  calm_end(calm);
  free(d);
}

/* ---- completed work ---- */

void portable__side_passed(struct portable__stream *s, uint64_t number) {
  struct portable__device_side *d = portable__queue_side(s);
  struct portable__mark kept[PORTABLE__MARKS];
  int32_t old = 0;
  if (number <= atomic_load_explicit(&s->done, memory_order_relaxed)) return;
  atomic_store_explicit(&s->done, number, memory_order_release);
  if (number >= atomic_load_explicit(&s->issued, memory_order_relaxed)) d->launches_done = d->launches;
  if (d->is_default && number >= atomic_load_explicit(&s->queued, memory_order_relaxed))
    atomic_fetch_and(&portable__unfenced, ~(UINT32_C(1) << d->index));
  for (uint64_t i = d->launches > PORTABLE__RECENT ? d->launches - PORTABLE__RECENT : 0; i < d->launches; i++)
    if (d->recent[i % PORTABLE__RECENT].number <= number && d->launches_done <= i) d->launches_done = i + 1;
  while (old < d->marked && d->marks[old].number <= number) old++;
  if (old == 0) return;
  memcpy(kept, d->marks, (size_t)old * sizeof *kept);
  d->marked -= old;
  memmove(d->marks, d->marks + old, (size_t)d->marked * sizeof *kept);
  memcpy(d->marks + d->marked, kept, (size_t)old * sizeof *kept);
}

/* The first mark at or after the number, or NULL. */
static struct portable__mark *mark_of(struct portable__device_side *d, uint64_t number) {
  for (int32_t i = 0; i < d->marked; i++)
    if (d->marks[i].number >= number) return &d->marks[i];
  return NULL;
}

/* The same, recorded if missing. NULL: the driver refuses. */
static struct portable__mark *mark(struct portable__stream *s, struct portable__device_side *d, uint64_t number) {
  uint64_t issued = atomic_load_explicit(&s->issued, memory_order_relaxed);
  struct portable__mark *m = mark_of(d, number);
  if (m) return m;
  int fresh = d->marked < PORTABLE__MARKS;
  m = &d->marks[fresh ? d->marked : PORTABLE__MARKS - 1];
  if (!m->event && portable__cuda_event_make(d->index, &m->event) != 0) {
    m->event = NULL;
    return NULL;
  }
  if (portable__cuda_event_record(d->index, m->event, d->native) != 0) return NULL;
  m->number = issued;
  d->marked += fresh;
  return m;
}

void portable__side_mark(struct portable__stream *s, uint64_t number) {
  struct portable__device_side *d = portable__queue_side(s);
  if (!d || atomic_load_explicit(&s->done, memory_order_relaxed) >= number) return;
  struct calm calm = calm_begin();
  mark(s, d, number);
  calm_end(calm);
}

int portable__side_done(struct portable__stream *s, uint64_t number) {
  struct portable__device_side *d = portable__queue_side(s);
  if (atomic_load_explicit(&s->done, memory_order_relaxed) >= number) return 1;
  uint64_t issued = atomic_load_explicit(&s->issued, memory_order_relaxed);
  if (!d || issued < number) return 0;
  struct calm calm = calm_begin();
  struct portable__mark *m = mark_of(d, number);
  if (!m && !(d->foreign && number == issued)) m = mark(s, d, number); /* work of the program has no number: ask the stream */
  int code = m ? portable__cuda_event_query(d->index, m->event) : portable__cuda_stream_query(d->index, d->native);
  calm_end(calm);
  if (code == PORTABLE__CUDA_NOT_READY) return 0;
  if (code == 0) {
    portable__side_passed(s, m ? m->number : issued);
    return 1;
  }
  d->users++;
  pthread_mutex_unlock(&s->lock);
  portable__side_failed(s, code, m ? "cuEventQuery" : "cuStreamQuery");
  pthread_mutex_lock(&s->lock);
  if (--d->users == 0) pthread_cond_broadcast(&s->progress);
  return 1;
}

void portable__side_await(struct portable__stream *s, uint64_t number) {
  struct portable__device_side *d = portable__queue_side(s);
  while (atomic_load_explicit(&s->done, memory_order_relaxed) < number) {
    uint64_t issued = atomic_load_explicit(&s->issued, memory_order_relaxed);
    struct portable__mark *m = mark_of(d, number);
    void *event = m && m->number < issued ? m->event : NULL;
    uint64_t upto = event ? m->number : issued;
    int cancel;
    d->users++;
    pthread_mutex_unlock(&s->lock);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    struct calm calm = calm_begin();
    int code = event ? portable__cuda_event_sync(d->index, event) : portable__cuda_stream_sync(d->index, d->native);
    calm_end(calm);
    if (code != 0) portable__side_failed(s, code, event ? "cuEventSynchronize" : "cuStreamSynchronize");
    pthread_setcancelstate(cancel, &cancel);
    pthread_mutex_lock(&s->lock);
    if (code == 0) portable__side_passed(s, upto);
    if (--d->users == 0) pthread_cond_broadcast(&s->progress);
  }
}

portable_status portable__side_quiet(struct portable__stream *s) {
  pthread_mutex_lock(&s->lock);
  portable__side_await(s, atomic_load_explicit(&s->issued, memory_order_relaxed));
  pthread_mutex_unlock(&s->lock);
  portable__side_hear(s);
  pthread_mutex_lock(&s->lock);
  portable_status error = s->error;
  pthread_mutex_unlock(&s->lock);
  return error;
}

/* ---- errors ---- */

/* ", 'a', 'b'": the kept launches that may not be done. Gives their number. Locked. */
static uint64_t suspects(const struct portable__device_side *d, char *text, size_t room) {
  uint64_t count = d->launches - d->launches_done;
  uint64_t first = count > PORTABLE__RECENT ? d->launches - PORTABLE__RECENT : d->launches_done;
  size_t at = 0;
  text[0] = '\0';
  for (uint64_t i = first; i < d->launches && at < room; i++) {
    at += portable__message(text + at, room - at, "%s'%s'", i > first ? ", " : "", d->recent[i % PORTABLE__RECENT].label);
  }
  return count;
}

/* The text of this thread's last error stays, because it belongs to its own calls. */
void portable__side_failed(struct portable__stream *s, int code, const char *call) {
  char labels[PORTABLE__RECENT * (PORTABLE__RECENT_TEXT + 4)], text[PORTABLE__ERROR_KEPT], before[PORTABLE__ERROR_KEPT];
  struct portable__device_side *d = portable__queue_side(s);
  snprintf(before, sizeof before, "%s", portable_last_error());
  pthread_mutex_lock(&s->lock);
  uint64_t count = suspects(d, labels, sizeof labels), issued = atomic_load_explicit(&s->issued, memory_order_relaxed);
  size_t bytes = strlen(labels);
  pthread_mutex_unlock(&s->lock);
  char *label = labels;
  if (count == 1 && bytes > 2) {
    labels[bytes - 1] = '\0';
    label = labels + 1;
  }
  portable_status status = portable__above_device.fail(code, call, count == 1 ? label : NULL);
  if (count > 1)
    snprintf(text, sizeof text, "%.400s; it comes from one of the %llu launches since the stream was last waited for%s: %s. With PORTABLE_CHECK=launch each is "
             "waited for, and the error names it", portable_last_error(), (unsigned long long)count,
             count > PORTABLE__RECENT ? ", of which the last are" : "", labels);
  else
    snprintf(text, sizeof text, "%s", portable_last_error());
  portable__set_error(before, strlen(before));
  pthread_mutex_lock(&s->lock);
  if (s->error == PORTABLE_OK) {
    s->error = status;
    memcpy(s->text, text, sizeof s->text);
  }
  portable__side_passed(s, issued);
  pthread_mutex_unlock(&s->lock);
}

void portable__side_hear(struct portable__stream *s) {
  char text[PORTABLE__ERROR_KEPT];
  void *native = NULL;
  int32_t index = -1;
  pthread_mutex_lock(&s->lock);
  struct portable__device_side *d = portable__queue_side(s);
  if (d) {
    index = d->index;
    native = d->native;
  }
  pthread_mutex_unlock(&s->lock);
  if (index < 0 || PORTABLE__LIKELY(!portable__above_device.noted(index))) return;
  portable_status status = portable__above_device.notes_take(index, native, text, sizeof text);
  if (status == PORTABLE_OK) return;
  pthread_mutex_lock(&s->lock);
  if (s->error == PORTABLE_OK) {
    s->error = status;
    memcpy(s->text, text, sizeof s->text);
  }
  pthread_mutex_unlock(&s->lock);
}

/* ---- adding work ---- */

void portable__side_foreign(struct portable__stream *s) {
  struct portable__device_side *d = portable__queue_side(s);
  uint64_t queued = atomic_load_explicit(&s->queued, memory_order_relaxed);
  if (!d || PORTABLE__LIKELY(!d->foreign) || atomic_load_explicit(&s->issued, memory_order_relaxed) < queued) return;
  if (atomic_load_explicit(&s->done, memory_order_relaxed) < queued && !mark_of(d, queued)) return;
  atomic_store_explicit(&s->queued, queued + 1, memory_order_relaxed);
  portable__side_issued(s, queued + 1, NULL);
}

void portable__side_queued(struct portable__stream *s) {
  struct portable__device_side *d = portable__queue_side(s);
  if (d && d->is_default && !(atomic_load_explicit(&portable__unfenced, memory_order_relaxed) >> d->index & 1))
    atomic_fetch_or(&portable__unfenced, UINT32_C(1) << d->index);
}

/* Locked. */
static void note_launch(struct portable__device_side *d, uint64_t number, const char *label) {
  uint64_t i = d->launches++ % PORTABLE__RECENT;
  size_t bytes = strnlen(label, PORTABLE__RECENT_TEXT - 1);
  d->recent[i].number = number;
  memcpy(d->recent[i].label, label, bytes);
  d->recent[i].label[bytes] = '\0';
}

void portable__side_issued(struct portable__stream *s, uint64_t number, const char *label) {
  struct portable__device_side *d = portable__queue_side(s);
  atomic_store_explicit(&s->issued, number, memory_order_relaxed);
  portable__side_queued(s);
  if (d && label) note_launch(d, number, label);
}

/* The driver also refuses calls after a failed launch; then the error is that launch's. */
PORTABLE__COLD static portable_status refused(struct portable__stream *s, struct portable__device_side *d, portable_status status) {
  pthread_mutex_lock(&s->lock);
  int pending = d->launches > d->launches_done;
  pthread_mutex_unlock(&s->lock);
  int code = pending ? portable__cuda_stream_query(d->index, d->native) : 0;
  if (code == 0 || code == PORTABLE__CUDA_NOT_READY) return status;
  portable__side_failed(s, code, "cuStreamQuery");
  return PORTABLE_OK;
}

/* A number above 0 is no status, but likely a result of the driver or of NVIDIA's libraries. */
PORTABLE__COLD static portable_status gave(const struct portable__device_work *work, portable_status status) {
  const char *name = status > 0 ? "no status of the library; give 0 or a status below 0" : portable_status_name(status);
  return portable__fail(status > 0 ? PORTABLE_ERR_DEVICE : status, "portable_device_enqueue of '%s': the function gave %d (%s)", work->label, (int)status, name);
}

portable_status portable__side_enqueue(struct portable__stream *s, const struct portable__device_work *work, void *payload) {
  struct portable__device_side *d = portable__queue_side(s);
  struct calm calm = calm_begin();
  portable_status status;
  int code = portable__cuda_inside(d->index, d->native, work->enqueue, payload, &status);
  if (PORTABLE__UNLIKELY(code != 0)) status = portable__above_device.fail(code, "cuCtxSetCurrent", work->label);
  else if (PORTABLE__UNLIKELY(status != PORTABLE_OK && work->own)) status = gave(work, status);
  if (PORTABLE__UNLIKELY(status != PORTABLE_OK)) status = refused(s, d, status);
  calm_end(calm);
  return status;
}

portable_status portable__side_run(struct portable__stream *s, const struct portable__device_work *work) {
  struct portable__device_side *d = portable__queue_side(s);
  portable_status status = portable__side_enqueue(s, work, (void *)(uintptr_t)work->payload);
  if (status != PORTABLE_OK) return status;
  pthread_mutex_lock(&s->lock);
  note_launch(d, atomic_load_explicit(&s->issued, memory_order_relaxed) + 1, work->label);
  pthread_mutex_unlock(&s->lock);
  struct calm calm = calm_begin();
  int code = portable__cuda_stream_sync(d->index, d->native);
  calm_end(calm);
  if (code != 0) portable__side_failed(s, code, "cuStreamSynchronize");
  pthread_mutex_lock(&s->lock);
  d->launches_done = d->launches;
  status = s->error;
  pthread_mutex_unlock(&s->lock);
  return status;
}

int portable__side_follows(struct portable__stream *s, struct portable__point point, int may_wait) {
  struct portable__stream *of = point.stream;
  struct portable__device_side *d = portable__queue_side(s), *other;
  void *event = NULL;
  if (!of || of == s) return 1;
  if (!portable__queue_side(of)) {
    if (!may_wait) return portable__point_done(point);
    portable__point_await(point);
    return 1;
  }
  if (may_wait) portable__queue_reach(point);
  pthread_mutex_lock(&of->lock);
  other = portable__queue_side(of);
  int done = atomic_load_explicit(&of->done, memory_order_relaxed) >= point.number || !other;
  if (!done && atomic_load_explicit(&of->issued, memory_order_relaxed) < point.number) {
    pthread_mutex_unlock(&of->lock);
    return 0;
  }
  struct calm calm = calm_begin();
  struct portable__mark *m = done ? NULL : mark(of, other, point.number);
  if (m) {
    event = m->event;
    other->users++;
  }
  pthread_mutex_unlock(&of->lock);
  int code = event ? portable__cuda_stream_wait(d->index, d->native, event) : 0;
  calm_end(calm);
  if (event) {
    pthread_mutex_lock(&of->lock);
    if (--other->users == 0) pthread_cond_broadcast(&of->progress);
    pthread_mutex_unlock(&of->lock);
  }
  if (!done && (!event || code != 0)) portable__point_await(point);
  return 1;
}
