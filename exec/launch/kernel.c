/* kernel.c - launches kernel objects; exec/kernels.go has their life and their refusals. Main
 * function: launch. A launch finds its kernel without a lock, because records are never freed, only
 * reused. Threads: any. */
#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "launch.h"
#include "../liveout/liveout.h"
#include "../../internal/backend/cuda/matters.h"
#include "../../internal/edge/above.h"
#include "../../internal/backend/cuda/kernel.h"
#include "../../internal/edge/calls.h"
#include "../../internal/memcheck/hazard.h"
#include "kernel.h"
#include "kernel_record.h"
#include "ordinary.h"
#include "questions.h"
#include "reach.h"

static struct portable__slot_table kernels = PORTABLE__SLOT_TABLE(PORTABLE__KIND_KERNEL, struct kernel);

struct kernel *portable__kernel_hold(portable_kernel handle) { return portable__slot_hold(&kernels, handle); }

portable_status portable__no_kernel(const char *function, portable_kernel handle) {
  portable_status status;
  PORTABLE__EXPLAINED(&status, function, NULL, PORTABLE_ERR_HANDLE, portable__launch_go.stale(function, handle, "kernel"));
  return status;
}

portable_status portable_kernel_create(const char *label, size_t block_bytes, const portable_argument *arguments,
                                       size_t argument_count, portable_kernel *kernel_out) {
  struct portable__crossing crossing;
  if (kernel_out) *kernel_out = 0;
  portable_status status = portable__cross_in(&crossing);
  if (status != PORTABLE_OK) return status;
  status = portable__launch_go.kernel_create(label ? label : "unlabelled", block_bytes, arguments, argument_count, kernel_out);
  portable__cross_out(&crossing);
  return status;
}

portable_kernel portable__kernel_make(const char *label, size_t block_bytes, const portable_argument *arguments, size_t count) {
  struct portable__argument *copy = count ? calloc(count, sizeof *copy) : NULL;
  struct kernel *k = copy || !count ? portable__slot_take(&kernels) : NULL;
  if (!k) {
    free(copy);
    return 0;
  }
  free(k->arguments);
  memset(k->label, 0, sizeof k->label);
  strncpy(k->label, label, sizeof k->label - 1);
  k->block_bytes = block_bytes;
  k->arguments = copy;
  k->count = count;
  k->liveouts = 0;
  for (size_t i = 0; i < count; i++) {
    copy[i].what = arguments[i];
    if (arguments[i].name) strncpy(copy[i].name, arguments[i].name, sizeof copy[i].name - 1);
    copy[i].what.name = copy[i].name;
    if (arguments[i].kind != PORTABLE_ARGUMENT_LIVEOUT) continue;
    copy[i].what.access = PORTABLE_ACCESS_BOTH;
    k->liveouts++;
  }
  atomic_store(&k->host, NULL);
  atomic_store(&k->host_team, NULL);
  atomic_store(&k->host_reduce, NULL);
  atomic_store(&k->host_block, NULL);
  atomic_store(&k->cuda, NULL);
  return portable__slot_publish(&kernels, k);
}

portable_status portable_kernel_set_host(portable_kernel kernel, portable_kernel_function function) {
  struct kernel *k = portable__kernel_hold(kernel);
  if (!k) return portable__no_kernel("portable_kernel_set_host", kernel);
  atomic_store(&k->host, function);
  portable__slot_release(k);
  return PORTABLE_OK;
}

portable_status portable_kernel_set_host_team(portable_kernel kernel, portable_team_function function) {
  struct kernel *k = portable__kernel_hold(kernel);
  if (!k) return portable__no_kernel("portable_kernel_set_host_team", kernel);
  atomic_store(&k->host_team, function);
  portable__slot_release(k);
  return PORTABLE_OK;
}

portable_status portable_kernel_set_host_reduce(portable_kernel kernel, portable_reduce_function function) {
  struct kernel *k = portable__kernel_hold(kernel);
  if (!k) return portable__no_kernel("portable_kernel_set_host_reduce", kernel);
  atomic_store(&k->host_reduce, function);
  portable__slot_release(k);
  return PORTABLE_OK;
}

