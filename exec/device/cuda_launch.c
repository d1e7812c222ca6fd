/* cuda_launch.c - launches kernel objects on CUDA devices: from bounds to a grid, into the driver's
 * stream. Main function: portable__cuda_launch. Parameters are on the stack of the launching
 * thread, and are copied only if the work waits for the host; larger argument blocks are copied to
 * the device, in the stream's order. Not here: checks (cuda_fits.h). Threads: any; no lock. */
#include <stdlib.h>
#include <string.h>

#include "cuda_fits.h"
#include "cuda_launch.h"
#include "cuda_notes.h"
#include "device_work.h"
#include "devices.h"
#include "../launch/fallback.h"
#include "../launch/launch.h"
#include "../../internal/backend/cuda/kernel.h"
#include "../../internal/memcheck/hazard.h"
#include "../../capi/include/device/portable_device.h"
#include "../launch/kernel_record.h"
#include "../stream/queue.h"

#define ALIGNED 64

_Static_assert(sizeof(portable_launch_space) == 256, "entries that were compiled before would not find their arguments");

/* The payload for the stream; the parameters follow it, the space first. */
struct payload {
  const char *label;
  void *function;
  uint32_t grid[3], block[3], shared_bytes;
  int32_t ordered;    /* the device has memory pools */
  int32_t host_pages; /* the device reads host memory at the launch itself */
  size_t args_bytes;
  const void *args; /* of a block that does not follow the space; else NULL */
};
#define PARAMETERS ((sizeof(struct payload) + ALIGNED - 1) / ALIGNED * ALIGNED)

/* ---- the shape ---- */

static int64_t blocks_of(int64_t extent, int64_t threads) { return (extent - 1) / threads + 1; }

/* Threads along position k of a space that is not empty. Blocks share a row evenly, also if it is a little longer than one block. */
static int64_t threads_along(int64_t extent, int64_t threads, int64_t most) {
  int64_t n = portable__least(threads, most);
  if (extent <= n) return extent;
  int64_t even = (extent - 1) / blocks_of(extent, n) + 1;
  return portable__least((even + 31) / 32 * 32, n);
}

static void shape(const struct portable__cuda_facts *facts, const struct portable__cut *cut, int64_t threads, const int64_t *tile, uint32_t *grid,
                  uint32_t *block) {
  int64_t extent[3] = {1, 1, 1}, rest = threads, shaped = 0;
  for (int32_t k = 0; k < cut->rank; k++) {
    extent[k < 2 ? k : 2] *= cut->axis[k].extent; /* the count fits, so this does */
    shaped |= tile[cut->axis[k].dim];
  }
  for (int32_t k = 0; k < 3; k++) {
    int64_t wanted = k < cut->rank && k < 3 ? tile[cut->axis[k].dim] : 0;
    int64_t n = shaped ? portable__least(portable__least(wanted > 0 ? wanted : k == 0 ? rest : 1, rest), portable__least(extent[k], facts->max_block[k]))
                       : threads_along(extent[k], rest, facts->max_block[k]);
    block[k] = (uint32_t)n;
    grid[k] = (uint32_t)portable__least(blocks_of(extent[k], n), facts->max_grid[k]);
    rest = rest / n > 0 ? rest / n : 1;
  }
}

/* The shape that a division asks for, which fits (portable__cuda_fits). More blocks than a grid has go on with its stride. */
static void divided_shape(const struct portable__cuda_facts *facts, const struct portable__cut *cut, const portable_work_division *w, uint32_t *grid,
                          uint32_t *block) {
  int64_t blocks[3] = {1, 1, 1}, threads[3] = {1, 1, 1};
  for (int32_t k = 0; k < cut->rank; k++) {
    blocks[k < 2 ? k : 2] *= w->blocks[cut->axis[k].dim]; /* the count of indices fits, so this does */
    threads[k < 2 ? k : 2] *= w->threads[cut->axis[k].dim];
  }
  for (int32_t k = 0; k < 3; k++) {
    grid[k] = (uint32_t)portable__least(blocks[k], facts->max_grid[k]);
    block[k] = (uint32_t)threads[k];
  }
}

static void space_of(const portable_bounds *bounds, const struct portable__cut *cut, portable_launch_space *s) {
  memset(s, 0, sizeof *s);
  s->rank = bounds->rank;
  s->order = bounds->rank == 1 ? PORTABLE_ORDER_C : bounds->order;
  s->count = cut->count;
  for (int32_t d = 0; d < PORTABLE_LOOP_RANK; d++) s->lower[d] = s->stride[d] = 1; /* and no extent */
  for (int32_t k = 0; k < cut->rank; k++) {
    const struct portable__axis *a = &cut->axis[k];
    s->lower[a->dim] = a->lower;
    s->extent[a->dim] = a->extent;
    s->stride[a->dim] = a->stride;
  }
}

