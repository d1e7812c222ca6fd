/* exact.h - the inside of portable_exact: which word is what. Private; the functions are public, in portable_exact.h.
 *
 * Representation: a fixed-point number that holds every finite double, in limbs of 32 bits that lie in words of 64:
 *   sum = (limb[0] + limb[1]*2^32 + ...) * 2^-1074
 * A limb is signed and may be larger than 32 bits (carry-save): adding a value touches three limbs and carries
 * nothing. Invariant: |limb| <= load * 2^32, where load counts the additions since carries were last done; they are done when
 * it comes to EXACT_LOAD, so the words of 2^(63-32-12) sums can be added without overflow. */
#ifndef PORTABLE__EXACT_H
#define PORTABLE__EXACT_H

#include "../../../capi/include/c/portable.h"

#define PORTABLE__EXACT_LIMBS 68 /* 2098 bits of a double and 63 for the count of them, in wholes of 32 */
#define PORTABLE__EXACT_NAN   68 /* how many NaN, +infinity and -infinity there were */
#define PORTABLE__EXACT_PLUS  69
#define PORTABLE__EXACT_MINUS 70
#define PORTABLE__EXACT_LOAD  71
#define PORTABLE__EXACT_LOAD_MOST 4096

#endif
