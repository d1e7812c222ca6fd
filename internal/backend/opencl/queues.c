/* queues.c - streams and events: queues of OpenCL that run in order, and markers in them. In C
 * because launches and fences do not call Go. Locks: those of the records. */
#include <stdlib.h>

#include "room.h"

struct CUstream_st *portable__cl_stream(CUstream stream) {
  struct CUctx_st *on = portable__cl_current();
  return stream ? stream : on && on->context ? &on->standard : NULL;
}

CUresult portable__cl_stream_start(struct CUstream_st *s, struct CUctx_st *on) {
  cl_int code = CL_SUCCESS;
  s->queue = portable__cl.clCreateCommandQueueWithProperties(on->context, on->id, NULL, &code);
  s->on = on;
  return portable__cl_failed(code);
}

CUresult portable__cl_entered(struct CUstream_st *s, cl_int code, cl_event event) {
  if (code != CL_SUCCESS) return portable__cl_failed(code);
  if (s->last) portable__cl.clReleaseEvent(s->last);
  s->last = event;
  return portable__cl_failed(portable__cl.clFlush(s->queue)); /* so that it begins, also if only another stream waits for it */
}

static CUresult create(CUstream *to, unsigned int flags) {
  struct CUctx_st *on = portable__cl_current();
  (void)flags;
  *to = NULL;
  if (!on) return CUDA_ERROR_INVALID_CONTEXT;
  struct CUstream_st *s = calloc(1, sizeof *s);
  if (!s) return CUDA_ERROR_OUT_OF_MEMORY;
  pthread_mutex_init(&s->lock, NULL);
  const CUresult result = portable__cl_stream_start(s, on);
  if (result != CUDA_SUCCESS) {
    free(s);
    return result;
  }
  pthread_mutex_lock(&on->standard.lock);
  s->other = on->standard.other;
  on->standard.other = s;
  pthread_mutex_unlock(&on->standard.lock);
  *to = s;
  return CUDA_SUCCESS;
}

static CUresult destroy(CUstream s) {
  struct CUctx_st *on = s->on;
  const CUresult result = portable__cl_failed(portable__cl.clFinish(s->queue));
  pthread_mutex_lock(&on->standard.lock);
  for (struct CUstream_st **at = &on->standard.other; *at; at = &(*at)->other)
    if (*at == s) {
      *at = s->other;
      break;
    }
  pthread_mutex_unlock(&on->standard.lock);
  if (s->last) portable__cl.clReleaseEvent(s->last);
  for (int i = 0; i < RING; i++) {
    if (s->ring[i].used_by) portable__cl.clReleaseEvent(s->ring[i].used_by);
    if (s->ring[i].parameters) portable__cl_give(on, s->ring[i].parameters);
  }
  portable__cl.clReleaseCommandQueue(s->queue);
  pthread_mutex_destroy(&s->lock);
  free(s);
  return result;
}