/* 1: all indices and steps fit 32 bits, also of the index after the last one, which is one stride of the grid further: up to the extent plus a
 * block. */
static int narrow(const struct portable__cut *cut, int32_t team) {
  int64_t rest = 1;
  for (int32_t k = 0; k < cut->rank; k++) {
    const struct portable__axis *a = &cut->axis[k];
    if (a->lower < INT32_MIN || a->lower > INT32_MAX || a->stride > INT32_MAX || a->extent > INT32_MAX - 1024) return 0;
    if (a->lower + (a->extent - 1) * a->stride > INT32_MAX) return 0; /* fits: three factors below 2^31 */
    if (k >= 2) rest *= a->extent;
  }
  return rest <= INT32_MAX && (!team || cut->count <= INT32_MAX);
}

/* ---- into the stream ---- */

portable_status portable__cuda_grid(void *native, const char *label, void *function, const uint32_t grid[3], const uint32_t block[3],
                                    uint32_t shared_bytes, const void *params, size_t params_bytes) {
  int code = portable__cuda_function_launch(native, function, grid, block, shared_bytes, params, params_bytes);
  return PORTABLE__LIKELY(code == 0) ? PORTABLE_OK : portable__cuda_fail(code, "cuLaunchKernel", label);
}

/* Kernels report failures with the stream of the space, for its waiters; bit 0: the stream is known. */
static void said_in(void *native, void *payload) {
  ((portable_launch_space *)(void *)((char *)payload + PARAMETERS))->stream = (uint64_t)(uintptr_t)native | 1;
}

static portable_status enqueue(void *native, void *payload) {
  struct payload *p = payload;
  said_in(native, payload);
  return portable__cuda_grid(native, p->label, p->function, p->grid, p->block, p->shared_bytes, (char *)payload + PARAMETERS,
                             sizeof(portable_launch_space) + p->args_bytes);
}

/* The block follows the space, and the kernel gets a pointer to its copy. */
static portable_status enqueue_large(void *native, void *payload) {
  struct payload *p = payload;
  said_in(native, payload);
  char parameters[sizeof(portable_launch_space) + sizeof(uint64_t)] __attribute__((aligned(ALIGNED)));
  uint64_t there = 0;
  const char *args = (char *)payload + PARAMETERS + sizeof(portable_launch_space);
  const char *call;
  int code = portable__cuda_stage(native, p->ordered, p->host_pages, args, p->args_bytes, &there, &call);
  if (code) return portable__cuda_fail(code, call, p->label);
  memcpy(parameters, (char *)payload + PARAMETERS, sizeof(portable_launch_space));
  memcpy(parameters + sizeof(portable_launch_space), &there, sizeof there);
  portable_status status = portable__cuda_grid(native, p->label, p->function, p->grid, p->block, p->shared_bytes, parameters, sizeof parameters);
  code = portable__cuda_unstage(native, p->ordered, there);
  return status != PORTABLE_OK || code == 0 ? status : portable__cuda_fail(code, "cuMemFreeAsync", p->label);
}

int portable__cuda_node_of(const struct portable__device_work *work, void *payload, struct portable__cuda_node *node_out, void **block_out,
                           size_t *block_bytes_out) {
  const struct payload *p = payload;
  portable_launch_space *s = (portable_launch_space *)(void *)((char *)payload + PARAMETERS);
  if (work->enqueue != enqueue) return work->enqueue == enqueue_large ? -1 : 0;
  s->stream = 0; /* a replay may be in any stream */
  *node_out = (struct portable__cuda_node){.function = p->function, .shared_bytes = p->shared_bytes, .parameters = s, .bytes = sizeof *s + p->args_bytes};
  memcpy(node_out->grid, p->grid, sizeof p->grid);
  memcpy(node_out->block, p->block, sizeof p->block);
  *block_out = s + 1;
  *block_bytes_out = work->payload_bytes - PARAMETERS - sizeof *s;
  return 1;
}

/* ---- a launch ---- */

portable_status portable__cuda_refuse(const struct portable__cuda_plan *p, struct portable__cuda_refused refused) {
  portable_status status;
  refused.kernel = p->call->kernel;
  refused.program = p->program;
  refused.form = p->form;
  refused.call = p->name;
  refused.args = p->call->args;
  refused.device = p->device;
  refused.facts = p->facts;
  refused.team = p->call->team;
  refused.division = p->form ? p->config.division : NULL;
  PORTABLE__EXPLAINED(&status, p->name, p->call->kernel->label, PORTABLE_ERR_ARG, portable__device_go.cuda_refused(&refused));
  return status;
}

