/* portable_race.h - races: what a kernel says of its accesses so that PORTABLE_CHECK=races finds two iterations of one launch that touch the same element,
 * one of them writing it. Part of portable.h; include that.
 *
 *     void smooth(const portable_tile *t, void *args) {
 *       portable_shadow a;
 *       int64_t step[PORTABLE_LOOP_RANK], n = portable_tile_iteration(t, step);
 *       portable_shadow_of(t, "a", &block->a, 1, sizeof(double), PORTABLE_ACCESS_BOTH, &a);
 *       for (int64_t i = t->lower[0]; i <= t->upper[0]; i++, n += step[0]) {
 *         portable_shadow_read(&a, i - 1, n, __LINE__);
 *         portable_shadow_write(&a, i, n, __LINE__);
 *         ...
 *
 * Under PORTABLE_CHECK=races every launch on the host runs serially, in the order of its index space, and a race is reported so:
 *     race: loop 'smooth': iteration (2) reads a(1), which iteration (1) wrote (lines 44, 45)
 * An element is reported once in a launch, a pair of lines once in a run; the last portable_finalize says how often it was. Loops whose kernels do
 * not ask for a shadow are listed there. Without the check the functions do nothing, for the price of a branch.
 */
#ifndef PORTABLE_RACE_H
#define PORTABLE_RACE_H

#ifndef PORTABLE_LAUNCH_H
#error "include portable.h, which includes this"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The last access to an element, and its first read: the launch's number of stamps (from), the iteration times 2^20, and the line. Stamps below `from` are
 * of earlier launches.  Since: 0.1 */
typedef struct portable_race_cell {
  int64_t wrote, read;
} portable_race_cell;

/* The accesses to an array in one launch. Arrays that share elements share cells. Valid during the call of the kernel.  Since: 0.1 */
typedef struct portable_shadow {
  portable_race_cell *cells; /* of the element with the lowest indices, in elements from it; NULL: nothing to be checked */
  int64_t from;              /* stamp of the launch's first iteration */
  int64_t low;               /* elements from the first one to the lowest one; 0 where no stride is negative */
  uint64_t elements;         /* from there to the highest one */
  int32_t array, reserved;   /* the library's */
} portable_shadow;

#define PORTABLE_RACE_LINES 1048575 /* the last line that a stamp can hold */

/* 1: races are checked in this run (PORTABLE_CHECK=races), from portable_init on.  Threads: safe.  Since: 0.1 */
int32_t portable_races_checked(void);

/* The number of the tile's first iteration in its launch, from 0 in the order of the index space; step_out[d] is what one step of the loop in dimension d
 * adds to it. Without a check too.
 * Shapes: step_out[PORTABLE_LOOP_RANK], in the order of the indices.  Threads: inside a kernel.  Since: 0.1 */
int64_t portable_tile_iteration(const portable_tile *tile, int64_t *step_out);

/* The shadow of an array that the kernel accesses. view is a portable_view_RANK (portable_device_view.h) of ranks 1 to 8; name is for messages; access is
 * PORTABLE_ACCESS_... Ask for those of all arrays before the first access, and first for the longest one of such as share elements; arrays that only the
 * kernel reads, and that share none with others, may be left out. An array has no cells where there is no room for them (PORTABLE_RACES_MB), or where another
 * one lies over it with other elements: that is reported.
 * Ownership: the library's, until the kernel returns.  Threads: on the thread that runs the kernel.
 * Errors: none; without the check, in a launch inside a kernel, or with an invalid tile: a shadow without cells.  Since: 0.1 */
void portable_shadow_of(const portable_tile *tile, const char *name, const void *view, int32_t rank, size_t element_bytes, int32_t access,
                        portable_shadow *shadow_out);

/* The library's: an access that may be a race. */
void portable_shadow_race(const portable_shadow *array, int64_t element, int64_t stamp, int32_t writes);

#if defined(__GNUC__)
#define PORTABLE__SELDOM(x) __builtin_expect(!!(x), 0)
#else
#define PORTABLE__SELDOM(x) (x)
#endif

/* Iteration number `iteration` reads, or writes, an element: how many elements it is from the one with the lowest indices. line is 0 to 1048575.
 * Source: ThreadSanitizer's shadow cells.  Since: 0.1 */
PORTABLE_INLINE void portable_shadow_read(const portable_shadow *array, int64_t element, int64_t iteration, int32_t line) {
  if ((uint64_t)(element - array->low) >= array->elements) return;
  portable_race_cell *cell = array->cells + element;
  const int64_t now = array->from + iteration * (PORTABLE_RACE_LINES + 1) + line;
  if (PORTABLE__SELDOM(cell->wrote >= array->from && (cell->wrote ^ now) > PORTABLE_RACE_LINES))
    portable_shadow_race(array, element, now, 0);
  else if (cell->read < array->from)
    cell->read = now;
}

PORTABLE_INLINE void portable_shadow_write(const portable_shadow *array, int64_t element, int64_t iteration, int32_t line) {
  if ((uint64_t)(element - array->low) >= array->elements) return;
  portable_race_cell *cell = array->cells + element;
  const int64_t now = array->from + iteration * (PORTABLE_RACE_LINES + 1) + line;
  if (PORTABLE__SELDOM((cell->wrote >= array->from && (cell->wrote ^ now) > PORTABLE_RACE_LINES) ||
                       (cell->read >= array->from && (cell->read ^ now) > PORTABLE_RACE_LINES)))
    portable_shadow_race(array, element, now, 1);
  else
    cell->wrote = now;
}

#undef PORTABLE__SELDOM

#ifdef __cplusplus
}
#endif

#endif
