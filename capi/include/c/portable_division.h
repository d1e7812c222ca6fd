/* portable_division.h - work divisions as data: an index space as a grid of blocks, a block as threads, a thread as elements, each of
 * them with up to eight dimensions. Part of portable.h; include that.
 *
 * A division is computed once and then asked: how many of this in that, which linear number has this n-D index and the other way
 * round, which indices are those of a block. The last blocks may reach beyond the index space: portable_work_index says so,
 * portable_work_box cuts them off.
 *
 * It drives a launch whose configuration names it (config.division):
 *   level     portable_parallel_for, portable_launch                 portable_parallel_outer, portable_launch_outer
 *   bounds    those that were divided                                portable_work_grid
 *   block     a tile of the host, a block of the GPU's grid          an outer iteration
 *   thread    the GPU's block has this shape; the host has no        the team has so many members; on the host it has one
 *             such level, its tile has all elements of the block
 *   element   the iterations of a GPU's thread, one grid apart,      the box that portable_work_part gives a member
 *             so that neighbours read neighbouring memory
 * A level that a device lacks collapses into the one above. A device that has the level, and allows less of it, refuses the launch:
 * the text names the level, the number that was asked for, and the number that the device allows. Reductions take no division.
 *
 * The functions that ask are pure, whole in this header, and constexpr from C++14 on. Levels, dimensions and units are
 * numbered from 0; what is outside gives 0, never an error. Source: Alpaka's work division, getWorkDiv, getIdx and mapIdx.
 */
#ifndef PORTABLE_DIVISION_H
#define PORTABLE_DIVISION_H

#if !defined(PORTABLE_HIERARCHY_H) && !defined(__CUDACC_RTC__)
#error "include portable.h, which includes this"
#endif

#if defined(__cplusplus) && __cplusplus >= 201402L
#define PORTABLE_CONSTEXPR PORTABLE__HOST_DEVICE constexpr inline
#elif defined(__CUDACC__)
#define PORTABLE_CONSTEXPR PORTABLE__HOST_DEVICE inline
#else
#define PORTABLE_CONSTEXPR PORTABLE_INLINE
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Levels, from the outside to the inside. */
#define PORTABLE_WORK_GRID    0 /* all of it */
#define PORTABLE_WORK_BLOCK   1 /* an outer iteration; blocks know nothing of one another */
#define PORTABLE_WORK_THREAD  2 /* a member of the team of a block */
#define PORTABLE_WORK_ELEMENT 3 /* an index; the elements of a thread are a box of indices, for vector loops */

/* A division. Made by portable_work_divide and portable_work_collapse; copied and kept as the user likes. */
typedef struct portable_work_division {
  int32_t rank;  /* 1 to 8 */
  int32_t order; /* PORTABLE_ORDER_...: which index runs fastest in linear numbers */
  int32_t first, reserved; /* the index of the first block in portable_work_grid: 0; of the Fortran module's divisions 1 */
  int64_t lower[PORTABLE_LOOP_RANK], stride[PORTABLE_LOOP_RANK], extent[PORTABLE_LOOP_RANK]; /* the index space; extent: iterations */
  int64_t blocks[PORTABLE_LOOP_RANK];   /* of the grid */
  int64_t threads[PORTABLE_LOOP_RANK];  /* of a block */
  int64_t elements[PORTABLE_LOOP_RANK]; /* of a thread */
} portable_work_division;

#if !defined(__CUDACC_RTC__)
/* Divides an index space into blocks of threads[d] x elements[d] indices in dimension d, as many as are needed. threads and
 * elements may be NULL: 1.
 * Shapes: threads[rank], elements[rank], in the order of the indices.
 * Threads: safe, also before portable_init.
 * Returns: 0, ERR_ARG (NULL, no bounds, a stride or a number below 1), ERR_OVERFLOW (with what the last blocks reach beyond the
 * space, there are more indices than int64_t counts).  Since: 0.1 */
portable_status portable_work_divide(const portable_bounds *bounds, const int64_t *threads, const int64_t *elements,
                                     portable_work_division *division_out);