/* More dynamic shared memory than 48 KiB must be requested. */
PORTABLE__COLD static portable_status share(const struct portable__cuda_plan *p) {
  struct portable__cuda_form *form = (struct portable__cuda_form *)(uintptr_t)p->form; /* the limit is read when a launch needs it */
  int32_t allowed = p->facts->max_shared_bytes - form->f.static_shared;
  if (p->shared_bytes > allowed) {
    allowed = portable__cuda_shared_most(p->facts) - form->f.static_shared; /* the whole limit, so that no thread lowers the request of another */
    int code = portable__cuda_function_shared(form->f.function, allowed);
    if (code) return portable__cuda_fail(code, "cuFuncSetAttribute", p->call->kernel->label);
  }
  atomic_store_explicit(&form->shared_allowed, allowed, memory_order_relaxed);
  return PORTABLE_OK;
}

/* A checked view has the number of its argument. For Fortran, the caller has set it. */
PORTABLE__COLD static void number_views(const struct kernel *k, char *block) {
  for (size_t i = 0; i < k->count; i++) {
    const portable_argument *a = &k->arguments[i].what;
    const int32_t number = (int32_t)i + 1;
    if (a->kind == PORTABLE_ARGUMENT_ARRAY) memcpy(block + a->offset + offsetof(portable_view_1, argument), &number, sizeof number);
  }
}

static portable_status put(const struct portable__cuda_plan *p, char *payload) {
  const struct portable__kernel_call *c = p->call;
  const struct kernel *k = c->kernel;
  const int large = k->block_bytes > PORTABLE_ARGUMENTS_DIRECT;
  struct payload *w = (struct payload *)(void *)payload;
  portable_launch_space *s = (portable_launch_space *)(void *)(payload + PARAMETERS);
  w->label = p->program->label; /* stays if the kernel is destroyed */
  w->function = p->form->f.function;
  w->shared_bytes = (uint32_t)p->shared_bytes;
  w->ordered = p->facts->memory_pools;
  w->host_pages = p->facts->host_pages;
  w->args_bytes = large ? k->block_bytes : (size_t)p->parameter_bytes - sizeof *s;
  if (c->leaves) {
    w->grid[0] = (uint32_t)portable__least(c->leaves->blocks, p->facts->max_grid[0]);
    w->block[0] = (uint32_t)c->leaves->threads;
    w->grid[1] = w->grid[2] = w->block[1] = w->block[2] = 1;
  } else if (c->team) {
    w->grid[0] = (uint32_t)portable__least(p->cut.count, p->facts->max_grid[0]);
    w->block[0] = (uint32_t)p->threads;
    w->grid[1] = w->grid[2] = w->block[1] = w->block[2] = 1;
  } else if (PORTABLE__UNLIKELY(p->config.division != NULL)) {
    divided_shape(p->facts, &p->cut, p->config.division, w->grid, w->block);
  } else {
    shape(p->facts, &p->cut, p->threads, p->config.tile, w->grid, w->block);
  }
  space_of(c->bounds, &p->cut, s);
  s->notes = portable__cuda_notes(portable__cuda_index(p->device));
  s->kernel = p->program->number;
  s->scratch_bytes = (uint32_t)c->scratch_bytes;
  if (c->leaves) s->reserved[0] = c->leaves->info;
  for (int32_t d = 0; c->threads && d < c->bounds->rank; d++) s->reserved[1] |= (uint64_t)c->threads[d] << 16 * d; /* portable_device_block.h */
  if (k->block_bytes) memcpy(s + 1, c->args, k->block_bytes);
  if (PORTABLE__UNLIKELY(p->variant & PORTABLE__CUDA_CHECKED)) number_views(k, (char *)(s + 1));
  const struct portable__device_work work = {
      .label = k->label, .kind = c->leaves ? PORTABLE_LAUNCH_REDUCE : PORTABLE_LAUNCH_FOR, .count = p->cut.count, .device = p->device, .stream = p->config.stream,
      .enqueue = large ? enqueue_large : enqueue, .payload = payload, .payload_bytes = PARAMETERS + sizeof *s + k->block_bytes,
      .waits = c->leaves || (large && !p->facts->memory_pools)};
  portable_status status;
  if (PORTABLE__UNLIKELY(portable__hazards())) {
    struct portable__declared declared = {k->arguments, k->count, c->args};
    portable__hazard_follows(k->label, &declared, c->config);
    status = portable__device_work(&work);
    portable__hazard_follows(k->label, NULL, c->config);
  } else {
    status = portable__device_work(&work);
  }
  if (status == PORTABLE_OK && k->count)
    portable__kernel_keep(k, c->args, p->config.stream ? p->config.stream : portable_device_stream(p->device));
  return status;
}

