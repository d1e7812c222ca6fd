/* portable_hierarchy.h - two levels of loops: outer iterations, which are shared out, and inner loops, which the team of an outer
 * iteration does together, with scratch memory of its own. Part of portable.h; include that.
 *
 *   level             on the host                             on a device with blocks
 *   outer iteration   one thread does it, as in parallel_for  a block
 *   team              one thread: size 1, member 0            the threads of the block
 *   inner loop        a plain loop on that thread, one tile   strips of as many as there are members, so any length works
 *   scratch           the thread's, kept between launches     shared memory of the block
 *   fence_inner       no wait                                 a barrier of the block
 *
 * With PORTABLE_TEAM_SIZE=n a team of the host has n members, each with a stack of its own on the one thread, which goes on with the
 * next one where a member waits: so a missing fence_inner gives other results there, too.
 *
 * A kernel that heeds the rules of the last column is right in both: what one inner iteration has written, another one reads
 * only after fence_inner; what is to be done once, single_inner does; every member of the team comes to every fence_inner.
 */
#ifndef PORTABLE_HIERARCHY_H
#define PORTABLE_HIERARCHY_H

#ifndef PORTABLE_ATOMIC_H
#error "include portable.h, which includes this"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Most bytes of scratch on the host. Other devices give less: 48 KiB is what blocks have everywhere. */
#define PORTABLE_SCRATCH_MAX ((size_t)64 << 20)

/* The team of one outer iteration. Made by the library, valid during the call of the kernel. */
typedef struct portable_team {
  int64_t index[PORTABLE_LOOP_RANK]; /* the outer iteration, in the order of the indices; 0 above rank */
  int32_t rank;                      /* of the outer index space */
  int32_t size;                      /* members: 1 on the host, but for PORTABLE_TEAM_SIZE */
  int32_t member;                    /* the calling one, from 0 */
  int32_t reserved;
  void   *scratch;                   /* scratch_bytes bytes, aligned at 64, of any content; NULL when none were asked for */
  size_t  scratch_bytes;             /* as asked for */
  const portable_tile *tile;         /* what the launch says of itself: worker, device; for portable_kernel_fail */
  int64_t fortran[PORTABLE_LOOP_RANK]; /* the Fortran module's: index as default integers */
} portable_team;

/* A kernel over outer iterations: called once for each, from several threads at once. args is the launch's copy. */
typedef void (*portable_team_function)(const portable_team *team, void *args);

/* Runs the kernel once for each outer iteration of the index space, on the threads and in the schedule that portable_parallel_for
 * would choose, and returns when that is done. Strides are heeded. scratch_bytes bytes are each team's own during its
 * iteration, or 0; they are not zeroed, and nothing of them is kept for the next iteration.
 * A launch inside the kernel runs inline, a parallel_outer too, with scratch of its own.
 * Ownership, threads, label, args, config: as portable_parallel_for.
 * Returns: as portable_parallel_for; ERR_ARG (scratch_bytes above PORTABLE_SCRATCH_MAX), ERR_KERNEL (also when a thread has no
 * memory for its scratch; the text says so).  Source: YAKL's parallel_outer.  Since: 0.1 */
portable_status portable_parallel_outer(const char *label, const portable_bounds *bounds, portable_team_function kernel,
                                        const void *args, size_t args_bytes, size_t scratch_bytes,
                                        const portable_launch_config *config);

/* The tile of an inner index space that the calling member does, for loops that stand in the kernel itself. strided 1: those loops
 * heed tile->stride; 0: a stride other than 1 is refused. A refusal fails the launch, as portable_kernel_fail does.
 * Gives 1, or 0 when there is nothing to do.  Since: 0.1 */
int32_t portable_inner_tile(const portable_team *team, const portable_bounds *bounds, int32_t strided, portable_tile *tile_out);

/* Calls body with the tile of the inner index space that the calling member does; not at all when there is nothing to do. Does not wait
 * for the other members. args is handed on as it is. A stride other than 1 is refused: portable_inner_tile takes those.
 * Source: YAKL's parallel_inner.  Since: 0.1 */
PORTABLE_INLINE void portable_parallel_inner(const portable_team *team, const portable_bounds *bounds, portable_kernel_function body,
                                             void *args) {
  portable_tile tile;
  if (portable_inner_tile(team, bounds, 0, &tile)) body(&tile, args);
}

/* Cuts a box of inner indices to what the calling member does, in place: lower[d] to upper[d] by stride[d], both inclusive. Where a team has
 * one member, that is all of it. Gives 1, or 0 when there is nothing to do. Shapes: lower[rank], upper[rank], stride[rank].
 * Threads: any, inside a kernel.  Since: 0.1 */
int32_t portable_inner_members(const portable_team *team, int32_t rank, int64_t *lower, int64_t *upper, const int64_t *stride);

/* The wait of portable_fence_inner for a team of the host.  Threads: any, inside a kernel.  Since: 0.1 */
void portable_fence_members(const portable_team *team);

/* The part of the inner range lower..upper that the calling member does: from *from_out to *to_out, both inclusive, so a loop stays
 * what it was but for its bounds. Nothing to do: *to_out < *from_out.  Since: 0.1 */
PORTABLE__HOST_DEVICE PORTABLE_INLINE void portable_inner_range(const portable_team *team, int64_t lower, int64_t upper, int64_t *from_out,
                                          int64_t *to_out) {
  *from_out = lower;
  *to_out = upper;
  if (team->size > 1 && lower <= upper) {
    const uint64_t n = (uint64_t)upper - (uint64_t)lower + 1, members = (uint64_t)team->size, m = (uint64_t)team->member;
    const uint64_t before = m * (n / members) + (m < n % members ? m : n % members);
    *from_out = (int64_t)((uint64_t)lower + before);
    *to_out = (int64_t)((uint64_t)*from_out + n / members + (m < n % members)) - 1;
  }
}

/* 1 for the member that does what is to be done once for the team; the others get 0 and do not wait.
 * Source: YAKL's single_inner.  Since: 0.1 */
PORTABLE__HOST_DEVICE PORTABLE_INLINE int32_t portable_single_inner(const portable_team *team) { return team->member == 0; }

/* Waits until all members of the team are here; what they have written before, all of them read after. Every member calls it. A team of one
 * member has nothing to wait for. Where some members have left the kernel, the launch fails.  Source: YAKL's fence_inner.  Since: 0.1 */
PORTABLE__HOST_DEVICE PORTABLE_INLINE void portable_fence_inner(const portable_team *team) {
#if defined(__CUDA_ARCH__)
  (void)team;
  __syncthreads();
#else
  if (team->size > 1) portable_fence_members(team);
#endif
}

#ifdef __cplusplus
}
#endif

#endif
