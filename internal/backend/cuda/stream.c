/* stream.c - calls the driver's functions of streams and events. In C because a launch must not
 * call Go. */
#include "stream.h"

#include "cuda.h"
#include "devices.h"

/* A program that uses several devices by the CUDA runtime has chosen one for its thread; the choice is restored. */
static int leave(int32_t index, void *before, CUresult code) {
  if (before && before != portable__cuda_context(index)) portable__cuda_return(before);
  return (int)code;
}

#define ENTER(index)                                          \
  void *before;                                               \
  const int entered = portable__cuda_visit(index, &before);   \
  if (entered != CUDA_SUCCESS) return entered

int portable__cuda_stream_make(int32_t index, void **native_out) {
  CUstream made = NULL;
  *native_out = NULL;
  ENTER(index);
  CUresult code = cuStreamCreate(&made, CU_STREAM_NON_BLOCKING);
  *native_out = made;
  return leave(index, before, code);
}

int portable__cuda_stream_end(int32_t index, void *native) {
  ENTER(index);
  return leave(index, before, cuStreamDestroy((CUstream)native));
}

int portable__cuda_stream_sync(int32_t index, void *native) {
  ENTER(index);
  return leave(index, before, cuStreamSynchronize((CUstream)native));
}

int portable__cuda_stream_query(int32_t index, void *native) {
  ENTER(index);
  return leave(index, before, cuStreamQuery((CUstream)native));
}

int portable__cuda_stream_wait(int32_t index, void *native, void *event) {
  ENTER(index);
  return leave(index, before, cuStreamWaitEvent((CUstream)native, (CUevent)event, 0));
}

int portable__cuda_event_make(int32_t index, void **event_out) {
  CUevent made = NULL;
  *event_out = NULL;
  ENTER(index);
  CUresult code = cuEventCreate(&made, CU_EVENT_DISABLE_TIMING);
  *event_out = made;
  return leave(index, before, code);
}

int portable__cuda_event_end(int32_t index, void *event) {
  ENTER(index);
  return leave(index, before, cuEventDestroy((CUevent)event));
}

int portable__cuda_event_record(int32_t index, void *event, void *native) {
  ENTER(index);
  return leave(index, before, cuEventRecord((CUevent)event, (CUstream)native));
}

int portable__cuda_event_sync(int32_t index, void *event) {
  ENTER(index);
  return leave(index, before, cuEventSynchronize((CUevent)event));
}

int portable__cuda_event_query(int32_t index, void *event) {
  ENTER(index);
  return leave(index, before, cuEventQuery((CUevent)event));
}

int portable__cuda_inside(int32_t index, void *native, int (*call)(void *native, void *payload), void *payload, int *status_out) {
  ENTER(index);
  *status_out = call(native, payload);
  return leave(index, before, CUDA_SUCCESS);
}
