/* launch.c - runs one launch: tests, device, tuning, cut, then the team or a stream's queue. Main
 * function: portable__launch. Go sets the defaults and writes refusals (exec/launch.go). Threads:
 * any; no lock. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fallback.h"
#include "launch.h"
#include "ordinary.h"
#include "questions.h"
#include "../../internal/edge/above.h"
#include "../../internal/tracing/found.h"
#include "../../internal/backend/cuda/devices.h"
#include "../../internal/edge/calls.h"
#include "../../internal/memcheck/hazard.h"
#include "../../internal/memcheck/memcheck.h"
#include "../race/race.h"
#include "../timer/timer.h"

#define SMALL_BLOCK 1024                           /* bytes of an argument block that is copied to the stack */
#define DYNAMIC_PARTS 16                           /* parts for each worker, if the call does not choose */
#define DEVICES_MAX 64

struct portable__defaults portable__defaults;

static char names[DEVICES_MAX][32]; /* written before their numbers are known, never after */

void portable__device_named(int32_t number, portable__text name, size_t bytes) {
  if (number < 1 || number > DEVICES_MAX) return;
  if (bytes >= sizeof names[0]) bytes = sizeof names[0] - 1;
  if (portable_is_initialized() && number <= atomic_load(&portable__defaults.devices)) return; /* unchanged, and other threads may read it */
  memcpy(names[number - 1], name, bytes);
  names[number - 1][bytes] = '\0';
}

void portable__devices_set(int32_t devices) {
  atomic_store(&portable__defaults.devices, devices < DEVICES_MAX ? devices : DEVICES_MAX);
}

