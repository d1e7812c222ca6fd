/* graphs.h - what the programs of this folder share: streams of the host, and launches into them. C only. */
#ifndef GRAPHS_H
#define GRAPHS_H

#include "check.h"

#include <portable_graph.h>
#include <stdatomic.h>

/* A new asynchronous stream of the default device, or of `threads` where that is a CUDA device, on which kernels of the host are not recorded. */
static inline portable_stream graphs_stream(void) {
  portable_device device = 0;
  portable_stream s = 0;
  if (portable_stream_kind(0) == PORTABLE_STREAM_ASYNC) CHECK_STATUS(portable_device_find("threads", &device), PORTABLE_OK);
  CHECK_STATUS(portable_stream_create(device, PORTABLE_STREAM_ASYNC, &s), PORTABLE_OK);
  CHECK(s != 0);
  return s;
}

static inline portable_status graphs_launch(const char *label, portable_stream stream, int64_t n, portable_kernel_function kernel, const void *args, size_t bytes) {
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_bounds b = portable_bounds_1(n);
  config.stream = stream;
  return portable_parallel_for(label, &b, kernel, args, bytes, &config);
}

#endif