/* The blocks as an index space, from 0 on, for portable_parallel_outer: team->index is then the block.
 * Returns: 0, ERR_ARG.  Since: 0.1 */
portable_status portable_work_grid(const portable_work_division *division, portable_bounds *bounds_out);
#endif

/* Position of an n-D index in an array of these extents, and the other way round. Shapes: extent[rank], index[rank].  Since: 0.1 */
PORTABLE_CONSTEXPR int64_t portable_index_number(int32_t rank, int32_t order, const int64_t *extent, const int64_t *index) {
  int64_t number = 0;
  for (int32_t k = 0; k < rank; k++) {
    const int32_t d = order == PORTABLE_ORDER_FORTRAN ? rank - 1 - k : k;
    number = number * extent[d] + index[d];
  }
  return number;
}
PORTABLE_CONSTEXPR void portable_index_of(int32_t rank, int32_t order, const int64_t *extent, int64_t number, int64_t *index_out) {
  for (int32_t k = 0; k < rank; k++) {
    const int32_t d = order == PORTABLE_ORDER_FORTRAN ? k : rank - 1 - k;
    index_out[d] = extent[d] > 0 ? number % extent[d] : 0;
    number = extent[d] > 0 ? number / extent[d] : 0;
  }
}

/* How many units of the level `of` one unit of the level `in` has in dimension d: of THREAD in BLOCK, of ELEMENT in GRID.  Since: 0.1 */
PORTABLE_CONSTEXPR int64_t portable_work_extent(const portable_work_division *w, int32_t of, int32_t in, int32_t d) {
  int64_t n = 1;
  if (in < PORTABLE_WORK_GRID || of > PORTABLE_WORK_ELEMENT || of <= in || d < 0 || d >= w->rank) return 0;
  if (in < PORTABLE_WORK_BLOCK) n *= w->blocks[d];
  if (in < PORTABLE_WORK_THREAD && of >= PORTABLE_WORK_THREAD) n *= w->threads[d];
  if (of >= PORTABLE_WORK_ELEMENT) n *= w->elements[d];
  return n;
}

/* How many units of one level a unit of another has in all.  Since: 0.1 */
PORTABLE_CONSTEXPR int64_t portable_work_count(const portable_work_division *w, int32_t of, int32_t in) {
  int64_t n = 1;
  for (int32_t d = 0; d < w->rank; d++) n *= portable_work_extent(w, of, in, d);
  return n;
}

/* The linear number of a unit of the level `of` in its unit of the level `in`, and the unit of a number. Shapes: unit[rank].  Since: 0.1 */
PORTABLE_CONSTEXPR int64_t portable_work_number(const portable_work_division *w, int32_t of, int32_t in, const int64_t *unit) {
  int64_t extent[PORTABLE_LOOP_RANK] = {0};
  for (int32_t d = 0; d < w->rank; d++) extent[d] = portable_work_extent(w, of, in, d);
  return portable_index_number(w->rank, w->order, extent, unit);
}
PORTABLE_CONSTEXPR void portable_work_unit(const portable_work_division *w, int32_t of, int32_t in, int64_t number, int64_t *unit_out) {
  int64_t extent[PORTABLE_LOOP_RANK] = {0};
  for (int32_t d = 0; d < w->rank; d++) extent[d] = portable_work_extent(w, of, in, d);
  portable_index_of(w->rank, w->order, extent, number, unit_out);
}

/* The index of an element of a thread of a block. thread and element may be NULL: the first one. Gives 1, or 0 when it is beyond the
 * index space; then nothing is to be done there.  Since: 0.1 */
PORTABLE_CONSTEXPR int32_t portable_work_index(const portable_work_division *w, const int64_t *block, const int64_t *thread,
                                               const int64_t *element, int64_t *index_out) {
  int32_t inside = 1;
  for (int32_t d = 0; d < w->rank; d++) {
    const int64_t step = (block[d] * w->threads[d] + (thread ? thread[d] : 0)) * w->elements[d] + (element ? element[d] : 0);
    if (step >= w->extent[d]) inside = 0;
    index_out[d] = step < w->extent[d] ? w->lower[d] + step * w->stride[d] : w->lower[d];
  }
  return inside;
}