void portable__defaults_set(int32_t schedule, int32_t b4b, int32_t team_size) {
  atomic_store(&portable__defaults.team_size, team_size);
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

/* Go says why a launch is refused. Refused bounds are a finding. */
PORTABLE__COLD static portable_status refuse(struct portable__launch_asked *asked) {
  portable_status status;
  asked->label = asked->label ? asked->label : "unlabelled";
  asked->by_default = atomic_load(&portable__defaults.device);
  PORTABLE__EXPLAINED(&status, asked->call, asked->label, PORTABLE_ERR_ARG, portable__launch_go.refuse(asked));
  if (asked->of_bounds) portable__finding(PORTABLE__FOUND_LAUNCH_BOUNDS, asked->label, portable_last_error(), NULL);
  return status;
}

/* "portable_parallel_for" */
PORTABLE__COLD static const char *function_of(const char *call, char text[64]) {
  snprintf(text, 64, "portable_%s", call);
  return text;
}

/* Where a launch runs. */
struct place {
  int32_t device, cuda;            /* cuda: the CUDA device that the host replaces, or 0 */
  int32_t devices, stream_device;  /* number of devices; device of the stream that the launch names, 0: invalid stream */
  struct portable__stream *queue;  /* the asynchronous stream that the launch names; NULL: none */
};

/* 0: the launch is refused. */
static inline int place_is_ordinary(const portable_launch_config *config, struct place *p) {
  p->devices = atomic_load_explicit(&portable__defaults.devices, memory_order_relaxed);
  p->queue = NULL;
  p->cuda = p->stream_device = 0;
  if (config->stream) {
    int32_t stream_kind = PORTABLE_STREAM_SYNC;
    struct portable__stream *made = portable__above_stream.facts(config->stream, &p->stream_device, &stream_kind);
    if (!made && config->stream >= PORTABLE__STREAM_OF(1) && config->stream <= PORTABLE__STREAM_OF(p->devices))
      p->stream_device = (int32_t)(config->stream - PORTABLE__STREAM_OF(0));
    if (stream_kind == PORTABLE_STREAM_ASYNC) p->queue = made;
  }
  p->device = portable__launch_device(config, p->stream_device, p->devices, atomic_load_explicit(&portable__defaults.device, memory_order_relaxed));
  if (PORTABLE__UNLIKELY(p->device == 0)) return 0;
  if (PORTABLE__UNLIKELY(p->device > PORTABLE__THREADS) && portable__cuda_index(p->device) >= 0) {
    p->cuda = p->device;
    p->device = PORTABLE__THREADS;
  }
  if (config->bit_for_bit && atomic_load_explicit(&portable__defaults.b4b, memory_order_relaxed)) p->device = PORTABLE__SERIAL;
  return 1;
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

/* Runs the job and notifies observers. kind: PORTABLE_LAUNCH_... */
PORTABLE__COLD static portable_status run_watched(uint32_t watching, int32_t kind, struct portable__job *job, size_t args_bytes) {
  struct portable__watched w;
  if (watching >> PORTABLE__RECORDS & 1 && portable__recording && portable__above_graph.recording())
    return portable__above_graph.refuse(job->call, job->label, PORTABLE__GRAPH_OUTSIDE);
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

/* Runs a kernel of the host for a CUDA device, in its default stream or in a synchronous one. The work of that stream is fenced before. */
PORTABLE__COLD static portable_status run_fallback(int32_t cuda, portable_stream stream, struct portable__job *job, size_t args_bytes) {
  portable_status status = portable__fallback_turn(job->call, job->label, stream ? stream : portable_device_stream(cuda));
  if (status != PORTABLE_OK) return status;
  int64_t since = portable__now_ns();
  if (portable__hazards()) portable__hazard_here(job->label);
  status = portable__job_run(job, args_bytes);
  if (job->device == PORTABLE__THREADS && !portable__running_job) portable__fallback(job->label, job->cut.count, portable__now_ns() - since);
  return status;
}

/* After the space was found ordinary. */
static inline void begin_space(const char *label, const portable_bounds *bounds, const portable_launch_config *config, struct portable__cut *cut) {
  if (config->cut > 1) cut->grain = config->cut;
  if (PORTABLE__UNLIKELY(bounds->notes) && portable__watched_by() >> PORTABLE__CHECKS & 1) portable__check_early(label, bounds);
}

portable_status portable__launch_space(const char *label, const portable_bounds *bounds, const portable_launch_config *config,
                                       int32_t strided, int32_t kind, portable_launch_config *config_out, struct portable__cut *cut_out) {
  if (PORTABLE__UNLIKELY(!portable_is_initialized())) return portable__not_running("portable_parallel_for");
  if (PORTABLE__UNLIKELY(!bounds || !portable__space_is_ordinary(bounds, config, strided, 0, config_out, cut_out) ||
                         (config_out->division && !portable__division_is_ordinary(bounds, cut_out, kind, config_out))))
    return refuse(&(struct portable__launch_asked){.call = "parallel_for", .label = label, .bounds = bounds, .config = config, .strided = strided,
                                                   .divides = kind, .devices = -1});
  begin_space(label, bounds, config_out, cut_out);
  return PORTABLE_OK;
}

portable_status portable__launch(const char *label, const portable_bounds *bounds, portable_kernel_function kernel,
                                 const void *args, size_t args_bytes, const portable_launch_config *config,
                                 int32_t integer_bytes, int32_t flags, struct portable__leaves *leaves) {
  static _Atomic int handled;
  const int32_t divides = leaves ? PORTABLE__DIVIDES_NOT : flags & PORTABLE__OUTER ? PORTABLE__DIVIDES_OUTER : PORTABLE__DIVIDES_SPACE;
  const char *const call = leaves ? leaves->call : flags & PORTABLE__OUTER ? "parallel_outer" : flags & PORTABLE__BLOCKS ? "parallel_blocks" : "parallel_for";
  struct place at = {.devices = -1};
  portable_launch_config copy = PORTABLE_LAUNCH_CONFIG_INIT;
  struct portable__job job;
  portable_status status;
  PORTABLE__CALL(function_of(call, (char[64]){0}));
  if (!label) label = "unlabelled";
  if (PORTABLE__UNLIKELY(!portable_is_initialized())) return portable__not_running(function_of(call, (char[64]){0}));
  if (PORTABLE__UNLIKELY(portable__in_block()))
    return portable__fail(PORTABLE_ERR_STATE, "%s '%s': a block kernel launches nothing: the stacks of its threads are small; launch after it, or use "
                          "parallel_outer, whose teams may launch", call, label);
  if (PORTABLE__UNLIKELY(!bounds || !kernel || (args_bytes && !args) ||
                         !portable__space_is_ordinary(bounds, config, 0, flags & PORTABLE__WIDE ? 0 : integer_bytes, &copy, &job.cut) ||
                         (copy.division && !portable__division_is_ordinary(bounds, &job.cut, divides, &copy)) || !place_is_ordinary(&copy, &at)))
    return refuse(&(struct portable__launch_asked){.call = call, .label = label, .bounds = bounds, .config = config,
                                                   .missing = !kernel ? "the kernel" : args_bytes && !args ? "args" : NULL,
                                                   .integer_bytes = integer_bytes, .wide = flags & PORTABLE__WIDE, .divides = divides,
                                                   .devices = at.devices, .stream_device = at.stream_device});
  begin_space(label, bounds, &copy, &job.cut);
  job.device = at.device;
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
  job.call = call;
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
  if (PORTABLE__UNLIKELY(at.queue != NULL))
    return portable__above_stream.launch(at.queue, copy.stream, &job, args, args_bytes, leaves || flags & PORTABLE__WAITS);
  _Alignas(64) char small[SMALL_BLOCK];
  void *block = NULL;
  job.args = (void *)(uintptr_t)args;
  if (args_bytes && !(flags & PORTABLE__LENT)) {
    job.args = small;
    if (args_bytes > sizeof small && !(job.args = block = malloc(args_bytes)))
      return portable__fail(PORTABLE_ERR_NOMEM, "%s '%s': no memory for a copy of the argument block of %zu bytes", call, label, args_bytes);
    memcpy(job.args, args, args_bytes);
  }
  status = PORTABLE__UNLIKELY(at.cuda) ? run_fallback(at.cuda, copy.stream, &job, args_bytes) : portable__job_run(&job, args_bytes);
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
