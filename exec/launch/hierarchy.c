/* hierarchy.c - outer iterations: a launch whose kernel calls the user's kernel once for each index
 * of its tile; checks of inner bounds, and the parts of a team's members. Main function:
 * portable__outer. Not here: inner loops (portable_hierarchy.h). Threads: any; no lock. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hierarchy.h"
#include "launch.h"
#include "ordinary.h"
#include "questions.h"
#include "../../internal/edge/scratch.h"
#include "../../internal/team/crew.h"
#include "../../internal/team/fibre.h"

/* The argument block of the launch: this, then the user's block. */
struct outer {
  portable_team_function kernel;
  void *args; /* if there is no block to copy */
  size_t args_bytes, scratch_bytes;
  int32_t order, integer_bytes;
  int32_t members; /* of a team; 1 without PORTABLE_TEAM_SIZE */
};

#define SMALL_BLOCK 1024

static void fortran_index(portable_team *team, int32_t bytes) {
  for (int32_t d = 0; d < team->rank; d++) {
    if (bytes == 4)
      ((int32_t *)(void *)team->fortran)[d] = (int32_t)team->index[d];
    else
      team->fortran[d] = team->index[d];
  }
}

/* The next index of the tile, the fastest dimension first; 0: the tile is complete. */
static int next_index(const portable_tile *t, int32_t order, portable_team *team) {
  for (int32_t k = 0; k < t->rank; k++) {
    int32_t d = order == PORTABLE_ORDER_FORTRAN ? k : t->rank - 1 - k;
    if (team->index[d] < t->upper[d]) {
      team->index[d] += t->stride[d];
      return 1;
    }
    team->index[d] = t->lower[d];
  }
  return 0;
}

struct members {
  const struct outer *outer;
  const portable_team *team;
  void *block;
};

static void run_member(int32_t member, void *context) {
  const struct members *m = context;
  portable_team team = *m->team;
  team.member = member;
  m->outer->kernel(&team, m->block);
}

/* One iteration by a team of several members, in the other order for each second one, and with scratch that is no number. */
PORTABLE__COLD static void run_members(const struct outer *o, portable_team *team, void *block) {
  struct members m = {o, team, block};
  char text[120];
  uint64_t place = 0;
  for (int32_t d = 0; d < team->rank; d++) place += (uint64_t)team->index[d] / (uint64_t)team->tile->stride[d];
  team->size = o->members;
  if (o->scratch_bytes) memset(team->scratch, 0xFF, o->scratch_bytes);
  const int32_t alone = portable__crew_run(o->members, place & 1, run_member, &m);
  if (alone < 0 && portable__fibre_lacks(portable__fibre_shadow())) {
    portable_kernel_fail(team->tile, PORTABLE_ERR_STATE, portable__fibre_lacks(portable__fibre_shadow()));
  } else if (alone < 0) {
    portable_kernel_fail(team->tile, PORTABLE_ERR_NOMEM, "there is no memory for the stacks of the team's members; PORTABLE_TEAM_SIZE is too large");
  } else if (alone > 0) {
    snprintf(text, sizeof text, "%d of %d members of a team wait in fence_inner, and the others have left the kernel", (int)alone, (int)o->members);
    portable_kernel_fail(team->tile, PORTABLE_ERR_ARG, text);
  }
}

static void run_outer(const portable_tile *t, void *args) {
  const struct outer *o = args;
  portable_team team;
  void *block = o->args_bytes ? (char *)args + PORTABLE__HEAD_OFFSET(sizeof *o) : o->args;
  memset(&team, 0, sizeof team);
  for (int32_t d = 0; d < t->rank; d++) team.index[d] = t->lower[d];
  team.rank = t->rank;
  team.size = 1;
  team.tile = t;
  team.scratch_bytes = o->scratch_bytes;
  __attribute__((cleanup(portable__scratch_leave))) void *scratch = o->scratch_bytes ? portable__scratch_take(o->scratch_bytes) : NULL;
  if (o->scratch_bytes && !(team.scratch = scratch)) {
    portable_kernel_fail(t, PORTABLE_ERR_NOMEM, "this thread has no memory for the scratch of its team");
    return;
  }
  do {
    if (o->integer_bytes) fortran_index(&team, o->integer_bytes);
    if (PORTABLE__UNLIKELY(o->members > 1))
      run_members(o, &team, block);
    else
      o->kernel(&team, block);
  } while (!portable__job_failed(t->launch) && next_index(t, o->order, &team));
}

