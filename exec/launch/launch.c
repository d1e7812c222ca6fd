/* launch.c - the way of a launch: checks, cutting, the team; who watches is told (watch.h). In C because a launch on threads that
 * are awake takes less time than two calls into Go. What it takes where the user says nothing (device, schedule) is
 * Go's to decide, and set before. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fallback.h"
#include "launch.h"
#include "questions.h"
#include "../../internal/edge/above.h"
#include "../../internal/tracing/found.h"
#include "../../internal/backend/cuda/devices.h"
#include "../../internal/edge/calls.h"
#include "../../internal/memcheck/hazard.h"
#include "../../internal/memcheck/memcheck.h"
#include "../race/race.h"
#include "../timer/timer.h"

#define SMALL_BLOCK 1024                           /* argument blocks that are copied onto the stack */
#define DYNAMIC_PARTS 16                           /* parts for each worker, where the size is ours to choose */
#define DEVICES_MAX 64

struct portable__defaults portable__defaults;

static char names[DEVICES_MAX][32]; /* written before their numbers are known, never after */

void portable__device_named(int32_t number, portable__text name, size_t bytes) {
  if (number < 1 || number > DEVICES_MAX) return;
  if (bytes >= sizeof names[0]) bytes = sizeof names[0] - 1;
  if (portable_is_initialized() && number <= atomic_load(&portable__defaults.devices)) return; /* is as it was, and may be read */
  memcpy(names[number - 1], name, bytes);
  names[number - 1][bytes] = '\0';
}

void portable__devices_set(int32_t devices) {
  atomic_store(&portable__defaults.devices, devices < DEVICES_MAX ? devices : DEVICES_MAX);
}

void portable__defaults_set(int32_t schedule, int32_t b4b) {
  atomic_store(&portable__defaults.schedule, schedule);
  atomic_store(&portable__defaults.b4b, b4b);
}

void portable__default_device_set(int32_t device) { atomic_store(&portable__defaults.device, device); }

int32_t portable__job_failed(struct portable__job *job) { return atomic_load_explicit(&job->failed, memory_order_relaxed); }

int32_t portable_in_kernel(void) { return portable__running_job != NULL; }

int32_t portable_device_count(void) { return portable_is_initialized() ? atomic_load(&portable__defaults.devices) : 0; }

const char *portable_device_name(portable_device device) {
  if (device == 0) device = portable_default_device();
  return device < 1 || device > portable_device_count() || device > DEVICES_MAX ? "" : names[device - 1];
}

portable_device portable_default_device(void) {
  return portable_is_initialized() ? atomic_load(&portable__defaults.device) : 0;
}

portable_stream portable_device_stream(portable_device device) {
  if (device == 0) device = portable_default_device();
  return device < 1 || device > portable_device_count() ? 0 : PORTABLE__STREAM_OF(device);
}

int32_t portable_num_threads(void) { return portable_is_initialized() ? portable__team_workers() : 0; }

/* "1:10, 2:20:3" */
static const char *bounds_text(const portable_bounds *b, char *text, size_t bytes) {
  size_t at = 0;
  text[0] = '\0';
  for (int32_t d = 0; d < b->rank && at < bytes; d++) {
    int n = snprintf(text + at, bytes - at, "%s%" PRId64 ":%" PRId64, d ? ", " : "", b->lower[d], b->upper[d]);
    if (n > 0) at += (size_t)n;
    if (b->stride[d] != 1 && at < bytes) n = snprintf(text + at, bytes - at, ":%" PRId64, b->stride[d]);
    if (b->stride[d] != 1 && n > 0) at += (size_t)n;
  }
  return text;
}