portable_status portable__cuda_launch(const struct portable__kernel_call *c, struct portable__cuda_program *program, portable_device device,
                                      int32_t index) {
  struct portable__cuda_plan p = {.call = c, .program = program, .name = c->threads ? "portable_launch_blocks" : c->team ? "portable_launch_outer" : "portable_launch", .device = device};
  const struct kernel *k = c->kernel;
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  struct portable__cuda_refused why;
  int32_t no_compiler = 0;
  p.config = config;
  portable_status status = portable__launch_space(k->label, c->bounds, c->config, c->team,
                                                  c->leaves ? PORTABLE__DIVIDES_NOT : c->team ? PORTABLE__DIVIDES_OUTER : PORTABLE__DIVIDES_SPACE, &p.config, &p.cut);
  if (status != PORTABLE_OK) return status;
  if (PORTABLE__UNLIKELY(!portable__cuda_asked(&p, &why))) return portable__cuda_refuse(&p, why);
  uint32_t watching = portable__watched_by();
  if (p.cut.count == 0) {
    if (PORTABLE__UNLIKELY(watching)) portable__watch_skip(k->label, PORTABLE_LAUNCH_FOR, device, c->bounds);
    return PORTABLE_OK;
  }
  if (PORTABLE__UNLIKELY(watching >> PORTABLE__TUNING & 1)) portable__tune(k->label, c->bounds->rank, &p.config);
  p.variant = (narrow(&p.cut, c->team) ? PORTABLE__CUDA_NARROW : 0) |
                    (c->bounds->rank > 1 && c->bounds->order == PORTABLE_ORDER_FORTRAN ? PORTABLE__CUDA_FORTRAN : 0) |
                    (PORTABLE__UNLIKELY(portable_checks() & PORTABLE_CHECK_ARRAYS) ? PORTABLE__CUDA_CHECKED : 0);
  p.facts = portable__cuda_facts(index);
  p.form = portable__cuda_program_form(program, index, p.variant, &status, portable__kernel_has_host(c) ? &no_compiler : NULL);
  if (PORTABLE__UNLIKELY(!p.form)) {
    if (no_compiler == PORTABLE__CODE_REFUSED) portable__fallback_because(k->label, PORTABLE__WHY_CODE);
    return no_compiler ? PORTABLE__NOT_HERE : status;
  }
  if (PORTABLE__UNLIKELY(!portable__cuda_fits(&p, &why))) return portable__cuda_refuse(&p, why);
  if (PORTABLE__UNLIKELY(p.more_shared) && (status = share(&p)) != PORTABLE_OK) return status;
  if (PORTABLE__UNLIKELY(k->block_bytes > PORTABLE_ARGUMENTS_DIRECT)) {
    char *large = aligned_alloc(ALIGNED, (PARAMETERS + sizeof(portable_launch_space) + k->block_bytes + ALIGNED - 1) / ALIGNED * ALIGNED);
    if (!large)
      return portable__fail(PORTABLE_ERR_NOMEM, "%s '%s': no memory for a copy of the argument block of %zu bytes", p.name, k->label, k->block_bytes);
    status = put(&p, large);
    free(large);
    return status;
  }
  char small[PARAMETERS + sizeof(portable_launch_space) + PORTABLE_ARGUMENTS_DIRECT] __attribute__((aligned(ALIGNED)));
  return put(&p, small);
}

portable_status portable_device_space(const char *label, const portable_bounds *bounds, portable_device device, int32_t block_size,
                                      struct portable_launch_space *space_out, uint32_t *grid_out, uint32_t *block_out) {
  static const char function[] = "portable_device_space";
  const int64_t no_tile[PORTABLE_LOOP_RANK] = {0};
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  struct portable__cut cut;
  if (!label) label = "unlabelled";
  if (!space_out || !grid_out || !block_out || block_size < 0)
    return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': %s", function, label, block_size < 0 ? "block_size is below 0" : "an out pointer is NULL");
  for (int i = 0; i < 3; i++) grid_out[i] = block_out[i] = 0;
  portable_status status = portable__launch_space(label, bounds, NULL, 1, PORTABLE__DIVIDES_NOT, &config, &cut);
  if (status != PORTABLE_OK) return status;
  if (device == 0) device = portable_default_device();
  const struct portable__cuda_facts *facts = portable__cuda_facts(portable__cuda_index(device));
  if (!facts) return portable__not_cuda(function, label, device);
  space_of(bounds, &cut, space_out);
  if (cut.count) shape(facts, &cut, portable__least(block_size ? block_size : PORTABLE__BLOCK_THREADS, facts->max_threads_per_block), no_tile, grid_out, block_out);
  return PORTABLE_OK;
}