size_t portable__outer_offset(const struct portable__job *job) {
  return job->kernel == run_outer ? PORTABLE__HEAD_OFFSET(sizeof(struct outer)) : portable__blocks_offset(job);
}

portable_status portable__launch_headed(const char *label, const portable_bounds *bounds, portable_kernel_function kernel, const void *head,
                                        size_t head_bytes, const void *args, size_t args_bytes, const portable_launch_config *config,
                                        int32_t integer_bytes, int32_t flags) {
  _Alignas(64) char small[SMALL_BLOCK];
  char *block = small;
  const size_t offset = PORTABLE__HEAD_OFFSET(head_bytes), bytes = offset + args_bytes;
  if (bytes < args_bytes || (bytes > sizeof small && !(block = malloc(bytes))))
    return portable__fail(PORTABLE_ERR_NOMEM, "%s '%s': no memory for a copy of the argument block of %zu bytes",
                          flags & PORTABLE__BLOCKS ? "parallel_blocks" : "parallel_outer", label, args_bytes);
  memcpy(block, head, head_bytes);
  if (args_bytes) memcpy(block + offset, args, args_bytes);
  portable_status status = portable__launch(label, bounds, kernel, block, bytes, config, integer_bytes, flags, NULL);
  if (block != small) free(block);
  return status;
}

/* The threads of a block, as many as a crew may have. The division is tested later. */
PORTABLE__COLD static int32_t divided_members(const portable_work_division *w) {
  int64_t n = 1;
  for (int32_t d = 0; d < w->rank && d < PORTABLE_LOOP_RANK; d++)
    if (w->threads[d] < 1 || __builtin_mul_overflow(n, w->threads[d], &n)) return 1;
  return n < PORTABLE__CREW_MOST ? (int32_t)n : PORTABLE__CREW_MOST;
}

portable_status portable__outer(const char *label, const portable_bounds *bounds, portable_team_function kernel, const void *args, size_t args_bytes,
                                size_t scratch_bytes, const portable_launch_config *config, int32_t integer_bytes, int32_t wide) {
  portable_launch_config copy = PORTABLE_LAUNCH_CONFIG_INIT;
  if (!label) label = "unlabelled";
  if (!kernel || (args_bytes && !args) || scratch_bytes > PORTABLE_SCRATCH_MAX || (config && !portable__config_read(config, &copy))) {
    portable_status refused;
    struct portable__launch_asked asked = {.call = "parallel_outer", .label = label, .config = config, .scratch_bytes = scratch_bytes, .outer = 1,
                                           .missing = !kernel ? "the kernel" : args_bytes && !args ? "args" : NULL};
    PORTABLE__EXPLAINED(&refused, asked.call, label, PORTABLE_ERR_ARG, portable__launch_go.refuse(&asked));
    return refused;
  }
  copy.struct_size = (uint32_t)sizeof copy;
  copy.strided = 1; /* next_index heeds it */
  struct outer o = {kernel, (void *)(uintptr_t)args, args_bytes, scratch_bytes, bounds ? bounds->order : 0, integer_bytes,
                    atomic_load_explicit(&portable__defaults.team_size, memory_order_relaxed)};
  if (PORTABLE__UNLIKELY(o.members > 1) && copy.division) o.members = divided_members(copy.division);
  return portable__launch_headed(label, bounds, run_outer, &o, sizeof o, args, args_bytes, &copy, integer_bytes, wide | PORTABLE__OUTER);
}