PORTABLE__COLD static portable_status bad_bounds(const char *label, const portable_bounds *b, int why, int32_t fortran) {
  char text[8 * 64];
  if (why == PORTABLE__BOUNDS_NONE)
    return portable__fail(PORTABLE_ERR_ARG, fortran ? "parallel_for '%s': these bounds are none; bounds(lower, upper, stride) takes arrays of one "
                                                      "length, 1 to 8" :
                                                      "parallel_for '%s': these bounds were not made by portable_bounds_make", label);
  for (int32_t d = 0; d < b->rank; d++)
    if (why == PORTABLE__BOUNDS_STRIDE && b->stride[d] < 1)
      return portable__fail(PORTABLE_ERR_ARG, "parallel_for '%s': the stride of dimension %d is %" PRId64 "; it is 1 or more "
                            "(bounds %s)", label, (int)d + 1, b->stride[d], bounds_text(b, text, sizeof text));
  return portable__fail(PORTABLE_ERR_OVERFLOW, "parallel_for '%s': there are more iterations than a 64-bit integer counts "
                        "(bounds %s)", label, bounds_text(b, text, sizeof text));
}

PORTABLE__COLD static portable_status told(const char *label, portable_status status) {
  portable__finding(PORTABLE__FOUND_LAUNCH_BOUNDS, label, portable_last_error(), NULL);
  return status;
}

/* A schedule, tile or cut that does not exist; what concerns the device is looked at there. */
static int bad_config(const portable_launch_config *config, int32_t rank) {
  int bad = config->cut < 0 || config->schedule < PORTABLE_SCHEDULE_DEFAULT || config->schedule > PORTABLE_SCHEDULE_DYNAMIC;
  for (int32_t d = 0; d < rank; d++) bad |= config->tile[d] < 0;
  return bad;
}

static portable_status refuse_config(const char *label, const portable_launch_config *config, int32_t rank) {
  for (int32_t d = 0; d < rank; d++)
    if (config->tile[d] < 0)
      return portable__fail(PORTABLE_ERR_ARG, "parallel_for '%s': the tile has %lld iterations in dimension %d; it has 1 or more, or 0 for as "
                            "many as there are", label, (long long)config->tile[d], (int)d + 1);
  if (config->cut < 0)
    return portable__fail(PORTABLE_ERR_ARG, "parallel_for '%s': the cut has %d iterations; it has 1 or more, or 0 for tiles that begin anywhere",
                          label, (int)config->cut);
  return portable__fail(PORTABLE_ERR_ARG, "parallel_for '%s': there is no schedule %d; there are 0 (the default), 1 (static) and 2 (dynamic)",
                        label, (int)config->schedule);
}

/* A kernel that ignores its stride computes wrong values without any sign. */
PORTABLE__COLD static portable_status has_stride(const char *label, const portable_bounds *b) {
  char text[8 * 64];
  return portable__fail(PORTABLE_ERR_ARG, "parallel_for '%s': a stride is not 1 (bounds %s); when the kernel's loops heed the "
                        "tile's stride, say so with strided", label, bounds_text(b, text, sizeof text));
}

/* 0: all bounds fit a signed integer of so many bytes. */
static int too_wide(const portable_bounds *b, int32_t bytes) {
  if (bytes >= 8) return 0;
  int64_t most = (INT64_C(1) << (8 * bytes - 1)) - 1;
  for (int32_t d = 0; d < b->rank; d++)
    if (b->lower[d] < -most - 1 || b->lower[d] > most || b->upper[d] > most || b->upper[d] < -most - 1 || b->stride[d] > most)
      return d + 1;
  return 0;
}

/* queue_out: the asynchronous stream that the launch names; NULL: none. cuda_out: the cuda device that the launch is for, whose place the host takes; 0:
 * none. */
