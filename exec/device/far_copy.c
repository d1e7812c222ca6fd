/* far_copy.c - copies in which a CUDA device takes part. Main function: portable__far_copy. It
 * takes the first possible path: the driver's fills and copies without gaps, its copies of 2 and 3
 * dimensions, a kernel that accesses both sides (internal/backend/cuda/kernels/copy.cu). Other
 * copies are staged through pinned memory: device and host each copy their side, the host by a
 * launch into the same stream. A crossing would cost a quarter of a copy. Threads: any; no lock. */
#include "device_work.h"
#include "devices.h"
#include "questions.h"
#include "../stream/stream.h"
#include "../../internal/edge/above.h"
#include "far_copy.h"

#include <string.h>

#include "../../internal/backend/cuda/cuda_copy.h"
#include "../../internal/backend/cuda/kernel.h"
#include "../../internal/backend/cuda/shim.h"
#include "../../internal/kernels/base/least.h"
#include "../../internal/memcheck/hazard.h"
#include "../launch/kernel_record.h"

#define PIECE (INT64_C(64) << 20) /* bytes in pinned memory at a time; more if one step of the slowest axis has more */

/* ---- where ---- */

static int32_t space_of(const void *p) { return p ? portable__cuda_foreign_space((uintptr_t)p) : 0; }

static int is_constant(const struct portable__copy *c) {
  for (int32_t k = 0; k < c->rank; k++)
    if (c->axis[k].from) return 0; /* also with one index: the copy reads it in the stream's order */
  return c->rank > 0 && c->conversion == PORTABLE__COPY_SAME;
}

static portable_device device_of(const portable_launch_config *config) {
  if (!config || config->struct_size < sizeof *config) return portable_default_device();
  return config->stream ? portable_stream_device(config->stream) : config->device ? config->device : portable_default_device();
}

/* 1: the array is in memory of another device, or of a device that does not exist. */
PORTABLE__COLD static portable_status not_there(const char *label, int32_t space, portable_device device) {
  const struct portable__unreached what = {.why = PORTABLE__UNREACHED_COPY, .call = "copy", .label = label, .index = space - PORTABLE_SPACE_DEVICE(0), .device = device};
  portable_status status;
  PORTABLE__EXPLAINED(&status, "copy", label, PORTABLE_ERR_ARG, portable__device_go.device_unreached(&what));
  return status;
}

int portable__copy_far(const struct portable__copy *copy, const char *label, const portable_launch_config *config, struct portable__far *far) {
  const portable_device device = device_of(config);
  far->from = space_of(copy->from);
  far->to = space_of(copy->to);
  far->index = portable__cuda_index(device);
  far->device = device;
  far->constant = far->from < PORTABLE_SPACE_DEVICE(0) && is_constant(copy);
  if (!far->from && !far->to) return 0; /* the launch refuses an invalid device */
  const int32_t own = far->to >= PORTABLE_SPACE_DEVICE(0) ? far->to : far->from;
  if (far->index >= 0) return 1;
  if (own < PORTABLE_SPACE_DEVICE(0)) return 0; /* the host can access both */
  far->device = portable__cuda_number(own - PORTABLE_SPACE_DEVICE(0));
  if (!far->device || (config && (config->device || config->stream))) {
    not_there(label, own, device);
    return -1;
  }
  far->index = own - PORTABLE_SPACE_DEVICE(0); /* no device was named: the one with the memory */
  return 1;
}

static int device_reaches(const struct portable__far *far, int32_t space) {
  if (!space) return portable__cuda_facts(far->index)->pageable;
  return space < PORTABLE_SPACE_DEVICE(0) || space == PORTABLE_SPACE_DEVICE(far->index);
}

static int host_reaches(int32_t space) { return space < PORTABLE_SPACE_DEVICE(0); }

/* The same launch, on the device of the copy. */
static void config_of(const struct portable__far *far, const portable_launch_config *given, portable_launch_config *config) {
  static const portable_launch_config init = PORTABLE_LAUNCH_CONFIG_INIT;
  *config = init;
  if (given && given->struct_size >= sizeof(uint32_t) && given->struct_size <= sizeof *config) memcpy(config, given, given->struct_size);
  memset(config->tile, 0, sizeof config->tile);
  if (!config->stream) config->device = far->device;
}