portable_status portable_kernel_destroy(portable_kernel kernel) {
  if (!kernel) return PORTABLE_OK;
  struct kernel *k = portable__slot_retract(&kernels, kernel);
  if (!k) return portable__no_kernel("portable_kernel_destroy", kernel);
  portable__above_device.program_retire(atomic_exchange(&k->cuda, NULL));
  portable__slot_give(&kernels, k);
  return PORTABLE_OK;
}

portable_status portable_kernel_argument(portable_kernel kernel, size_t i, portable_argument *argument_out) {
  if (!argument_out) return portable__fail(PORTABLE_ERR_ARG, "portable_kernel_argument: argument_out is NULL");
  memset(argument_out, 0, sizeof *argument_out);
  struct kernel *k = portable__kernel_hold(kernel);
  if (!k) return portable__no_kernel("portable_kernel_argument", kernel);
  portable_status status = PORTABLE_OK;
  if (i < k->count)
    *argument_out = k->arguments[i].what;
  else
    PORTABLE__EXPLAINED(&status, "portable_kernel_argument", k->label, PORTABLE_ERR_ARG,
                        portable__launch_go.refuse_argument(k->label, i, k->count));
  portable__slot_release(k);
  return status;
}

/* Each kind from POINTER on begins with an address. */
void portable__kernel_keep(const struct kernel *k, const void *args, portable_stream stream) {
  uintptr_t addresses[16];
  size_t n = 0;
  for (size_t i = 0; i < k->count; i++) {
    if (k->arguments[i].what.kind < PORTABLE_ARGUMENT_POINTER) continue;
    memcpy(&addresses[n], (const char *)args + k->arguments[i].what.offset, sizeof addresses[n]);
    if (addresses[n] == 0 || ++n < sizeof addresses / sizeof *addresses) continue;
    portable__above_stream.uses(stream, addresses, n);
    n = 0;
  }
  if (n) portable__above_stream.uses(stream, addresses, n);
}

portable_device portable__device_of(const portable_launch_config *config) {
  if (config && config->stream) return portable__above_stream.device(config->stream);
  return config && config->device ? config->device : portable_default_device();
}

/* The name of the call, for texts. */
static const char *name_of(const struct portable__kernel_call *c) {
  return c->reduce ? "portable_launch_reduce" : c->threads ? "portable_launch_blocks" : c->team ? "portable_launch_outer" : "portable_launch";
}

/* A host version for one launch (once) has its own argument. */
static inline portable_status launch_host(const struct portable__kernel_call *c) {
  const struct kernel *k = c->kernel;
  if (PORTABLE__UNLIKELY(c->once && c->once->team))
    return portable__outer(k->label, c->bounds, c->once->team, c->once->context, 0, c->scratch_bytes, c->config, c->once->integer_bytes, c->once->flags);
  if (PORTABLE__UNLIKELY(c->once && c->once->reduce))
    return portable__above_algorithm.reduce(k->label, c->bounds, c->once->reduce, c->once->context, c->once->context_bytes, c->reduce->results, c->reduce->count, c->config,
                            c->once->integer_bytes, c->once->flags);
  if (PORTABLE__UNLIKELY(c->once && c->once->block))
    return portable__parallel_blocks(k->label, c->bounds, c->threads, c->once->block, c->once->context, c->once->context_bytes, c->scratch_bytes, c->config,
                                     c->once->integer_bytes, c->once->flags);
  if (PORTABLE__UNLIKELY(c->once != NULL))
    return portable__launch(k->label, c->bounds, c->once->function, c->once->context, c->once->context_bytes, c->config, c->once->integer_bytes, c->once->flags,
                            NULL);
  if (PORTABLE__UNLIKELY(c->reduce != NULL))
    return portable__above_algorithm.reduce(k->label, c->bounds, atomic_load_explicit(&k->host_reduce, memory_order_acquire), c->args, k->block_bytes, c->reduce->results,
                            c->reduce->count, c->config, 0, 0);
  if (PORTABLE__UNLIKELY(c->threads != NULL)) return portable__blocks_host(c);
  if (PORTABLE__UNLIKELY(c->team))
    return portable_parallel_outer(k->label, c->bounds, atomic_load_explicit(&k->host_team, memory_order_acquire), c->args, k->block_bytes,
                                   c->scratch_bytes, c->config);
  return portable__launch(k->label, c->bounds, atomic_load_explicit(&k->host, memory_order_acquire), c->args, k->block_bytes, c->config, 0, 0, NULL);
}

