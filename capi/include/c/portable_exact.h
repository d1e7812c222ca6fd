/* portable_exact.h - sums of real32 and real64 values without any rounding until they are read. Part of portable.h; include
 * that.
 *
 * In this file: the sum as a plain struct, and what is done with it. Not in this file: reductions that use it
 * (portable_reduce.h).
 *
 * A sum holds all bits that its values have, so it depends neither on their order nor on who added which: any number of
 * threads, any schedule, any distribution over MPI ranks gives the same bits. It is read with one rounding, to nearest, ties
 * to even, whatever the rounding mode: the double next to the true sum. Intermediate sums cannot overflow; a sum beyond
 * huge is read as infinity. NaN and infinities do as in IEEE 754: any NaN gives NaN, infinities of both signs give NaN. A sum
 * that is zero is +0. No floating-point exception is raised and none traps.
 *
 * All functions here work before portable_init too, take no lock, and compute with integers and, for arrays, in the
 * default floating-point modes. sum, into and from are never NULL. Threads: one sum belongs to one thread at a time.
 */
#ifndef PORTABLE_EXACT_H
#define PORTABLE_EXACT_H

#ifndef PORTABLE_H
#error "include portable.h, which includes this"
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define PORTABLE_EXACT_WORDS 72

/* A sum. All words 0 is the empty sum; the sum of two sums is the sum of their words. So MPI adds those of all ranks:
 *   MPI_Allreduce(MPI_IN_PLACE, sum.word, PORTABLE_EXACT_WORDS, MPI_INT64_T, MPI_SUM, comm);
 * which is right for up to 500 000 sums, and for 2 000 000 000 that were normalised before.  Since: 0.1 */
typedef struct portable_exact {
  int64_t word[PORTABLE_EXACT_WORDS];
} portable_exact;

/* Makes it the empty sum.  Since: 0.1 */
void portable_exact_init(portable_exact *sum);

/* Adds one value; a float is added as the double that it is.  Since: 0.1 */
void portable_exact_add(portable_exact *sum, double value);

/* Adds values[0..count-1]. Faster than one by one where the values of some hundred neighbours are within a factor of 1e10.
 * values may be NULL with count 0.  Since: 0.1 */
void portable_exact_add_array(portable_exact *sum, const double *values, size_t count);
void portable_exact_add_array32(portable_exact *sum, const float *values, size_t count);

/* Adds the sum `from` to the sum `into`.  Since: 0.1 */
void portable_exact_merge(portable_exact *into, const portable_exact *from);

/* Gives equal sums equal words; the sum stays what it is.  Since: 0.1 */
void portable_exact_normalise(portable_exact *sum);

/* The sum, rounded once.  Since: 0.1 */
double portable_exact_value(const portable_exact *sum);
float portable_exact_value32(const portable_exact *sum);

#ifdef __cplusplus
}
#endif

#endif