/* ---- the part of the device ---- */

/* Called with the current context and the stream's lock: it only adds work. */
static portable_status enqueue(void *native, void *payload) {
  const struct portable__cuda_copy *w = payload;
  const char *call;
  uint32_t grid[3], block[3];
  if (w->way == PORTABLE__CUDA_BY_KERNEL) {
    portable__cuda_copy_grid(w, portable__cuda_facts(w->index)->multiprocessors, grid, block);
    return portable__cuda_grid(native, w->label, w->function, grid, block, 0, &w->box, sizeof w->box);
  }
  int code = portable__cuda_copy_put(native, w, &call);
  return code ? portable__cuda_fail(code, call, w->label) : PORTABLE_OK;
}

static portable_status put(const struct portable__cuda_copy *work, const char *label, int64_t elements, const portable_launch_config *config,
                           const struct portable__far *far, int32_t waits) {
  struct portable__device_work w = {.label = label, .kind = PORTABLE_LAUNCH_FOR, .count = elements, .device = far->device, .stream = config->stream,
                                    .enqueue = enqueue, .payload = work, .payload_bytes = sizeof *work, .waits = waits};
  struct portable__declared_two two;
  const int hazards = portable__hazards() && work->way != PORTABLE__CUDA_NO_WAY;
  if (hazards) portable__hazard_two(&two, label, far->constant ? NULL : work->box.from, work->box.to, config);
  portable_status status = portable__device_work(&w);
  if (hazards) portable__hazard_follows(label, NULL, NULL);
  return status;
}

/* Waits for all work in the stream. */
static portable_status passed(const char *label, const portable_launch_config *config, const struct portable__far *far) {
  struct portable__cuda_copy nothing;
  memset(&nothing, 0, sizeof nothing);
  return put(&nothing, label, 0, config, far, 1);
}

/* *can 0: the device alone cannot do it, and nothing was done. */
static portable_status by_device(const struct portable__copy *copy, const char *label, const portable_launch_config *config, const struct portable__far *far,
                                 int32_t waits, int *can) {
  struct portable__copy_plan plan;
  struct portable__cuda_copy work;
  portable__copy_plan(copy, 0, 0, &plan);
  *can = 1;
  if (plan.units == 0) return PORTABLE_OK;
  const int reached = device_reaches(far, far->to) && (far->constant || device_reaches(far, far->from));
  portable__cuda_copy_plan(&plan, far->constant, reached, &work);
  strncpy(work.label, label, sizeof work.label - 1);
  work.index = far->index;
  if (work.way == PORTABLE__CUDA_NO_WAY) {
    *can = 0;
    return PORTABLE_OK;
  }
  if (work.way == PORTABLE__CUDA_BY_KERNEL) {
    if (host_reaches(far->from) && host_reaches(far->to) && !portable__cuda_compiles(far->index)) return PORTABLE__NOT_HERE;
    portable_status status = portable__cuda_functions(label, far->device, PORTABLE__LIST(PORTABLE__LIST_COPY, 0, 0, work.entry), &work.function, 0);
    if (status != PORTABLE_OK) return status;
  }
  return put(&work, label, plan.elements, config, far, waits);
}

/* ---- through pinned memory ---- */

static int64_t magnitude(int64_t n) { return n < 0 ? -n : n; }

/* The elements of one side without gaps, in the order of that side; gives their bytes. A broadcast axis has one index. */
static int64_t without_gaps(const struct portable__copy *c, int of_from, int64_t bytes, int64_t *steps) {
  int32_t order[PORTABLE__COPY_RANK];
  int64_t next = bytes;
  for (int32_t i = 0; i < c->rank; i++) {
    int32_t k = i;
    for (; k > 0 && magnitude(of_from ? c->axis[order[k - 1]].from : c->axis[order[k - 1]].to) > magnitude(of_from ? c->axis[i].from : c->axis[i].to); k--)
      order[k] = order[k - 1];
    order[k] = i;
  }
  for (int32_t i = 0; i < c->rank; i++) {
    const int32_t k = order[i];
    const int moves = (of_from ? c->axis[k].from : c->axis[k].to) != 0;
    steps[k] = moves ? next : 0;
    if (moves) next *= c->axis[k].extent;
  }
  return next;
}

