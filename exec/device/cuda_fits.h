/* cuda_fits.h - the predicates of a launch of a kernel object on a CUDA device; 1: nothing refuses
 * it. Go repeats the checks in their order for the text (exec/device_launch.go); a test compares
 * the verdicts. Main functions: portable__cuda_asked, then portable__cuda_fits. Threads: any. */
#ifndef PORTABLE__CUDA_FITS_H
#define PORTABLE__CUDA_FITS_H

#include <string.h>

#include "questions.h"
#include "../../capi/include/device/portable_device.h"
#include "../../internal/team/cut.h"

#define PORTABLE__BLOCK_THREADS 256 /* the default of a block */
#define PORTABLE__TEAM_THREADS 128

/* A launch on its way to the device. */
struct portable__cuda_plan {
  const struct portable__kernel_call *call;
  struct portable__cuda_program *program;
  const struct portable__cuda_form *form;
  const struct portable__cuda_facts *facts;
  const char *name; /* of the call, for texts */
  portable_device device;
  portable_launch_config config;
  struct portable__cut cut;
  int32_t variant;
  int32_t more_shared; /* by portable__cuda_fits, from here on. 1: the function is not allowed so much shared memory yet */
  int64_t shared_bytes, threads, parameter_bytes;
};

/* Go writes the refusal. */
portable_status portable__cuda_refuse(const struct portable__cuda_plan *p, struct portable__cuda_refused refused) PORTABLE__COLD;

static inline int64_t portable__least(int64_t a, int64_t b) { return a < b ? a : b; }

/* Smaller blocks, if there are too few for all multiprocessors. */
static inline int64_t portable__cuda_threads_for(const struct portable__cuda_facts *facts, int64_t count, int32_t team) {
  int64_t threads = team ? PORTABLE__TEAM_THREADS : PORTABLE__BLOCK_THREADS;
  while (!team && threads > 64 && count < threads * facts->multiprocessors) threads /= 2;
  return threads;
}

/* All dynamic and declared shared memory that a block may have. */
static inline int32_t portable__cuda_shared_most(const struct portable__cuda_facts *facts) {
  return facts->max_shared_bytes_opt_in > facts->max_shared_bytes ? facts->max_shared_bytes_opt_in : facts->max_shared_bytes;
}

/* 1: declared arrays are views of the declared rank. */
static inline int portable__cuda_views_fit(const struct kernel *k, const void *args) {
  for (size_t i = 0; i < k->count; i++) {
    const portable_argument *a = &k->arguments[i].what;
    portable_view_1 view;
    if (a->kind != PORTABLE_ARGUMENT_ARRAY) continue;
    memcpy(&view, (const char *)args + a->offset, offsetof(portable_view_1, dim));
    if (PORTABLE__UNLIKELY(view.rank != (int32_t)((a->bytes - offsetof(portable_view_1, dim)) / sizeof(portable_view_dimension)))) return 0;
  }
  return 1;
}

/* 1: the entry takes the parameters. Separate parameters end where the last one does, a structure at a multiple of its alignment; a pointer to the
 * block is one parameter. */
static inline int portable__cuda_parameters_fit(const struct kernel *k, int64_t has, int64_t takes) {
  size_t end = 0; /* of the declared arguments; the rest is padding */
  if (k->block_bytes > PORTABLE_ARGUMENTS_DIRECT) return 0;
  for (size_t i = 0; i < k->count; i++) {
    const portable_argument *a = &k->arguments[i].what;
    if (a->offset + a->bytes > end) end = a->offset + a->bytes;
  }
  return takes < has && has - takes < 16 && takes >= (int64_t)(sizeof(portable_launch_space) + end);
}

/* 1: a block has the threads of the division, along each of its three dimensions; a team's lie along the first. */
static inline int portable__cuda_division_fits(const struct portable__cuda_plan *p, int64_t most) {
  const portable_work_division *w = p->config.division;
  int64_t all = 1;
  int fits = !p->program->block_size || p->program->block_size == p->config.block_size;
  for (int32_t k = 0; k < p->cut.rank; k++) {
    const int64_t n = w->threads[p->cut.axis[k].dim];
    fits &= p->call->team || n <= (k < 3 ? p->facts->max_block[k] : 1);
    all *= n; /* that of all was found to fit */
  }
  return fits && all <= most && (!p->call->team || all <= p->facts->max_block[0]);
}

/* The checks before the space is cut. 0: *why has the facts for Go's text. */
static inline int portable__cuda_asked(const struct portable__cuda_plan *p, struct portable__cuda_refused *why) {
  if (PORTABLE__LIKELY((!p->config.stream || !p->config.device || p->config.device == p->device) && (!p->call->kernel->block_bytes || p->call->args)))
    return 1;
  *why = (struct portable__cuda_refused){.config_device = p->config.stream ? p->config.device : 0};
  return 0;
}

/* The checks when the function is known. Threads of a block: of the code, the launch, the tuning file (already in config), or the default. */
static inline int portable__cuda_fits(struct portable__cuda_plan *p, struct portable__cuda_refused *why) {
  const struct kernel *k = p->call->kernel;
  const struct portable__cuda_function *f = &p->form->f;
  const int64_t asked = p->call->threads ? p->call->size : p->program->block_size ? p->program->block_size : p->config.block_size;
  const int64_t has = (int64_t)(sizeof(portable_launch_space) + (k->block_bytes > PORTABLE_ARGUMENTS_DIRECT ? sizeof(uint64_t) : k->block_bytes));
  const int32_t most = portable__cuda_shared_most(p->facts);
  p->threads = asked ? asked : portable__least(portable__cuda_threads_for(p->facts, p->cut.count, p->call->team), f->max_threads);
  p->shared_bytes = (int64_t)(p->call->scratch_bytes + p->program->shared_bytes);
  p->more_shared = p->shared_bytes > atomic_load_explicit(&p->form->shared_allowed, memory_order_relaxed);
  p->parameter_bytes = f->parameter_bytes ? f->parameter_bytes : has;
  if (PORTABLE__UNLIKELY(!portable__cuda_views_fit(k, p->call->args)))
    *why = (struct portable__cuda_refused){0};
  else if (PORTABLE__UNLIKELY(p->config.division && !portable__cuda_division_fits(p, f->max_threads)))
    *why = (struct portable__cuda_refused){0};
  else if (PORTABLE__UNLIKELY(p->threads < 1 || p->threads > f->max_threads))
    *why = (struct portable__cuda_refused){.threads_asked = asked};
  else if (PORTABLE__UNLIKELY(p->more_shared && p->shared_bytes > most - f->static_shared))
    *why = (struct portable__cuda_refused){.shared_asked = p->shared_bytes, .shared_most = most};
  else if (PORTABLE__UNLIKELY(p->parameter_bytes != has && !portable__cuda_parameters_fit(k, has, p->parameter_bytes)))
    *why = (struct portable__cuda_refused){.parameter_bytes = has};
  else
    return 1;
  return 0;
}

#endif