int portable__kernel_has_host(const struct portable__kernel_call *c) {
  if (c->once) return 1;
  if (PORTABLE__UNLIKELY(c->reduce != NULL)) return atomic_load_explicit(&c->kernel->host_reduce, memory_order_acquire) != NULL;
  if (PORTABLE__UNLIKELY(c->threads != NULL)) return atomic_load_explicit(&c->kernel->host_block, memory_order_acquire) != NULL;
  return c->team ? atomic_load_explicit(&c->kernel->host_team, memory_order_acquire) != NULL
                 : atomic_load_explicit(&c->kernel->host, memory_order_acquire) != NULL;
}

PORTABLE__COLD static portable_status no_host(const struct portable__kernel_call *c) {
  portable_status status;
  PORTABLE__EXPLAINED(&status, name_of(c), c->kernel->label, PORTABLE_ERR_STATE,
                      portable__launch_go.no_host(c->kernel->label, c->reduce ? PORTABLE__REDUCTIONS : c->threads ? PORTABLE__BLOCK_VERSIONS : c->team ? PORTABLE__TEAMS : PORTABLE__LOOPS));
  return status;
}

/* With checks of memory: the hazard check sees the declared arguments (hazard.h). */
PORTABLE__COLD static portable_status launch_declared(const struct portable__kernel_call *c) {
  struct portable__declared declared = {c->kernel->arguments, c->kernel->count, c->args};
  portable__hazard_follows(c->kernel->label, &declared, c->config);
  portable_status status = launch_host(c);
  portable__hazard_follows(c->kernel->label, NULL, c->config);
  if (c->config && c->config->stream && status == PORTABLE_OK) portable__kernel_keep(c->kernel, c->args, c->config->stream);
  return status;
}

/* Launches on a CUDA device. PORTABLE__NOT_HERE: the host must run the kernel. */
static portable_status launch_cuda(const struct portable__kernel_call *c, portable_device device, int32_t index) {
  struct portable__cuda_program *program = atomic_load_explicit(&c->kernel->cuda, memory_order_acquire);
  if (!program) return PORTABLE__NOT_HERE;
  if (PORTABLE__UNLIKELY(c->config && c->config->bit_for_bit && atomic_load_explicit(&portable__defaults.b4b, memory_order_relaxed)))
    return PORTABLE__NOT_HERE;
  portable_status reached = portable__check_reach(c->kernel->label, c->args, c->kernel->arguments, c->kernel->count, device, 0);
  if (reached != PORTABLE_OK) return reached;
  return PORTABLE__UNLIKELY(c->reduce != NULL) ? portable__above_algorithm.device_reduce(c, program, device, index) : portable__above_device.launch(c, program, device, index);
}

static portable_status launch(const struct portable__kernel_call *c) {
  PORTABLE__CALL(name_of(c));
  const struct kernel *k = c->kernel;
  if (PORTABLE__UNLIKELY(portable__watched_by() >> PORTABLE__CHECKS & 1)) {
    portable_status status = portable__check_arguments(k->label, c->args, k->arguments, k->count);
    if (status != PORTABLE_OK) return status;
  }
  if (PORTABLE__UNLIKELY(portable__watched_by() >> PORTABLE__TWINS & 1)) {
    portable_status status = portable__above_owner.twin_arguments(k->label, c->args, k->arguments, k->count);
    if (status != PORTABLE_OK) return status;
  }
  if (portable__cuda_any()) {
    portable_device device = portable__device_of(c->config);
    int32_t index = portable__cuda_index(device);
    portable_status status = index < 0 ? PORTABLE__NOT_HERE : launch_cuda(c, device, index);
    if (status != PORTABLE__NOT_HERE) return status;
  }
  if (PORTABLE__UNLIKELY(!portable__kernel_has_host(c))) return no_host(c);
  if (portable__reach_matters() && !(c->once && c->once->copies)) {
    portable_status reached = portable__check_reach(k->label, c->args, k->arguments, k->count, portable__device_of(c->config), 1);
    if (reached != PORTABLE_OK) return reached;
  }
  if (portable__hazards()) return launch_declared(c);
  portable_status status = launch_host(c);
  if (PORTABLE__UNLIKELY(c->config && c->config->stream) && status == PORTABLE_OK) portable__kernel_keep(k, c->args, c->config->stream);
  return status;
}