static void element_bytes(const struct portable__copy *c, int64_t *from, int64_t *to) {
  const int32_t v = c->conversion;
  *from = v == PORTABLE__COPY_SAME ? c->bytes : v == PORTABLE__COPY_WIDEN || v == PORTABLE__COPY_LONGER ? 4 : 8;
  *to = v == PORTABLE__COPY_SAME ? c->bytes : v == PORTABLE__COPY_WIDEN || v == PORTABLE__COPY_LONGER ? 8 : 4;
}

static portable_status room(const struct portable__far *far, int64_t bytes, const char *label, portable_pool *pool, void **block) {
  portable_status status = portable__pinned_pool(far->index, pool);
  if (status == PORTABLE_OK) status = portable_pool_alloc(*pool, (size_t)bytes, label, block);
  return status;
}

/* Frees the block when the stream has completed its present work. */
static portable_status give(portable_status status, portable_pool pool, void *block, const portable_launch_config *config) {
  uintptr_t address = (uintptr_t)block;
  if (config->stream) portable__stream_uses(config->stream, &address, 1);
  portable_status given = portable_pool_free(pool, block);
  return status == PORTABLE_OK ? given : status;
}

/* Copies one piece, which fits into the pinned block. */
static portable_status staged_piece(const struct portable__copy *copy, const char *label, const portable_launch_config *config, const struct portable__far *far,
                                    int32_t waits) {
  const int up = !host_reaches(far->to) || device_reaches(far, far->to); /* from the host to the device */
  int64_t steps[PORTABLE__COPY_RANK], from_bytes, to_bytes;
  struct portable__copy first = *copy, second = *copy;
  struct portable__far near = *far;
  portable_pool pool;
  void *block;
  int can;
  element_bytes(copy, &from_bytes, &to_bytes);
  const int64_t bytes = without_gaps(copy, !up, up ? to_bytes : from_bytes, steps);
  portable_status status = room(far, bytes, label, &pool, &block);
  if (status != PORTABLE_OK) return status;
  first.to = block;
  second.from = block;
  for (int32_t k = 0; k < copy->rank; k++) first.axis[k].to = second.axis[k].from = steps[k];
  struct portable__copy *const plain = up ? &second : &first; /* the device's part */
  plain->conversion = PORTABLE__COPY_SAME;
  plain->bytes = up ? to_bytes : from_bytes;
  near.constant = 0;
  if (up) near.from = PORTABLE_SPACE_PINNED; else near.to = PORTABLE_SPACE_PINNED;
  if (up) status = portable__above_algorithm.copy_by_host(&first, label, config, waits);
  if (status == PORTABLE_OK) {
    /* A broadcast axis maps to one element of the block; write it once. */
    if (!up)
      for (int32_t k = 0; k < copy->rank; k++)
        if (!copy->axis[k].from) plain->axis[k].extent = 1;
    status = by_device(plain, label, config, &near, waits, &can);
    if (status == PORTABLE_OK && !can)
      status = portable__fail(PORTABLE_ERR_INTERNAL, "copy '%s': the device '%s' does not reach what it is to copy", label, portable_device_name(far->device));
  }
  if (status == PORTABLE_OK && !up) status = portable__above_algorithm.copy_by_host(&second, label, config, waits);
  return give(status, pool, block, config);
}

/* Copies in pieces along the slowest axis of the target. */
static portable_status staged(const struct portable__copy *copy, const char *label, const portable_launch_config *config, const struct portable__far *far,
                              int32_t waits) {
  int32_t slowest = -1;
  int64_t from_bytes, to_bytes, count = 1;
  portable_status status = PORTABLE_OK;
  element_bytes(copy, &from_bytes, &to_bytes);
  for (int32_t k = 0; k < copy->rank; k++) {
    count *= copy->axis[k].extent;
    if (slowest < 0 || magnitude(copy->axis[k].to) > magnitude(copy->axis[slowest].to)) slowest = k;
  }
  if (slowest < 0 || count <= PIECE / to_bytes) return staged_piece(copy, label, config, far, waits);
  const int64_t all = copy->axis[slowest].extent, others = count / all;
  const int64_t at_once = PIECE / to_bytes / others > 0 ? PIECE / to_bytes / others : 1;
  for (int64_t i = 0; i < all && status == PORTABLE_OK; i += at_once) {
    struct portable__copy piece = *copy;
    piece.axis[slowest].extent = least(at_once, all - i);
    piece.to += i * copy->axis[slowest].to;
    piece.from += i * copy->axis[slowest].from;
    status = staged_piece(&piece, label, config, far, waits);
  }
  return status;
}

