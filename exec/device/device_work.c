/* device_work.c - work for CUDA devices, from kernels, copies and algorithms: the stream,
 * observers, waiting. Main function: portable__device_work. An observer sees a launch from begin to
 * end, so the launch, and the work before it in the stream, is waited for. PORTABLE_CHECK=launch is
 * such an observer, so that an error names its launch; NVTX and tuning need no end. Not here:
 * issuing (exec/stream/queue_put.c, queue_device.c). Threads: any. */
#include <stdio.h>
#include <string.h>

#include "device_work.h"
#include "devices.h"
#include "../launch/launch.h"
#include "../../internal/backend/cuda/devices.h"
#include "../../internal/edge/above.h"
#include "../../internal/memcheck/hazard.h"
#include "../stream/queue_device.h"
#include "../../internal/observe/watch.h"

#define NOT_WAITED (UINT32_C(1) << PORTABLE__TUNING | UINT32_C(1) << PORTABLE__NVTX | UINT32_C(1) << PORTABLE__RECORDS)

/* The stream of the work, with its handle. */
static struct portable__stream *stream_of(const struct portable__device_work *work, portable_stream *handle, portable_status *status_out) {
  *handle = work->stream;
  *status_out = PORTABLE_OK;
  if (!portable_is_initialized()) {
    *status_out = portable__not_running(work->label);
    return NULL;
  }
  if (portable__cuda_index(work->device) < 0) {
    *status_out = portable__not_cuda("launch", work->label, work->device);
    return NULL;
  }
  if (work->stream == 0 || work->stream == PORTABLE__STREAM_OF(work->device)) return portable__stream_default(work->label, work->device, handle, status_out);
  struct portable__stream *s = portable__stream_of(work->label, handle, status_out);
  if (s && (atomic_load(&s->device) != work->device || !portable__queue_side(s))) {
    *status_out = portable__fail(PORTABLE_ERR_ARG, "launch of '%s': the stream is one of device %d (%s), the launch is for device %d", work->label,
                                 (int)atomic_load(&s->device), portable_device_name(atomic_load(&s->device)), (int)work->device);
    return NULL;
  }
  return s;
}

static portable_status put(struct portable__stream *s, portable_stream handle, const struct portable__device_work *work, struct portable__point *at) {
  portable_status status = portable__queue_device(s, handle, work, at);
  if (status == PORTABLE_OK && portable__hazards() && at->number < PORTABLE__PLACE) portable__hazard_launch(s, at->number, work->label, work->payload, work->payload_bytes);
  return status;
}

static portable_status finish(struct portable__stream *s, portable_stream handle, const char *label, struct portable__point at) {
  char function[PORTABLE__LABEL_MAX + 64];
  snprintf(function, sizeof function, "launch of '%.*s', which is waited for", PORTABLE__LABEL_MAX, label);
  portable_status status = portable__stream_settle(function, s, handle, at);
  if (status == PORTABLE_ERR_STATE) portable__queue_cancel(at);
  return status;
}

/* waits: 1: the work asks for it or must; alone: no other work of the stream may run during the observation. */
PORTABLE__COLD static portable_status watched(uint32_t watching, struct portable__stream *s, portable_stream handle, const struct portable__device_work *work,
                                              int waits) {
  if (watching >> PORTABLE__RECORDS & 1 && portable__recording && portable__above_graph.recording()) {
    const int records = portable__queue_records(s);
    if (!records && (waits || work->stream == 0 || work->stream == PORTABLE__STREAM_OF(work->device)))
      return portable__above_graph.refuse("launch", work->label, PORTABLE__GRAPH_OUTSIDE);
    if (records) return waits ? portable__above_graph.refuse("launch", work->label, PORTABLE__GRAPH_WAITS) : put(s, handle, work, &(struct portable__point){NULL, 0});
  }
  struct portable__watched w = {.label = work->label, .kind = work->kind, .device = work->device, .count = work->count};
  struct portable__point at = {NULL, 0};
  /* A thread inside a stream must not wait. Waits of an observer give no order to a correct program, so the hazard check does not see them. */
  int alone = (watching & ~NOT_WAITED) && !portable__queue_inside();
  if (alone) portable__point_await(portable__queue_end_of(s, handle));
  portable__watch_begin(watching, &w);
  portable_status status = put(s, handle, work, &at);
  if (status == PORTABLE_OK && waits)
    status = finish(s, handle, work->label, at);
  else if (status == PORTABLE_OK && alone)
    portable__point_await(at);
  portable__watch_end(&w, status);
  return status;
}

portable_status portable__device_work(const struct portable__device_work *work) {
  struct portable__point at;
  portable_stream handle;
  portable_status status;
  struct portable__stream *s = stream_of(work, &handle, &status);
  if (PORTABLE__UNLIKELY(!s)) return status;
  int own = PORTABLE__UNLIKELY(portable__queue_inside() == s), waits = work->waits;
  if (PORTABLE__UNLIKELY(own && waits)) return portable__stream_own(work->label);
  /* Inside host work of this stream, the device is idle, and this work comes later. */
  if (!waits && !own) {
    /* The record of the stream may end now by another thread; so its device is not read there. */
    const struct portable__cuda_facts *facts = portable__cuda_facts(portable__cuda_index(work->device));
    waits = atomic_load_explicit(&s->kind, memory_order_relaxed) == PORTABLE_STREAM_SYNC || !facts || !facts->concurrent_managed;
  }
  uint32_t watching = portable__watched_by();
  if (PORTABLE__UNLIKELY(watching)) return watched(watching, s, handle, work, waits);
  status = put(s, handle, work, &at);
  return PORTABLE__LIKELY(!waits) || status != PORTABLE_OK ? status : finish(s, handle, work->label, at);
}
