/* device_reduce.c - reductions on CUDA devices, of kernel objects and of kernels that the program
 * launches (portable_device_reduce): the device finds the leaves (portable_device_leaf.h), reduce.c
 * combines and stores their partial results on the host. The launch of a kernel object is in
 * exec/device/cuda_launch.c. Threads: any. */
#include <stddef.h>
#include <string.h>

#include "device_reduce.h"
#include "../device/cuda_launch.h"
#include "../device/device_algorithm.h"
#include "../device/device_work.h"
#include "../device/devices.h"
#include "../../internal/edge/calls.h"
#include "../../capi/include/device/portable_device_reduce.h"
#include "../launch/kernel_record.h"
#include "../launch/reach.h"
#include "reduce.h"

/* 1: kernels combine these values without help: they are of a type of C. */
static int has_version(const struct portable__reduction *r) {
  for (size_t i = 0; i < r->count; i++) {
    const struct portable__result *s = &r->result[i];
    if (s->exact >= 0 || s->operation == PORTABLE_REDUCE_USER || s->kind == PORTABLE_KIND_COMPLEX32 || s->kind == PORTABLE_KIND_COMPLEX64) return 0;
  }
  return 1;
}

static portable_status check_results(const char *label, const struct portable__reduction *r) {
  for (size_t i = 0; i < r->count; i++)
    if (!portable__host_reaches((uintptr_t)r->result[i].to))
      return portable__fail(PORTABLE_ERR_POINTER, "parallel_reduce '%s': result %zu: to is %p, which is memory of a device that the host does not reach; take a live-out, "
                            "or managed memory", label, i + r->first, r->result[i].to);
  return PORTABLE_OK;
}

static void describe(const struct portable__reduction *r, const struct portable__cut *cut, struct portable__reduce_info *info) {
  memset(info, 0, sizeof *info);
  info->leaves = cut->units;
  info->step = (int64_t)r->step;
  for (int32_t k = 0; k < cut->rank; k++) {
    info->tile[k] = cut->axis[k].tile;
    info->tiles[k] = cut->axis[k].tiles;
  }
  info->results = (int32_t)r->count;
  for (size_t i = 0; i < r->count; i++) {
    info->operation[i] = r->result[i].operation;
    info->bytes[i] = (int32_t)r->result[i].of.bytes;
    info->offset[i] = (int32_t)r->result[i].offset;
  }
}

/* Launches the leaves and waits for them. */
struct launcher {
  portable_status (*launch)(const struct launcher *l, const struct portable__place *place, struct portable__reduce_info *info, int64_t blocks, int64_t count);
  const portable_reduction *results;
  /* a kernel object's */
  const struct portable__kernel_call *call;
  struct portable__cuda_program *program;
  /* the program's */
  portable_device_reduce_function enqueue;
  void *payload;
  const portable_bounds *bounds;
};

static portable_status launch_object(const struct launcher *l, const struct portable__place *place, struct portable__reduce_info *info, int64_t blocks, int64_t count) {
  struct portable__kernel_call call = *l->call;
  const struct portable__cuda_leaves leaves = {(uint64_t)(uintptr_t)info, blocks, PORTABLE__REDUCE_THREADS};
  (void)count;
  call.leaves = &leaves;
  return portable__cuda_launch(&call, l->program, place->device, place->index);
}

/* Called with the cut space. One block, which both sides can access, has the arguments of the entry, the identities, and the partial results. */
static portable_status run(const struct launcher *l, const struct portable__place *place, struct portable__reduction *r, const struct portable__cut *cut) {
  const size_t head = (sizeof(struct portable__reduce_info) + 15) / 16 * 16;
  struct portable__workspace block;
  size_t bytes;
  if (__builtin_mul_overflow((size_t)cut->units + 1, r->step, &bytes) || __builtin_add_overflow(bytes, head, &bytes))
    return portable__fail(PORTABLE_ERR_NOMEM, "parallel_reduce '%s': no memory for the partial results of %lld leaves of %zu bytes each; a larger tile "
                          "makes fewer leaves", place->label, (long long)cut->units, r->step);
  portable_status status = portable__workspace_take(place, bytes, 1, &block);
  if (status != PORTABLE_OK) return status;
  struct portable__reduce_info *info = block.at;
  char *identity = (char *)block.at + head;
  describe(r, cut, info);
  portable__reduce_identity(r, l->results, identity);
  info->identity = identity;
  info->partials = identity + r->step;
  status = l->launch(l, place, info, cut->units < INT32_MAX ? (cut->units - 1) / PORTABLE__REDUCE_LEAVES + 1 : INT32_MAX, cut->count);
  if (status == PORTABLE_OK && info->wrong)
    status = portable__fail(PORTABLE_ERR_ARG, "parallel_reduce '%s': the kernel's version for devices has other results than the %zu of this launch: number, operations and "
                            "types (real64 for real32 under PORTABLE_REDUCE_WIDE) are the same, in the same order", place->label, r->count);
  if (status == PORTABLE_OK) {
    r->partials = info->partials;
    r->units = cut->units;
    status = portable__reduce_store(place->label, r);
  }
  portable__workspace_give(place, &block, status == PORTABLE_OK || status == PORTABLE__NOT_HERE);
  return status;
}