/* Copies between the memories of two devices, which no single call can do: all of it through pinned memory, with a wait for each half. */
static portable_status between(const struct portable__copy *copy, const char *label, const portable_launch_config *config, const struct portable__far *far) {
  int64_t steps[PORTABLE__COPY_RANK], from_bytes, to_bytes;
  struct portable__copy first = *copy, second = *copy;
  struct portable__far a = *far, b = *far;
  portable_launch_config there, here;
  portable_pool pool;
  void *block;
  element_bytes(copy, &from_bytes, &to_bytes);
  a.index = far->from - PORTABLE_SPACE_DEVICE(0);
  b.index = far->to - PORTABLE_SPACE_DEVICE(0);
  portable_status status = room(&a, without_gaps(copy, 1, from_bytes, steps), label, &pool, &block);
  if (status != PORTABLE_OK) return status;
  first.conversion = PORTABLE__COPY_SAME;
  first.bytes = from_bytes;
  first.to = block;
  second.from = block;
  for (int32_t k = 0; k < copy->rank; k++) {
    first.axis[k].to = second.axis[k].from = steps[k];
    if (!copy->axis[k].from) first.axis[k].extent = 1;
  }
  a.to = b.from = PORTABLE_SPACE_PINNED;
  a.device = portable__cuda_number(a.index);
  b.device = portable__cuda_number(b.index);
  there = here = *config;
  if (a.index != far->index) there.stream = 0, there.device = a.device;
  if (b.index != far->index) here.stream = 0, here.device = b.device;
  status = passed(label, config, far); /* one half is in another stream, and comes after the work in this one */
  if (status == PORTABLE_OK) status = portable__far_copy(&first, label, &there, &a, 1);
  if (status == PORTABLE_OK) status = portable__far_copy(&second, label, &here, &b, 1);
  portable_status given = portable_pool_free(pool, block);
  return status == PORTABLE_OK ? given : status;
}

/* ---- private ---- */

/* A constant without a suitable kernel: copied to the first element, and from there to all others. */
static portable_status spread(const struct portable__copy *copy, const char *label, const portable_launch_config *config, const struct portable__far *far,
                              int32_t waits) {
  struct portable__copy one = *copy, others = *copy;
  struct portable__far near = *far;
  one.rank = 0;
  near.constant = 0;
  portable_status status = portable__far_copy(&one, label, config, &near, 1); /* the caller's element may end when this returns */
  others.from = copy->to;
  near.from = far->to;
  return status == PORTABLE_OK ? portable__far_copy(&others, label, config, &near, waits) : status;
}

/* The device with the memory does it, after the work in the stream. */
static portable_status elsewhere(const struct portable__copy *copy, const char *label, const portable_launch_config *config, const struct portable__far *far,
                                 int32_t index) {
  portable_launch_config there = *config;
  struct portable__far b = *far;
  b.index = index;
  b.device = there.device = portable__cuda_number(index);
  there.stream = 0;
  portable_status status = passed(label, config, far);
  return status == PORTABLE_OK ? portable__far_copy(copy, label, &there, &b, 1) : status;
}

/* Pinned and managed memory of the other driver is memory of the host for this one. */
PORTABLE__COLD static void disown(const struct portable__copy *copy, struct portable__far *far) {
  if (far->from && host_reaches(far->from) && portable__cuda_is_other(far->index, (uintptr_t)copy->from)) far->from = 0;
  if (far->to && host_reaches(far->to) && portable__cuda_is_other(far->index, (uintptr_t)copy->to)) far->to = 0;
}

/* 1: memory of a device of the other driver, for which the address means nothing. */
static int strange(const struct portable__far *far, int32_t space) {
  return !host_reaches(space) && !portable__cuda_are_alike(space - PORTABLE_SPACE_DEVICE(0), far->index);
}