static portable_status set_device(const char *label, const portable_launch_config *config, int32_t *device_out,
                                  struct portable__stream **queue_out, int32_t *cuda_out) {
  int32_t device = config->device, count = atomic_load_explicit(&portable__defaults.devices, memory_order_relaxed);
  *queue_out = NULL;
  *cuda_out = 0;
  if (config->stream) {
    int32_t of = 0, stream_kind = PORTABLE_STREAM_SYNC;
    struct portable__stream *made = portable__above_stream.facts(config->stream, &of, &stream_kind);
    if (!made && (config->stream < PORTABLE__STREAM_OF(1) || config->stream > PORTABLE__STREAM_OF(count)))
      return portable__fail(PORTABLE_ERR_HANDLE, "parallel_for '%s': %#" PRIx64 " is not a stream, or the stream was destroyed", label,
                            config->stream);
    if (!made) of = (int32_t)(config->stream - PORTABLE__STREAM_OF(0));
    if (stream_kind == PORTABLE_STREAM_ASYNC) *queue_out = made;
    if (device && device != of)
      return portable__fail(PORTABLE_ERR_ARG, "parallel_for '%s': the stream is one of device %d (%s), the launch names device "
                            "%d; name one of them", label, (int)of, names[of - 1], (int)device);
    device = of;
  }
  if (device == 0) device = atomic_load_explicit(&portable__defaults.device, memory_order_relaxed);
  if (device < 1 || device > count)
    return portable__fail(PORTABLE_ERR_NODEVICE, "parallel_for '%s': there is no device %d; there are %d", label, (int)device,
                          (int)count);
  if (PORTABLE__UNLIKELY(device > PORTABLE__THREADS) && portable__cuda_index(device) >= 0) {
    *cuda_out = device;
    device = PORTABLE__THREADS;
  }
  if (config->bit_for_bit && atomic_load_explicit(&portable__defaults.b4b, memory_order_relaxed)) device = PORTABLE__SERIAL;
  *device_out = device;
  return PORTABLE_OK;
}

static portable_status run(struct portable__job *job) {
  portable_status status = PORTABLE_OK;
  if (job->device <= PORTABLE__THREADS) {
    portable__team_run(job);
  } else if (portable__device_is_own(job->device)) {
    portable__device_run(job);
  } else {
    struct portable__crossing crossing;
    status = portable__cross_in(&crossing);
    if (status != PORTABLE_OK) return status;
    status = portable__launch_go.launch(job->device, job);
    portable__cross_out(&crossing);
  }
  if (PORTABLE__UNLIKELY(job->failed))
    return portable__fail(PORTABLE_ERR_KERNEL, "%s '%s': the kernel failed with code %d%s%s", job->call, job->label, (int)job->fail_code,
                          job->fail_text[0] ? ": " : "", job->fail_text);
  return status;
}

/* The same for those who watch. kind: PORTABLE_LAUNCH_... */
PORTABLE__COLD static portable_status run_watched(uint32_t watching, int32_t kind, struct portable__job *job, size_t args_bytes) {
  struct portable__watched w;
  w.label = job->label;
  w.kind = kind;
  w.device = job->device;
  w.count = job->cut.count;
  w.job = job;
  w.args_bytes = args_bytes;
  portable__watch_begin(watching, &w);
  portable_status status = run(job);
  portable__watch_end(&w, status);
  return status;
}

portable_status portable__job_run(struct portable__job *job, size_t args_bytes) {
  uint32_t watching = portable__watched_by();
  return PORTABLE__UNLIKELY(watching) ? run_watched(watching, job->leaves ? PORTABLE_LAUNCH_REDUCE : PORTABLE_LAUNCH_FOR, job, args_bytes)
                                       : run(job);
}

/* A kernel of the host for a cuda device, in the device's default stream or in a synchronous one: those behind it are fenced before. */
PORTABLE__COLD static portable_status run_fallback(int32_t cuda, portable_stream stream, struct portable__job *job, size_t args_bytes) {
  portable_status status = portable__fallback_turn(job->call, job->label, stream ? stream : portable_device_stream(cuda));
  if (status != PORTABLE_OK) return status;
  int64_t since = portable__now_ns();
  if (portable__hazards()) portable__hazard_here(job->label);
  status = portable__job_run(job, args_bytes);
  if (job->device == PORTABLE__THREADS && !portable__running_job) portable__fallback(job->label, job->cut.count, portable__now_ns() - since);
  return status;
}