/* Whether the work of an event has completed. */
static CUresult state(cl_event event) {
  cl_int status = 0;
  const cl_int code = portable__cl.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
  if (code != CL_SUCCESS) return portable__cl_failed(code);
  if (status < 0) {
    portable__cl_failed(status);
    return CUDA_ERROR_LAUNCH_FAILED;
  }
  return status == 0 ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

/* A holder's share in an event that others may replace; NULL: there is none. */
static cl_event share(pthread_mutex_t *lock, cl_event *at) {
  pthread_mutex_lock(lock);
  cl_event event = *at;
  if (event) portable__cl.clRetainEvent(event);
  pthread_mutex_unlock(lock);
  return event;
}

static CUresult query_of(pthread_mutex_t *lock, cl_event *at) {
  cl_event event = share(lock, at);
  if (!event) return CUDA_SUCCESS;
  const CUresult result = state(event);
  portable__cl.clReleaseEvent(event);
  return result;
}

static CUresult wait_for(pthread_mutex_t *lock, cl_event *at) {
  cl_event event = share(lock, at);
  if (!event) return CUDA_SUCCESS;
  portable__cl.clWaitForEvents(1, &event); /* its state says whether the command has failed */
  const CUresult result = state(event);
  portable__cl.clReleaseEvent(event);
  return result;
}

static CUresult query(CUstream stream) {
  struct CUstream_st *s = portable__cl_stream(stream);
  return s ? query_of(&s->lock, &s->last) : CUDA_ERROR_INVALID_CONTEXT;
}

static CUresult synchronize(CUstream stream) {
  struct CUstream_st *s = portable__cl_stream(stream);
  return s ? wait_for(&s->lock, &s->last) : CUDA_ERROR_INVALID_CONTEXT;
}

static CUresult event_create(CUevent *to, unsigned int flags) {
  (void)flags;
  struct CUevent_st *e = calloc(1, sizeof *e);
  *to = e;
  if (!e) return CUDA_ERROR_OUT_OF_MEMORY;
  pthread_mutex_init(&e->lock, NULL);
  return CUDA_SUCCESS;
}

static CUresult event_destroy(CUevent e) {
  if (e->at) portable__cl.clReleaseEvent(e->at);
  pthread_mutex_destroy(&e->lock);
  free(e);
  return CUDA_SUCCESS;
}

static CUresult event_record(CUevent e, CUstream stream) {
  struct CUstream_st *s = portable__cl_stream(stream);
  cl_event at = NULL;
  if (!s) return CUDA_ERROR_INVALID_CONTEXT;
  pthread_mutex_lock(&s->lock);
  const cl_int code = portable__cl.clEnqueueMarkerWithWaitList(s->queue, 0, NULL, &at);
  const CUresult result = portable__cl_entered(s, code, at);
  if (result == CUDA_SUCCESS) {
    portable__cl.clRetainEvent(at);
    pthread_mutex_lock(&e->lock);
    if (e->at) portable__cl.clReleaseEvent(e->at);
    e->at = at;
    pthread_mutex_unlock(&e->lock);
  }
  pthread_mutex_unlock(&s->lock);
  return result;
}

static CUresult event_query(CUevent e) { return query_of(&e->lock, &e->at); }
static CUresult event_synchronize(CUevent e) { return wait_for(&e->lock, &e->at); }

/* Another device's event is another context's, which a queue cannot wait for: then the host does. */
static CUresult stream_wait(CUstream stream, CUevent e, unsigned int flags) {
  struct CUstream_st *s = portable__cl_stream(stream);
  (void)flags;
  if (!s) return CUDA_ERROR_INVALID_CONTEXT;
  cl_event at = share(&e->lock, &e->at), own = NULL;
  if (!at) return CUDA_SUCCESS;
  pthread_mutex_lock(&s->lock);
  cl_int code = portable__cl.clEnqueueBarrierWithWaitList(s->queue, 1, &at, &own);
  CUresult result = CUDA_SUCCESS;
  if (code == CL_SUCCESS)
    result = portable__cl_entered(s, code, own);
  else
    result = wait_for(&e->lock, &e->at);
  pthread_mutex_unlock(&s->lock);
  portable__cl.clReleaseEvent(at);
  return result;
}

const struct portable__cl_name portable__cl_stream_names[] = {
    {"cuStreamCreate", (void *)create},
    {"cuStreamDestroy_v2", (void *)destroy},
    {"cuStreamQuery", (void *)query},
    {"cuStreamSynchronize", (void *)synchronize},
    {"cuStreamWaitEvent", (void *)stream_wait},
    {"cuEventCreate", (void *)event_create},
    {"cuEventDestroy_v2", (void *)event_destroy},
    {"cuEventRecord", (void *)event_record},
    {"cuEventQuery", (void *)event_query},
    {"cuEventSynchronize", (void *)event_synchronize},
    {NULL, NULL},
};
