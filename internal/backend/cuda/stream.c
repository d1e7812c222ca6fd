/* stream.c - see stream.h. In C because a launch must not enter Go. */
#include "stream.h"

#include "cuda.h"
#include "devices.h"

#define ENTER(index)                               \
  do {                                             \
    int entered = portable__cuda_enter(index);     \
    if (entered != CUDA_SUCCESS) return entered;   \
  } while (0)

int portable__cuda_stream_make(int32_t index, void **native_out) {
  CUstream made = NULL;
  *native_out = NULL;
  ENTER(index);
  int code = (int)cuStreamCreate(&made, CU_STREAM_NON_BLOCKING);
  *native_out = made;
  return code;
}

int portable__cuda_stream_end(int32_t index, void *native) {
  ENTER(index);
  return (int)cuStreamDestroy((CUstream)native);
}

int portable__cuda_stream_sync(int32_t index, void *native) {
  ENTER(index);
  return (int)cuStreamSynchronize((CUstream)native);
}

int portable__cuda_stream_query(int32_t index, void *native) {
  ENTER(index);
  return (int)cuStreamQuery((CUstream)native);
}

int portable__cuda_stream_wait(int32_t index, void *native, void *event) {
  ENTER(index);
  return (int)cuStreamWaitEvent((CUstream)native, (CUevent)event, 0);
}

int portable__cuda_event_make(int32_t index, void **event_out) {
  CUevent made = NULL;
  *event_out = NULL;
  ENTER(index);
  int code = (int)cuEventCreate(&made, CU_EVENT_DISABLE_TIMING);
  *event_out = made;
  return code;
}

int portable__cuda_event_end(int32_t index, void *event) {
  ENTER(index);
  return (int)cuEventDestroy((CUevent)event);
}

int portable__cuda_event_record(int32_t index, void *event, void *native) {
  ENTER(index);
  return (int)cuEventRecord((CUevent)event, (CUstream)native);
}

int portable__cuda_event_sync(int32_t index, void *event) {
  ENTER(index);
  return (int)cuEventSynchronize((CUevent)event);
}

int portable__cuda_event_query(int32_t index, void *event) {
  ENTER(index);
  return (int)cuEventQuery((CUevent)event);
}
