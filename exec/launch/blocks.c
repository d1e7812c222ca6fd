/* blocks.c - launches of block kernels on the host (blocks.h): checks, the kernel of their tiles,
 * kernel objects with such a version. Main function: portable__parallel_blocks. Not here: the run
 * of a block (block_run.c). Threads: any; no lock. */
#include "blocks.h"

#include <stdatomic.h>
#include <string.h>

#include "hierarchy.h"
#include "kernel_record.h"
#include "launch.h"
#include "ordinary.h"
#include "questions.h"
#include "../../internal/edge/scratch.h"
#include "../../internal/team/fibre.h"

static void leave(const struct portable__job **job) { portable__block_job = *job; }

static void run_blocks(const portable_tile *t, void *args) {
  const struct portable__block_launch *o = args;
  struct portable__block_run *run = portable__block_run();
  __attribute__((cleanup(portable__scratch_leave))) void *scratch = run && o->scratch_bytes ? portable__scratch_take(o->scratch_bytes) : NULL;
  if (!run || (o->scratch_bytes && !scratch)) {
    portable_kernel_fail(t, PORTABLE_ERR_NOMEM, "this thread has no memory for the scratch of its block");
    return;
  }
  __attribute__((cleanup(leave), unused)) const struct portable__job *before = portable__block_job;
  portable__block_job = portable__running_job;
  portable__block_tile(run, o, t, o->args_bytes ? (char *)args + PORTABLE__HEAD_OFFSET(sizeof *o) : o->args, scratch);
}

size_t portable__blocks_offset(const struct portable__job *job) {
  return job->kernel == run_blocks ? PORTABLE__HEAD_OFFSET(sizeof(struct portable__block_launch)) : 0;
}

int portable__block_is_ordinary(const portable_bounds *bounds, const int32_t *threads, int32_t *size_out) {
  int64_t size = 1;
  if (!bounds || bounds->rank < 1 || bounds->rank > PORTABLE_BLOCK_RANK || !threads) return 0;
  for (int32_t d = 0; d < bounds->rank; d++) {
    if (threads[d] < 1 || threads[d] > PORTABLE_BLOCK_THREADS) return 0;
    size *= threads[d];
  }
  *size_out = (int32_t)size;
  return size <= PORTABLE_BLOCK_THREADS;
}

PORTABLE__COLD static portable_status refuse(const char *call, const char *label, const portable_bounds *bounds, const int32_t *threads, size_t scratch_bytes,
                                             const portable_launch_config *config, const char *missing) {
  portable_status refused;
  struct portable__launch_asked asked = {.call = call, .label = label, .bounds = bounds, .config = config, .scratch_bytes = scratch_bytes,
                                         .outer = PORTABLE__ASKED_BLOCKS, .threads = threads,
                                         .missing = !bounds ? "bounds" : !threads ? "threads" : missing};
  PORTABLE__EXPLAINED(&refused, call, label, PORTABLE_ERR_ARG, portable__launch_go.refuse(&asked));
  return refused;
}

portable_status portable__parallel_blocks(const char *label, const portable_bounds *bounds, const int32_t *threads, portable_block_function kernel,
                                          const void *args, size_t args_bytes, size_t scratch_bytes, const portable_launch_config *config,
                                          int32_t integer_bytes, int32_t flags) {
  static const char call[] = "parallel_blocks";
  struct portable__block_launch o = {.kernel = kernel, .args = (void *)(uintptr_t)args, .args_bytes = args_bytes, .scratch_bytes = scratch_bytes,
                               .integer_bytes = integer_bytes, .rank = bounds ? bounds->rank : 0, .order = bounds ? bounds->order : 0};
  portable_launch_config copy = PORTABLE_LAUNCH_CONFIG_INIT;
  const char *lacks;
  if (!label) label = "unlabelled";
  if (!kernel || (args_bytes && !args) || scratch_bytes > PORTABLE_SCRATCH_MAX || (config && !portable__config_read(config, &copy)) || copy.division ||
      !portable__block_is_ordinary(bounds, threads, &o.size))
    return refuse(call, label, bounds, threads, scratch_bytes, config, !kernel ? "the kernel" : args_bytes && !args ? "args" : NULL);
  if (o.size > 1 && (lacks = portable__fibre_lacks(portable__fibre_shadow())) != NULL)
    return portable__fail(PORTABLE_ERR_STATE, "%s '%s': %s", call, label, lacks);
  copy.struct_size = (uint32_t)sizeof copy;
  copy.strided = 1; /* next_block heeds it */
  memcpy(o.threads, threads, sizeof *threads * (size_t)o.rank);
  o.reversed = atomic_load_explicit(&portable__defaults.team_size, memory_order_relaxed) > 1;
  return portable__launch_headed(label, bounds, run_blocks, &o, sizeof o, args, args_bytes, &copy, integer_bytes, flags | PORTABLE__BLOCKS);
}

portable_status portable_parallel_blocks(const char *label, const portable_bounds *bounds, const int32_t *threads, portable_block_function kernel,
                                         const void *args, size_t args_bytes, size_t scratch_bytes, const portable_launch_config *config) {
  return portable__parallel_blocks(label, bounds, threads, kernel, args, args_bytes, scratch_bytes, config, 0, 0);
}

/* ---- kernel objects ---- */

portable_status portable_kernel_set_host_block(portable_kernel kernel, portable_block_function function) {
  struct kernel *k = portable__kernel_hold(kernel);
  if (!k) return portable__no_kernel("portable_kernel_set_host_block", kernel);
  atomic_store(&k->host_block, function);
  portable__slot_release(k);
  return PORTABLE_OK;
}

portable_status portable__blocks_host(const struct portable__kernel_call *c) {
  const struct kernel *k = c->kernel;
  return portable_parallel_blocks(k->label, c->bounds, c->threads, atomic_load_explicit(&k->host_block, memory_order_acquire), c->args, k->block_bytes,
                                  c->scratch_bytes, c->config);
}

portable_status portable_launch_blocks(portable_kernel kernel, const portable_bounds *bounds, const int32_t *threads, const void *args,
                                       size_t scratch_bytes, const portable_launch_config *config) {
  struct portable__kernel_call call = {.bounds = bounds, .args = args, .config = config, .team = 1, .scratch_bytes = scratch_bytes, .threads = threads};
  portable_launch_config copy = PORTABLE_LAUNCH_CONFIG_INIT;
  struct kernel *k = portable__kernel_hold(kernel);
  if (!k) return portable__no_kernel("portable_launch_blocks", kernel);
  portable_status status = PORTABLE_OK;
  if (scratch_bytes > PORTABLE_SCRATCH_MAX || (config && !portable__config_read(config, &copy)) || copy.division ||
      !portable__block_is_ordinary(bounds, threads, &call.size))
    status = refuse("portable_launch_blocks", k->label, bounds, threads, scratch_bytes, config, NULL);
  portable__slot_release(k);
  if (status != PORTABLE_OK) return status;
  copy.struct_size = (uint32_t)sizeof copy;
  copy.block_size = call.size; /* on a device */
  call.config = &copy;
  return portable__kernel_call(kernel, &call);
}