/* The whole call, for results that a device can combine. place has label, device and index. */
static portable_status reduce(const struct launcher *l, struct portable__place *place, const portable_bounds *bounds, const portable_launch_config *c,
                              struct portable__reduction *r) {
  struct portable__cut cut;
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_status status = check_results(place->label, r);
  if (status != PORTABLE_OK) return status;
  status = portable__launch_space(place->label, bounds, c, 0, PORTABLE__DIVIDES_NOT, &config, &cut);
  if (status != PORTABLE_OK) return portable__rename_error(status, "parallel_reduce");
  if (cut.count == 0) {
    _Alignas(16) char none[PORTABLE_REDUCTIONS_MOST * PORTABLE__PARTIAL_MOST];
    if (PORTABLE__UNLIKELY(portable__watched_by())) portable__watch_skip(place->label, PORTABLE_LAUNCH_REDUCE, place->device, bounds);
    portable__reduce_identity(r, l->results, none);
    r->partials = none;
    return portable__reduce_store(place->label, r);
  }
  portable__reduce_cut(r, &cut, config.tile);
  place->stream = config.stream;
  return run(l, place, r, &cut);
}

portable_status portable__device_reduce(const struct portable__kernel_call *c, struct portable__cuda_program *program, portable_device device, int32_t index) {
  struct portable__reduction r;
  const char *label = c->kernel->label;
  if (portable__running_job || portable__queue_inside()) return PORTABLE__NOT_HERE;
  memset(&r, 0, offsetof(struct portable__reduction, result));
  r.first = c->once && c->once->integer_bytes != 0;
  portable_status status = portable__reduce_read(label, c->reduce->results, c->reduce->count, 1, &r);
  if (status != PORTABLE_OK) return status;
  if (!has_version(&r)) return PORTABLE__NOT_HERE;
  const struct launcher l = {.launch = launch_object, .results = c->reduce->results, .call = c, .program = program};
  struct portable__place place = {"parallel_reduce", label, device, 0, index};
  return reduce(&l, &place, c->bounds, c->config, &r);
}

/* ---- a kernel that the program launches ---- */

struct own_leaves {
  const struct launcher *l;
  portable_launch_space space;
  uint32_t blocks;
};

static portable_status enqueue_own(void *native, void *payload) {
  struct own_leaves *o = payload;
  o->space.stream = (uint64_t)(uintptr_t)native | 1;
  return o->l->enqueue(native, &o->space, o->blocks, PORTABLE__REDUCE_THREADS, o->l->payload);
}

static portable_status launch_own(const struct launcher *l, const struct portable__place *place, struct portable__reduce_info *info, int64_t blocks, int64_t count) {
  struct own_leaves own = {.l = l, .blocks = (uint32_t)blocks};
  uint32_t grid[3], block[3];
  portable_status status = portable_device_space(place->label, l->bounds, place->device, 0, &own.space, grid, block);
  if (status != PORTABLE_OK) return status;
  own.space.reserved[0] = (uint64_t)(uintptr_t)info;
  const struct portable__device_work work = {.label = place->label, .kind = PORTABLE_LAUNCH_REDUCE, .count = count, .device = place->device, .stream = place->stream,
                                             .enqueue = enqueue_own, .payload = &own, .waits = 1, .own = 1};
  return portable__device_work(&work);
}

portable_status portable_device_reduce(const char *label, const portable_bounds *bounds, portable_device_reduce_function enqueue, void *payload,
                                       const portable_reduction *results, size_t result_count, const portable_launch_config *config) {
  static const char function[] = "portable_device_reduce";
  const portable_launch_config none = PORTABLE_LAUNCH_CONFIG_INIT;
  struct portable__reduction r;
  if (!label) label = "unlabelled";
  if (!config) config = &none;
  if (!enqueue || !bounds) return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': %s is NULL", function, label, enqueue ? "bounds" : "enqueue");
  PORTABLE__CALL(function);
  if (!portable_is_initialized()) return portable__not_running(function);
  const portable_device device = config->device ? config->device : config->stream ? portable_stream_device(config->stream) : portable_default_device();
  const int32_t index = portable__cuda_index(device);
  if (index < 0) return portable__not_cuda(function, label, device);
  if (portable__running_job || portable__queue_inside())
    return portable__fail(PORTABLE_ERR_STATE, "%s of '%s': a kernel, or a function of a stream, cannot wait for a device; call it from the program", function, label);
  memset(&r, 0, offsetof(struct portable__reduction, result));
  portable_status status = portable__reduce_read(label, results, result_count, 1, &r);
  if (status != PORTABLE_OK) return status;
  if (!has_version(&r))
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': complex numbers, exact sums and operations of the program's are not combined there; use portable_parallel_reduce",
                          function, label);
  const struct launcher l = {.launch = launch_own, .results = results, .enqueue = enqueue, .payload = payload, .bounds = bounds};
  struct portable__place place = {"parallel_reduce", label, device, 0, index};
  return reduce(&l, &place, bounds, config, &r);
}