portable_status portable__far_copy(const struct portable__copy *copy, const char *label, const portable_launch_config *given, const struct portable__far *far,
                                   int32_t waits) {
  struct portable__far narrower;
  if (PORTABLE__UNLIKELY(portable__cuda_mixed())) {
    narrower = *far;
    disown(copy, &narrower);
    far = &narrower;
  }
  portable_launch_config config;
  int can;
  config_of(far, given, &config);
  if (!portable__cuda_facts(far->index)) return not_there(label, PORTABLE_SPACE_DEVICE(far->index), far->device);
  if (PORTABLE__UNLIKELY(portable__cuda_mixed()) && (strange(far, far->from) || strange(far, far->to))) {
    if (!host_reaches(far->from) && !host_reaches(far->to) && far->from != far->to) return between(copy, label, &config, far);
    return elsewhere(copy, label, &config, far, (strange(far, far->to) ? far->to : far->from) - PORTABLE_SPACE_DEVICE(0));
  }
  if (far->constant && far->to >= PORTABLE_SPACE_DEVICE(0) && far->to != PORTABLE_SPACE_DEVICE(far->index))
    return elsewhere(copy, label, &config, far, far->to - PORTABLE_SPACE_DEVICE(0));
  if (copy->conversion != PORTABLE__COPY_SHORTER) {
    portable_status status = by_device(copy, label, &config, far, waits, &can);
    if (can) return status;
  }
  if (far->constant) return spread(copy, label, &config, far, waits);
  if (!host_reaches(far->from) && !host_reaches(far->to)) return between(copy, label, &config, far);
  const int32_t own = host_reaches(far->from) ? far->to : far->from;
  if (own >= PORTABLE_SPACE_DEVICE(0) && own != PORTABLE_SPACE_DEVICE(far->index)) return elsewhere(copy, label, &config, far, own - PORTABLE_SPACE_DEVICE(0));
  return staged(copy, label, &config, far, waits);
}

/* Copies a side without gaps to pinned memory, and puts that into the copy. */
static portable_status bring(struct portable__far_brought *b, const char *label, const portable_launch_config *config, const struct portable__far *far,
                             int of_from) {
  int64_t steps[PORTABLE__COPY_RANK], from_bytes, to_bytes;
  struct portable__copy c = b->copy;
  struct portable__far near = *far;
  void **block = of_from ? &b->from : &b->to;
  element_bytes(&b->copy, &from_bytes, &to_bytes);
  c.conversion = PORTABLE__COPY_SAME;
  c.bytes = of_from ? from_bytes : to_bytes;
  portable_status status = room(far, without_gaps(&c, of_from, c.bytes, steps), label, &b->pool, block);
  if (status != PORTABLE_OK) return status;
  if (!of_from) c.from = c.to;
  c.to = *block;
  for (int32_t k = 0; k < c.rank; k++) {
    if (!of_from) c.axis[k].from = c.axis[k].to;
    if (!c.axis[k].from) c.axis[k].extent = 1;
    c.axis[k].to = steps[k];
    if (of_from) b->copy.axis[k].from = steps[k]; else b->copy.axis[k].to = steps[k];
  }
  if (of_from) b->copy.from = *block; else b->copy.to = *block;
  near.from = of_from ? far->from : far->to;
  near.to = PORTABLE_SPACE_PINNED;
  near.constant = 0;
  return portable__far_copy(&c, label, config, &near, 1);
}

portable_status portable__far_bring(const struct portable__copy *copy, const char *label, const portable_launch_config *config, const struct portable__far *far,
                                    int32_t to_too, struct portable__far_brought *out) {
  portable_status status = PORTABLE_OK;
  out->copy = *copy;
  out->from = out->to = NULL;
  if (!host_reaches(far->from)) status = bring(out, label, config, far, 1);
  if (status == PORTABLE_OK && to_too && !host_reaches(far->to)) status = bring(out, label, config, far, 0);
  if (status != PORTABLE_OK) portable__far_bring_end(out);
  return status;
}

void portable__far_bring_end(struct portable__far_brought *brought) {
  if (brought->from) portable_pool_free(brought->pool, brought->from);
  if (brought->to) portable_pool_free(brought->pool, brought->to);
}