/* What holds of every launch over a space: the configuration, completed, and the space. strided: who does it heeds strides, whatever config says. */
static inline portable_status space_of(const char *label, const portable_bounds *bounds, const portable_launch_config *config, int32_t strided,
                                       int32_t integer_bytes, int32_t flags, portable_launch_config *copy, struct portable__cut *cut) {
  if (config) {
    if (config->struct_size < sizeof(uint32_t) || config->struct_size > sizeof *copy)
      return portable__fail(PORTABLE_ERR_ARG, "parallel_for '%s': config.struct_size is %u; begin with "
                            "PORTABLE_LAUNCH_CONFIG_INIT", label, (unsigned)config->struct_size);
    memcpy(copy, config, config->struct_size);
  }
  int why = portable__cut_space(bounds, cut);
  if (PORTABLE__UNLIKELY(why)) return told(label, bad_bounds(label, bounds, why, integer_bytes));
  if (!copy->strided && !strided)
    for (int32_t d = 0; d < bounds->rank; d++)
      if (PORTABLE__UNLIKELY(bounds->stride[d] != 1)) return told(label, has_stride(label, bounds));
  if (integer_bytes && !(flags & PORTABLE__WIDE) && PORTABLE__UNLIKELY((why = too_wide(bounds, integer_bytes)))) {
    char text[8 * 64];
    return told(label, portable__fail(PORTABLE_ERR_OVERFLOW, "parallel_for '%s': the bounds of dimension %d do not fit a default integer "
                          "(bounds %s); when the kernel uses lower64 and upper64, say so with wide", label, why,
                          bounds_text(bounds, text, sizeof text)));
  }
  if (config && PORTABLE__UNLIKELY(bad_config(copy, bounds->rank))) return refuse_config(label, copy, bounds->rank);
  if (copy->cut > 1) cut->grain = copy->cut;
  if (PORTABLE__UNLIKELY(bounds->notes) && portable__watched_by() >> PORTABLE__CHECKS & 1) portable__check_early(label, bounds);
  return PORTABLE_OK;
}

portable_status portable__launch_space(const char *label, const portable_bounds *bounds, const portable_launch_config *config, int32_t strided,
                                       portable_launch_config *config_out, struct portable__cut *cut_out) {
  if (PORTABLE__UNLIKELY(!portable_is_initialized())) return portable__not_running("portable_parallel_for");
  if (!bounds) return portable__fail(PORTABLE_ERR_ARG, "parallel_for '%s': bounds is NULL", label);
  return space_of(label, bounds, config, strided, 0, 0, config_out, cut_out);
}

