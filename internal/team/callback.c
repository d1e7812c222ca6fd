/* callback.c - launches with a Go function as kernel: for devices that are written in Go, and for
 * tests. The function is known by a number, because no pointer of Go may stay in C. */
#include <string.h>

#include "_cgo_export.h"
#include "devices.h"

static void call_go(const portable_tile *tile, void *args) {
  uintptr_t handle = *(const uintptr_t *)args;
  portable__team_call(handle, tile->worker, tile->lower[0], tile->upper[0] + 1);
}

int portable__team_run_go(int32_t device, const char *label, int64_t units, int32_t workers, int32_t dynamic, int64_t grain, uintptr_t handle) {
  struct portable__job job;
  portable_bounds bounds;
  memset(&job, 0, sizeof job);
  memset(&bounds, 0, sizeof bounds);
  bounds.struct_size = sizeof bounds;
  bounds.rank = 1;
  bounds.upper[0] = units - 1;
  bounds.stride[0] = 1;
  job.device = device;
  job.label = label;
  job.kernel = call_go;
  job.args = &handle;
  job.workers = workers;
  job.dynamic = dynamic;
  job.grain = grain;
  int64_t one[PORTABLE_LOOP_RANK] = {1};
  if (portable__cut_space(&bounds, &job.cut) != 0) return 1;
  portable__cut_units(&job.cut, one, workers);
  job.cut.merge = 1;
  return portable__device_is_own(device) ? portable__device_run(&job) : portable__team_run(&job);
}