/* Where an index of the index space is done. An out parameter may be NULL.  Since: 0.1 */
PORTABLE_CONSTEXPR void portable_work_place(const portable_work_division *w, const int64_t *index, int64_t *block_out,
                                            int64_t *thread_out, int64_t *element_out) {
  for (int32_t d = 0; d < w->rank; d++) {
    const int64_t step = (index[d] - w->lower[d]) / w->stride[d], in_block = step % (w->threads[d] * w->elements[d]);
    if (block_out) block_out[d] = step / (w->threads[d] * w->elements[d]);
    if (thread_out) thread_out[d] = in_block / w->elements[d];
    if (element_out) element_out[d] = in_block % w->elements[d];
  }
}

/* The box of indices of a block, or of one thread of it, cut off at the end of the index space: the bounds of plain loops, inclusive.
 * thread may be NULL: the whole block. Gives 1, or 0 when there is nothing in it.  Since: 0.1 */
PORTABLE_CONSTEXPR int32_t portable_work_box(const portable_work_division *w, const int64_t *block, const int64_t *thread,
                                             int64_t *lower_out, int64_t *upper_out) {
  int32_t any = 1;
  for (int32_t d = 0; d < w->rank; d++) {
    const int64_t size = thread ? w->elements[d] : w->threads[d] * w->elements[d];
    const int64_t first = (block[d] * w->threads[d] + (thread ? thread[d] : 0)) * w->elements[d];
    const int64_t left = w->extent[d] - first, many = left < size ? left : size;
    if (many < 1) any = 0;
    lower_out[d] = many < 1 ? 1 : w->lower[d] + first * w->stride[d];
    upper_out[d] = many < 1 ? 0 : w->lower[d] + (first + many - 1) * w->stride[d];
  }
  return any;
}

/* In the kernel of a launch over portable_work_grid: the box of indices of part 0, 1, ... of the calling member, as bounds of plain
 * loops, inclusive. Gives 1, or 0 when the member has no such part. A member of a team of as many members as a block has threads has one
 * part, its thread's elements; the only member of a team has one, the whole block. In other teams the members take the threads in
 * turn. A part beyond the index space has upper < lower. Shapes: lower_out[rank], upper_out[rank].
 *     for (int32_t part = 0; portable_work_part(w, team, part, lower, upper); part++) ...
 * Since: 0.1 */
PORTABLE_CONSTEXPR int32_t portable_work_part(const portable_work_division *w, const portable_team *team, int32_t part, int64_t *lower_out,
                                              int64_t *upper_out) {
  const int64_t threads = portable_work_count(w, PORTABLE_WORK_THREAD, PORTABLE_WORK_BLOCK);
  const int64_t number = team->member + (int64_t)part * team->size;
  int64_t thread[PORTABLE_LOOP_RANK] = {0}, block[PORTABLE_LOOP_RANK] = {0};
  if (team->size == 1 ? part > 0 : number >= threads) return 0;
  for (int32_t d = 0; d < w->rank; d++) block[d] = team->index[d] - w->first;
  if (team->size > 1) portable_work_unit(w, PORTABLE_WORK_THREAD, PORTABLE_WORK_BLOCK, number, thread);
  portable_work_box(w, block, team->size > 1 ? thread : (const int64_t *)0, lower_out, upper_out);
  return 1;
}

/* The same division for a device that lacks a level: without THREAD (the host) each block has one thread, with all its elements;
 * without BLOCK there is one block, with all threads. Other levels: as it is.  Since: 0.1 */
PORTABLE_CONSTEXPR portable_work_division portable_work_collapse(const portable_work_division *w, int32_t level) {
  portable_work_division c = *w;
  for (int32_t d = 0; d < w->rank; d++) {
    if (level == PORTABLE_WORK_THREAD) {
      c.elements[d] *= c.threads[d];
      c.threads[d] = 1;
    } else if (level == PORTABLE_WORK_BLOCK && c.blocks[d] > 0) {
      c.threads[d] *= c.blocks[d];
      c.blocks[d] = 1;
    }
  }
  return c;
}

#ifdef __cplusplus
}
#endif

#endif