portable_status portable__launch(const char *label, const portable_bounds *bounds, portable_kernel_function kernel,
                                 const void *args, size_t args_bytes, const portable_launch_config *config,
                                 int32_t integer_bytes, int32_t flags, struct portable__leaves *leaves) {
  static _Atomic int handled;
  struct portable__stream *queue;
  portable_launch_config copy = PORTABLE_LAUNCH_CONFIG_INIT;
  struct portable__job job;
  portable_status status;
  PORTABLE__CALL("portable_parallel_for");
  if (!label) label = "unlabelled";
  if (PORTABLE__UNLIKELY(!portable_is_initialized())) return portable__not_running("portable_parallel_for");
  if (!bounds || !kernel || (args_bytes && !args))
    return portable__fail(PORTABLE_ERR_ARG, "parallel_for '%s': %s is NULL", label, !bounds ? "bounds" : !kernel ? "the kernel" : "args");
  status = space_of(label, bounds, config, 0, integer_bytes, flags, &copy, &job.cut);
  if (PORTABLE__UNLIKELY(status != PORTABLE_OK)) return status;
  int32_t cuda;
  status = set_device(label, &copy, &job.device, &queue, &cuda);
  if (status != PORTABLE_OK) return status;
  uint32_t watching = portable__watched_by();
  job.race = NULL;
  if (PORTABLE__UNLIKELY(watching >> PORTABLE__RACES & 1)) portable__race_launches(&job, flags & PORTABLE__OURS);
  const int32_t kind = leaves ? PORTABLE_LAUNCH_REDUCE : PORTABLE_LAUNCH_FOR;
  if (job.cut.count == 0) {
    if (PORTABLE__UNLIKELY(watching)) portable__watch_skip(label, kind, job.device, bounds);
    return PORTABLE_OK;
  }
  int64_t chunk = 0;
  if (PORTABLE__UNLIKELY(watching >> PORTABLE__TUNING & 1)) chunk = portable__tune(label, leaves ? 0 : bounds->rank, &copy);
  job.label = label;
  job.call = leaves ? leaves->call : flags & PORTABLE__OUTER ? "parallel_outer" : "parallel_for";
  job.kernel = kernel;
  job.workers = portable__device_workers(job.device);
  job.numbered = leaves != NULL;
  job.leaves = leaves;
  job.integer_bytes = integer_bytes;
  job.stream = portable__queue_inside();
  job.launch_stack = 0;
  if (PORTABLE__UNLIKELY(watching >> PORTABLE__MEMCHECK & 1)) portable__memcheck_launch(&job);
  if (leaves) {
    if ((status = leaves->cut(leaves, label, &job.cut, copy.tile)) != PORTABLE_OK) return status;
  } else if (PORTABLE__UNLIKELY(chunk)) {
    portable__cut_chunks(&job.cut, chunk);
  } else {
    portable__cut_units(&job.cut, copy.tile, job.workers);
  }
  int32_t schedule = copy.schedule ? copy.schedule : atomic_load_explicit(&portable__defaults.schedule, memory_order_relaxed);
  job.dynamic = schedule == PORTABLE_SCHEDULE_DYNAMIC;
  job.grain = job.cut.merge ? job.cut.units / ((int64_t)job.workers * DYNAMIC_PARTS) + 1 : 1;
  atomic_init(&job.next, 0);
  atomic_init(&job.failed, 0);
  if (PORTABLE__UNLIKELY(!atomic_load_explicit(&handled, memory_order_relaxed))) {
    atomic_store(&portable__crash_rank, portable_rank());
    portable__crash_handlers();
    atomic_store(&handled, 1);
  }
  if (PORTABLE__UNLIKELY(queue != NULL))
    return portable__above_stream.launch(queue, copy.stream, &job, args, args_bytes, leaves || flags & PORTABLE__WAITS);
  _Alignas(64) char small[SMALL_BLOCK];
  void *block = NULL;
  job.args = (void *)(uintptr_t)args;
  if (args_bytes && !(flags & PORTABLE__LENT)) {
    job.args = small;
    if (args_bytes > sizeof small && !(job.args = block = malloc(args_bytes)))
      return portable__fail(PORTABLE_ERR_NOMEM, "parallel_for '%s': no memory for a copy of the argument block of %zu bytes", label,
                            args_bytes);
    memcpy(job.args, args, args_bytes);
  }
  status = PORTABLE__UNLIKELY(cuda) ? run_fallback(cuda, copy.stream, &job, args_bytes) : portable__job_run(&job, args_bytes);
  free(block);
  return status;
}

portable_status portable_parallel_for(const char *label, const portable_bounds *bounds, portable_kernel_function kernel,
                                      const void *args, size_t args_bytes, const portable_launch_config *config) {
  return portable__launch(label, bounds, kernel, args, args_bytes, config, 0, 0, NULL);
}

portable_status portable_device_find(const char *name, portable_device *device_out) {
  struct portable__crossing crossing;
  if (!device_out || !name) return portable__fail(PORTABLE_ERR_ARG, "portable_device_find: %s is NULL", name ? "device_out" : "name");
  *device_out = 0;
  portable_status status = portable__cross_in(&crossing);
  if (status != PORTABLE_OK) return status;
  status = portable__launch_go.device_find(name, device_out);
  portable__cross_out(&crossing);
  return status;
}

portable_status portable_set_default_device(portable_device device) {
  struct portable__crossing crossing;
  portable_status status = portable__cross_in(&crossing);
  if (status != PORTABLE_OK) return status;
  status = portable__launch_go.device_set_default(device);
  portable__cross_out(&crossing);
  return status;
}

portable_status portable_set_num_threads(int32_t n) {
  struct portable__crossing crossing;
  portable_status status = portable__cross_in(&crossing);
  if (status != PORTABLE_OK) return status;
  status = portable__launch_go.set_threads(n);
  portable__cross_out(&crossing);
  return status;
}