portable_status portable_parallel_outer(const char *label, const portable_bounds *bounds, portable_team_function kernel,
                                        const void *args, size_t args_bytes, size_t scratch_bytes,
                                        const portable_launch_config *config) {
  return portable__outer(label, bounds, kernel, args, args_bytes, scratch_bytes, config, 0, 0);
}

/* ---- inner index spaces ---- */

/* The text of a refusal, or NULL. The texts are fixed because kernels must not call Go. */
static const char *refuse_inner(const portable_team *team, int why, const portable_bounds *bounds, int32_t strided) {
  switch (why) {
  case 0:
    for (int32_t d = 0; d < bounds->rank; d++)
      if (bounds->stride[d] != 1 && !strided)
        return "parallel_inner: a stride of the inner bounds is not 1; when the loops heed the tile's stride, say so with strided";
    return NULL;
  case PORTABLE__BOUNDS_NONE:
    return ((struct portable__job *)team->tile->launch)->integer_bytes
             ? "parallel_inner: these bounds are invalid; bounds(lower, upper, stride) takes arrays of one length, 1 to 8"
             : "parallel_inner: these bounds were not made by portable_bounds_make";
  case PORTABLE__BOUNDS_STRIDE: return "parallel_inner: a stride of the inner bounds is below 1";
  default: return "parallel_inner: there are more inner iterations than a 64-bit integer counts";
  }
}

int32_t portable_inner_tile(const portable_team *team, const portable_bounds *bounds, int32_t strided, portable_tile *tile_out) {
  struct portable__cut cut;
  const char *refused = refuse_inner(team, portable__cut_space(bounds, &cut), bounds, strided);
  *tile_out = *team->tile;
  if (PORTABLE__UNLIKELY(refused != NULL)) {
    portable_kernel_fail(team->tile, PORTABLE_ERR_ARG, refused);
    return 0;
  }
  for (int d = 0; d < PORTABLE_LOOP_RANK; d++) {
    tile_out->lower[d] = tile_out->stride[d] = 1; /* from 1 to 0: none */
    tile_out->upper[d] = 0;
  }
  tile_out->rank = bounds->rank;
  tile_out->number = 0;
  if (cut.count == 0) return 0;
  for (int32_t k = 0; k < cut.rank; k++) {
    const struct portable__axis *a = &cut.axis[k];
    tile_out->lower[a->dim] = a->lower;
    tile_out->upper[a->dim] = (int64_t)((uint64_t)a->lower + (uint64_t)(a->extent - 1) * (uint64_t)a->stride); /* the product may not fit */
    tile_out->stride[a->dim] = a->stride;
  }
  return team->size == 1 || portable_inner_members(team, bounds->rank, tile_out->lower, tile_out->upper, tile_out->stride);
}

/* Along the longest dimension, so that each member has about as many iterations as the others. */
int32_t portable_inner_members(const portable_team *team, int32_t rank, int64_t *lower, int64_t *upper, const int64_t *stride) {
  int32_t longest = -1;
  int64_t most = 0, from, to;
  for (int32_t d = 0; d < rank; d++) {
    if (upper[d] < lower[d]) return 0;
    const uint64_t steps = ((uint64_t)upper[d] - (uint64_t)lower[d]) / (uint64_t)stride[d];
    const int64_t n = steps > (uint64_t)INT64_MAX ? INT64_MAX : (int64_t)steps;
    if (longest < 0 || n > most) most = n, longest = d;
  }
  if (longest < 0 || team->size <= 1) return longest >= 0;
  portable_inner_range(team, 0, most, &from, &to);
  if (to < from) return 0;
  upper[longest] = (int64_t)((uint64_t)lower[longest] + (uint64_t)to * (uint64_t)stride[longest]);
  lower[longest] = (int64_t)((uint64_t)lower[longest] + (uint64_t)from * (uint64_t)stride[longest]);
  return 1;
}

void portable_fence_members(const portable_team *team) {
  if (team->size > 1) portable__crew_wait();
}