/* Launches with a copy of the block that has addresses of values in place of handles of live-outs. */
PORTABLE__COLD static portable_status launch_liveouts(struct portable__kernel_call *c) {
  const struct kernel *k = c->kernel;
  if (!c->args) return portable__fail(PORTABLE_ERR_ARG, "%s of '%s': args is NULL", name_of(c), k->label);
  char *block = malloc(k->block_bytes);
  if (!block) return portable__fail(PORTABLE_ERR_NOMEM, "%s of '%s': no memory for a copy of the argument block", name_of(c), k->label);
  portable_status status = PORTABLE_OK;
  memcpy(block, c->args, k->block_bytes);
  for (size_t i = 0; i < k->count && status == PORTABLE_OK; i++) {
    const portable_argument *a = &k->arguments[i].what;
    portable_liveout handle;
    void *value = NULL;
    if (a->kind != PORTABLE_ARGUMENT_LIVEOUT) continue;
    memcpy(&handle, block + a->offset, sizeof handle);
    status = portable__liveout_at(name_of(c), handle, &value);
    memcpy(block + a->offset, &value, sizeof value);
  }
  c->args = block;
  if (status == PORTABLE_OK) status = launch(c);
  free(block);
  return status;
}

portable_status portable__kernel_call(portable_kernel kernel, struct portable__kernel_call *c) {
  struct kernel *k = portable__kernel_hold(kernel);
  if (PORTABLE__UNLIKELY(!k)) return portable__no_kernel(name_of(c), kernel);
  c->kernel = k;
  portable_status status = PORTABLE__UNLIKELY(k->liveouts && !c->once) ? launch_liveouts(c) : launch(c);
  portable__slot_release(k);
  return status;
}

portable_status portable__kernel_launch(portable_kernel kernel, const portable_bounds *bounds, const void *args,
                                        const portable_launch_config *config, const struct portable__host_version *host) {
  struct portable__kernel_call call = {.bounds = bounds, .args = args, .config = config, .once = host};
  struct portable__reduce_call reduce;
  portable_launch_config copy = PORTABLE_LAUNCH_CONFIG_INIT;
  if (host && (host->team || host->block)) {
    call.team = 1;
    call.scratch_bytes = host->scratch_bytes;
  }
  if (host && host->block) {
    call.threads = host->threads;
    if (!portable__block_is_ordinary(bounds, host->threads, &call.size) || (config && !portable__config_read(config, &copy)))
      return portable__parallel_blocks(NULL, bounds, host->threads, host->block, NULL, 0, host->scratch_bytes, config, 0, 0); /* refuses */
    copy.struct_size = (uint32_t)sizeof copy;
    copy.block_size = call.size;
    call.config = &copy;
  } else if (host && host->reduce) {
    reduce = (struct portable__reduce_call){host->results, host->result_count};
    call.reduce = &reduce;
  }
  return portable__kernel_call(kernel, &call);
}

portable_status portable_launch(portable_kernel kernel, const portable_bounds *bounds, const void *args,
                                const portable_launch_config *config) {
  return portable__kernel_launch(kernel, bounds, args, config, NULL);
}

portable_status portable_launch_outer(portable_kernel kernel, const portable_bounds *bounds, const void *args, size_t scratch_bytes,
                                      const portable_launch_config *config) {
  struct portable__kernel_call call = {.bounds = bounds, .args = args, .config = config, .team = 1, .scratch_bytes = scratch_bytes};
  return portable__kernel_call(kernel, &call);
}

portable_status portable_launch_reduce(portable_kernel kernel, const portable_bounds *bounds, const void *args, const portable_reduction *results,
                                       size_t result_count, const portable_launch_config *config) {
  const struct portable__reduce_call reduce = {results, result_count};
  struct portable__kernel_call call = {.bounds = bounds, .args = args, .config = config, .reduce = &reduce};
  return portable__kernel_call(kernel, &call);
}

int portable__arguments_count(const portable_launch_config *config) {
  const uint32_t looks = UINT32_C(1) << PORTABLE__CHECKS | UINT32_C(1) << PORTABLE__TWINS;
  if (PORTABLE__UNLIKELY(portable__watched_by() & looks) || portable__hazards()) return 1;
  return portable__reach_matters() && portable__device_of(config) > PORTABLE__THREADS;
}
