/* device_reduce.c - reductions of kernel objects on CUDA devices: the device finds the leaves
 * (portable_device_leaf.h), reduce.c combines and stores their partial results on the host. The
 * launch itself is in exec/device/cuda_launch.c. Threads: any. */
#include <stddef.h>
#include <string.h>

#include "device_reduce.h"
#include "../device/cuda_launch.h"
#include "../device/device_algorithm.h"
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

/* Called with the cut space. One block, which both sides can access, has the arguments of the entry, the identities, and the partial results. */
static portable_status run(const struct portable__kernel_call *c, struct portable__cuda_program *program, const struct portable__place *place,
                           struct portable__reduction *r, const struct portable__cut *cut) {
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
  portable__reduce_identity(r, c->reduce->results, identity);
  info->identity = identity;
  info->partials = identity + r->step;
  struct portable__kernel_call call = *c;
  const struct portable__cuda_leaves leaves = {(uint64_t)(uintptr_t)info, cut->units < INT32_MAX ? (cut->units - 1) / PORTABLE__REDUCE_LEAVES + 1 : INT32_MAX,
                                               PORTABLE__REDUCE_THREADS};
  call.leaves = &leaves;
  status = portable__cuda_launch(&call, program, place->device, place->index);
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

portable_status portable__device_reduce(const struct portable__kernel_call *c, struct portable__cuda_program *program, portable_device device, int32_t index) {
  struct portable__reduction r;
  struct portable__cut cut;
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  const char *label = c->kernel->label;
  if (portable__running_job || portable__queue_inside()) return PORTABLE__NOT_HERE;
  memset(&r, 0, offsetof(struct portable__reduction, result));
  r.first = c->once && c->once->integer_bytes != 0;
  portable_status status = portable__reduce_read(label, c->reduce->results, c->reduce->count, 1, &r);
  if (status != PORTABLE_OK) return status;
  if (!has_version(&r)) return PORTABLE__NOT_HERE;
  status = check_results(label, &r);
  if (status == PORTABLE_OK) {
    status = portable__launch_space(label, c->bounds, c->config, 0, PORTABLE__DIVIDES_NOT, &config, &cut);
    if (status != PORTABLE_OK) return portable__rename_error(status, "parallel_reduce");
  }
  if (status != PORTABLE_OK) return status;
  if (cut.count == 0) {
    _Alignas(16) char none[PORTABLE_REDUCTIONS_MOST * PORTABLE__PARTIAL_MOST];
    if (PORTABLE__UNLIKELY(portable__watched_by())) portable__watch_skip(label, PORTABLE_LAUNCH_REDUCE, device, c->bounds);
    portable__reduce_identity(&r, c->reduce->results, none);
    r.partials = none;
    return portable__reduce_store(label, &r);
  }
  portable__reduce_cut(&r, &cut, config.tile);
  const struct portable__place place = {"parallel_reduce", label, device, config.stream, index};
  return run(c, program, &place, &r, &cut);
}
